//! Tools that take their time: those to ask for progress, and to cancel.

use crate::evidence::{Evidence, Exchange, Tool};
use crate::probe::{Risk, words};
use crate::probes::valid_call;

const HINTS: [&str; 7] = ["long", "slow", "progress", "sleep", "wait", "delay", "countdown"];

/// Longer ones would use up the patience of a side.
const LONGEST_MS: f64 = 3_000.0;

/// The tools that may be called again on a side, with the call that worked: those that say that
/// they take long first, then those that read, by how long they took.
pub(crate) fn ranked(evidence: &Evidence) -> Vec<(&Tool, &Exchange)> {
    let mut all: Vec<(&Tool, &Exchange)> = evidence
        .tools()
        .filter(|t| match evidence.risk_of(&t.name) {
            Risk::Reads => true,
            Risk::Writes => hints(t),
            Risk::Destroys => false,
        })
        .filter_map(|t| Some((t, valid_call::working(evidence, &t.name)?)))
        .filter(|(_, x)| x.took.millis() < LONGEST_MS)
        .collect();
    all.sort_by_key(|(t, x)| (!hints(t), std::cmp::Reverse(x.took), t.name.clone()));
    all
}

fn hints(tool: &Tool) -> bool {
    let description = tool.description.as_deref().unwrap_or_default();
    let mut said = words(&tool.name).into_iter().chain(words(description));
    said.any(|word| HINTS.contains(&word.as_str()))
}
