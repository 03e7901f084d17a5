//! Notices: how a run came out, for a webhook. Chats show `text`, programs read the rest.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::check::Severity;
use crate::gate::GateReport;
use crate::render::text::{clean, clip, count, points};
use crate::report::Report;

/// Format and version of a notice.
pub const SCHEMA: &str = "proofmark.notice/1.0";

const LONGEST: usize = 600;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Notice {
    pub schema: &'static str,
    pub event: Event,
    /// One line for people. Nothing in it links, formats or calls anybody.
    pub text: String,
    pub server: String,
    pub version: Option<String>,
    pub target: String,
    pub rubric: String,
    pub score: Option<f64>,
    pub level: String,
    pub coverage: f64,
    /// Failures that count, by severity.
    pub failures: BTreeMap<Severity, usize>,
    /// Gates that were missed, required or not.
    pub missed: Vec<GateReport>,
    /// Why it is worse than the baseline; empty where it is not, or where there is none.
    pub worse: Vec<String>,
    pub evidence_digest: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    Finished,
    Regressed,
}

impl Notice {
    /// `worse` tells why the run is a regression.
    pub fn of(report: &Report, worse: Vec<String>) -> Notice {
        let mut failures: BTreeMap<Severity, usize> = BTreeMap::new();
        report.failures().for_each(|f| *failures.entry(f.severity).or_default() += 1);
        let missed: Vec<GateReport> = report.gates.iter().filter(|g| !g.met).cloned().collect();
        Notice {
            schema: SCHEMA,
            event: if worse.is_empty() { Event::Finished } else { Event::Regressed },
            text: plain(&line(report, &failures, &missed, &worse)),
            server: clean(&report.server_name()),
            version: report.server.version.as_deref().map(clean),
            target: clean(&report.target.line()),
            rubric: report.rubric.id.clone(),
            score: report.score,
            level: report.level.clone(),
            coverage: report.coverage,
            failures,
            missed,
            worse,
            evidence_digest: report.evidence_digest.clone(),
        }
    }
}

fn line(
    report: &Report,
    failures: &BTreeMap<Severity, usize>,
    missed: &[GateReport],
    worse: &[String],
) -> String {
    let score = report.score.map_or("not assessed".to_owned(), points);
    let mut text = format!("Proofmark: {} {score} {}", report.server_name(), report.level);
    let by: Vec<String> = failures.iter().rev().map(|(s, n)| format!("{n} {s}")).collect();
    let all = count(failures.values().sum(), "failure");
    match by.is_empty() {
        true => text.push_str(&format!(" · {all}")),
        false => text.push_str(&format!(" · {all} ({})", by.join(", "))),
    }
    if !worse.is_empty() {
        text.push_str(&format!(" · worse: {}", worse.join("; ")));
    }
    for gate in missed.iter().filter(|g| g.required) {
        text.push_str(&format!(" · missed {}", gate.gate));
    }
    text
}

/// In chats of the Slack kind three characters begin all mark-up that calls or links, once escaped
/// they are text; the rest is only emphasis.
fn plain(text: &str) -> String {
    let short = clip(&clean(text), LONGEST, "…");
    short.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::golden;

    #[test]
    fn a_notice_says_in_one_line_how_it_went() {
        let notice = Notice::of(&golden::report(), vec!["1 new failure".to_owned()]);
        assert_eq!(notice.event, Event::Regressed);
        assert_eq!(
            notice.text,
            "Proofmark: files 71.4 REVIEW · 7 failures (1 critical, 1 medium, 5 low) · worse: 1 new failure"
        );
        assert_eq!(notice.failures[&Severity::Low], 5);
        assert_eq!(Notice::of(&golden::down(), Vec::new()).score, None);
    }

    #[test]
    fn a_hostile_name_calls_nobody() {
        let mut report = golden::report();
        report.server.name = Some("<!channel> <http://evil.example|x>\x1b[31m".to_owned());
        let text = Notice::of(&report, Vec::new()).text;
        assert!(text.contains("&lt;!channel&gt;") && !text.contains(['<', '>', '\x1b']), "{text}");
    }
}
