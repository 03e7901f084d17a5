//! Findings in the order people read them, each with a fingerprint that outlives its wording.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{FindingReport, reproduce};
use crate::check::{Check, Class, Finding, Judged};
use crate::evidence::{Evidence, Subject, SubjectKind};
use crate::sieve::{Settled, Sifting};

/// Failures first, then the unseen, then passes; within each the most severe first, then by check
/// and subject.
pub(super) fn findings(
    evidence: &Evidence,
    named: Vec<Named<'_>>,
    fix: &dyn Fn(&Finding) -> Option<String>,
) -> Vec<FindingReport> {
    let report = |n: Named<'_>| {
        let reproduce = reproduce::command(evidence, n.finding);
        FindingReport { fix: fix(n.finding), reproduce, ..told(n) }
    };
    named.into_iter().map(report).collect()
}

/// A finding with its fingerprint, and what the user has settled about it.
pub(super) struct Named<'a> {
    pub(super) id: String,
    pub(super) check: &'static Check,
    pub(super) finding: &'a Finding,
    pub(super) settled: Settled,
}

pub(super) fn named<'a>(judged: &'a [Judged], sifting: &Sifting<'_>) -> Vec<Named<'a>> {
    let mut pairs: Vec<(&'static Check, &Finding)> =
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
            let settled = sifting.settle(check, &id, finding);
            Named { id, check, finding, settled }
        })
        .collect()
}

/// What counts: all but the suppressed.
pub(super) fn counted<'a>(judged: &'a [Judged], named: &[Named<'_>]) -> Cow<'a, [Judged]> {
    let out: Vec<&Finding> =
        named.iter().filter(|n| n.settled.suppressed.is_some()).map(|n| n.finding).collect();
    if out.is_empty() {
        return Cow::Borrowed(judged);
    }
    let stays = |f: &&Finding| !out.iter().any(|o| std::ptr::eq(*o, *f));
    let rest = |j: &Judged| Judged {
        check: j.check,
        findings: j.findings.iter().filter(stays).cloned().collect(),
        ruled: j.ruled.clone(),
    };
    Cow::Owned(judged.iter().map(rest).collect())
}

fn key<'a>((check, finding): &(&'static Check, &'a Finding)) -> impl Ord + use<'a> {
    (finding.outcome(), Reverse(check.severity), check.id, &finding.subject, finding.says.as_str())
}

fn told(named: Named<'_>) -> FindingReport {
    let Named { id, check, finding, settled } = named;
    let class = finding.class.or(check.class);
    FindingReport {
        id,
        check: check.id,
        title: check.title,
        topic: check.topic(),
        facet: check.facet,
        class,
        cwe: class.map(Class::cwe),
        owasp: class.map(Class::owasp),
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
        source: finding.source.clone(),
        measure: finding.measure.clone(),
        settled,
    }
}

/// Lines are left out: code above a finding may grow without making it another one.
fn fingerprint(check: &str, finding: &Finding) -> String {
    let mut hasher = blake3::Hasher::new();
    let subject = &finding.subject;
    let parts = [check, kind(subject.kind()), &name(subject)];
    let class = finding.class.map(Class::as_str);
    for part in parts.into_iter().chain(finding.requirement).chain(class) {
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
