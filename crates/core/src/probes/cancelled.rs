//! Requests that are cancelled at once: fifty quick ones, and a slow tool.

use serde_json::{Value, json};

use super::patient_tools;
use crate::evidence::{Evidence, Subject};
use crate::probe::{Call, Connection, Lane, Probe, Send};
use crate::revision::Revision;
use crate::seed::Seed;
use crate::spec::{frame, sides};
use crate::target::Transport;

pub const PROBE: Probe = Probe { id: "cancellation", hostile: true, lane: Lane::Alone, plan };

pub const RACE: &str = "requests cancelled at once";
pub const SLOW: &str = "a slow tool cancelled at once";
const WAIT: &str = "the time it would take";
const RACES: usize = 50;

/// Over HTTP a request and its cancellation are two requests, so there is time between them.
pub const WEB: Probe =
    Probe { id: "cancellation-http", hostile: true, lane: Lane::Shared, plan: plan_web };
pub const CANCEL: &str = "its cancellation";
/// Twice this is well below what a slow tool is told to take.
pub const BETWEEN_MS: u32 = 150;

fn plan_web(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let Some((tool, arguments, _)) = patient_tools::slow(evidence) else { return Vec::new() };
    let may = evidence.risk_of(&tool.name) <= evidence.conditions.policy.allow_hostile;
    if evidence.conditions.transport != Transport::Http || !may {
        return Vec::new();
    }
    let planned = |(revision, on): (Revision, Connection)| {
        let id = json!("proofmark slow");
        let params = json!({"name": tool.name, "arguments": arguments});
        let body = frame::request(revision, &id, "tools/call", Some(params)).to_string();
        let slow = Send::Http { verb: "POST".to_owned(), headers: Vec::new(), body: Some(body) };
        let method = "notifications/cancelled".to_owned();
        let cancel = Send::Notification { method, params: Some(json!({ "requestId": id })) };
        // Not about the tool: calls of tools that write would run alone.
        let call =
            |what, send| Call::new(Subject::Server, sides::tagged(what, revision), send).on(on);
        [call(SLOW, slow), call(WAIT, Send::Listen { ms: BETWEEN_MS }), call(CANCEL, cancel)]
    };
    let sessions = sides::spoken(evidence).into_iter().filter(|(r, _)| !r.is_stateless());
    sessions.flat_map(planned).collect()
}

/// Both lines in one frame: the order is certain and nothing can come between. HTTP has no lines.
fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    if evidence.conditions.transport != Transport::Stdio {
        return Vec::new();
    }
    let mut calls = sides::on_each(evidence, |revision| vec![(RACE, race(evidence, revision))]);
    let Some((tool, arguments, ms)) = patient_tools::slow(evidence) else { return calls };
    for (revision, on) in sides::spoken(evidence) {
        let params = json!({"name": tool.name, "arguments": arguments});
        let id = json!("proofmark slow");
        let text = cancelled(&frame::request(revision, &id, "tools/call", Some(params)));
        let send = frame::send(evidence, revision, text, vec![id]);
        let subject = Subject::tool_named(&tool.name);
        calls.push(Call::new(subject, sides::tagged(SLOW, revision), send).on(on));
        let listen = Send::Listen { ms: ms + 500 };
        calls.push(Call::new(Subject::Server, sides::tagged(WAIT, revision), listen).on(on));
    }
    calls
}

/// A request and its cancellation.
fn cancelled(request: &Value) -> String {
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": {"requestId": request.get("id")}});
    format!("{request}\n{cancel}")
}

fn race(evidence: &Evidence, revision: Revision) -> Send {
    let ids: Vec<Value> = (1..=RACES).map(|n| json!(format!("proofmark race {n}"))).collect();
    let pair = |id| cancelled(&frame::request(revision, id, frame::harmless(revision), None));
    let lines: Vec<String> = ids.iter().map(pair).collect();
    frame::send(evidence, revision, lines.join("\n"), ids)
}
