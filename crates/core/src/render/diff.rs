//! Two runs held against each other, as Markdown and as JSON.

use std::fmt::Write;

use super::escape::{code, markdown as md, prose};
use super::text::{clip, count, points};
use crate::diff::{Change, DefinitionChange, Delta, Diff, LatencyChange, Moved, Side};
use crate::report::ToolVerdict;

/// The first line, for whoever replaces comments.
pub const MARKER: &str = "<!-- proofmark comparison -->";

const SHOWN: usize = 20;
const SAID: usize = 300;

pub fn json(diff: &Diff) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string_pretty(diff)? + "\n")
}

pub fn markdown(diff: &Diff) -> String {
    let mut out = format!("{MARKER}\n### Proofmark: {}\n\n", headline(diff.verdict));
    let _ = writeln!(out, "{} → {}\n", side(&diff.before), side(&diff.after));
    for why in &diff.because {
        let _ = writeln!(out, "- ❌ {}", md(why));
    }
    for caveat in &diff.caveats {
        let _ = writeln!(out, "- ℹ️ {}", md(caveat));
    }
    out.push('\n');
    scores(&mut out, diff);
    let moves = &diff.moves;
    list(&mut out, "New failures", &moves.new);
    list(&mut out, "Fixed", &moves.fixed);
    fold(&mut out, "fail now and were not looked at before", &moves.newly_seen);
    fold(&mut out, "failed before and were not looked at again", &moves.no_longer_seen);
    fold(&mut out, "failed before at something that is gone", &moves.gone);
    tools(&mut out, diff);
    definitions(&mut out, diff);
    latency(&mut out, diff);
    out
}

pub(super) fn headline(verdict: Change) -> &'static str {
    match verdict {
        Change::Better => "better, nothing got worse",
        Change::Same => "nothing got worse",
        Change::Worse => "worse than before",
        Change::Incomparable => "the runs can't be compared",
    }
}

pub(super) fn verdict_of(verdict: Option<ToolVerdict>) -> &'static str {
    match verdict {
        None => "not there",
        Some(ToolVerdict::Working) => "working",
        Some(ToolVerdict::PartiallyWorking) => "partially working",
        Some(ToolVerdict::Broken) => "broken",
        Some(ToolVerdict::Unexercised) => "not called",
    }
}

pub(super) fn signed(delta: &Delta) -> String {
    match delta.change {
        0.0 => "same".to_owned(),
        c if c > 0.0 => format!("+{}", points(c)),
        c => format!("−{}", points(-c)),
    }
}

/// `3 times slower`.
pub(super) fn pace(change: &LatencyChange) -> String {
    let (before, after) = (change.before.p50.max(0.001), change.after.p50.max(0.001));
    let (times, how) =
        if after > before { (after / before, "slower") } else { (before / after, "faster") };
    format!("{} times {how}", points((times * 10.0).round() / 10.0))
}

fn side(side: &Side) -> String {
    let name = side.server.as_deref().unwrap_or("server");
    let version = side.version.as_deref().map(|v| format!(" {}", md(v))).unwrap_or_default();
    let score = side.score.map_or("not assessed".to_owned(), points);
    format!("{}{version} ({score} {})", code(name), md(&side.level))
}

fn scores(out: &mut String, diff: &Diff) {
    if diff.scores.is_empty() {
        return;
    }
    out.push_str("| | before | after | |\n|---|---:|---:|---:|\n");
    let rubrics = diff.scores.iter().map(|(id, delta)| (format!("**{}**", md(id)), delta));
    let areas = diff.areas.iter().map(|a| (md(&a.title), &a.delta));
    for (name, delta) in rubrics.chain(areas) {
        let (before, after) = (points(delta.before), points(delta.after));
        let _ = writeln!(out, "| {name} | {before} | {after} | {} |", signed(delta));
    }
    out.push('\n');
}

fn list(out: &mut String, title: &str, moved: &[Moved]) {
    if moved.is_empty() {
        return;
    }
    let _ = writeln!(out, "**{title}** ({})\n", moved.len());
    for m in moved.iter().take(SHOWN) {
        let says = prose(&clip(&m.says, SAID, "…"));
        let _ = writeln!(out, "- {} {} {}: {says}", m.severity, code(&m.check), code(&m.subject));
    }
    if moved.len() > SHOWN {
        let _ = writeln!(out, "- and {} more", moved.len() - SHOWN);
    }
    out.push('\n');
}

fn fold(out: &mut String, title: &str, moved: &[Moved]) {
    if moved.is_empty() {
        return;
    }
    let _ = writeln!(out, "<details>\n<summary>{} {title}</summary>\n", moved.len());
    list(out, "Not counted as a change", moved);
    out.push_str("</details>\n\n");
}

fn tools(out: &mut String, diff: &Diff) {
    if diff.tools.is_empty() {
        return;
    }
    let _ = writeln!(out, "**Tools** ({})\n", diff.tools.len());
    for tool in diff.tools.iter().take(SHOWN) {
        let (before, after) = (verdict_of(tool.before), verdict_of(tool.after));
        let _ = writeln!(out, "- {}: {before} → {after}", code(&tool.tool));
    }
    out.push('\n');
}

fn definitions(out: &mut String, diff: &Diff) {
    let Some(changes) = diff.definitions.as_ref().filter(|c| !c.is_empty()) else { return };
    let _ = writeln!(out, "**Definitions**: {}\n", count(changes.len(), "change"));
    for change in changes.iter().take(SHOWN) {
        let says = prose(&clip(&change.says, SAID, "…"));
        let _ = writeln!(out, "- {}{}: {says}", weight(change), code(&change.name));
    }
    out.push('\n');
}

pub(super) fn weight(change: &DefinitionChange) -> &'static str {
    match (change.breaking, change.grave) {
        (true, _) => "breaks callers: ",
        (false, true) => "models read it anew: ",
        (false, false) => "",
    }
}

fn latency(out: &mut String, diff: &Diff) {
    if diff.latency.is_empty() {
        return;
    }
    out.push_str("**Latency beyond noise**\n\n");
    for change in &diff.latency {
        let (before, after) = (points(change.before.p50), points(change.after.p50));
        let _ = writeln!(
            out,
            "- {}: median {before} → {after} ms, {}",
            code(&change.tool),
            pace(change)
        );
    }
    out.push('\n');
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::diff::Snapshot;
    use crate::pages;
    use crate::pin::Pin;
    use crate::render::{golden, hostile};
    use crate::report::{Latency, Report};
    use pulldown_cmark::{Event, Options, Parser, Tag};

    /// Something of every kind of change.
    pub(crate) fn sample() -> Diff {
        let pinned = |report: &Report, tools: &str| Snapshot {
            pin: Some(Pin::of(&pages::evidence(&format!(r#"{{"tools": {tools}}}"#)).unwrap())),
            ..Snapshot::of(report).unwrap()
        };
        let (mut old, mut new) = (golden::report(), golden::report());
        old.findings[0].outcome = crate::check::Outcome::Pass;
        new.findings[1].outcome = crate::check::Outcome::Pass;
        old.findings[5].outcome = crate::check::Outcome::Unseen;
        new.findings[6].outcome = crate::check::Outcome::Unseen;
        (new.server.version, new.score) = (Some("3.0.0".to_owned()), Some(64.9));
        for (report, p50) in [(&mut old, 10.0), (&mut new, 60.0)] {
            report.tools[0].latency_ms = Some(Latency { p50, p95: p50 * 1.5, max: p50 * 2.0 });
        }
        new.tools[2].name = "rename_file".to_owned();
        let before = pinned(&old, r#"[{"name": "read_file"}, {"name": "move_file"}]"#);
        let after = pinned(
            &new,
            r#"[{"name": "read_file", "inputSchema": {"required": ["path"]}}, {"name": "rename_file"}]"#,
        );
        Diff::between(&before, &after)
    }

    #[test]
    fn a_comparison_as_markdown_and_json() {
        insta::assert_snapshot!("markdown", markdown(&sample()));
        insta::assert_snapshot!("json", json(&sample()).unwrap());
    }

    #[test]
    fn hostile_text_adds_no_markup() {
        let mut old = hostile::report();
        old.findings.iter_mut().for_each(|f| f.outcome = crate::check::Outcome::Pass);
        let snapshot = |report: &Report| Snapshot::of(report).unwrap();
        let diff = Diff::between(&snapshot(&old), &snapshot(&hostile::report()));
        let text = markdown(&diff);
        hostile::assert_no_controls(&text.replace('\n', ""));
        let html = Parser::new_ext(&text, Options::all()).filter(|e| {
            matches!(e, Event::Html(h) | Event::InlineHtml(h) if h.contains("script"))
                || matches!(e, Event::Start(Tag::Link { .. } | Tag::Image { .. }))
        });
        assert_eq!(html.count(), 0, "{text}");
    }
}
