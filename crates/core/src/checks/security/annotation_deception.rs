//! Annotations that promise less than the tool does.

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::probe::{Risk, words};
use crate::probes::claims::{Claim, ONCE, PROBE};
use crate::probes::{repeat, round_trip, valid_call};
use crate::response::is_accepted;
use crate::witnessed::{Breach, breach};

pub(super) const CHECK: Check = Check {
    id: "security/annotation-deception",
    title: "Annotations promise no less than the tool does",
    facet: Facet::ModelSafety,
    severity: Severity::High,
    class: Some(Class::AnnotationDeception),
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &repeat::PROBE, &round_trip::PROBE, &PROBE],
    page: include_str!("annotation_deception.md"),
    judge,
};

/// Clients skip the user's consent for tools that claim to be harmless.
const FIX: &str = "correct the annotation, or take the effect out of the tool";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let claiming = evidence.tools().filter(|t| !Claim::of(t).is_empty());
    claiming.map(|tool| verdict(evidence, tool)).collect()
}

/// One finding per tool: the first claim that does not hold, the gravest first.
fn verdict(evidence: &Evidence, tool: &Tool) -> Finding {
    let subject = Subject::tool_named(&tool.name);
    let claims = Claim::of(tool);
    let broken = claims.iter().find_map(|claim| Some((*claim, breach(evidence, tool, *claim)?)));
    if let Some((claim, Breach { says, proof, seen_in })) = broken {
        let says = format!("claims {}, but {says}", claim.as_str());
        let finding = Finding::fail(subject, says, FIX).seen_in(seen_in);
        return match proof {
            Some(proof) => finding.proven(proof),
            None => finding.suspected(),
        };
    }
    if let Some((claim, word)) = claims.iter().find_map(|c| Some((*c, belied(tool, *c)?))) {
        let says = format!("claims {}, and its name says \"{word}\"", claim.as_str());
        return Finding::fail(subject, says, FIX).suspected();
    }
    let calls: Vec<&Exchange> = evidence.of_tool(PROBE.id, &tool.name).collect();
    match calls.iter().find(|x| x.label == ONCE) {
        Some(x) if is_accepted(evidence, x) => {
            Finding::pass(subject, "nothing was seen that its annotations deny").seen_in(x.id)
        }
        Some(x) => {
            let why = x.reply.why_unseen().unwrap_or_else(|| "the call was refused".to_owned());
            Finding::unseen(subject, why).seen_in(x.id)
        }
        None => Finding::unseen(subject, "no call of it succeeded, so its effects were not seen"),
    }
}

/// A verb in the name that the claim denies. Only plain verbs: a query is run, a node is opened.
fn belied(tool: &Tool, claim: Claim) -> Option<String> {
    const WRITES: &[&str] = &[
        "append", "create", "edit", "insert", "patch", "rename", "replace", "save", "store",
        "update", "upload", "write",
    ];
    let first = words(&tool.name).into_iter().next()?;
    let destroys = Risk::of_word(&first) == Some(Risk::Destroys);
    let denied = match claim {
        Claim::ReadOnly => destroys || WRITES.contains(&first.as_str()),
        Claim::NotDestructive => destroys,
        Claim::Idempotent | Claim::ClosedWorld => false,
    };
    denied.then_some(first)
}
