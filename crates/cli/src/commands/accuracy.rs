//! `accuracy`: how often each check is right, measured on servers of which the truth is known: the
//! built-in ones, and samples in other languages.

mod tally;
mod trial;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::{env, fs, thread};

use anyhow::{Context, Result, anyhow};
use proofmark_core::accuracy::{Accuracy, Measured};
use proofmark_core::checks;
use proofmark_core::render::text::pad;
use proofmark_live::store;
use proofmark_testbed::{Label, Sample, Samples, Transport};
use serde::Serialize;

use crate::args::{Accuracy as Args, ListFormat};
use crate::nearest::did_you_mean;
use crate::screen::Screen;
use crate::verdict::CouldNotAssess;
use tally::{Mistake, MistakeKind, Tally, Told};
use trial::Trial;

/// The figures as machines read them.
#[derive(Serialize)]
struct Figures<'a> {
    floor: f64,
    transports: Vec<&'static str>,
    servers: usize,
    checks: BTreeMap<&'static str, Row>,
    /// Checks that no run told anything of.
    unmeasured: Vec<&'static str>,
    mistakes: &'a [Mistake],
}

#[derive(Serialize)]
struct Row {
    precision: Option<f64>,
    recall: Option<f64>,
    #[serde(flatten)]
    counts: Accuracy,
    hint: bool,
}

pub(super) fn run(args: &Args, screen: &Screen) -> Result<ExitCode> {
    if let Some(path) = &args.write {
        store::check_writable(path)?;
    }
    let trials = trials(args)?;
    let tally = measure(&trials, args, screen)?;
    let measured = measured(&trials, &tally);
    let figures = figures(&trials, &tally, &measured);
    screen.print(&match args.format {
        ListFormat::Json => serde_json::to_string_pretty(&figures)? + "\n",
        ListFormat::Terminal => table(&figures),
    })?;
    if let Some(path) = &args.write {
        store::write_atomic(path, measured.to_toml().as_bytes())?;
        screen.note_unless(args.quiet, &format!("written to {}", path.display()));
    }
    let hints = figures.checks.values().any(|row| row.hint);
    Ok(if hints { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// The servers that were asked for, on each of their transports, and the samples.
fn trials(args: &Args) -> Result<Vec<Trial>> {
    let labels = proofmark_testbed::modes()?;
    for mode in &args.mode {
        let known = || labels.iter().map(|l| l.name.as_str());
        if !known().any(|name| name == mode) {
            let hint = did_you_mean(mode, known());
            let way_out = "`proofmark serve --list` names them";
            return Err(anyhow!("--mode {mode}: no such server{hint}; {way_out}"));
        }
    }
    let wanted = |label: &Label| args.mode.is_empty() || args.mode.contains(&label.name);
    let of_label = |label: Label| {
        let transports = label.transports.clone();
        let label = Box::new(label);
        transports
            .into_iter()
            .map(move |transport| Trial::Built { label: label.clone(), transport })
    };
    let built = labels.into_iter().filter(wanted).flat_map(of_label);
    let sampled = args.samples.as_deref().map(samples).transpose()?.into_iter().flatten();
    let carried = |t: &Trial| {
        let transport = t.transport();
        args.transport.is_empty() || args.transport.iter().any(|a| Transport::from(*a) == transport)
    };
    let trials: Vec<Trial> = built.chain(sampled).filter(carried).collect();
    match trials.is_empty() {
        true => Err(anyhow!("none of these servers has that transport; leave --transport out")),
        false => Ok(trials),
    }
}

/// The sample servers of a folder.
fn samples(dir: &Path) -> Result<Vec<Trial>> {
    let file = dir.join("security.toml");
    let way_out = "--samples wants a folder with a `security.toml` such as crates/testbed";
    let text = fs::read_to_string(&file)
        .with_context(|| format!("can't read {}; {way_out}", file.display()))?;
    let samples: Samples =
        toml::from_str(&text).with_context(|| format!("{}: {way_out}", file.display()))?;
    let dir = dir.canonicalize()?;
    let of = |sample: &Sample| {
        let truths = samples.of(&sample.name).cloned().collect();
        Trial::Sample { sample: sample.clone(), truths, dir: dir.clone() }
    };
    Ok(samples.servers.iter().map(of).collect())
}

/// Runs a few servers at a time. What is counted does not depend on which ends first.
fn measure(trials: &[Trial], args: &Args, screen: &Screen) -> Result<Tally> {
    let program = env::current_exe().context("can't tell where this program lies")?;
    let program = program.display().to_string();
    let queue = Mutex::new(trials.iter().enumerate());
    let ended: Mutex<BTreeMap<usize, Result<Told>>> = Mutex::default();
    thread::scope(|scope| {
        for _ in 0..args.jobs {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some((n, trial)) = next else { return };
                    let told = trial.run(&program);
                    let mut ended = ended.lock().unwrap_or_else(PoisonError::into_inner);
                    ended.insert(n, told);
                    let progress = format!("{} of {}: {}", ended.len(), trials.len(), trial.name());
                    screen.note_unless(args.quiet, &progress);
                }
            });
        }
    });
    let ended = ended.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (mut tally, mut trouble) = (Tally::default(), Vec::new());
    for (trial, told) in trials.iter().zip(ended.into_values()) {
        match told {
            Ok(told) => match trial {
                Trial::Built { label, .. } => tally.add(label, &trial.name(), &told),
                Trial::Sample { truths, .. } => tally.add_sample(truths, &trial.name(), &told),
            },
            Err(why) => trouble.push(format!("{}: {why:#}", trial.name())),
        }
    }
    tally.mistakes.sort();
    match trouble.is_empty() {
        true => Ok(tally),
        false => Err(CouldNotAssess(trouble.join("\n")).into()),
    }
}

fn measured(trials: &[Trial], tally: &Tally) -> Measured {
    let check = tally.checks.iter().map(|(id, counts)| ((*id).to_owned(), *counts)).collect();
    let transports = transports(trials).into_iter().map(str::to_owned).collect();
    Measured { floor: Measured::builtin().floor, transports, check }
}

fn transports(trials: &[Trial]) -> Vec<&'static str> {
    let all = [Transport::Stdio, Transport::Http, Transport::Sse];
    let used = |t: &Transport| trials.iter().any(|trial| trial.transport() == *t);
    all.into_iter().filter(used).map(Transport::as_str).collect()
}

fn figures<'a>(trials: &[Trial], tally: &'a Tally, measured: &Measured) -> Figures<'a> {
    let row = |(id, counts): (&&'static str, &Accuracy)| {
        let (precision, recall) = (counts.precision(), counts.recall());
        (*id, Row { precision, recall, counts: *counts, hint: measured.is_hint(id) })
    };
    let unmeasured = checks::all().into_iter().map(|c| c.id);
    Figures {
        floor: measured.floor,
        transports: transports(trials),
        servers: trials.len(),
        checks: tally.checks.iter().map(row).collect(),
        unmeasured: unmeasured.filter(|id| !tally.checks.contains_key(id)).collect(),
        mistakes: &tally.mistakes,
    }
}

fn table(figures: &Figures<'_>) -> String {
    let width = figures.checks.keys().map(|id| id.len()).max().unwrap_or(0);
    let mut out = format!("{}  precision  recall  caught  missed  wrong  quiet\n", pad("", width));
    let share = |value: Option<f64>| value.map_or("–".to_owned(), |v| format!("{v:.2}"));
    for (id, row) in &figures.checks {
        let Accuracy { caught, missed, wrong, quiet } = row.counts;
        let hint = if row.hint { "  a hint only" } else { "" };
        let (precision, recall) = (share(row.precision), share(row.recall));
        let _ = writeln!(
            out,
            "{}  {precision:>9}  {recall:>6}  {caught:>6}  {missed:>6}  {wrong:>5}  {quiet:>5}{hint}",
            pad(id, width)
        );
    }
    for mistake in figures.mistakes {
        let kind = match mistake.kind {
            MistakeKind::Missed => "missed",
            MistakeKind::Wrong => "wrong ",
        };
        let _ = writeln!(out, "{kind}  {} by {}", mistake.check, mistake.server);
    }
    let _ = writeln!(
        out,
        "\n{} runs over {}; {} checks measured, {} never told anything; below precision {:.2} a check is a hint",
        figures.servers,
        figures.transports.join(", "),
        figures.checks.len(),
        figures.unmeasured.len(),
        figures.floor,
    );
    out
}
