//! Exit codes: 0 passed · 1 below the bar · 2 usage or configuration · 3 could not assess.

use std::process::ExitCode;

use anyhow::{Result, bail};
use proofmark_core::diff::Change;
use proofmark_core::dimensions::Evaluation;
use proofmark_core::evidence::{Distribution, Evidence, Startup};
use proofmark_core::gate::GateReport;
use proofmark_core::render::text::count;
use proofmark_core::report::Report;
use proofmark_core::rubric::Rubric;
use proofmark_core::target::Target;

const BELOW: u8 = 1;
const USAGE: u8 = 2;
const NOT_ASSESSED: u8 = 3;

/// An error that is not the user's: the run itself could not be done.
#[derive(Debug)]
pub(crate) struct CouldNotAssess(pub(crate) String);

impl std::fmt::Display for CouldNotAssess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CouldNotAssess {}

pub(crate) fn code_of(error: &anyhow::Error) -> ExitCode {
    ExitCode::from(if error.is::<CouldNotAssess>() { NOT_ASSESSED } else { USAGE })
}

/// A source tree in which nothing makes an MCP server can't be assessed as one.
pub(crate) fn must_be_server(evidence: &Evidence) -> Result<()> {
    let (Target::Source { dir }, Some(source)) = (&evidence.target, &evidence.source) else {
        return Ok(());
    };
    let code = source.code.clone().unwrap_or_default();
    let built_on_sdk = source.package.as_ref().is_some_and(|p| !p.sdks.is_empty());
    let published = source.distribution.iter().any(|d| {
        // Only servers of MCP are bundled so, or have an entry in its registry.
        matches!(d, Distribution::Mcpb | Distribution::Remote)
    });
    if code.is_server() || built_on_sdk || published {
        return Ok(());
    }
    let read = count(code.parsed() as usize, "file");
    bail!(CouldNotAssess(format!(
        "there is no MCP server in {dir}: of {read} of Python, JavaScript, TypeScript, Go and Rust none brings in an MCP SDK, registers a tool or names tools/list; give --source the folder of the server"
    )))
}

/// The gates decide where there are any; else only the rubric's top level passes.
pub(crate) fn of(report: &Report, rubric: &Rubric) -> ExitCode {
    let down = matches!(report.startup, Startup::Down { .. });
    if down || report.score.is_none() {
        return ExitCode::from(NOT_ASSESSED);
    }
    if !report.gates.is_empty() {
        let missed = report.gates.iter().any(GateReport::fails);
        return if missed { ExitCode::from(BELOW) } else { ExitCode::SUCCESS };
    }
    let Some(top) = rubric.bands.first() else { return ExitCode::from(BELOW) };
    let reached = match &report.target {
        // Whoever asks for a static run knows that most was not seen: the floor of coverage is no
        // bar for it, the score of what was read is.
        Target::Source { .. } => report.score.is_some_and(|score| score >= top.at),
        Target::Stdio { .. } | Target::Http { .. } | Target::Sse { .. } => {
            report.level == top.level
        }
    };
    if reached { ExitCode::SUCCESS } else { ExitCode::from(BELOW) }
}

/// All evaluations have to reach the top level.
pub(crate) fn of_evaluations(evaluations: &[Evaluation]) -> ExitCode {
    if evaluations.iter().any(|e| e.total.is_none()) {
        return ExitCode::from(NOT_ASSESSED);
    }
    let passed = evaluations.iter().all(Evaluation::passes);
    if passed { ExitCode::SUCCESS } else { ExitCode::from(BELOW) }
}

/// Only what could be compared and is not worse passes.
pub(crate) fn of_change(change: Change) -> ExitCode {
    match change {
        Change::Better | Change::Same => ExitCode::SUCCESS,
        Change::Worse => ExitCode::from(BELOW),
        Change::Incomparable => ExitCode::from(NOT_ASSESSED),
    }
}

/// A requirement table passes when nothing binding is broken.
pub(crate) fn of_table(report: &Report, holds: bool) -> ExitCode {
    of_list(matches!(report.startup, Startup::Down { .. }), holds)
}

/// A list of anything passes when it holds, and says nothing of a server that stayed away.
pub(crate) fn of_list(down: bool, holds: bool) -> ExitCode {
    match (down, holds) {
        (true, _) => ExitCode::from(NOT_ASSESSED),
        (false, true) => ExitCode::SUCCESS,
        (false, false) => ExitCode::from(BELOW),
    }
}
