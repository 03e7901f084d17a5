//! The catalogue of checks: one folder per topic, one file and one page per check.

pub mod documentation;
pub mod errors;
pub mod functionality;
pub mod performance;
pub mod policy;
pub mod protocol;
pub mod security;
pub mod supply_chain;
pub mod usability;

use crate::check::Check;

const TOPICS: &[&[&Check]] = &[
    documentation::CHECKS,
    errors::CHECKS,
    functionality::CHECKS,
    performance::CHECKS,
    policy::CHECKS,
    protocol::CHECKS,
    security::CHECKS,
    supply_chain::CHECKS,
    usability::CHECKS,
];

/// Every check, ordered by id.
pub fn all() -> Vec<&'static Check> {
    let mut checks: Vec<&'static Check> = TOPICS.iter().copied().flatten().copied().collect();
    checks.sort_by_key(|c| c.id);
    checks
}

/// The check with this id, e.g. `errors/unknown-tool`.
pub fn find(id: &str) -> Option<&'static Check> {
    TOPICS.iter().copied().flatten().copied().find(|c| c.id == id)
}
