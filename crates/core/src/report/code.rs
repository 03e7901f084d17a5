//! What the report tells of the source: how people get it, and what was read of it.

use super::CodeSummary;
use crate::evidence::{Distribution, Evidence};
use crate::target::Target;

/// What the tree or the package shows, and what the way we reached it shows.
pub(super) fn distribution(evidence: &Evidence) -> Vec<Distribution> {
    let mut ways: Vec<Distribution> =
        evidence.source.as_ref().map(|s| s.distribution.clone()).unwrap_or_default();
    ways.extend(match &evidence.target {
        Target::Stdio { command, .. } => launched(command),
        Target::Http { .. } | Target::Sse { .. } => Some(Distribution::Remote),
        Target::Source { .. } => None,
    });
    ways.sort();
    ways.dedup();
    ways
}

fn launched(command: &str) -> Option<Distribution> {
    match command.rsplit('/').next().unwrap_or(command) {
        "npx" | "bunx" | "pnpx" => Some(Distribution::Npm),
        "uvx" | "pipx" => Some(Distribution::Pypi),
        "docker" | "podman" => Some(Distribution::Docker),
        _ => None,
    }
}

pub(super) fn summary(evidence: &Evidence) -> Option<CodeSummary> {
    let code = evidence.source.as_ref()?.code.as_ref()?;
    Some(CodeSummary {
        files: code.files.clone(),
        left_out: code.left_out.clone(),
        tools: code.tools.clone(),
    })
}
