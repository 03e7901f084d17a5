//! `score`: the same judgement from a recorded run. No runtime, no network: it has to be quick.

use std::process::ExitCode;

use anyhow::{Result, bail};
use proofmark_core::report::Report;
use proofmark_core::suggest::{SUGGESTED, suggestions};
use proofmark_live::store;

use super::dimensions;
use super::judging::{self, Bench};
use crate::args::Score;
use crate::gates;
use crate::output::{self, Files};
use crate::screen::Screen;
use crate::verdict::{self, CouldNotAssess};

pub(super) fn run(args: &Score, screen: &Screen) -> Result<ExitCode> {
    let Bench { rubric, sieve, baseline, licences, gates, .. } = judging::prepare(&args.judging)?;
    let bytes = store::read_bytes(&args.evidence)?;
    if dimensions::is_report(&args.evidence, &bytes) {
        return dimensions::score(&bytes, args, screen);
    }
    let files = Files::plan(&args.output.output)?;
    if files.paths().any(|path| output::same_place(path, &args.evidence)) {
        bail!("-o {} would replace the evidence; name another file", args.evidence.display());
    }
    let mut evidence = store::evidence_of(&args.evidence, &bytes)?;
    if baseline.is_some() {
        evidence.conditions.baseline = baseline;
    }
    if licences.is_some() {
        evidence.conditions.licences = licences;
    }
    let mut report = Report::sifted(&evidence, &rubric, &sieve);
    if args.judging.suggest {
        report.suggestions = suggestions(&evidence, SUGGESTED);
    }
    report.gates = gates.judge(&report);
    output::print(&report, &evidence, &args.output, screen)?;
    let (written, failed) = files.write(&report, &evidence);
    if !args.output.quiet {
        for path in written {
            screen.note(&format!("report written to {}", path.display()));
        }
    }
    if !failed.is_empty() {
        return Err(CouldNotAssess(failed.join("\n")).into());
    }
    gates::tell(&report, screen);
    let code = verdict::of(&report, &rubric);
    // The process ends here; taking a large record apart piece by piece would only take time.
    std::mem::forget((evidence, report));
    Ok(code)
}
