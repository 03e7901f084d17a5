//! Two runs held against each other, on a terminal.

use super::sheet::{Paint, Sheet, faint, hard, name, plain, strong};
use super::{Detail, Style};
use crate::diff::{Change, Diff, Moved, Side};
use crate::render::diff::{headline, pace, signed, verdict_of, weight};
use crate::render::text::{count, pad, points, width};

const SHOWN: usize = 10;

pub fn diff(diff: &Diff, style: &Style) -> String {
    let mut sheet = Sheet::new(*style);
    head(&mut sheet, diff);
    if style.detail == Detail::Headline {
        return sheet.finish();
    }
    scores(&mut sheet, diff);
    let moves = &diff.moves;
    list(&mut sheet, "NEW FAILURES", Paint::Bad, &moves.new);
    list(&mut sheet, "FIXED", Paint::Good, &moves.fixed);
    list(&mut sheet, "NOT LOOKED AT BEFORE", Paint::Faint, &moves.newly_seen);
    list(&mut sheet, "NOT LOOKED AT AGAIN", Paint::Faint, &moves.no_longer_seen);
    list(&mut sheet, "GONE WITH WHAT IT WAS ABOUT", Paint::Faint, &moves.gone);
    tools(&mut sheet, diff);
    definitions(&mut sheet, diff);
    latency(&mut sheet, diff);
    sheet.finish()
}

fn head(sheet: &mut Sheet, diff: &Diff) {
    let paint = match diff.verdict {
        Change::Better | Change::Same => Paint::Good,
        Change::Worse => Paint::Bad,
        Change::Incomparable => Paint::Fair,
    };
    let title = headline(diff.verdict).to_uppercase();
    sheet.flow(0, 2, &[(paint, title)]);
    let both = format!("{} → {}", side(&diff.before), side(&diff.after));
    sheet.flow(0, 2, &[plain(both)]);
    for why in &diff.because {
        sheet.flow(2, 4, &[(Paint::Bad, "worse: ".to_owned()), plain(why.clone())]);
    }
    for caveat in &diff.caveats {
        sheet.flow(2, 4, &[faint("note: "), faint(caveat.clone())]);
    }
}

fn side(side: &Side) -> String {
    let name = side.server.as_deref().unwrap_or("server");
    let version = side.version.as_deref().map(|v| format!(" {v}")).unwrap_or_default();
    let score = side.score.map_or("not assessed".to_owned(), points);
    format!("{name}{version} ({score} {})", side.level)
}

fn scores(sheet: &mut Sheet, diff: &Diff) {
    if diff.scores.is_empty() {
        return;
    }
    sheet.heading("SCORES", "");
    let rubrics = diff.scores.iter().map(|(id, delta)| (Paint::Strong, id, delta));
    let areas = diff.areas.iter().map(|a| (Paint::Plain, &a.title, &a.delta));
    let column = rubrics.clone().chain(areas.clone()).map(|(_, title, _)| width(title)).max();
    for (weight, title, delta) in rubrics.chain(areas) {
        let title = (weight, hard(&pad(title, column.unwrap_or_default())));
        let paint = match delta.change {
            c if c > 0.0 => Paint::Good,
            c if c < 0.0 => Paint::Bad,
            _ => Paint::Faint,
        };
        let from = format!("  {:>5} → {:>5}  ", points(delta.before), points(delta.after));
        sheet.flow(2, 4, &[title, plain(hard(&from)), (paint, signed(delta))]);
    }
}

fn list(sheet: &mut Sheet, title: &str, paint: Paint, moved: &[Moved]) {
    if moved.is_empty() {
        return;
    }
    sheet.heading(title, &moved.len().to_string());
    let limit = if sheet.style.detail == Detail::Full { moved.len() } else { SHOWN };
    for m in moved.iter().take(limit) {
        let says = sheet.shortened(&m.says, 4, 2);
        let spans = [
            (paint, m.severity.as_str().to_owned()),
            plain(" "),
            name(m.check.clone()),
            plain(" · "),
            strong(m.subject.clone()),
            plain(format!(": {says}")),
        ];
        sheet.flow(2, 4, &spans);
    }
    if moved.len() > limit {
        let more = format!("and {} more (--verbose shows all)", moved.len() - limit);
        sheet.flow(2, 4, &[faint(more)]);
    }
}

fn tools(sheet: &mut Sheet, diff: &Diff) {
    if diff.tools.is_empty() {
        return;
    }
    sheet.heading("TOOLS", &count(diff.tools.len(), "change"));
    for tool in &diff.tools {
        let paint = if tool.is_worse() { Paint::Bad } else { Paint::Plain };
        let change = format!("{} → {}", verdict_of(tool.before), verdict_of(tool.after));
        sheet.flow(2, 4, &[strong(tool.tool.clone()), plain(": "), (paint, change)]);
    }
}

fn definitions(sheet: &mut Sheet, diff: &Diff) {
    let Some(changes) = diff.definitions.as_ref().filter(|c| !c.is_empty()) else { return };
    sheet.heading("DEFINITIONS", &count(changes.len(), "change"));
    for change in changes {
        let paint = if change.breaking { Paint::Bad } else { Paint::Fair };
        let says = sheet.shortened(&change.says, 4, 3);
        let spans = [
            (paint, weight(change).to_owned()),
            strong(change.name.clone()),
            plain(format!(": {says}")),
        ];
        sheet.flow(2, 4, &spans);
    }
}

fn latency(sheet: &mut Sheet, diff: &Diff) {
    if diff.latency.is_empty() {
        return;
    }
    sheet.heading("LATENCY", "beyond noise");
    for change in &diff.latency {
        let (before, after) = (points(change.before.p50), points(change.after.p50));
        let paint = if change.times > 1.0 { Paint::Bad } else { Paint::Good };
        let says = format!("median {before} → {after} ms, {}", pace(change));
        sheet.flow(2, 4, &[strong(change.tool.clone()), plain(": "), (paint, says)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::diff::tests::sample;

    #[test]
    fn a_comparison_in_eighty_columns() {
        insta::assert_snapshot!(diff(&sample(), &Style::PLAIN));
    }
}
