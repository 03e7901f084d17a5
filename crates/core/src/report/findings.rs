//! Findings in the order people read them, each with a fingerprint that outlives its wording.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{FindingReport, reproduce};
use crate::check::{Check, Class, Finding, Judged};
use crate::evidence::{Evidence, Subject, SubjectKind};

/// Failures first, then the unseen, then passes; within each the most severe first, then by check
/// and subject.
pub(super) fn findings(
    evidence: &Evidence,
    judged: &[Judged],
    fix: &dyn Fn(&Finding) -> Option<String>,
) -> Vec<FindingReport> {
    let mut pairs: Vec<(&Check, &Finding)> =
        judged.iter().flat_map(|j| j.findings.iter().map(move |f| (j.check, f))).collect();
    pairs.sort_by(|a, b| key(a).cmp(&key(b)));
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    pairs
        .into_iter()
        .map(|(check, finding)| {
            let print = fingerprint(check.id, finding);
            let time = times.entry(print.clone()).or_default();
            *time += 1;
            let id = if *time == 1 { print } else { format!("{print}-{time}") };
            let reproduce = reproduce::command(evidence, finding);
            FindingReport { fix: fix(finding), reproduce, ..told(id, check, finding) }
        })
        .collect()
}

fn key<'a>((check, finding): &(&'a Check, &'a Finding)) -> impl Ord + use<'a> {
    (finding.outcome(), Reverse(check.severity), check.id, &finding.subject, finding.says.as_str())
}

fn told(id: String, check: &Check, finding: &Finding) -> FindingReport {
    FindingReport {
        id,
        check: check.id,
        title: check.title,
        topic: check.topic(),
        facet: check.facet,
        class: check.class,
        cwe: check.class.map(Class::cwe),
        owasp: check.class.map(Class::owasp),
        severity: check.severity,
        outcome: finding.outcome(),
        standing: finding.standing(),
        confidence: finding.confidence,
        grade: finding.grade.map(|g| (g.value() * 1000.0).round() / 1000.0),
        subject: finding.subject.clone(),
        requirement: finding
            .requirement
            .or_else(|| check.requirements.first().map(|r| r.requirement)),
        says: finding.says.clone(),
        fix: None,
        proof: finding.proof.clone(),
        reproduce: None,
        seen_in: finding.seen_in.clone(),
        measure: finding.measure.clone(),
    }
}

/// Lines are left out: code above a finding may grow without making it another one.
fn fingerprint(check: &str, finding: &Finding) -> String {
    let mut hasher = blake3::Hasher::new();
    let subject = &finding.subject;
    let parts = [check, kind(subject.kind()), &name(subject)];
    for part in parts.into_iter().chain(finding.requirement) {
        hasher.update(part.as_bytes());
        hasher.update(&[0]);
    }
    hasher.finalize().to_hex()[..12].to_owned()
}

fn name(subject: &Subject) -> String {
    match subject {
        Subject::File { file, line: _ } => file.clone(),
        Subject::Server
        | Subject::Tool { .. }
        | Subject::Param { .. }
        | Subject::Resource { .. }
        | Subject::Prompt { .. } => subject.to_string(),
    }
}

fn kind(kind: SubjectKind) -> &'static str {
    match kind {
        SubjectKind::Server => "server",
        SubjectKind::Tool => "tool",
        SubjectKind::Param => "param",
        SubjectKind::Resource => "resource",
        SubjectKind::Prompt => "prompt",
        SubjectKind::File => "file",
    }
}
