//! `conformance`: the requirement table of one server.

use std::process::ExitCode;

use anyhow::Result;
use proofmark_core::check::{Check, Topic};
use proofmark_core::checks;
use proofmark_core::conformance::{Beside, Conformance};
use proofmark_core::evidence::Evidence;
use proofmark_core::evidence::Startup;
use proofmark_core::render::conformance as render;
use proofmark_core::render::terminal;
use proofmark_core::render::terminal::Detail;
use proofmark_core::report::Report;
use proofmark_core::sieve::Sieve;
use proofmark_live::store;

use super::{assess, rubric};
use crate::args::{Conformance as Args, TableFormat};
use crate::gates::Gates;
use crate::output::Files;
use crate::run::Run;
use crate::screen::{Screen, detail};
use crate::verdict;
use crate::watch::Watch;

pub(super) fn run(args: &Args, screen: &Screen) -> Result<ExitCode> {
    let rubric = rubric::load("directory")?;
    // Read first: a wrong path had better be told before a run than after it.
    let others = args.beside.iter().map(|path| store::read_evidence(path));
    let others = others.collect::<Result<Vec<Evidence>, _>>()?;
    let others: Vec<(Report, Evidence)> =
        others.into_iter().map(|other| (Report::of(&other, &rubric), other)).collect();
    let show = |report: &Report, evidence: &Evidence| {
        let filter = args.filter.filter();
        let beside = |(there, other): &(Report, Evidence)| {
            Beside::of((report, evidence), (there, other), &filter)
        };
        let beside = others.iter().map(beside).collect();
        print(args, report, beside, screen)
    };
    let report = match &args.recorded {
        Some(path) => {
            let evidence = store::read_evidence(path)?;
            let report = Report::of(&evidence, &rubric);
            show(&report, &evidence)?;
            report
        }
        None => {
            let (target, mut options) = assess::prepare(&args.gathering, &[])?;
            if options.scope.only.is_empty() {
                let due = checks::all().into_iter().filter(|c| is_due(c));
                options.scope.only = due.map(|c| c.id.to_owned()).collect();
            }
            let watch = Watch::open(args.table.quiet, args.gathering.events.as_ref())?;
            let run = Run {
                target,
                options,
                rubric: &rubric,
                sieve: &Sieve::default(),
                gates: &Gates::default(),
                files: Files::plan(&[])?,
                evidence: args.gathering.evidence.clone(),
                incremental: None,
                show: &show,
                quiet: args.table.quiet,
                screen,
                judge: None,
                generate: false,
                suggest: false,
            };
            run.execute(watch)?
        }
    };
    let holds = Conformance::of(&report, &args.filter.filter()).holds();
    Ok(verdict::of_table(&report, holds))
}

/// What serves the table, except for attacks: they are a part of `assess`, and take longer than all
/// the rest together.
fn is_due(check: &Check) -> bool {
    let attacks = check.topic() == Topic::Security && check.needs.iter().any(|p| p.hostile);
    !check.requirements.is_empty() && !attacks
}

fn print(args: &Args, report: &Report, beside: Vec<Beside>, screen: &Screen) -> Result<()> {
    let table = Conformance { beside, ..Conformance::of(report, &args.filter.filter()) };
    let terminal = args.table.format == TableFormat::Terminal;
    if let (Startup::Down { says, way_out, .. }, false) = (&report.startup, terminal) {
        screen.note(&format!("the server did not come up: {says}\n  {way_out}"));
    }
    let text = match args.table.format {
        TableFormat::Terminal if matches!(report.startup, Startup::Down { .. }) => {
            terminal::terminal(report, &screen.style(Detail::Normal))
        }
        TableFormat::Terminal => terminal::conformance(
            report,
            &table,
            &screen.style(detail(args.table.quiet, args.table.verbose)),
        ),
        TableFormat::Json => render::json(&table)?,
        TableFormat::Markdown => render::markdown(&table),
    };
    screen.print(&text)?;
    Ok(())
}
