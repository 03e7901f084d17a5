//! What the first screen says, as the template reads it.

use serde::Serialize;

use crate::check::{Outcome, Severity, Standing};
use crate::evidence::Startup;
use crate::gate::GateReport;
use crate::render::terminal::{self, transport};
use crate::render::text::points;
use crate::report::{
    AreaReport, AreaStatus, FindingReport, PartReport, Recommendation, Report, ReuseReport,
};

/// Fixes shown before the rest is folded.
const FIRST_FIXES: usize = 5;

#[derive(Debug, Serialize)]
pub(super) struct Overview<'a> {
    name: &'a str,
    version: Option<&'a str>,
    target: String,
    score: Option<String>,
    level: &'a str,
    tone: &'static str,
    low: String,
    high: String,
    coverage: String,
    confidence: String,
    held_back: Option<&'a str>,
    reused: Option<String>,
    rubric: String,
    down: Option<Down<'a>>,
    facts: Vec<(&'static str, String)>,
    gates: &'a [GateReport],
    counts: Vec<(&'static str, usize, &'static str)>,
    areas: Vec<Area<'a>>,
    first_fixes: Vec<Fix<'a>>,
    more_fixes: Vec<Fix<'a>>,
    proofmark: &'a str,
    digest: &'a str,
    began: u64,
}

#[derive(Debug, Serialize)]
struct Down<'a> {
    says: &'a str,
    way_out: &'a str,
    stderr: &'a [String],
}

#[derive(Debug, Serialize)]
struct Area<'a> {
    title: &'a str,
    score: Option<String>,
    tone: &'static str,
    status: &'static str,
    weight: String,
    coverage: String,
    parts: Vec<Part<'a>>,
}

#[derive(Debug, Serialize)]
struct Part<'a> {
    title: &'a str,
    score: Option<String>,
    status: &'static str,
    weight: String,
    passed: usize,
    failed: usize,
    unseen: usize,
}

#[derive(Debug, Serialize)]
struct Fix<'a> {
    check: &'a str,
    fix: &'a str,
    gain: Option<String>,
    clears: usize,
    severity: Severity,
}

pub(super) fn overview(report: &Report) -> Overview<'_> {
    let server = &report.server;
    let mut first_fixes: Vec<Fix<'_>> = fixes(report);
    let more_fixes = first_fixes.split_off(first_fixes.len().min(FIRST_FIXES));
    Overview {
        name: server.name.as_deref().unwrap_or("A server without a name"),
        version: server.version.as_deref(),
        target: report.target.line(),
        score: report.score.map(points),
        level: &report.level,
        tone: tone(&report.level, report.score),
        low: points(report.bounds[0]),
        high: points(report.bounds[1]),
        coverage: points(report.coverage),
        confidence: points(report.confidence),
        held_back: report.held_back.as_deref(),
        reused: report.reuse.as_ref().filter(|r| r.reused > 0).map(ReuseReport::says),
        rubric: format!("{} {}", report.rubric.title, report.rubric.version),
        down: down(report),
        facts: facts(report),
        gates: &report.gates,
        counts: counts(report),
        areas: report.areas.iter().map(area).collect(),
        first_fixes,
        more_fixes,
        proofmark: &report.proofmark,
        digest: &report.evidence_digest,
        began: report.timings.began,
    }
}

/// The level where its name is plain, else the score: a good score can be held back.
pub(super) fn tone(level: &str, score: Option<f64>) -> &'static str {
    match (level, score) {
        ("PASS", _) => "good",
        ("WARN" | "WARNING" | "REVIEW", _) => "fair",
        ("FAIL", _) => "poor",
        (_, None) => "none",
        (_, Some(score)) if score >= 75.0 => "good",
        (_, Some(score)) if score >= 50.0 => "fair",
        (_, Some(_)) => "poor",
    }
}

fn down(report: &Report) -> Option<Down<'_>> {
    match &report.startup {
        Startup::Down { says, way_out, stderr_tail, .. } => {
            Some(Down { says, way_out, stderr: stderr_tail })
        }
        Startup::Up { .. } | Startup::NotTried => None,
    }
}

fn facts(report: &Report) -> Vec<(&'static str, String)> {
    let (conditions, server) = (&report.conditions, &report.server);
    let budget = &conditions.budget;
    let sdk = server.sdk.as_ref().map(|s| match &s.version {
        Some(version) => format!("{} {version}", s.name),
        None => s.name.clone(),
    });
    let revision = conditions.revision.clone().unwrap_or_else(|| "none agreed".to_owned());
    let offers = format!(
        "{} tools · {} resources · {} templates · {} prompts",
        server.tools, server.resources, server.templates, server.prompts
    );
    let calls =
        format!("{} made · {} skipped · {} restarts", budget.made, budget.skipped, budget.restarts);
    let mut facts = vec![
        ("Offers", offers),
        ("Speaks", format!("{revision} over {}", transport(conditions.transport))),
        ("Calls", calls),
        ("Isolation", isolation(report)),
        ("Seed", conditions.seed.0.to_string()),
        ("Took", format!("{:.1} s", report.timings.wall_ms / 1000.0)),
    ];
    facts.extend(sdk.map(|s| ("Built with", s)));
    facts
}

fn isolation(report: &Report) -> String {
    let isolation = &report.conditions.isolation;
    let mut parts = vec![terminal::isolation(isolation.level).to_owned()];
    parts.extend(isolation.notes.iter().cloned());
    parts.join(" · ")
}

/// How many findings of each status, with the name the page filters by.
fn counts(report: &Report) -> Vec<(&'static str, usize, &'static str)> {
    let aside = |f: &FindingReport| f.settled.suppressed.is_some() || f.settled.hidden;
    let count = |outcome, standing: Option<Standing>| {
        let fits = |s| standing.is_none_or(|wanted| wanted == s);
        let counted = |f: &&FindingReport| f.outcome == outcome && fits(f.standing) && !aside(f);
        report.findings.iter().filter(counted).count()
    };
    vec![
        ("proven", count(Outcome::Fail, Some(Standing::Proven)), "proven"),
        ("failed", count(Outcome::Fail, Some(Standing::Observed)), "failed"),
        ("suspected", count(Outcome::Fail, Some(Standing::Suspected)), "to review"),
        ("unseen", count(Outcome::Unseen, None), "not seen"),
        ("passed", count(Outcome::Pass, None), "passed"),
        ("aside", report.findings.iter().filter(|f| aside(f)).count(), "set aside"),
    ]
}

fn status(status: AreaStatus) -> &'static str {
    match status {
        AreaStatus::Scored => "scored",
        AreaStatus::Unobserved => "not seen",
        AreaStatus::NotApplicable => "does not apply",
        AreaStatus::Info => "for information",
    }
}

fn area(area: &AreaReport) -> Area<'_> {
    let score = area.score.filter(|_| area.status == AreaStatus::Scored);
    Area {
        title: &area.title,
        score: score.map(points),
        tone: tone(area.level.as_deref().unwrap_or_default(), score),
        status: status(area.status),
        weight: points(area.weight),
        coverage: points(area.coverage),
        parts: area.parts.iter().map(part).collect(),
    }
}

fn part(part: &PartReport) -> Part<'_> {
    Part {
        title: &part.title,
        score: part.score.map(points),
        status: status(part.status),
        weight: points(part.weight),
        passed: part.passed,
        failed: part.failed,
        unseen: part.unseen,
    }
}

fn fixes(report: &Report) -> Vec<Fix<'_>> {
    let gain = |r: &Recommendation| (r.gain > 0.0).then(|| points(r.gain));
    report
        .recommendations
        .iter()
        .map(|r| Fix {
            check: r.check,
            fix: &r.fix,
            gain: gain(r),
            clears: r.clears,
            severity: r.severity,
        })
        .collect()
}
