//! Wrong input neither kills the server nor silences it.

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::probes::valid_call;
use crate::probes::wrong_input::{Kind, PROBES};
use crate::response::Answer;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "errors/survives-bad-input",
    title: "Wrong input neither kills nor silences the server",
    facet: Facet::Robustness,
    severity: Severity::High,
    class: None,
    requirements: &[served("TOOL-24")],
    revisions: Revisions::All,
    needs: PROBES,
    page: include_str!("survives_bad_input.md"),
    judge,
};

const FIX: &str =
    "validate arguments before use, and turn every failure of a tool into an error result";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    match evidence.why_unseen() {
        Some(why) => vec![Finding::unseen(Subject::Server, why)],
        None => evidence.tools().flat_map(|tool| verdicts(evidence, tool)).collect(),
    }
}

/// One finding for each kind that did harm, or one that none did.
fn verdicts(evidence: &Evidence, tool: &Tool) -> Vec<Finding> {
    let calls = |kind: &Kind| evidence.of_tool(kind.probe().id, &tool.name);
    let harm = |kind: &Kind| calls(kind).find_map(|x| harm(evidence, tool, *kind, x));
    let harmed: Vec<Finding> = Kind::ALL.iter().filter_map(harm).collect();
    if !harmed.is_empty() {
        return harmed;
    }
    let all: Vec<&Exchange> = Kind::ALL.iter().flat_map(calls).collect();
    let subject = || Subject::tool_named(&tool.name);
    let answered = all.iter().filter(|x| x.reply.why_unseen().is_none()).count();
    match (answered, all.first()) {
        (_, None) => Vec::new(),
        (0, Some(x)) => {
            let why = x.reply.why_unseen().unwrap_or_default();
            vec![Finding::unseen(subject(), why).seen_in(x.id)]
        }
        (_, Some(_)) => vec![Finding::pass(subject(), "answered every call with wrong input")],
    }
}

fn harm(evidence: &Evidence, tool: &Tool, kind: Kind, x: &Exchange) -> Option<Finding> {
    let told = match Answer::of(evidence, x) {
        Answer::Crashed => "the server died of",
        // A tool that never answers says nothing about its input.
        Answer::Hung if valid_call::succeeded(evidence, &tool.name) => "there was no answer to",
        Answer::Hung
        | Answer::Accepted
        | Answer::ToolError(_)
        | Answer::Refused { .. }
        | Answer::Malformed(_)
        | Answer::Unseen(_) => return None,
    };
    let says = format!("{told} {kind}");
    Some(Finding::fail(x.subject.clone(), says, FIX).seen_in(x.id))
}
