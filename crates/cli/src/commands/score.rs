//! `score`: the same judgement from a recorded run. It has to be quick: no runtime and no network,
//! unless a model is to be asked.

use std::process::ExitCode;

use anyhow::{Result, bail};
use proofmark_core::dimensions::Recording;
use proofmark_core::evidence::Evidence;
use proofmark_core::report::Report;
use proofmark_core::suggest::{SUGGESTED, suggestions};
use proofmark_live::store;

use super::dimensions;
use super::judging::{self, Bench};
use crate::args::Score;
use crate::gates;
use crate::judge::{self, Judge};
use crate::output::{self, Files};
use crate::screen::Screen;
use crate::verdict::{self, CouldNotAssess};

pub(super) fn run(args: &Score, screen: &Screen) -> Result<ExitCode> {
    // Whoever comes to need them first waits for them; nobody waits for the thread.
    std::thread::spawn(proofmark_core::read_tables);
    let bench = judging::prepare(&args.judging)?;
    let bytes = store::read_bytes(&args.evidence)?;
    let note = |text: &str| screen.note_unless(args.output.quiet, text);
    let model = Judge::of(&args.judge, &note)?;
    let inputs = std::slice::from_ref(&args.evidence);
    judge::check_place(args.answers.as_deref(), inputs, model.is_some())?;
    if dimensions::is_report(&args.evidence, &bytes) {
        return dimensions::score(&bytes, args, model.as_ref(), screen);
    }
    let files = Files::plan(&args.output.output)?;
    if files.paths().any(|path| output::same_place(path, &args.evidence)) {
        bail!("-o {} would replace the evidence; name another file", args.evidence.display());
    }
    let mut evidence = store::evidence_of(&args.evidence, &bytes)?;
    if model.is_some() || args.answers.is_some() {
        let recording = Recording::of_evidence(&evidence);
        let file = args.answers.as_deref();
        let said = judge::answers(model.as_ref(), &args.judge, file, &recording, &note)?;
        evidence.answers = said.or(evidence.answers);
    }
    let report = judged(&mut evidence, &bench, args.judging.suggest);
    output::print(&report, &evidence, &args.output, screen)?;
    let (written, failed) = files.write(&report, &evidence);
    for path in written {
        note(&format!("report written to {}", path.display()));
    }
    if !failed.is_empty() {
        return Err(CouldNotAssess(failed.join("\n")).into());
    }
    gates::tell(&report, screen);
    let code = verdict::of(&report, &bench.rubric);
    // The process ends here; taking a large record apart piece by piece would only take time.
    std::mem::forget((evidence, report));
    Ok(code)
}

/// The report, by all that was settled beforehand.
fn judged(evidence: &mut Evidence, bench: &Bench, suggest: bool) -> Report {
    if bench.baseline.is_some() {
        evidence.conditions.baseline.clone_from(&bench.baseline);
    }
    if bench.licences.is_some() {
        evidence.conditions.licences.clone_from(&bench.licences);
    }
    let mut report = Report::sifted(evidence, &bench.rubric, &bench.sieve);
    if suggest {
        report.suggestions = suggestions(evidence, SUGGESTED);
    }
    report.gates = bench.gates.judge(&report);
    report
}
