//! `demo`: the binary assesses a small server that is built into it. No network, nothing to install.

use std::collections::BTreeMap;
use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use proofmark_core::target::Target;
use proofmark_live::Options;

use super::assess;
use super::judging::{self, Bench};
use crate::args::Demo;
use crate::output::{self, Files};
use crate::run::Run;
use crate::screen::Screen;
use crate::watch::Watch;

const SERVER: &str = "demo";
const REPORT: &str = "proofmark-demo.json";

pub(super) fn run(args: &Demo, screen: &Screen) -> Result<ExitCode> {
    let Bench { rubric, sieve, baseline, licences, gates, .. } = judging::prepare(&args.judging)?;
    let exe = env::current_exe().context("can't tell where this program lies")?;
    let target = Target::Stdio {
        command: exe.display().to_string(),
        args: vec!["serve".to_owned(), SERVER.to_owned()],
        env: BTreeMap::new(),
        cwd: None,
    };
    let run = Run {
        target,
        options: Options { shim: Some(assess::shim()?), baseline, licences, ..Options::default() },
        rubric: &rubric,
        sieve: &sieve,
        gates: &gates,
        files: files(&args.output.output, screen)?,
        evidence: None,
        incremental: None,
        show: &|report, evidence| output::print(report, evidence, &args.output, screen),
        quiet: args.output.quiet,
        screen,
        judge: None,
        generate: false,
        suggest: args.judging.suggest,
    };
    run.execute(Watch::open(args.output.quiet, None)?)?;
    Ok(ExitCode::SUCCESS)
}

/// What was asked for; else one beside us, if that can be written.
fn files(asked: &[PathBuf], screen: &Screen) -> Result<Files> {
    if !asked.is_empty() {
        return Files::plan(asked);
    }
    Files::plan(&[PathBuf::from(REPORT)]).or_else(|why| {
        screen.note(&format!("no {REPORT} is written: {why:#}"));
        Files::plan(&[])
    })
}

/// The other side: be that server.
pub(super) fn serve(words: Vec<String>) -> Result<ExitCode> {
    let asked = words.join(" ");
    proofmark_testbed::command(words.into_iter())
        .map_err(anyhow::Error::msg)
        .with_context(|| format!("the built-in server `{asked}` could not be started"))?;
    Ok(ExitCode::SUCCESS)
}
