//! Resources that are not listed, and are read all the same.

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject};
use crate::probes::hidden_resources::{CONTROL, GUESS, PLANTED, PROBE, is_offered};
use crate::proof::Proof;

pub(super) const CHECK: Check = Check {
    id: "security/hidden-resources",
    title: "What is not listed cannot be read",
    facet: Facet::ErrorDisclosure,
    severity: Severity::High,
    class: Some(Class::InfoDisclosure),
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&PROBE],
    page: include_str!("hidden_resources.md"),
    judge,
};

const FIX: &str = "answer `resources/read` only for what `resources/list` and the templates name, and refuse the rest with -32002";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let asked: Vec<&Exchange> = evidence.of(PROBE.id).collect();
    let Some(first) = asked.first() else { return Vec::new() };
    let mut found: Vec<Finding> = asked.iter().filter_map(|x| planted(evidence, x)).collect();
    let listed =
        evidence.inventory.listing("resources/list").and_then(|l| l.pages.first().copied());
    for x in asked.iter().filter(|x| x.label == GUESS && holds_something(x)) {
        let Subject::Resource { uri } = &x.subject else { continue };
        if is_offered(evidence, uri) || takes_anything(&asked, uri) {
            continue;
        }
        let says = "is on no list, and was read by guessing its name";
        let finding = Finding::fail(x.subject.clone(), says, FIX).seen_in(x.id);
        let a = listed.unwrap_or(first.id);
        found.push(finding.proven(Proof::Contradiction { a, b: x.id }));
    }
    if !found.is_empty() {
        return found;
    }
    vec![match asked.iter().find(|x| x.reply.why_unseen().is_none()) {
        Some(x) => {
            let says = format!("{} names that are not listed, none can be read", asked.len());
            Finding::pass(Subject::Server, says).seen_in(x.id)
        }
        None => Finding::unseen(Subject::Server, first.reply.why_unseen().unwrap_or_default()),
    }]
}

fn planted(evidence: &Evidence, x: &Exchange) -> Option<Finding> {
    let proof = x.oracle.as_ref().filter(|_| x.label == PLANTED)?.proof(evidence, x)?;
    let says = "a file outside the workspace was read as a resource";
    Some(Finding::fail(x.subject.clone(), says, FIX).proven(proof).seen_in(x.id))
}

fn holds_something(x: &Exchange) -> bool {
    let contents = x.result().and_then(|r| r.get("contents")?.as_array());
    let filled = |c: &serde_json::Value| {
        ["text", "blob"]
            .iter()
            .any(|k| c.get(k).and_then(|t| t.as_str()).is_some_and(|t| !t.trim().is_empty()))
    };
    contents.is_some_and(|c| c.iter().any(filled))
}

/// A made-up name of the same kind is answered, too: then the answer says nothing.
fn takes_anything(asked: &[&Exchange], uri: &str) -> bool {
    let kind = |uri: &str| uri.split_once("://").map(|(scheme, _)| scheme.to_owned());
    asked.iter().any(|x| match &x.subject {
        Subject::Resource { uri: other } => {
            x.label == CONTROL && kind(other) == kind(uri) && holds_something(x)
        }
        Subject::Server
        | Subject::Tool { .. }
        | Subject::Param { .. }
        | Subject::Prompt { .. }
        | Subject::File { .. } => false,
    })
}
