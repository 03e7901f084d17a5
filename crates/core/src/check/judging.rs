//! From checks and evidence to findings.

use super::{Check, Finding, Outcome, leads};
use crate::abreast::abreast;
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

/// The checks that are asked for and apply.
pub fn due<'a>(
    checks: &'a [&'static Check],
    evidence: &'a Evidence,
) -> impl Iterator<Item = &'static Check> + 'a {
    let asked = |c: &&'static Check| evidence.conditions.scope.includes_check(c.id);
    checks.iter().copied().filter(asked).filter(|c| c.revisions.include(evidence.revision()))
}

/// Judges the evidence by every check that its scope and revision include.
pub fn judge(evidence: &Evidence, checks: &[&'static Check]) -> Vec<Judged> {
    judge_measured(evidence, checks, Measured::builtin())
}

/// The same, with other figures of how right the checks are.
fn judge_measured(
    evidence: &Evidence,
    checks: &[&'static Check],
    measured: &Measured,
) -> Vec<Judged> {
    let mut conversations = Conversation::all(evidence);
    conversations.extend(Conversation::at_the_door(evidence));
    let due: Vec<&'static Check> = due(checks, evidence).collect();
    // Checks know nothing of each other.
    let mut judged = abreast(&due, |check| {
        let mut judged = judge_by(check, evidence, &conversations);
        if measured.is_hint(check.id) {
            judged.findings.iter_mut().for_each(only_hint);
        }
        judged
    });
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

#[cfg(test)]
mod tests {
    use super::{judge, judge_measured};
    use crate::accuracy::Measured;
    use crate::check::{Outcome, Standing};
    use crate::rubric::marks;
    use crate::{checks, pages};

    #[test]
    fn a_check_that_is_wrong_too_often_is_shown_and_never_scored() {
        let check = checks::find("usability/description-present").expect("it is there");
        let tools =
            r#"{"tools": [{"name": "a"}, {"name": "b", "description": "Lists all notes."}]}"#;
        let evidence = pages::evidence(tools).expect("a snippet");
        let poor = "floor = 0.9\ntransports = []\n[check]\n\"usability/description-present\" = \
                    { caught = 1, missed = 0, wrong = 1, quiet = 0 }";
        let poor = Measured::parse(poor).expect("figures");
        let trusted = judge(&evidence, &[check]);
        let hinted = judge_measured(&evidence, &[check], &poor);
        let outcomes = |j: &[super::Judged]| -> Vec<Outcome> {
            j.iter().flat_map(|j| &j.findings).map(super::Finding::outcome).collect()
        };
        assert_eq!(outcomes(&hinted), outcomes(&trusted), "it still says what it sees");
        let standing = |f: &super::Finding| f.standing() == Standing::Suspected;
        assert!(hinted.iter().flat_map(|j| &j.findings).all(standing));
        let counted = |j| marks(j).into_values().flatten().count();
        assert_eq!((counted(&trusted), counted(&hinted)), (2, 0));
    }
}
