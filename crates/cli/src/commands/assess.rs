//! `assess`: everything is checked first, then the server is asked.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use proofmark_core::evidence::{Profile, Scope};
use proofmark_core::fixtures::FixtureFile;
use proofmark_core::seed::Seed;
use proofmark_core::target::Target;
use proofmark_live::{Options, store};

use super::judging::{self, Bench};
use crate::args::values::Events;
use crate::args::{Assess, Gathering};
use crate::judge::Judge;
use crate::notify::Notify;
use crate::output::{self, Files, same_place};
use crate::run::Run;
use crate::screen::Screen;
use crate::watch::Watch;
use crate::{gates, incremental, settings, target, verdict};

pub(super) fn run(args: &Assess, screen: &Screen) -> Result<ExitCode> {
    let bench = judging::prepare(&args.judging)?;
    let Bench { rubric, sieve, gates, .. } = &bench;
    let notify = Notify::of(&args.notify, gates)?;
    let files = Files::plan(&args.output.output)?;
    let outputs: Vec<PathBuf> = files.paths().chain(&args.incremental).cloned().collect();
    let mut gathering = args.gathering.clone();
    settings::aim(&mut gathering.target, &bench.targets)?;
    let (target, mut options) = prepare(&gathering, &outputs)?;
    options.baseline = bench.baseline.clone();
    options.licences = bench.licences.clone();
    if let (None, Some(profile)) = (args.gathering.budget.profile, bench.profile) {
        options.profile = profile;
    }
    let note = |text: &str| {
        if !args.output.quiet {
            screen.note(text);
        }
    };
    if let Some(path) = &args.incremental {
        options.incremental = Some(incremental::open(path, &note)?);
    }
    let judge = Judge::of(&args.judge, &note)?;
    let watch = Watch::open(args.output.quiet, args.gathering.events.as_ref())?;
    let run = Run {
        target,
        options,
        rubric,
        sieve,
        gates,
        files,
        evidence: args.gathering.evidence.clone(),
        incremental: args.incremental.clone(),
        show: &|report, evidence| output::print(report, evidence, &args.output, screen),
        quiet: args.output.quiet,
        screen,
        judge: judge.as_ref(),
        generate: args.generate,
        suggest: args.judging.suggest,
    };
    let report = run.execute(watch)?;
    gates::tell(&report, screen);
    if let Some(notify) = &notify {
        notify.tell(&report, gates, screen);
    }
    Ok(verdict::of(&report, rubric))
}

/// Everything that can be wrong with the command line is found here, before anything is started.
pub(super) fn prepare(args: &Gathering, outputs: &[PathBuf]) -> Result<(Target, Options)> {
    let target = target::of(&args.target)?;
    check_places(args, outputs)?;
    let options = options(args, &target)?;
    Ok((target, options))
}

/// Evidence and events must be writable, and no two of our files the same.
fn check_places(args: &Gathering, outputs: &[PathBuf]) -> Result<()> {
    let mut places: Vec<&PathBuf> = outputs.iter().collect();
    if let Some(path) = &args.evidence {
        let name = path.to_string_lossy().to_lowercase();
        if !(name.ends_with(".json") || name.ends_with(".zst") || name.starts_with("/dev/")) {
            bail!("--evidence {}: use a name that ends in .json or .json.zst", path.display());
        }
        store::check_writable(path)?;
        places.push(path);
    }
    if let Some(Events::File(path)) = &args.events {
        store::check_writable(path)?;
        places.push(path);
    }
    for (n, place) in places.iter().enumerate() {
        if places[..n].iter().any(|other| same_place(other, place)) {
            bail!("{} is to hold two different things; name two files", place.display());
        }
    }
    Ok(())
}

fn options(args: &Gathering, target: &Target) -> Result<Options> {
    let alone = matches!(target, Target::Source { .. });
    Ok(Options {
        seed: Seed(args.budget.seed),
        profile: args.budget.profile.map_or(Profile::Standard, Into::into),
        scope: Scope {
            tools: args.selection.tool.clone(),
            skip_tools: args.selection.skip_tool.clone(),
            only: args.selection.only.clone(),
            skip: args.selection.skip.clone(),
        },
        passive: args.safety.passive,
        allow: args.safety.allow.map(Into::into),
        disposable: args.safety.disposable,
        protocol: args.protocol.protocol,
        client: args.protocol.client_capabilities,
        call_timeout: args.budget.timeout,
        startup_timeout: args.budget.startup_timeout,
        max_calls: args.budget.max_calls,
        max_time: args.budget.max_time,
        concurrency: args.budget.concurrency,
        rate: args.budget.rate,
        max_frame: args.protocol.max_frame,
        isolation: args.safety.isolation.into(),
        audit: args.audit.map(Into::into),
        source: args.target.source.clone().filter(|_| !alone),
        shim: Some(shim()?),
        fixtures: fixtures(args.fixtures.as_deref())?,
        tokens: target::tokens(&args.target, target)?,
        baseline: None,
        generated: Vec::new(),
        lookup: args.advisories.lookup(),
        licences: None,
        incremental: None,
    })
}

fn fixtures(path: Option<&Path>) -> Result<FixtureFile> {
    let Some(path) = path else { return Ok(FixtureFile::default()) };
    let shown = path.display().to_string();
    let text = fs::read_to_string(path).with_context(|| {
        format!("can't read {shown}; --fixtures takes a TOML file, see docs/fixtures.md")
    })?;
    Ok(FixtureFile::parse(&shown, &text)?)
}

/// We confine ourselves and then become the server: see `proofmark_live::isolate`.
pub(super) fn shim() -> Result<Vec<String>> {
    let exe = env::current_exe().context("can't tell where this program lies")?;
    Ok(vec![exe.display().to_string(), "confine".to_owned()])
}
