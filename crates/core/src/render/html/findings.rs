//! Findings and the checks they belong to, as the page's script reads them.

use std::collections::BTreeMap;

use serde::Serialize;

use super::texts::Pool;
use crate::check::{Class, Confidence, Facet, Measure, Outcome, Severity, Standing, Topic};
use crate::checks;
use crate::evidence::{Effect, Evidence, ExchangeId};
use crate::proof::Proof;
use crate::report::{FindingReport, Report};
use crate::sieve::Settled;
use crate::spec;

/// More calls than anyone opens.
const MOST_SEEN: usize = 24;

#[derive(Debug, Serialize)]
pub(super) struct CheckRow<'a> {
    id: &'static str,
    title: &'static str,
    topic: Topic,
    /// Its place in the rubric's list; none where the rubric does not weigh it.
    area: Option<usize>,
    severity: Severity,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<Class>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cwe: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    owasp: Option<&'a [&'static str]>,
    /// How right it is, by measurement.
    #[serde(skip_serializing_if = "Option::is_none")]
    accuracy: Option<String>,
    /// Why it matters, from the check's page.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<usize>,
}

#[derive(Debug, Serialize)]
pub(super) struct FindingRow<'a> {
    id: &'a str,
    check: usize,
    outcome: Outcome,
    standing: Standing,
    confidence: Confidence,
    subject: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    grade: Option<f64>,
    says: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    proof: Vec<(&'static str, usize)>,
    /// What to look for in the calls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    marks: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reproduce: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    requirement: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spec: Option<String>,
    seen: Vec<u32>,
    /// Calls it was also seen in, not named here.
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    measure: Option<&'a Measure>,
    #[serde(flatten)]
    settled: &'a Settled,
}

pub(super) fn rows<'a>(
    report: &'a Report,
    evidence: &Evidence,
    pool: &mut Pool,
) -> (Vec<CheckRow<'a>>, Vec<FindingRow<'a>>) {
    let mut checks: Vec<CheckRow<'_>> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut rows = Vec::with_capacity(report.findings.len());
    for finding in &report.findings {
        let check = *places.entry(finding.check).or_insert_with(|| {
            checks.push(check(report, finding, pool));
            checks.len() - 1
        });
        rows.push(row(report, evidence, finding, check, pool));
    }
    (checks, rows)
}

fn check<'a>(report: &Report, finding: &'a FindingReport, pool: &mut Pool) -> CheckRow<'a> {
    let page = checks::find(finding.check).and_then(|c| c.page().ok());
    CheckRow {
        id: finding.check,
        title: finding.title,
        topic: finding.topic,
        area: area(report, finding.facet),
        severity: finding.severity,
        class: finding.class,
        cwe: finding.cwe,
        owasp: finding.owasp,
        accuracy: report.accuracy.of(finding.check),
        why: page.map(|p| pool.add_lines(p.why.trim(), false)),
    }
}

fn area(report: &Report, facet: Facet) -> Option<usize> {
    report.areas.iter().position(|a| a.parts.iter().any(|p| p.facets.contains(&facet)))
}

fn row<'a>(
    report: &'a Report,
    evidence: &Evidence,
    finding: &'a FindingReport,
    check: usize,
    pool: &mut Pool,
) -> FindingRow<'a> {
    let tool = finding.subject.tool();
    let fails = finding.outcome == Outcome::Fail;
    let revision = report.conditions.revision.as_deref();
    FindingRow {
        id: &finding.id,
        check,
        outcome: finding.outcome,
        standing: finding.standing,
        confidence: finding.confidence,
        subject: pool.add(&finding.subject.to_string()),
        tool: tool.and_then(|name| report.tools.iter().position(|t| t.name == name)),
        grade: finding.grade.filter(|_| fails),
        says: pool.add(&finding.says),
        fix: finding.fix.as_deref().filter(|f| !f.is_empty()).map(|f| pool.add(f)),
        proof: finding.proof.as_ref().map(|p| proof(p, evidence, pool)).unwrap_or_default(),
        marks: finding.proof.as_ref().map(|p| marks(p, evidence, pool)).unwrap_or_default(),
        reproduce: finding.reproduce.as_deref().map(|r| pool.add(r)),
        requirement: finding.requirement,
        spec: finding
            .requirement
            .and_then(spec::requirement)
            .map(|r| super::requirements::link(r.section(), revision)),
        seen: finding.seen_in.iter().take(MOST_SEEN).map(|x| x.0).collect(),
        more: finding.seen_in.len().checked_sub(MOST_SEEN).filter(|n| *n > 0),
        measure: finding.measure.as_ref(),
        settled: &finding.settled,
    }
}

/// What proves it, as pairs of a name and a text.
fn proof(proof: &Proof, evidence: &Evidence, pool: &mut Pool) -> Vec<(&'static str, usize)> {
    let list = |of: &[f64]| {
        let shown: Vec<String> = of.iter().map(|ms| format!("{ms:.0}")).collect();
        shown.join(", ")
    };
    let ids = |of: &[ExchangeId]| {
        let shown: Vec<String> = of.iter().map(ToString::to_string).collect();
        shown.join(", ")
    };
    let pairs = match proof {
        Proof::Computed { payload, expected } => {
            vec![("sent", payload.clone()), ("computed by the server", expected.clone())]
        }
        Proof::PlantedContent { canary } => {
            vec![("planted by us, and came back", planted(evidence, canary).to_owned())]
        }

        Proof::Callback { token } => vec![("our listener was called with", token.clone())],
        Proof::SideEffect { effect } => vec![(changed(effect), effect.path().to_owned())],
        Proof::Differential { truths, falsehoods } => vec![
            ("true conditions, answered alike", ids(truths)),
            ("false conditions, answered otherwise", ids(falsehoods)),
        ],
        Proof::Timing { samples_ms, control_ms, p } => vec![
            ("with the delay, in ms", list(samples_ms)),
            ("without it, in ms", list(control_ms)),
            ("chance of this by accident", format!("{p:.4}")),
        ],
        Proof::Amplified { bytes, control_bytes } => vec![
            ("bytes of the answer", bytes.to_string()),
            ("bytes of the answer to an ordinary number", control_bytes.to_string()),
        ],
        Proof::Contradiction { a, b } => {
            vec![("these answers can't both be true", format!("{a}, {b}"))]
        }
        Proof::Quoted { text, rule } => vec![("quoted", text.clone()), ("rule", rule.clone())],
    };
    pairs.into_iter().map(|(name, text)| (name, pool.add(&text))).collect()
}

fn planted<'a>(evidence: &'a Evidence, canary: &'a str) -> &'a str {
    let canaries = &evidence.conditions.canaries;
    canaries.iter().find(|c| c.id == canary).map_or(canary, |c| c.value.as_str())
}

/// The texts of a request or reply that show it.
fn marks(proof: &Proof, evidence: &Evidence, pool: &mut Pool) -> Vec<usize> {
    let texts: Vec<&str> = match proof {
        Proof::Computed { payload, expected } => vec![payload, expected],
        Proof::PlantedContent { canary } => vec![planted(evidence, canary)],
        Proof::Callback { token } => vec![token],
        Proof::SideEffect { effect } => vec![effect.path()],
        Proof::Quoted { text, .. } => vec![text],
        Proof::Differential { .. }
        | Proof::Timing { .. }
        | Proof::Amplified { .. }
        | Proof::Contradiction { .. } => Vec::new(),
    };
    texts.into_iter().filter(|t| !t.is_empty()).map(|t| pool.add(t)).collect()
}

fn changed(effect: &Effect) -> &'static str {
    match effect {
        Effect::FileCreated { .. } => "file created",
        Effect::FileChanged { .. } => "file changed",
        Effect::FileDeleted { .. } => "file deleted",
    }
}
