//! Calls that a model wrote, made like any other: benign ones and attacks are gated apart.

use crate::dimensions::Category;
use crate::dimensions::ask::is_harmless;
use crate::evidence::Evidence;
use crate::probe::{Call, Lane, Probe};
use crate::seed::Seed;

pub const PROBE: Probe =
    Probe { id: "generated", hostile: false, lane: Lane::Shared, plan: plan_benign };
pub const HOSTILE: Probe =
    Probe { id: "generated-attack", hostile: true, lane: Lane::Shared, plan: plan_hostile };

fn plan_benign(evidence: &Evidence, _: Seed) -> Vec<Call> {
    calls(evidence, |category| category != Category::Security)
}

fn plan_hostile(evidence: &Evidence, _: Seed) -> Vec<Call> {
    calls(evidence, |category| category == Category::Security)
}

fn calls(evidence: &Evidence, wanted: fn(Category) -> bool) -> Vec<Call> {
    let known = |tool: &str| evidence.tools().any(|t| t.name == tool);
    evidence
        .generated
        .iter()
        .enumerate()
        .filter(|(_, c)| wanted(c.category) && known(&c.tool) && is_harmless(&c.arguments))
        // Two cases of one name are two cases.
        .map(|(n, c)| Call::tool(&c.tool, label(n, c.category, &c.name), c.arguments.clone()))
        .collect()
}

fn label(n: usize, category: Category, name: &str) -> String {
    format!("{}: {name} ({n})", category.title())
}

/// What a generated call tests, by its label.
pub fn category(label: &str) -> Option<Category> {
    Category::ALL.into_iter().find(|c| label.starts_with(c.title()))
}
