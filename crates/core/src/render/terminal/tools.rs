//! The tools: how many work, and why the others do not.

use super::Detail;
use super::sheet::{Paint, Sheet, Span, faint, hard, name, plain};
use crate::render::text::{clip, pad, width};
use crate::report::{Report, ToolReport, ToolVerdict};

const SHOWN: usize = 10;

pub(super) fn draw(sheet: &mut Sheet, report: &Report) {
    if report.tools.is_empty() {
        return;
    }
    let full = sheet.style.detail == Detail::Full;
    sheet.heading("TOOLS", &summary(&report.tools));
    let mut listed: Vec<&ToolReport> =
        report.tools.iter().filter(|t| full || t.verdict != ToolVerdict::Working).collect();
    listed.sort_by_key(|t| (rank(t.verdict), t.name.clone()));
    let shown = if full { listed.len() } else { SHOWN.min(listed.len()) };
    let column = listed[..shown].iter().map(|t| width(&t.name)).max().unwrap_or(0).min(24);
    for tool in &listed[..shown] {
        row(sheet, tool, column);
    }
    if listed.len() > shown {
        let more = format!("and {} more (--verbose lists all)", listed.len() - shown);
        sheet.flow(2, 4, &[faint(more)]);
    }
}

fn row(sheet: &mut Sheet, tool: &ToolReport, column: usize) {
    let title = clip(&sheet.clean(&tool.name), column, sheet.ellipsis());
    let (paint, word) = verdict(tool.verdict);
    let spans: Vec<Span> = vec![
        (paint, hard(&pad(word, 14))),
        plain(hard(" ")),
        name(hard(&pad(&title, column))),
        plain(hard("  ")),
        plain(sheet.shortened(&tool.why, 4, 2)),
    ];
    sheet.flow(2, 17, &spans);
}

fn summary(tools: &[ToolReport]) -> String {
    let order = [
        ToolVerdict::Working,
        ToolVerdict::PartiallyWorking,
        ToolVerdict::Broken,
        ToolVerdict::Unexercised,
    ];
    let parts: Vec<String> = order
        .into_iter()
        .map(|v| (tools.iter().filter(|t| t.verdict == v).count(), verdict(v).1))
        .filter(|(n, _)| *n > 0)
        .map(|(n, word)| format!("{n} {word}"))
        .collect();
    parts.join(" · ")
}

fn verdict(verdict: ToolVerdict) -> (Paint, &'static str) {
    match verdict {
        ToolVerdict::Working => (Paint::Good, "working"),
        ToolVerdict::PartiallyWorking => (Paint::Fair, "partly working"),
        ToolVerdict::Broken => (Paint::Bad, "broken"),
        ToolVerdict::Unexercised => (Paint::Faint, "not exercised"),
    }
}

fn rank(verdict: ToolVerdict) -> u8 {
    match verdict {
        ToolVerdict::Broken => 0,
        ToolVerdict::PartiallyWorking => 1,
        ToolVerdict::Unexercised => 2,
        ToolVerdict::Working => 3,
    }
}
