//! Other input gets another answer.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::check::{Check, Confidence, Facet, Finding, Revisions, Severity, per_tool};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::probes::{valid_call, vary};
use crate::promise::Promise;
use crate::response::{disguised_error, is_accepted, is_slight, quote, substance};

pub(super) const CHECK: Check = Check {
    id: "functionality/answer-depends-on-input",
    title: "Other input gets another answer",
    facet: Facet::ToolSuccess,
    severity: Severity::High,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &vary::PROBE],
    page: include_str!("answer_depends_on_input.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    per_tool(evidence, verdict)
}

fn verdict(evidence: &Evidence, tool: &Tool) -> Option<Finding> {
    let subject = Subject::tool_named(&tool.name);
    let varied: Vec<&Exchange> = evidence.of_tool(vary::PROBE.id, &tool.name).collect();
    let first = varied.first()?;
    if varied.iter().all(|x| x.reply.why_unseen().is_some()) {
        return Some(Finding::unseen(subject, first.reply.why_unseen()?).seen_in(first.id));
    }
    let typical = valid_call::typical(evidence, &tool.name);
    let answered: Vec<&Exchange> =
        typical.into_iter().chain(varied).filter(|x| is_answer(evidence, x)).collect();
    let inputs: BTreeSet<String> =
        answered.iter().filter_map(|x| Some(x.arguments()?.to_string())).collect();
    let answers: BTreeSet<String> = answered.iter().filter_map(|x| substance(&x.reply)).collect();
    let last = answered.last()?;
    if answers.len() > 1 {
        let says = format!("{} inputs get {} different answers", inputs.len(), answers.len());
        return Some(Finding::pass(subject, says).seen_in(last.id));
    }
    // What was looked for may well be missing; only nonsense among the queries settles it.
    let enough = if Promise::of(tool) == Promise::Hits { 4 } else { 3 };
    if inputs.len() < enough || is_slight(&last.reply) || is_ours(evidence, last) {
        return None;
    }
    let says = format!(
        "{} different inputs get the same answer: \"{}\"",
        inputs.len(),
        quote(&last.reply.text())
    );
    let fix = "work the answer out from the arguments; report what cannot be done as an error";
    let mut finding = Finding::fail(subject, says, fix).confidence(Confidence::Medium);
    finding.seen_in = answered.iter().map(|x| x.id).collect();
    Some(finding)
}

fn is_answer(evidence: &Evidence, exchange: &Exchange) -> bool {
    is_accepted(evidence, exchange)
        && exchange.result().is_some_and(|r| r.get("content").is_some())
        && disguised_error(&exchange.reply).is_none()
}

/// The server only passes on what it asked of us: the stand-in for a model says the same always.
fn is_ours(evidence: &Evidence, exchange: &Exchange) -> bool {
    fn holds(told: &str, given: &Value) -> bool {
        match given {
            Value::String(text) => text.len() >= 12 && told.contains(text.as_str()),
            Value::Array(items) => items.iter().any(|v| holds(told, v)),
            Value::Object(fields) => fields.values().any(|v| holds(told, v)),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
    let told = exchange.reply.text();
    evidence.incoming.iter().filter_map(|i| i.answer.as_ref()).any(|given| holds(&told, given))
}
