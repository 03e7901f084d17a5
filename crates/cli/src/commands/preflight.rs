//! `preflight`: the check list of a place that lists servers.

use std::process::ExitCode;

use anyhow::Result;
use proofmark_core::check::Check;
use proofmark_core::checks;
use proofmark_core::evidence::{Evidence, Startup};
use proofmark_core::preflight::{Papers, Preflight};
use proofmark_core::render::preflight as render;
use proofmark_core::render::terminal::{self, Detail};
use proofmark_core::report::Report;
use proofmark_live::source::papers;
use proofmark_live::store;

use super::{assess, rubric};
use crate::args::{Preflight as Args, TableFormat};
use crate::run;
use crate::screen::Screen;
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
    let detail = match (args.quiet, args.verbose) {
        (true, _) => Detail::Headline,
        (false, true) => Detail::Full,
        (false, false) => Detail::Normal,
    };
    screen.print(&match args.format {
        TableFormat::Terminal => terminal::preflight(&list, &screen.style(detail)),
        TableFormat::Json => render::json(&list)?,
        TableFormat::Markdown => render::markdown(&list),
    })?;
    let down = matches!(evidence.startup, Startup::Down { .. });
    Ok(verdict::of_list(down, list.holds()))
}

fn gathered(args: &Args, screen: &Screen) -> Result<Evidence> {
    let (target, options) = assess::prepare(&args.gathering, &[])?;
    let all: Vec<&'static Check> =
        checks::all().into_iter().filter(|c| options.scope.includes_check(c.id)).collect();
    let watch = Watch::open(args.quiet, args.gathering.events.as_ref())?;
    let evidence = run::gather_evidence(&target, &options, &all, &watch, screen)?;
    watch.finish();
    if let Some(path) = &args.gathering.evidence {
        store::write_evidence(path, &evidence)?;
    }
    Ok(evidence)
}
