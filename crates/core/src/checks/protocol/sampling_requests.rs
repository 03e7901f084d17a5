//! Requests for sampling, as the server sends them.

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::Incoming;
use crate::probes::{revisions, valid_call};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/sampling-requests",
    title: "Requests for sampling are well formed and keep to what is declared",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("S2C-02", shape), rule("S2C-03", tools), rule("S2C-04", context)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &valid_call::PROBE],
    page: include_str!("sampling_requests.md"),
    judge: by_rules,
};

fn each(
    talk: &Conversation<'_>,
    good: &str,
    fix: &str,
    flaw: impl Fn(&Value) -> Option<&'static str>,
) -> Judgement {
    let asked: Vec<&Incoming> =
        talk.incoming().filter(|i| i.method == "sampling/createMessage").collect();
    let nothing = Value::Null;
    let flaw = asked.iter().find_map(|i| flaw(i.params.as_ref().unwrap_or(&nothing)));
    match (flaw, asked.len()) {
        (_, 0) => Err(Ruling::not_testable("the server never asked for sampling")),
        (None, _) => Ok(Ruling::pass(format!("every request: {good}"))),
        (Some(flaw), _) => Ok(Ruling::fail(format!("sampling/createMessage: {flaw}"), fix)),
    }
}

fn messages(params: &Value) -> impl Iterator<Item = &Value> {
    params.get("messages").and_then(Value::as_array).into_iter().flatten()
}

fn shape(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "send `messages` with role user or assistant and content, and `maxTokens`";
    each(talk, "messages and maxTokens are there", fix, |params| {
        let role =
            |m: &Value| matches!(m.get("role").and_then(Value::as_str), Some("user" | "assistant"));
        if !params.get("messages").is_some_and(Value::is_array) {
            Some("`messages` is not an array")
        } else if !params.get("maxTokens").is_some_and(Value::is_number) {
            Some("`maxTokens` is missing or not a number")
        } else if !messages(params).all(role) {
            Some("a role is neither user nor assistant")
        } else {
            let bare = |m: &Value| m.get("content").is_none();
            messages(params).any(bare).then_some("a message has no `content`")
        }
    })
}

/// We never declare `sampling.tools`.
fn tools(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "send `tools` and tool results only to clients that declare `sampling.tools`";
    each(talk, "no tools are used", fix, |params| {
        let given = params.get("tools").is_some() || params.get("toolChoice").is_some();
        given.then_some("`tools` are sent to a client that does not declare `sampling.tools`")
    })
}

/// We never declare `sampling.context`.
fn context(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "leave `includeContext` out, or send \"none\", unless the client declares `sampling.context`";
    each(talk, "no context is asked for", fix, |params| {
        let wanted = params.get("includeContext").and_then(Value::as_str);
        wanted.is_some_and(|c| c != "none").then_some("`includeContext` is not none")
    })
}
