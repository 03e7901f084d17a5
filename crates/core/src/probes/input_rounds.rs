//! Rounds of asking back in the stateless revision: a tool that needs input, answered in every way.

use serde_json::{Map, Value, json};

use super::{fresh_stateless, stateless, valid_call};
use crate::arguments::{self, Context, Fill};
use crate::evidence::{Evidence, Exchange, Subject};
use crate::probe::{Call, Connection, Lane, Probe, Risk};
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "input-rounds", hostile: false, lane: Lane::Alone, plan };

pub const ASK: &str = "a call that may ask";
pub const UNDECLARED: &str = "the same from a client that declares nothing";
pub const ANSWERED: &str = "answered";
pub const TAMPERED: &str = "answered with a tampered state";
pub const OTHER_CALL: &str = "answered for other arguments";
pub const EMPTY: &str = "sent again without answers";
pub const EXTRA: &str = "answered with something extra";
pub const MALFORMED: &str = "answered with a text instead of answers";
pub const FRESH: &str = "answered on another connection";

/// Tools are tried until one asks, but not for ever.
const TRIED: usize = 12;

/// What a client can be asked for, all declared.
fn everything() -> Value {
    json!({"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}})
}

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let Some(on) = stateless::side(evidence) else { return Vec::new() };
    let (mut calls, mut answered) = (Vec::new(), false);
    for (tool, arguments) in likely(evidence) {
        let subject = Subject::tool_named(&tool);
        let call = |label: &str, client: &Value, more: Value, on: Connection| {
            let mut params = json!({"name": tool, "arguments": arguments});
            let mut meta = stateless::meta();
            meta.insert(stateless::CLIENT.to_owned(), client.clone());
            params["_meta"] = Value::Object(meta);
            merge(&mut params, more);
            let id = format!("{tool} {label}");
            let send = stateless::request(evidence, &id, "tools/call", &params);
            Call::new(subject.clone(), label, send).on(on)
        };
        let all = everything();
        calls.push(call(ASK, &all, json!({}), on));
        let asked = evidence.of_tool(PROBE.id, &tool).find(|x| x.label == ASK);
        let Some(result) = asked.and_then(asks) else { continue };
        calls.push(call(UNDECLARED, &json!({}), json!({}), on));
        // One is enough for all the ways to answer.
        let Some(answers) = answers(result, seed).filter(|_| !answered) else { continue };
        answered = true;
        let state = result.get("requestState").cloned();
        for (label, more, on) in retries(&answers, state.as_ref(), on) {
            calls.push(call(label, &all, more, on));
        }
    }
    calls
}

/// The result of an exchange, if it asks for input.
pub fn asks(x: &Exchange) -> Option<&Value> {
    x.result().filter(|r| r["resultType"] == "input_required")
}

/// Those that read, with arguments known to work; the ones that speak of asking first.
fn likely(evidence: &Evidence) -> Vec<(String, Value)> {
    let worked = |x: &&Exchange| x.result().is_some() && !x.reply.is_tool_error();
    let mut found: Vec<(bool, String, Value)> = Vec::new();
    for x in evidence.of(valid_call::PROBE.id).filter(worked) {
        let (Some(tool), Some(arguments)) = (x.subject.tool(), x.arguments()) else { continue };
        let (asking, reads) = (interactive(evidence, tool), evidence.risk_of(tool) == Risk::Reads);
        if (asking || reads) && found.iter().all(|(_, name, _)| name != tool) {
            found.push((!asking, tool.to_owned(), arguments.clone()));
        }
    }
    found.sort_by_key(|(last, _, _)| *last);
    found.into_iter().take(TRIED).map(|(_, tool, arguments)| (tool, arguments)).collect()
}

fn interactive(evidence: &Evidence, tool: &str) -> bool {
    const WORDS: [&str; 7] = ["ask", "elicit", "confirm", "sampl", "root", "input", "consent"];
    let described = evidence.tool(tool).map(|t| {
        format!("{} {}", t.name, t.description.as_deref().unwrap_or_default()).to_lowercase()
    });
    described.is_some_and(|text| WORDS.iter().any(|w| text.contains(w)))
}

fn merge(params: &mut Value, more: Value) {
    if let (Some(params), Value::Object(more)) = (params.as_object_mut(), more) {
        params.extend(more);
    }
}

/// A proper answer to everything asked for, as a client would give it.
fn answers(result: &Value, seed: Seed) -> Option<Map<String, Value>> {
    let asked = result["inputRequests"].as_object()?;
    asked.iter().map(|(key, request)| Some((key.clone(), answer(request, seed)?))).collect()
}

fn answer(request: &Value, seed: Seed) -> Option<Value> {
    match request["method"].as_str()? {
        "elicitation/create" => {
            let schema = request["params"].get("requestedSchema");
            let context = Context::in_folder("/tmp");
            let content = schema.and_then(|s| arguments::sample(s, &context, seed, Fill::Full));
            Some(match content {
                Some(content) => json!({"action": "accept", "content": content}),
                None => json!({"action": "accept"}),
            })
        }
        "sampling/createMessage" => Some(json!({
            "role": "assistant", "model": "proofmark-fixed-answer", "stopReason": "endTurn",
            "content": {"type": "text", "text": "A fixed answer."}
        })),
        "roots/list" => Some(json!({"roots": []})),
        _ => None,
    }
}

type Retry = (&'static str, Value, Connection);

fn retries(answers: &Map<String, Value>, state: Option<&Value>, on: Connection) -> Vec<Retry> {
    let with = |answers: Value, state: Option<Value>| {
        let mut more = json!({ "inputResponses": answers });
        if let Some(state) = state {
            more["requestState"] = state;
        }
        more
    };
    let good = || Value::Object(answers.clone());
    let state = || state.cloned();
    let mut extra = answers.clone();
    extra.insert("proofmark-extra".to_owned(), json!({"action": "cancel"}));
    let mut retries = vec![
        (ANSWERED, with(good(), state()), on),
        (EMPTY, with(json!({}), state()), on),
        (EXTRA, with(Value::Object(extra), state()), on),
        (MALFORMED, with(json!("yes"), state()), on),
        (FRESH, with(good(), state()), fresh_stateless::SIDE),
    ];
    if let Some(text) = state().as_ref().and_then(Value::as_str) {
        retries.push((TAMPERED, with(good(), Some(json!(tampered(text)))), on));
        let mut other = with(good(), state());
        other["arguments"] = json!({"proofmark": "other"});
        retries.push((OTHER_CALL, other, on));
    }
    retries
}

/// One character in the middle changed for another of its kind.
fn tampered(state: &str) -> String {
    let middle = state.chars().count() / 2;
    let other = |c: char| if c == 'A' { 'B' } else { 'A' };
    state.chars().enumerate().map(|(i, c)| if i == middle { other(c) } else { c }).collect()
}
