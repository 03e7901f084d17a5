//! The report as Markdown, short enough for a comment: what came out and what to do first; the rest
//! is folded.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::escape::{code, markdown as md, prose, xml};
use super::text::{clip, count, points};
use crate::check::{Severity, Standing};
use crate::evidence::Startup;
use crate::report::{AreaReport, AreaStatus, FindingReport, Report, by_check};
use crate::sieve::Novelty;

/// The first line: whoever posts comments finds the one to replace by it.
pub const MARKER: &str = "<!-- proofmark report -->";

const FIXES: usize = 5;
const SUBJECTS: usize = 5;
const SAID: usize = 300;
const NAMED: usize = 120;
const REASONS: usize = 10;
/// Forges refuse comments of more than 65,536 characters.
const LONGEST: usize = 60_000;

pub fn markdown(report: &Report) -> String {
    let mut out = format!("{MARKER}\n");
    head(&mut out, report);
    gates(&mut out, report);
    areas(&mut out, report);
    fixes(&mut out, report);
    let failed: Vec<&FindingReport> = report.shown_failures().collect();
    let passed = report.passed();
    let failures = by_check(failed.iter().copied());
    let title = format!(
        "{} in {}, {passed} passed",
        count(failed.len(), "failure"),
        count(failures.len(), "check")
    );
    fold(&mut out, report, &title, &failures);
    let suspicions: Vec<&FindingReport> = report.suspicions().collect();
    let title = format!("{} for review, not scored", count(suspicions.len(), "suspicion"));
    fold(&mut out, report, &title, &by_check(suspicions.into_iter()));
    unseen(&mut out, report);
    judged_by(&mut out, report);
    foot(&mut out, report);
    out
}

fn head(out: &mut String, report: &Report) {
    let score = report.score.map_or("not assessed".to_owned(), points);
    let _ = writeln!(out, "### Proofmark: {score} · {}\n", md(&report.level));
    let server = &report.server;
    let mut said = vec![code(&clip(&report.server_name(), NAMED, "…"))];
    said.extend(server.version.as_deref().map(md));
    said.push(count(server.tools, "tool"));
    if report.score.is_some() {
        let [low, high] = report.bounds.map(points);
        said.push(format!("seen {} % of what is asked", points(report.coverage)));
        said.push(format!("between {low} and {high} had all been seen"));
    }
    let _ = writeln!(out, "{}\n", said.join(" · "));
    if let Startup::Down { says, way_out, .. } = &report.startup {
        let _ = writeln!(out, "> **The server did not come up:** {}\n>", prose(says));
        let _ = writeln!(out, "> Way out: {}\n", prose(way_out));
    }
    if let Some(why) = &report.held_back {
        let _ = writeln!(out, "> Held back: {}\n", prose(why));
    }
    if let Some(reuse) = &report.reuse {
        let _ = writeln!(out, "> Incremental: {}\n", prose(&reuse.says()));
    }
}

fn gates(out: &mut String, report: &Report) {
    for gate in &report.gates {
        let sign = match (gate.met, gate.required) {
            (true, _) => "✅",
            (false, true) => "❌",
            (false, false) => "⚠️",
        };
        let _ = writeln!(out, "- {sign} {} · {}", code(&gate.gate), md(&gate.says));
    }
    if !report.gates.is_empty() {
        out.push('\n');
    }
}

fn areas(out: &mut String, report: &Report) {
    if report.areas.is_empty() {
        return;
    }
    out.push_str("| area | score | weight | seen |\n|---|---:|---:|---:|\n");
    for area in report.areas.iter().filter(|a| a.status != AreaStatus::Info) {
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} % |",
            md(&area.title),
            score(area),
            points(area.weight),
            points(area.coverage)
        );
    }
    let others = report.scores.iter().filter(|(id, _)| **id != report.rubric.id);
    let others: Vec<String> = others
        .map(|(id, s)| {
            let score = s.score.map_or("–".to_owned(), points);
            format!("{} {score} ({})", md(id), md(&s.level))
        })
        .collect();
    let _ = writeln!(out, "\nOther rubrics: {}\n", others.join(", "));
}

fn score(area: &AreaReport) -> String {
    match (area.status, area.score) {
        (AreaStatus::NotApplicable, _) => "does not apply".to_owned(),
        (AreaStatus::Unobserved, _) | (AreaStatus::Scored | AreaStatus::Info, None) => {
            "not seen".to_owned()
        }
        (AreaStatus::Scored | AreaStatus::Info, Some(score)) => format!("**{}**", points(score)),
    }
}

fn fixes(out: &mut String, report: &Report) {
    let shown = report.recommendations.len().min(FIXES);
    if shown == 0 {
        return;
    }
    let reach = match (report.score, report.reach(shown)) {
        (Some(now), Some(then)) => format!(": {} → about {}", points(now), points(then)),
        (Some(_) | None, _) => String::new(),
    };
    let _ = writeln!(out, "**Fix first**{reach}\n");
    for fix in report.recommendations.iter().take(shown) {
        let clears =
            if fix.clears > 1 { format!(", clears {}", fix.clears) } else { String::new() };
        let text = prose(&clip(&fix.fix, SAID, "…"));
        let _ = writeln!(out, "1. **+{}** {text} ({}{clears})", points(fix.gain), code(fix.check));
    }
    out.push('\n');
}

/// Findings by check, in a section that opens on demand.
fn fold(out: &mut String, report: &Report, title: &str, groups: &[Vec<&FindingReport>]) {
    if groups.is_empty() {
        return;
    }
    let _ = writeln!(out, "<details>\n<summary>{}</summary>\n", xml(title));
    for (n, group) in groups.iter().enumerate() {
        if out.len() > LONGEST {
            let rest = count(groups.len() - n, "more check");
            let _ = writeln!(out, "… and {rest}; the JSON report has them all.\n");
            break;
        }
        one_check(out, report, group);
    }
    out.push_str("</details>\n\n");
}

fn one_check(out: &mut String, report: &Report, group: &[&FindingReport]) {
    let Some(first) = group.first() else { return };
    let sign = sign(first.severity);
    let accuracy = report.accuracy.of(first.check);
    let known = first.cwe.map(str::to_owned).into_iter().chain(accuracy);
    let known: String = known.map(|fact| format!(" · {fact}")).collect();
    let _ = writeln!(
        out,
        "{sign} **{}** {} · {}{known}\n",
        first.severity,
        code(first.check),
        md(first.title)
    );
    for finding in group.iter().take(SUBJECTS) {
        let proven = if finding.standing == Standing::Proven { "**proven** " } else { "" };
        let new = if finding.settled.baseline == Some(Novelty::New) { "**new** " } else { "" };
        let says = prose(&clip(&finding.says, SAID, "…"));
        let _ = writeln!(
            out,
            "- {}: {new}{proven}{says}",
            code(&clip(&finding.subject.to_string(), NAMED, "…"))
        );
    }
    if group.len() > SUBJECTS {
        let _ = writeln!(out, "- and {} more", group.len() - SUBJECTS);
    }
    if let Some(fix) = group.iter().find_map(|f| f.fix.as_deref()) {
        let _ = writeln!(out, "- *Fix:* {}", prose(&clip(fix, SAID, "…")));
    }
    out.push('\n');
}

fn unseen(out: &mut String, report: &Report) {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    report.unseen().for_each(|f| *reasons.entry(&f.says).or_default() += 1);
    if reasons.is_empty() {
        return;
    }
    let all = count(reasons.values().sum(), "question");
    let _ = writeln!(out, "<details>\n<summary>{all} could not be answered</summary>\n");
    let mut ranked: Vec<(&str, usize)> = reasons.into_iter().collect();
    ranked.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    for (why, times) in ranked.iter().take(REASONS) {
        let _ = writeln!(out, "- {times} × {}", prose(&clip(why, SAID, "…")));
    }
    if let Some(rest) = ranked.len().checked_sub(REASONS).filter(|n| *n > 0) {
        let _ = writeln!(out, "- and {}", count(rest, "other reason"));
    }
    out.push_str("\n</details>\n\n");
}

/// Who judged the calls, where a model had a say.
fn judged_by(out: &mut String, report: &Report) {
    let by = report.evaluation.as_ref().map(|e| &e.judged_by);
    if let Some(by) = by.filter(|by| by.model.is_some()) {
        let _ = writeln!(out, "Calls in five dimensions: {}.\n", prose(&by.says()));
    }
}

fn foot(out: &mut String, report: &Report) {
    let rubric = &report.rubric;
    let _ = writeln!(
        out,
        "<sub>Proofmark {} · rubric {} {} · profile {} · evidence {}</sub>",
        xml(&report.proofmark),
        xml(&rubric.id),
        xml(&rubric.version),
        report.conditions.profile.as_str(),
        xml(report.evidence_digest.get(..12).unwrap_or(&report.evidence_digest))
    );
}

fn sign(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical | Severity::High => "🔴",
        Severity::Medium => "🟠",
        Severity::Low => "🟡",
        Severity::Info => "⚪",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{golden, hostile};
    use pulldown_cmark::{Event, Options, Parser, Tag};

    #[test]
    fn the_golden_report_as_markdown() {
        insta::assert_snapshot!("golden", markdown(&golden::report()));
        insta::assert_snapshot!("down", markdown(&golden::down()));
    }

    /// Everything that is not text.
    fn markup(text: &str) -> Vec<String> {
        let events = Parser::new_ext(text, Options::all());
        let marks = events.filter_map(|event| {
            if let Event::Html(h) | Event::InlineHtml(h) = &event {
                return Some(h.trim().to_owned());
            }
            let Event::Start(tag) = event else { return None };
            let shown = matches!(tag, Tag::Link { .. } | Tag::Image { .. } | Tag::Heading { .. });
            shown.then(|| format!("{tag:?}"))
        });
        marks.filter(|m| !m.is_empty()).collect()
    }

    #[test]
    fn hostile_text_adds_no_markup() {
        let text = markdown(&hostile::report());
        hostile::assert_no_controls(&text.replace('\n', ""));
        let shape = |text: &str| {
            let of = markup(text);
            of.into_iter().filter(|m| !m.contains("<summary>")).collect::<Vec<_>>()
        };
        let plain = Report { held_back: Some("x".to_owned()), ..golden::report() };
        assert_eq!(shape(&text), shape(&markdown(&plain)));
    }

    #[test]
    fn a_report_of_thousands_of_failures_fits_into_a_comment() {
        let mut report = golden::report();
        let one = report.findings[0].clone();
        let checks = crate::checks::all();
        report.findings = (0..5000)
            .map(|n| FindingReport {
                check: checks[n % checks.len()].id,
                says: "x".repeat(400),
                ..one.clone()
            })
            .collect();
        assert!(markdown(&report).chars().count() < 65_536);
    }
}
