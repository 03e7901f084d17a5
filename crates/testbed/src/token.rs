//! Identifiers that nobody can guess.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// 128 bits as hexadecimal digits, another one each time.
pub(crate) fn fresh() -> String {
    static KEY: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let n = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{:016x}{:016x}", KEY.hash_one((n, "high")), KEY.hash_one((n, "low")))
}
