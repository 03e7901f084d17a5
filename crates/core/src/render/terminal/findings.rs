//! What failed, what to fix first, what is for review, and what was not seen.

use std::collections::BTreeMap;

use super::Detail;
use super::sheet::{Paint, Sheet, Span, faint, hard, name, plain, strong};
use crate::check::Standing;
use crate::render::text::{count, points};
use crate::report::{FindingReport, Recommendation, Report, by_check};
use crate::sieve::Novelty;

const GROUPS: usize = 10;
const SUBJECTS: usize = 3;
const SUSPECTED: usize = 5;
const REASONS: usize = 6;

/// The fixes that gain most, and where they would lead.
pub(super) fn fixes(sheet: &mut Sheet, report: &Report) {
    let shown: Vec<&Recommendation> = report
        .recommendations
        .iter()
        .take(if sheet.style.detail == Detail::Full { usize::MAX } else { 3 })
        .collect();
    if shown.is_empty() {
        return;
    }
    let gain: f64 = report.recommendations.iter().take(3).map(|r| r.gain).sum();
    let heading = match report.score {
        Some(score) if gain >= 0.05 => {
            let first = match report.recommendations.len().min(3) {
                1 => "this one".to_owned(),
                2 => "these two".to_owned(),
                _ if shown.len() > 3 => "the first three".to_owned(),
                _ => "these three".to_owned(),
            };
            let reach = (score + gain).min(100.0);
            format!("{first}: {} → about {}", points(score), points(reach))
        }
        Some(_) | None => String::new(),
    };
    sheet.heading("FIX FIRST", &heading);
    for (n, fix) in shown.iter().enumerate() {
        let worth = format!("+{} ", points(fix.gain));
        let mut spans = vec![
            faint(format!("{}. ", n + 1)),
            (Paint::Good, worth),
            plain(fix.fix.clone()),
            faint(format!(" ({}", fix.check)),
        ];
        let clears = if fix.clears > 1 { format!(", clears {})", fix.clears) } else { ")".into() };
        spans.push(faint(clears));
        sheet.flow(2, 5, &spans);
    }
}

/// Failing findings that count, grouped by check.
pub(super) fn failing(sheet: &mut Sheet, report: &Report) {
    let failed: Vec<&FindingReport> = report.shown_failures().collect();
    let passed = report.passed();
    if failed.is_empty() {
        if passed > 0 {
            sheet.heading("FINDINGS", &format!("nothing failed, {passed} passed"));
        }
        return;
    }
    let groups = by_check(failed.iter().copied());
    let heading =
        format!("{} failed in {}, {passed} passed", failed.len(), count(groups.len(), "check"));
    sheet.heading("FINDINGS", &heading);
    let full = sheet.style.detail == Detail::Full;
    let limit = if full { groups.len() } else { GROUPS };
    for group in groups.iter().take(limit) {
        draw_group(sheet, report, group, if full { usize::MAX } else { SUBJECTS });
    }
    if groups.len() > limit {
        let more =
            format!("and {} more (--verbose shows all)", count(groups.len() - limit, "check"));
        sheet.flow(2, 4, &[faint(more)]);
    }
}

/// Suspicions: shown, never scored.
pub(super) fn suspected(sheet: &mut Sheet, report: &Report) {
    let found: Vec<&FindingReport> = report.suspicions().collect();
    if found.is_empty() {
        return;
    }
    sheet.heading("FOR REVIEW, NOT SCORED", &count(found.len(), "suspicion"));
    let full = sheet.style.detail == Detail::Full;
    if full {
        for group in by_check(found.iter().copied()) {
            draw_group(sheet, report, &group, usize::MAX);
        }
        return;
    }
    for finding in found.iter().take(SUSPECTED) {
        let spans = [
            (Paint::of_severity(finding.severity), finding.severity.as_str().to_owned()),
            plain(" "),
            name(finding.check),
            plain(format!(" · {}: ", finding.subject)),
            plain(sheet.shortened(&finding.says, 4, 2)),
        ];
        sheet.flow(2, 4, &spans);
    }
    if found.len() > SUSPECTED {
        let more = format!("and {} more (--verbose shows all)", found.len() - SUSPECTED);
        sheet.flow(2, 4, &[faint(more)]);
    }
}

/// What could not be seen, by reason.
pub(super) fn unseen(sheet: &mut Sheet, report: &Report) {
    let hidden: Vec<&FindingReport> = report.unseen().collect();
    if hidden.is_empty() {
        return;
    }
    sheet.heading("NOT SEEN", &count(hidden.len(), "question"));
    let mut reasons: BTreeMap<&str, Vec<&FindingReport>> = BTreeMap::new();
    for finding in &hidden {
        reasons.entry(&finding.says).or_default().push(finding);
    }
    let mut ranked: Vec<(&str, Vec<&FindingReport>)> = reasons.into_iter().collect();
    ranked.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then(a.0.cmp(b.0)));
    let full = sheet.style.detail == Detail::Full;
    let limit = if full { ranked.len() } else { REASONS };
    for (reason, of_reason) in ranked.iter().take(limit) {
        let times = format!("{} × ", of_reason.len());
        sheet.flow(2, 6, &[strong(times), plain(sheet.shortened(reason, 6, 2))]);
        if full {
            for finding in of_reason {
                sheet.flow(6, 8, &[name(finding.check), faint(format!(" · {}", finding.subject))]);
            }
        }
    }
    if ranked.len() > limit {
        let rest: usize = ranked[limit..].iter().map(|(_, of)| of.len()).sum();
        let more = format!("{rest} × for other reasons (--verbose lists them)");
        sheet.flow(2, 6, &[faint(more)]);
    }
}

fn draw_group(sheet: &mut Sheet, report: &Report, group: &[&FindingReport], limit: usize) {
    let Some(first) = group.first() else { return };
    let severity = first.severity.as_str().to_uppercase();
    let mut spans: Vec<Span> = vec![(Paint::of_severity(first.severity), severity), plain(" ")];
    spans.push(name(first.check));
    spans.push(faint(format!(" · {}", first.title)));
    if let Some(cwe) = first.cwe.filter(|_| limit == usize::MAX) {
        let known: Vec<&str> =
            std::iter::once(cwe).chain(first.owasp.into_iter().flatten().copied()).collect();
        spans.push(faint(format!(" · {}", known.join(" "))));
    }
    if let Some(says) = report.accuracy.of(first.check).filter(|_| limit == usize::MAX) {
        spans.push(faint(format!(" · {says}")));
    }
    sheet.flow(2, 4, &spans);
    let lines = if limit == usize::MAX { 12 } else { 3 };
    for finding in group.iter().take(limit) {
        let mut spans = vec![strong(finding.subject.to_string()), plain(": ")];
        if finding.standing == Standing::Proven {
            spans.push((Paint::Bad, "[proven] ".to_owned()));
        }
        if finding.settled.baseline == Some(Novelty::New) {
            spans.push((Paint::Bad, "[new] ".to_owned()));
        }
        spans.push(plain(sheet.shortened(&finding.says, 6, lines)));
        if let Some(spot) =
            finding.source.as_ref().filter(|s| !finding.says.contains(&s.to_string()))
        {
            spans.push(faint(format!(" at {spot}")));
        }
        if let Some(exchange) = finding.seen_in.first() {
            spans.push(faint(format!(" ({exchange})")));
        }
        sheet.flow(4, 6, &spans);
        if let Some(command) = finding.reproduce.as_ref().filter(|_| limit == usize::MAX) {
            sheet.flow(6, 8, &[faint("again: "), plain(hard(command))]);
        }
    }
    if group.len() > limit {
        let more = format!("and {} more", group.len() - limit);
        sheet.flow(4, 6, &[faint(more)]);
    }
    if let Some(fix) = group.iter().find_map(|f| f.fix.as_ref()) {
        let text = sheet.shortened(fix, 9, lines);
        sheet.flow(4, 9, &[(Paint::Good, "fix: ".to_owned()), plain(text)]);
    }
}
