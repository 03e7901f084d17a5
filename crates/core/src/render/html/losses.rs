//! Where the points went: for every rubric, what each part took away and which checks did it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::overview::tone;
use crate::check::{Outcome, Standing};
use crate::render::text::points;
use crate::report::{AreaReport, AreaStatus, PartReport, Report, ScoreSummary};

/// Below this a loss does not show.
const LEAST: f64 = 0.05;
/// Checks named for one part.
const MOST: usize = 3;

#[derive(Debug, Serialize)]
pub(super) struct RubricCard<'a> {
    id: &'a str,
    is_main: bool,
    score: Option<String>,
    lost: Option<String>,
    level: &'a str,
    tone: &'static str,
    low: String,
    high: String,
    coverage: String,
    losses: Vec<Loss>,
}

/// One step down.
#[derive(Debug, Serialize)]
struct Loss {
    area: String,
    part: String,
    lost: String,
    /// Where the bar starts and how wide it is, in per cent of the way from 0 to 100.
    from: String,
    width: String,
    why: Vec<Cause>,
    others: usize,
}

#[derive(Debug, Clone, Serialize)]
struct Cause {
    check: &'static str,
    count: usize,
}

/// The report's own rubric first.
pub(super) fn rubrics(report: &Report) -> Vec<RubricCard<'_>> {
    let mut cards: Vec<RubricCard<'_>> =
        report.scores.iter().map(|(id, summary)| card(report, id, summary)).collect();
    cards.sort_by_key(|c| !c.is_main);
    cards
}

fn card<'a>(report: &'a Report, id: &'a str, summary: &'a ScoreSummary) -> RubricCard<'a> {
    RubricCard {
        id,
        is_main: id == report.rubric.id,
        score: summary.score.map(points),
        lost: summary.score.map(|s| points(100.0 - s)),
        level: &summary.level,
        tone: tone(&summary.level, summary.score),
        low: points(summary.bounds[0]),
        high: points(summary.bounds[1]),
        coverage: points(summary.coverage),
        losses: summary.score.map(|_| losses(report, &summary.areas)).unwrap_or_default(),
    }
}

fn losses(report: &Report, areas: &[AreaReport]) -> Vec<Loss> {
    let counts =
        |a: &&AreaReport| a.weight > 0.0 && a.score.is_some() && a.status != AreaStatus::Info;
    let whole: f64 = areas.iter().filter(counts).map(|a| a.weight).sum();
    let mut lost: Vec<(f64, &AreaReport, Option<&PartReport>)> = Vec::new();
    for area in areas.iter().filter(counts) {
        let of_area = area.weight * (100.0 - area.score.unwrap_or(100.0)) / whole.max(1.0);
        lost.extend(by_part(area, of_area));
    }
    lost.retain(|(points, ..)| *points >= LEAST);
    lost.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut level = 100.0;
    let step = |(amount, area, part): (f64, &AreaReport, Option<&PartReport>)| {
        level -= amount;
        let (why, others) = part.map(|p| causes(report, p)).unwrap_or_default();
        Loss {
            area: area.title.clone(),
            part: part.map_or("nothing was seen".to_owned(), |p| p.title.clone()),
            lost: points(amount),
            from: format!("{level:.2}"),
            width: format!("{amount:.2}"),
            why,
            others,
        }
    };
    lost.into_iter().map(step).collect()
}

/// An area's loss, shared out by what its parts lack. Curves may bend an area's score, so only
/// the proportions come from the parts.
fn by_part(area: &AreaReport, lost: f64) -> Vec<(f64, &AreaReport, Option<&PartReport>)> {
    let lack = |p: &PartReport| p.weight * (100.0 - p.score.unwrap_or(100.0));
    let whole: f64 = area.parts.iter().map(lack).sum();
    if area.status != AreaStatus::Scored || whole <= 0.0 {
        return vec![(lost, area, None)];
    }
    area.parts.iter().map(|p| (lost * lack(p) / whole, area, Some(p))).collect()
}

/// The checks that fail in a part, the most frequent first, and how many more there are.
fn causes(report: &Report, part: &PartReport) -> (Vec<Cause>, usize) {
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    for finding in &report.findings {
        let counted = finding.outcome == Outcome::Fail
            && finding.standing != Standing::Suspected
            && finding.settled.suppressed.is_none();
        if counted && part.facets.contains(&finding.facet) {
            *counts.entry(finding.check).or_default() += 1;
        }
    }
    let mut causes: Vec<Cause> =
        counts.into_iter().map(|(check, count)| Cause { check, count }).collect();
    causes.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.check.cmp(b.check)));
    let others = causes.len().saturating_sub(MOST);
    causes.truncate(MOST);
    (causes, others)
}
