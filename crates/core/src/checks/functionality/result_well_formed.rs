//! Results have the shape the revision and the tool's own output schema promise.

use serde_json::Value;

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::probes::valid_call::PROBE;
use crate::response::{Flaw, Layer};
use crate::revision::Revision;

pub(super) const CHECK: Check = Check {
    id: "functionality/result-well-formed",
    title: "Results have the promised shape",
    facet: Facet::ResponseValidity,
    severity: Severity::Medium,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&PROBE],
    page: include_str!("result_well_formed.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    match evidence.why_unseen() {
        Some(why) => vec![Finding::unseen(Subject::Server, why)],
        None => evidence.tools().map(|tool| verdict(evidence, tool)).collect(),
    }
}

fn verdict(evidence: &Evidence, tool: &Tool) -> Finding {
    let subject = Subject::tool_named(&tool.name);
    let revision = evidence.revision().unwrap_or(Revision::NEWEST_HANDSHAKE);
    let calls: Vec<&Exchange> = evidence.of_tool(PROBE.id, &tool.name).collect();
    // A server that asks back has not answered yet.
    let asks_back =
        |r: &Value| r.get("resultType").and_then(Value::as_str) == Some("input_required");
    let results: Vec<(&Exchange, &Value)> = calls
        .iter()
        .filter_map(|x| Some((*x, x.result()?)))
        .filter(|(_, result)| !asks_back(result))
        .collect();
    for (x, result) in &results {
        if let Some(flaw) = Flaw::of(result, tool, revision) {
            return finding(flaw, subject).seen_in(x.id);
        }
    }
    match (results.first(), calls.first()) {
        (Some((x, _)), _) => Finding::pass(subject, "results are well formed").seen_in(x.id),
        (None, Some(x)) => {
            let why = x.reply.why_unseen().unwrap_or_else(|| "no call gave a result".to_owned());
            Finding::unseen(subject, why).seen_in(x.id)
        }
        (None, None) => Finding::unseen(subject, "no arguments could be made from its schema"),
    }
}

/// An empty result is legal, and says too little.
fn finding(flaw: Flaw, subject: Subject) -> Finding {
    let grade = match flaw.layer {
        Layer::Content => 0.5,
        Layer::Structure | Layer::Semantics | Layer::ToolSpecific => 0.0,
    };
    Finding::partial(subject, Grade::new(grade), flaw.says, flaw.fix)
}
