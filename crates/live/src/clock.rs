//! What day it is, for what expires.

use proofmark_core::sieve::Day;

/// Today, where the user is.
pub fn today() -> Option<Day> {
    jiff::Zoned::now().date().to_string().parse().ok()
}
