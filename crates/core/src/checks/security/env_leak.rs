//! Values of the environment that come back.

use std::collections::BTreeMap;

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Canary, CanaryPlace, Evidence, Exchange, Subject};
use crate::probe::words;
use crate::probes::valid_call;
use crate::probes::wrong_input::{MISSING_REQUIRED, WRONG_TYPE};
use crate::proof::{Proof, came_back};
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "security/env-leak",
    title: "Nothing of the environment comes back unasked",
    facet: Facet::ErrorDisclosure,
    severity: Severity::High,
    class: Some(Class::SecretLeak),
    requirements: &[served("SEC-08"), served("TOOL-26")],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &WRONG_TYPE, &MISSING_REQUIRED],
    page: include_str!("env_leak.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let planted: Vec<(&Canary, &str)> = evidence
        .conditions
        .canaries
        .iter()
        .filter_map(|c| match &c.place {
            CanaryPlace::Env { name } => Some((c, name.as_str())),
            CanaryPlace::Inside { .. } | CanaryPlace::Outside { .. } => None,
        })
        .collect();
    if planted.is_empty() {
        let why = "no value could be planted in the environment of the server";
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let mut leaks: BTreeMap<Subject, Finding> = BTreeMap::new();
    for x in &evidence.transcript {
        let leaked = planted.iter().find(|(c, _)| came_back(evidence, x, &c.value));
        if let Some((canary, name)) = leaked {
            let subject = x.subject.tool().map_or(Subject::Server, Subject::tool_named);
            leaks
                .entry(subject.clone())
                .or_insert_with(|| leak(evidence, x, subject, canary, name));
        }
    }
    if !leaks.is_empty() {
        return leaks.into_values().collect();
    }
    let called =
        |x: &Exchange| x.send.method() == Some("tools/call") && x.reply.why_unseen().is_none();
    vec![if evidence.transcript.iter().any(called) {
        Finding::pass(Subject::Server, "no answer held a planted variable")
    } else {
        Finding::unseen(Subject::Server, "no tool was called")
    }]
}

fn leak(
    evidence: &Evidence,
    x: &Exchange,
    subject: Subject,
    canary: &Canary,
    name: &str,
) -> Finding {
    let says = format!("answered with the value of the variable {name}");
    let fix = "answer with the few values that callers need, never with the whole environment";
    let finding = Finding::fail(subject, says, fix).seen_in(x.id);
    if is_asked_for(evidence, x) {
        finding
    } else {
        finding.proven(Proof::PlantedContent { canary: canary.id.clone() })
    }
}

/// A tool that is there to show the environment does what it says: for people to judge.
fn is_asked_for(evidence: &Evidence, x: &Exchange) -> bool {
    let Some(name) = x.subject.tool() else { return false };
    let about = evidence.tool(name).and_then(|t| t.description.as_deref()).unwrap_or_default();
    words(name).iter().any(|w| ["env", "environ", "environment", "printenv"].contains(&w.as_str()))
        || about.to_lowercase().contains("environment variables")
}
