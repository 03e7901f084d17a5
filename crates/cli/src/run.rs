//! One assessment from target to report: gather, keep the evidence, judge, print, write.

use std::io::IsTerminal;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use proofmark_core::check::Check;
use proofmark_core::checks;
use proofmark_core::dimensions::{Evaluation, Profile, Recording};
use proofmark_core::evidence::{Evidence, Tool};
use proofmark_core::report::Report;
use proofmark_core::rubric::Rubric;
use proofmark_core::sieve::Sieve;
use proofmark_core::suggest::{SUGGESTED, suggestions};
use proofmark_core::target::Target;
use proofmark_live::wire::WireError;
use proofmark_live::{GatherError, Options, gather, store};

use crate::gates::Gates;
use crate::incremental;
use crate::interrupt;
use crate::judge::Judge;
use crate::output::Files;
use crate::screen::Screen;
use crate::verdict::{self, CouldNotAssess};
use crate::watch::Watch;

/// All that was settled before the run may start.
pub(crate) struct Run<'a> {
    pub(crate) target: Target,
    pub(crate) options: Options,
    pub(crate) rubric: &'a Rubric,
    pub(crate) sieve: &'a Sieve,
    pub(crate) gates: &'a Gates,
    pub(crate) files: Files,
    pub(crate) evidence: Option<PathBuf>,
    /// Where the next incremental run looks.
    pub(crate) incremental: Option<PathBuf>,
    /// Prints the result on standard output.
    pub(crate) show: &'a dyn Fn(&Report, &Evidence) -> Result<()>,
    pub(crate) quiet: bool,
    pub(crate) screen: &'a Screen,
    /// A model to ask about the calls, and to write some.
    pub(crate) judge: Option<&'a Judge>,
    pub(crate) generate: bool,
    /// Add better definitions to the report.
    pub(crate) suggest: bool,
}

impl Run<'_> {
    /// Does it all. Once the server has answered, every way out keeps what was seen.
    pub(crate) fn execute(mut self, watch: Watch) -> Result<Report> {
        self.generate(&watch)?;
        let checks = checks_of(&self.options);
        let mut evidence =
            gather_evidence(&self.target, &self.options, &checks, &watch, self.screen)?;
        watch.finish();
        verdict::must_be_server(&evidence)?;
        self.ask(&mut evidence)?;
        self.note_unused_fixtures(&evidence);
        let kept = self.keep(&evidence);
        // A fault in one of our checks must not cost a long run its evidence.
        let judged =
            catch_unwind(AssertUnwindSafe(|| Report::sifted(&evidence, self.rubric, self.sieve)));
        let Ok(mut report) = judged else {
            let bug = "judging the evidence failed; this is a bug in proofmark, please report it";
            return Err(self.rescue(&evidence, &[bug.to_owned()]));
        };
        if self.suggest {
            report.suggestions = suggestions(&evidence, SUGGESTED);
        }
        report.gates = self.gates.judge(&report);
        let printed = (self.show)(&report, &evidence);
        let (written, mut failed) = self.files.write(&report, &evidence);
        for path in written {
            self.note(&format!("report written to {}", path.display()));
        }
        failed.extend(printed.err().map(|e| format!("can't print the report: {e:#}")));
        failed.extend(kept.err().map(|e| e.to_string()));
        match failed.is_empty() {
            true => Ok(report),
            false => Err(self.rescue(&evidence, &failed)),
        }
    }

    /// What the model is to write cases for is listed first; nothing is called for that.
    fn generate(&mut self, watch: &Watch) -> Result<()> {
        let Some(judge) = self.judge.filter(|_| self.generate) else { return Ok(()) };
        let listing = Options { passive: true, ..self.options.clone() };
        let listed = gather_evidence(&self.target, &listing, &[], watch, self.screen)?;
        let tools: Vec<Tool> = listed.tools().cloned().collect();
        self.options.generated = judge.generate(&tools, &|text| self.note(text))?;
        Ok(())
    }

    /// The answers become part of the evidence, so that judging again needs no model.
    fn ask(&self, evidence: &mut Evidence) -> Result<()> {
        let Some(judge) = self.judge else { return Ok(()) };
        let recording = Recording::of_evidence(evidence);
        if recording.cases.is_empty() {
            return Ok(());
        }
        let note = |text: &str| self.note(text);
        let book = judge.ask(&recording, &note)?;
        let evaluation = Evaluation::with_answers(&recording, Profile::Seed, Some(&book))?;
        let total = evaluation.total.map_or("no score".to_owned(), |t| format!("{t} of 100"));
        note(&format!("five dimensions: {total}, {}", evaluation.judged_by.says()));
        evidence.answers = Some(book);
        Ok(())
    }

    fn keep(&self, evidence: &Evidence) -> Result<(), store::StoreError> {
        if let Some(path) = &self.incremental {
            incremental::keep(path, evidence)?;
        }
        let Some(path) = &self.evidence else { return Ok(()) };
        store::write_evidence(path, evidence)?;
        self.note(&format!("evidence written to {}", path.display()));
        Ok(())
    }

    /// Something could not be written: at least the evidence is saved, and where is said.
    fn rescue(&self, evidence: &Evidence, failed: &[String]) -> anyhow::Error {
        let what = failed.join("\n");
        let safe = self.evidence.as_deref().filter(|p| p.is_file() && is_of(p, evidence));
        let way_out = match safe {
            Some(path) => format!("`proofmark score {}` gives the report again", path.display()),
            None => match save_aside(evidence) {
                Some(path) => format!(
                    "the evidence was saved; `proofmark score {}` gives the report again",
                    path.display()
                ),
                None => "the evidence could not be saved either; free some space and run again"
                    .to_owned(),
            },
        };
        CouldNotAssess(format!("{what}\n{way_out}")).into()
    }

    /// On a terminal the progress bar has said so already; elsewhere there is none.
    fn note_unused_fixtures(&self, evidence: &Evidence) {
        let notes = self.options.fixtures.check(&evidence.inventory.tools).unwrap_or_default();
        if !std::io::stderr().is_terminal() {
            notes.iter().for_each(|text| self.note(text));
        }
    }

    fn note(&self, text: &str) {
        if !self.quiet {
            self.screen.note(text);
        }
    }
}

/// The checks that are to be asked about.
pub(crate) fn checks_of(options: &Options) -> Vec<&'static Check> {
    checks::all().into_iter().filter(|c| options.scope.includes_check(c.id)).collect()
}

/// What the server has to say, with everything that must be set up and taken down around it.
pub(crate) fn gather_evidence(
    target: &Target,
    options: &Options,
    checks: &[&'static Check],
    watch: &Watch,
    screen: &Screen,
) -> Result<Evidence> {
    // Only a second install can fail, and then the first one serves.
    let _ = rustls::crypto::ring::default_provider().install_default();
    interrupt::clean_up_on_panic();
    // One thread: a frame then wakes its caller without crossing threads.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("can't start the run; are there too many threads or open files?")?;
    let gathered = runtime.block_on(async {
        let interrupt = interrupt::watch_signals(watch.voice(*screen))
            .context("can't watch for signals; are there too many open files?")?;
        gather(target, options, checks, &watch.watcher(), interrupt).await.map_err(could_not_gather)
    });
    // A blocking read that never returns must not hold up the report.
    runtime.shutdown_timeout(Duration::from_millis(500));
    gathered
}

/// Whether the file holds this run and not an older one.
fn is_of(path: &Path, evidence: &Evidence) -> bool {
    store::read_evidence(path).is_ok_and(|e| e.conditions.usage == evidence.conditions.usage)
}

fn save_aside(evidence: &Evidence) -> Option<PathBuf> {
    let name = format!("proofmark-evidence-{}.json.zst", evidence.conditions.usage.began);
    [PathBuf::from("."), std::env::temp_dir()]
        .into_iter()
        .map(|dir| dir.join(&name))
        .find(|path| store::write_evidence(path, evidence).is_ok())
}

/// A wrong address or header is the user's to mend; all else could not be helped.
fn could_not_gather(error: GatherError) -> anyhow::Error {
    match error {
        GatherError::Wire(e @ (WireError::BadUrl(..) | WireError::BadHeader(..))) => e.into(),
        GatherError::Fixture(error) => error.into(),
        GatherError::Wire(_) | GatherError::Scratch(_) => CouldNotAssess(error.to_string()).into(),
    }
}
