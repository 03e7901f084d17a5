//! The order of tools: who makes things before who needs them, who takes parts away before who
//! takes away the whole.

use super::arguments;
use crate::evidence::{Evidence, Tool};
use crate::harvest::{Stage, refers_elsewhere};
use crate::seed::Seed;

pub(super) fn makers_first<'a>(
    evidence: &Evidence,
    mut tools: Vec<&'a Tool>,
    seed: Seed,
) -> Vec<&'a Tool> {
    tools.sort_by_cached_key(|tool| (Stage::of(tool), refers(evidence, tool, seed)));
    tools
}

/// A tool without parameters takes away everything there is.
pub(super) fn parts_first<'a>(
    evidence: &Evidence,
    mut tools: Vec<&'a Tool>,
    seed: Seed,
) -> Vec<&'a Tool> {
    tools.sort_by_cached_key(|tool| {
        (tool.parameters().next().is_none(), !refers(evidence, tool, seed))
    });
    tools
}

fn refers(evidence: &Evidence, tool: &Tool, seed: Seed) -> bool {
    let sent = arguments(evidence, tool, seed);
    sent.is_some_and(|arguments| refers_elsewhere(evidence, tool, &arguments))
}
