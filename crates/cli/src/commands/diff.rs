//! `diff` and `upgrade`: two runs, recorded or made one after the other, and whether the later is worse.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use proofmark_core::diff::{Diff, Snapshot};
use proofmark_core::render::diff as render;
use proofmark_core::render::terminal::{self, Detail, Style};
use proofmark_core::report::Report;
use proofmark_core::rubric::Rubric;
use proofmark_live::store;

use super::{assess, rubric};
use crate::args::{DiffArgs, Gathering, Shown, TableFormat, Upgrade};
use crate::output::same_place;
use crate::screen::{Screen, detail};
use crate::watch::Watch;
use crate::{baseline, run, verdict};

pub(super) fn run(args: &DiffArgs, screen: &Screen) -> Result<ExitCode> {
    let rubric = rubric::load(&args.shown.rubric)?;
    let files = plan(&args.shown.output, &[&args.old, &args.new])?;
    let before = baseline::read_run(&args.old, &rubric)?;
    let after = baseline::read_run(&args.new, &rubric)?;
    tell(&Diff::between(&before, &after), &args.shown, &files, screen)
}

pub(super) fn upgrade(args: &Upgrade, screen: &Screen) -> Result<ExitCode> {
    let rubric = rubric::load(&args.shown.rubric)?;
    let files = plan(&args.shown.output, &[])?;
    let words = &args.gathering.target.command;
    let Some(at) = words.iter().position(|w| w == "--to") else {
        bail!("upgrade compares two commands: -- OLD-COMMAND --to NEW-COMMAND");
    };
    let (old, new) = (&words[..at], &words[at + 1..]);
    if old.is_empty() || new.is_empty() {
        bail!("one of the two commands is empty; write -- OLD-COMMAND --to NEW-COMMAND");
    }
    if args.gathering.evidence.is_some() || args.gathering.events.is_some() {
        bail!("--evidence and --events hold one run; make two with `assess` and use `diff`");
    }
    let before = assessed(&args.gathering, old, &rubric, args.shown.quiet, screen)?;
    let after = assessed(&args.gathering, new, &rubric, args.shown.quiet, screen)?;
    tell(&Diff::between(&before, &after), &args.shown, &files, screen)
}

/// One of the two runs, made here.
fn assessed(
    gathering: &Gathering,
    command: &[String],
    rubric: &Rubric,
    quiet: bool,
    screen: &Screen,
) -> Result<Snapshot> {
    let mut gathering = gathering.clone();
    gathering.target.command = command.to_vec();
    let (target, options) = assess::prepare(&gathering, &[])?;
    if !quiet {
        screen.note(&format!("assessing {}", target.line()));
    }
    let watch = Watch::open(quiet, None)?;
    let checks = run::checks_of(&options);
    let evidence = run::gather_evidence(&target, &options, &checks, &watch, screen)?;
    watch.finish();
    Ok(Snapshot::of_run(&Report::of(&evidence, rubric), &evidence)?)
}

fn tell(
    diff: &Diff,
    shown: &Shown,
    files: &[(PathBuf, TableFormat)],
    screen: &Screen,
) -> Result<ExitCode> {
    let style = screen.style(detail(shown.quiet, shown.verbose));
    screen.print(&draw(diff, shown.format, &style)?)?;
    let full = Style { detail: Detail::Full, ..Style::PLAIN };
    for (path, format) in files {
        store::write_atomic(path, draw(diff, *format, &full)?.as_bytes())?;
    }
    Ok(verdict::of_change(diff.verdict))
}

fn draw(diff: &Diff, format: TableFormat, style: &Style) -> Result<String> {
    Ok(match format {
        TableFormat::Terminal => terminal::diff(diff, style),
        TableFormat::Json => render::json(diff)?,
        TableFormat::Markdown => render::markdown(diff),
    })
}

fn plan(paths: &[PathBuf], inputs: &[&PathBuf]) -> Result<Vec<(PathBuf, TableFormat)>> {
    let kind = |path: &Path| match path.extension().and_then(|e| e.to_str()) {
        Some("json") => Ok(TableFormat::Json),
        Some("md") => Ok(TableFormat::Markdown),
        Some("txt") => Ok(TableFormat::Terminal),
        Some(_) | None => {
            bail!("-o {}: a comparison is written as .json, .md or .txt", path.display())
        }
    };
    let mut files = Vec::new();
    for path in paths {
        if inputs.iter().any(|input| same_place(input, path)) {
            bail!("-o {} would replace what is compared; name another file", path.display());
        }
        store::check_writable(path)?;
        files.push((path.clone(), kind(path)?));
    }
    Ok(files)
}
