//! A subscription in the stateless revision, with calls beside it, ended again by us.

use serde_json::{Value, json};

use super::{stateless, valid_call};
use crate::evidence::{Evidence, Subject};
use crate::probe::{Awaits, Call, Lane, Probe, Risk, Send};
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "subscriptions", hostile: false, lane: Lane::Alone, plan };

pub const LISTEN: &str = "subscriptions/listen";
pub const CALL: &str = "a call while listening";
pub const END: &str = "the subscription is cancelled";
/// The id of the request, which is also the id of the subscription.
pub const ID: &str = "proofmark-listen";

/// Everything but changes of the prompts, so that there is something not asked for.
fn wanted(evidence: &Evidence) -> Value {
    let uris: Vec<&str> =
        evidence.inventory.resources.iter().map(|r| r.uri.as_str()).take(5).collect();
    json!({"toolsListChanged": true, "resourcesListChanged": true, "resourceSubscriptions": uris})
}

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let Some(on) = stateless::side(evidence) else { return Vec::new() };
    let params =
        json!({"_meta": Value::Object(stateless::meta()), "notifications": wanted(evidence)});
    let listen = match stateless::request(evidence, ID, "subscriptions/listen", &params) {
        // The answer comes when the subscription ends, so nobody waits for it.
        Send::Raw { text, .. } => Send::Raw { text, awaits: Awaits::Stray },
        other => other,
    };
    let mut calls = vec![Call::new(Subject::Server, LISTEN, listen).on(on)];
    if let Some((tool, arguments)) = harmless(evidence) {
        let mut meta = stateless::meta();
        meta.insert("progressToken".to_owned(), json!("while-listening"));
        let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
        let send = stateless::request(evidence, "call while listening", "tools/call", &params);
        calls.push(Call::new(Subject::tool_named(&tool), CALL, send).on(on));
    }
    let params = Some(json!({"requestId": ID, "reason": "the end of a test"}));
    let cancel = Send::Notification { method: "notifications/cancelled".to_owned(), params };
    calls.push(Call::new(Subject::Server, END, cancel).on(on));
    calls
}

fn harmless(evidence: &Evidence) -> Option<(String, Value)> {
    evidence.of(valid_call::PROBE.id).find_map(|x| {
        let tool = x.subject.tool().filter(|t| evidence.risk_of(t) == Risk::Reads)?;
        let worked = x.result().is_some() && !x.reply.is_tool_error();
        worked.then(|| Some((tool.to_owned(), x.arguments()?.clone())))?
    })
}
