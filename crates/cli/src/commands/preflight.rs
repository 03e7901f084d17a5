//! `preflight`: the check list of a place that lists servers.

use std::process::ExitCode;

use anyhow::Result;
use proofmark_core::evidence::{Evidence, Startup};
use proofmark_core::preflight::{Papers, Preflight};
use proofmark_core::render::preflight as render;
use proofmark_core::render::terminal;
use proofmark_core::report::Report;
use proofmark_live::source::papers;
use proofmark_live::store;

use super::{assess, rubric};
use crate::args::{Preflight as Args, TableFormat};
use crate::run;
use crate::screen::{Screen, detail};
use crate::verdict;
use crate::watch::Watch;

pub(super) fn run(args: &Args, screen: &Screen) -> Result<ExitCode> {
    let evidence = match &args.recorded {
        Some(path) => store::read_evidence(path)?,
        None => gathered(args, screen)?,
    };
    let papers = args.gathering.target.source.as_deref().map_or_else(Papers::default, papers);
    let report = Report::of(&evidence, &rubric::load("directory")?);
    let list = Preflight::of(args.directory.into(), &evidence, &report, &papers);
    let style = screen.style(detail(args.table.quiet, args.table.verbose));
    screen.print(&match args.table.format {
        TableFormat::Terminal => terminal::preflight(&list, &style),
        TableFormat::Json => render::json(&list)?,
        TableFormat::Markdown => render::markdown(&list),
    })?;
    let down = matches!(evidence.startup, Startup::Down { .. });
    Ok(verdict::of_list(down, list.holds()))
}

fn gathered(args: &Args, screen: &Screen) -> Result<Evidence> {
    let (target, options) = assess::prepare(&args.gathering, &[])?;
    let watch = Watch::open(args.table.quiet, args.gathering.events.as_ref())?;
    let checks = run::checks_of(&options);
    let evidence = run::gather_evidence(&target, &options, &checks, &watch, screen)?;
    watch.finish();
    if let Some(path) = &args.gathering.evidence {
        store::write_evidence(path, &evidence)?;
    }
    Ok(evidence)
}
