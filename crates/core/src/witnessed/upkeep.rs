//! What programs do for themselves, and what is somebody's.

use crate::evidence::{Effect, Exchange};
use crate::harvest::singular;
use crate::probe::words;

/// What lies in the workspace and is thrown away is somebody's, even if it is called so.
pub(super) fn spared(effect: &Effect) -> &'static [&'static str] {
    match effect {
        Effect::FileDeleted { path } if path.starts_with("/proofmark/workspace/") => {
            &["cache", ".tmp"]
        }
        Effect::FileDeleted { .. } | Effect::FileCreated { .. } | Effect::FileChanged { .. } => &[],
    }
}

/// The words of a tool's name: to a tool that is about logs, a log is no by-product.
pub(super) fn own_words(x: &Exchange) -> Vec<String> {
    words(x.subject.tool().unwrap_or_default()).iter().map(|word| singular(word)).collect()
}

/// Caches, logs and locks: what programs do for themselves.
pub(super) fn is_upkeep(path: &str, spared: &[&str]) -> bool {
    const PARTS: &[&str] = &[
        "/.cache",
        "/.config/",
        "/.git/index",
        "/.local/",
        "/.npm",
        "__pycache__",
        "access",
        "audit",
        "cache",
        "history",
        "journal",
        "lock",
        "log",
        "metrics",
        "node_modules",
        "telemetry",
        "trace",
    ];
    const ENDS: &[&str] = &[".pid", ".pyc", ".sock", "-shm", "-wal", ".tmp", ".swp"];
    let lower = path.to_lowercase();
    let counts = |part: &&&str| !spared.contains(*part);
    PARTS.iter().filter(counts).any(|part| lower.contains(part))
        || ENDS.iter().filter(counts).any(|end| lower.ends_with(end))
}

/// What most programs keep of all that is asked of them, and some of what they were given.
pub(super) fn is_history(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default().to_lowercase();
    name.contains("history") && !name.starts_with('.')
}

pub(super) fn is_database(path: &str) -> bool {
    [".db", ".duckdb", ".sqlite", ".sqlite3", ".mdb"].iter().any(|end| path.ends_with(end))
}
