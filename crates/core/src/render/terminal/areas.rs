//! The areas of the rubric: bar, score, weight, how much was seen.

use super::Detail;
use super::sheet::{Paint, Sheet, Span, faint, hard, plain};
use crate::render::text::{clip, pad, points, width};
use crate::report::{AreaReport, AreaStatus, PartReport, Report};

pub(super) fn draw(sheet: &mut Sheet, report: &Report) {
    if report.areas.is_empty() {
        return;
    }
    sheet.heading("AREAS", "");
    let longest = report.areas.iter().map(|a| width(&a.title)).max().unwrap_or(0);
    let column = longest.min(sheet.columns() / 3);
    for area in &report.areas {
        row(sheet, area, column);
        if sheet.style.detail == Detail::Full {
            for part in &area.parts {
                part_row(sheet, part, column);
            }
        }
    }
}

fn row(sheet: &mut Sheet, area: &AreaReport, column: usize) {
    let title = clip(&sheet.clean(&area.title), column, sheet.ellipsis());
    let mut spans: Vec<Span> = vec![plain(hard(&pad(&title, column))), plain(hard("  "))];
    let paint = Paint::of_score(area.score);
    if sheet.style.is_wide() {
        spans.push((paint, sheet.bar(area.score, 20)));
        spans.push(plain(hard("  ")));
    }
    spans.push((paint, hard(&format!("{:>5}", figure(area.score, area.status)))));
    let weight = format!("  weight {:>4}", points(area.weight));
    spans.push(faint(hard(&weight)));
    if let Some(note) = note(area.status, area.coverage) {
        spans.push(plain("  "));
        spans.push(faint(hard(&note)));
    }
    sheet.flow(2, 4, &spans);
}

fn part_row(sheet: &mut Sheet, part: &PartReport, column: usize) {
    let score = figure(part.score, part.status);
    let mut spans = vec![
        plain(hard(&pad(&part.title, column))),
        plain(" "),
        (Paint::of_score(part.score), hard(&format!("{score:>5}"))),
        faint(hard(&format!("  weight {:>4}", points(part.weight)))),
        faint(hard(&format!(
            "  {} passed, {} failed, {} unseen",
            part.passed, part.failed, part.unseen
        ))),
    ];
    if part.status != AreaStatus::Scored {
        spans.push(faint(format!(" ({})", status(part.status))));
    }
    sheet.flow(6, 8, &spans);
}

fn figure(score: Option<f64>, status: AreaStatus) -> String {
    match (score, status) {
        (Some(score), _) => points(score),
        (None, AreaStatus::NotApplicable) => "n/a".to_owned(),
        (None, AreaStatus::Scored | AreaStatus::Unobserved | AreaStatus::Info) => "-".to_owned(),
    }
}

fn note(status: AreaStatus, coverage: f64) -> Option<String> {
    match status {
        AreaStatus::Scored if coverage >= 99.95 => None,
        AreaStatus::Scored => Some(format!("seen {} %", points(coverage))),
        AreaStatus::Unobserved | AreaStatus::NotApplicable | AreaStatus::Info => {
            Some(self::status(status).to_owned())
        }
    }
}

fn status(status: AreaStatus) -> &'static str {
    match status {
        AreaStatus::Scored => "scored",
        AreaStatus::Unobserved => "not seen",
        AreaStatus::NotApplicable => "does not apply",
        AreaStatus::Info => "shown, not counted",
    }
}
