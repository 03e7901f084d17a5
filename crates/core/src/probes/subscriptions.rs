//! A subscription in the stateless revision, with calls beside it, ended again by us.

use serde_json::{Value, json};

use super::{changes, stateless, valid_call};
use crate::evidence::{EventStream, Evidence, Exchange, Incoming, Reply, Subject};
use crate::probe::{Awaits, Call, Connection, Lane, Probe, Risk, Send};
use crate::revision::Revision;
use crate::seed::Seed;
use crate::spec::{Conversation, Ruling};

pub const PROBE: Probe = Probe { id: "subscriptions", hostile: false, lane: Lane::Alone, plan };

/// A second one, during which something changes.
pub const CHANGED: Probe =
    Probe { id: "subscriptions-changed", hostile: false, lane: Lane::Shared, plan: plan_changed };

pub const LISTEN: &str = "subscriptions/listen";
pub const CALL: &str = "a call while listening";
pub const END: &str = "the subscription is cancelled";
/// The id of the request, which is also the id of the subscription.
pub const ID: &str = "proofmark-listen";
pub const CHANGED_ID: &str = "proofmark-changes";

/// What came by itself once we listened.
pub fn heard(talk: &Conversation<'_>, probe: &Probe) -> Result<Vec<Value>, Ruling> {
    let x = talk.asked(probe.id, LISTEN)?;
    if let Reply::Error { code: -32601, .. } = *x.reply {
        let why = "`subscriptions/listen` is not there, and nothing is declared that needs it";
        let declared = [
            "tools/listChanged",
            "prompts/listChanged",
            "resources/listChanged",
            "resources/subscribe",
        ];
        if !declared.iter().any(|path| talk.declares(path)) {
            return Err(Ruling::not_applicable(why));
        }
    }
    if let Reply::Error { code, .. } = &*x.reply {
        let says = format!("{LISTEN}: {}", talk.shown(x));
        // Anything but "not there" may have its reason, such as too many subscriptions.
        return Err(match code {
            -32601 => Ruling::fail(says, "serve `subscriptions/listen`").seen_in(x.id),
            _ => Ruling::unseen(says),
        });
    }
    let stream = x.http.as_ref().and_then(|facts| facts.stream.as_ref());
    Ok(stream.map_or_else(|| beside(talk, x), on_stream))
}

/// Over HTTP a subscription is a stream of its own.
fn on_stream(stream: &EventStream) -> Vec<Value> {
    let events = stream.events.iter().filter_map(|e| e.data.as_deref());
    let messages = events.filter_map(|data| serde_json::from_str::<Value>(data).ok());
    messages.filter(|m| m.get("method").is_some()).collect()
}

/// Later on the same connection; a recording without frames has no other order than its own.
fn beside(talk: &Conversation<'_>, x: &Exchange) -> Vec<Value> {
    let frame = x.frames.first().and_then(|id| talk.evidence.frames.get(id.0 as usize));
    let later = |i: &&Incoming| match frame {
        Some(f) => i.connection == f.connection && i.frame > Some(f.id),
        None => true,
    };
    let message = |i: &Incoming| json!({"method": i.method, "params": i.params});
    talk.incoming().filter(later).map(message).collect()
}

/// Everything but changes of the prompts, so that there is something not asked for.
fn wanted(evidence: &Evidence) -> Value {
    let uris: Vec<&str> =
        evidence.inventory.resources.iter().map(|r| r.uri.as_str()).take(5).collect();
    json!({"toolsListChanged": true, "resourcesListChanged": true, "resourceSubscriptions": uris})
}

fn listen(evidence: &Evidence, id: &str, wanted: &Value, on: Connection) -> Call {
    let params = json!({"_meta": Value::Object(stateless::meta()), "notifications": wanted});
    let mut listen = stateless::request(evidence, id, "subscriptions/listen", &params);
    // The answer comes when the subscription ends, so nobody waits for it.
    if let Send::Raw { awaits, .. } = &mut listen {
        *awaits = Awaits::Stray;
    }
    Call::new(Subject::Server, LISTEN, listen).on(on)
}

fn end(id: &str, on: Connection) -> Call {
    let params = Some(json!({"requestId": id, "reason": "the end of a test"}));
    let cancel = Send::Notification { method: "notifications/cancelled".to_owned(), params };
    Call::new(Subject::Server, END, cancel).on(on)
}

/// All at once, as a subscription over HTTP is left after a while; but the change comes later.
fn plan_changed(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    const PAUSE: Send = Send::Listen { ms: 250 };
    let Some(on) = stateless::side(evidence) else { return Vec::new() };
    let tools = changes::tools(evidence, on);
    let Some(rewrite) = changes::rewrite(evidence, &tools, Revision::V2026_07_28, seed) else {
        return Vec::new();
    };
    let wanted = json!({ "resourceSubscriptions": [rewrite.uri] });
    let params = json!({"name": rewrite.tool, "arguments": rewrite.arguments,
        "_meta": stateless::meta()});
    let change = stateless::request(evidence, "change while listening", "tools/call", &params);
    // Not about the tool: calls of tools that write would run alone.
    let beside = |label: &str, send: Send| Call::new(Subject::Server, label, send).on(on);
    vec![
        listen(evidence, CHANGED_ID, &wanted, on),
        beside("before a change", PAUSE),
        beside("a change while listening", change),
        beside("after a change", PAUSE),
        end(CHANGED_ID, on),
    ]
}

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let Some(on) = stateless::side(evidence) else { return Vec::new() };
    let mut calls = vec![listen(evidence, ID, &wanted(evidence), on)];
    if let Some((tool, arguments)) = harmless(evidence) {
        let mut meta = stateless::meta();
        meta.insert("progressToken".to_owned(), json!("while-listening"));
        let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
        let send = stateless::request(evidence, "call while listening", "tools/call", &params);
        calls.push(Call::new(Subject::tool_named(&tool), CALL, send).on(on));
    }
    calls.push(end(ID, on));
    calls
}

fn harmless(evidence: &Evidence) -> Option<(String, Value)> {
    evidence.of(valid_call::PROBE.id).find_map(|x| {
        let tool = x.subject.tool().filter(|t| evidence.risk_of(t) == Risk::Reads)?;
        let worked = x.result().is_some() && !x.reply.is_tool_error();
        worked.then(|| Some((tool.to_owned(), x.arguments()?.clone())))?
    })
}
