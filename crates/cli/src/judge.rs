//! The language model as the user set it up: asked after an estimate, or not at all.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use proofmark_core::dimensions::ask::{AnswerBook, GeneratedCase, Question, Spent};
use proofmark_core::dimensions::{Mode, Recording};
use proofmark_core::evidence::Tool;
use proofmark_live::judge::{self, Service, Terms};
use proofmark_live::store;
use tokio::runtime::{Builder, Runtime};

use crate::args::JudgeArgs;
use crate::output::same_place;

/// A model that can be asked.
#[derive(Debug)]
pub(crate) struct Judge {
    service: Service,
    mode: Mode,
    terms: Terms,
}

/// Says something to the user, on standard error.
pub(crate) type Note<'a> = &'a dyn Fn(&str);

impl Judge {
    /// `None` when no model is wanted, or when there is neither a key nor an address: then all is
    /// left to the rules, and the user is told.
    pub(crate) fn of(args: &JudgeArgs, note: Note) -> Result<Option<Judge>> {
        let Some((dialect, model)) = &args.judge else { return Ok(None) };
        let variable = args.judge_key_env.as_deref().unwrap_or(dialect.key_variable());
        let key = env::var(variable).ok().filter(|key| !key.is_empty());
        if key.is_none() && args.judge_url.is_none() {
            note(&format!(
                "no model is asked: {variable} is not set and there is no --judge-url; all cases are left to the rules"
            ));
            return Ok(None);
        }
        let terms = Terms {
            calls: args.judge_calls,
            tokens: args.judge_tokens,
            dollars: args.judge_cost,
            prices: args.judge_price,
            timeout: args.judge_timeout,
            concurrency: usize::from(args.judge_concurrency),
            batch: usize::from(args.judge_batch),
            ..Terms::default()
        };
        let _ = rustls::crypto::ring::default_provider().install_default();
        let base = args.judge_url.as_deref();
        let service = Service::new(*dialect, model, base, key, terms.timeout)?;
        Ok(Some(Judge { service, mode: args.judge_mode.into(), terms }))
    }

    /// Says what it will take, asks, and says what it took.
    pub(crate) fn ask(&self, recording: &Recording, note: Note) -> Result<AnswerBook> {
        let plan = judge::estimate(recording, self.mode, &self.terms);
        let dollars = plan.dollars.map_or(String::new(), |d| format!(", about ${d:.4}"));
        note(&format!(
            "asking {} at {} about {} of {} cases: {} requests, about {} tokens{dollars}",
            self.service.name(),
            self.service.host(),
            plan.cases,
            recording.cases.len(),
            plan.prompts,
            plan.tokens_in + plan.tokens_out,
        ));
        let asking = judge::ask(&self.service, recording, self.mode, &self.terms);
        let book = runtime()?.block_on(asking);
        let Spent { requests, tokens_in, tokens_out, dollars } = book.spent();
        let cost = dollars.map_or(String::new(), |d| format!(", ${d:.4}"));
        note(&format!(
            "the model took {requests} requests, {tokens_in} tokens sent and {tokens_out} received{cost}"
        ));
        Ok(book)
    }

    /// Lets the model write test cases for these tools.
    pub(crate) fn generate(&self, tools: &[Tool], note: Note) -> Result<Vec<GeneratedCase>> {
        const EACH: usize = 8;
        let (name, host) = (self.service.name(), self.service.host());
        note(&format!("asking {name} at {host} for test cases of {} tools", tools.len()));
        let writing = judge::generate(&self.service, tools, EACH, &self.terms);
        let (cases, refused) = runtime()?.block_on(writing);
        note(&format!("{} cases are used, {} are not", cases.len(), refused.len()));
        refused.iter().for_each(|why| note(&format!("not used: {why}")));
        Ok(cases)
    }
}

/// A file of answers that replaces what is judged, or can't be written, is found out before the
/// model is paid.
pub(crate) fn check_place(file: Option<&Path>, inputs: &[PathBuf], asked: bool) -> Result<()> {
    let Some(file) = file else { return Ok(()) };
    if inputs.iter().any(|input| same_place(input, file)) {
        bail!("--answers {}: this file is what is judged; name another", file.display());
    }
    if asked {
        store::check_writable(file)?;
    }
    Ok(())
}

/// What a model says of these cases: asked now and kept in the file, or as kept there before.
pub(crate) fn answers(
    judge: Option<&Judge>,
    args: &JudgeArgs,
    file: Option<&Path>,
    recording: &Recording,
    note: Note,
) -> Result<Option<AnswerBook>> {
    let Some(judge) = judge else {
        // A model that was wanted and can't be asked has written nothing yet.
        let kept = file.filter(|path| args.judge.is_none() || path.exists());
        return kept.map(|path| kept_answers(path, recording)).transpose();
    };
    let book = judge.ask(recording, note)?;
    if let Some(path) = file {
        let text = serde_json::to_string_pretty(&book)? + "\n";
        store::write_atomic(path, text.as_bytes())?;
    }
    Ok(Some(book))
}

fn kept_answers(path: &Path, recording: &Recording) -> Result<AnswerBook> {
    let shown = path.display();
    let bytes = store::read_bytes(path)?;
    let book: AnswerBook = serde_json::from_slice(&bytes).with_context(|| {
        format!("{shown}: not the answers of a model; --judge writes them with --answers")
    })?;
    let known = recording.cases.iter().any(|case| book.answers.contains_key(&Question::key(case)));
    if !known && !book.answers.is_empty() {
        bail!("{shown}: holds answers about other cases; name the file they were asked about");
    }
    Ok(book)
}

fn runtime() -> Result<Runtime> {
    Builder::new_current_thread()
        .enable_all()
        .build()
        .context("can't ask the model; are there too many threads or open files?")
}
