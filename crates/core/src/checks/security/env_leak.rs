//! Values of the environment that come back.

use std::collections::BTreeMap;

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Canary, CanaryPlace, Evidence, Exchange, Incoming, Subject};
use crate::probes::valid_call;
use crate::probes::wrong_input::{MISSING_REQUIRED, WRONG_TYPE};
use crate::proof::{Proof, asks, came_back};
use crate::spec::served;
use crate::wording::speaker;

pub(super) const CHECK: Check = Check {
    id: "security/env-leak",
    title: "Nothing of the environment comes back unasked",
    facet: Facet::ErrorDisclosure,
    severity: Severity::High,
    class: Some(Class::SecretLeak),
    requirements: &[served("TOOL-26")],
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
        // An attack that names the variable tells of itself.
        let told = |name: &str| x.oracle.is_some() && asks(x, name);
        let mut leaked = planted.iter().filter(|(_, name)| !told(name));
        let leaked = leaked.find(|(c, _)| came_back(evidence, x, &c.value));
        if let Some((canary, name)) = leaked {
            let subject = speaker(evidence, x).unwrap_or(Subject::Server);
            leaks.entry(subject.clone()).or_insert_with(|| leak(x, subject, canary, name));
        }
    }
    let logged = planted.iter().find_map(|(canary, name)| in_logs(evidence, canary, name));
    let found: Vec<Finding> = leaks.into_values().chain(logged).collect();
    if !found.is_empty() {
        return found;
    }
    let called =
        |x: &Exchange| x.send.method() == Some("tools/call") && x.reply.why_unseen().is_none();
    vec![if evidence.transcript.iter().any(called) {
        Finding::pass(Subject::Server, "no answer held a planted variable")
    } else {
        Finding::unseen(Subject::Server, "no tool was called")
    }]
}

/// Who names the variable asks for its value: for people to judge.
fn leak(x: &Exchange, subject: Subject, canary: &Canary, name: &str) -> Finding {
    let says = format!("answered with the value of the variable {name}");
    let fix = "answer with the few values that callers need, never with the whole environment";
    let finding = Finding::fail(subject, says, fix).seen_in(x.id);
    if asks(x, name) {
        finding
    } else {
        finding.proven(Proof::PlantedContent { canary: canary.id.clone() })
    }
}

/// The log goes to the client, stderr to whoever keeps the logs.
fn in_logs(evidence: &Evidence, canary: &Canary, name: &str) -> Option<Finding> {
    let logs = |i: &&Incoming| i.method == "notifications/message";
    let said =
        |i: &Incoming| i.params.as_ref().is_some_and(|p| p.to_string().contains(&canary.value));
    let logged = evidence.incoming.iter().filter(logs).any(said);
    let written = evidence.stderr.iter().any(|line| line.contains(&canary.value));
    let says = match (logged, written) {
        (true, _) => format!("logged the value of the variable {name}"),
        (false, true) => format!("wrote the value of the variable {name} to stderr"),
        (false, false) => return None,
    };
    let fix = "write names of variables to the log, never their values";
    let proof = Proof::PlantedContent { canary: canary.id.clone() };
    Some(Finding::fail(Subject::Server, says, fix).proven(proof))
}
