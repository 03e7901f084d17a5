//! From checks and evidence to findings.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::{Check, Finding, Outcome, leads};
use crate::accuracy::Measured;
use crate::evidence::{Evidence, Subject, Tool};
use crate::spec::{self, Conversation, Ruled};

/// A check and what it found.
#[derive(Debug, Clone)]
pub struct Judged {
    pub check: &'static Check,
    pub findings: Vec<Finding>,
    /// Its verdicts on requirements, by revision.
    pub ruled: Vec<Ruled>,
}

/// For checks that judge by their rules alone.
pub fn by_rules(_: &Evidence) -> Vec<Finding> {
    Vec::new()
}

/// The verdicts on the tools that were asked for, or why there can be none.
pub fn per_tool(
    evidence: &Evidence,
    verdict: fn(&Evidence, &Tool) -> Option<Finding>,
) -> Vec<Finding> {
    match evidence.why_unseen() {
        Some(why) => vec![Finding::unseen(Subject::Server, why)],
        None => evidence.tools().filter_map(|tool| verdict(evidence, tool)).collect(),
    }
}

/// Checks know nothing of each other, so a few of them judge at a time.
const JUDGES: usize = 4;

/// Judges the evidence by every check that its scope and revision include.
pub fn judge(evidence: &Evidence, checks: &[&'static Check]) -> Vec<Judged> {
    let mut conversations = Conversation::all(evidence);
    conversations.extend(Conversation::at_the_door(evidence));
    let due: Vec<&'static Check> = checks
        .iter()
        .copied()
        .filter(|c| evidence.conditions.scope.includes_check(c.id))
        .filter(|c| c.revisions.include(evidence.revision()))
        .collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            let Some(check) = due.get(n) else { return done };
            done.push((n, judge_by(check, evidence, &conversations)));
        }
    };
    let mut judged: Vec<(usize, Judged)> = thread::scope(|scope| {
        let judges: Vec<_> = (1..JUDGES).map(|_| scope.spawn(work)).collect();
        let own = work();
        // A check that panics takes its run down with it, as it would on this thread.
        let theirs = judges.into_iter().map(|j| j.join().unwrap_or_else(|p| resume_unwind(p)));
        theirs.flatten().chain(own).collect()
    });
    judged.sort_by_key(|(n, _)| *n);
    let mut judged: Vec<Judged> = judged.into_iter().map(|(_, judged)| judged).collect();
    leads::join(&mut judged);
    judged
}

/// A hole without proof becomes a suspicion here, whatever the check says.
fn judge_by(
    check: &'static Check,
    evidence: &Evidence,
    conversations: &[Conversation<'_>],
) -> Judged {
    let ruled = spec::rulings(check, conversations);
    let mut findings = (check.judge)(evidence);
    let told: Vec<&str> = findings.iter().filter_map(|f| f.requirement).collect();
    let by_rules = spec::findings(&ruled);
    let untold = |f: &Finding| f.requirement.is_none_or(|id| !told.contains(&id));
    let by_rules: Vec<Finding> = by_rules.into_iter().filter(untold).collect();
    findings.extend(by_rules);
    if findings.is_empty() && check.requirements.iter().any(|r| r.judge.is_some()) {
        let why = evidence.why_unseen();
        findings.extend(why.map(|why| Finding::unseen(Subject::Server, why)));
    }
    for finding in &mut findings {
        let hole = check.class.is_some() && finding.outcome() == Outcome::Fail;
        if hole && finding.proof.is_none() {
            finding.suspected = true;
        }
    }
    if Measured::builtin().is_hint(check.id) {
        findings.iter_mut().for_each(only_hint);
    }
    findings.sort_by(|a, b| {
        (a.outcome(), &a.subject, &a.says).cmp(&(b.outcome(), &b.subject, &b.says))
    });
    Judged { check, findings, ruled }
}

/// Of a check that is measured to be wrong too often, no word counts: its passes as little as its
/// proofs.
fn only_hint(finding: &mut Finding) {
    finding.suspected = finding.grade.is_some();
    finding.proof = None;
}
