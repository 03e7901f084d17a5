//! Stateless requests on a connection where nothing has been said before.

use serde_json::{Value, json};

use super::{absent, stateless};
use crate::evidence::{Evidence, Subject};
use crate::probe::{Call, Connection, Lane, Probe, Send, Side};
use crate::revision::Revision;
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "fresh-stateless", hostile: false, lane: Lane::Alone, plan };

/// On a connection where nobody introduced themselves, and on one that has been in use.
pub const FIRST: &str = "tools/list on a fresh connection";
pub const LATER: &str = "tools/list on a connection in use";
/// On the main connection once more.
pub const AFTER_CALLS: &str = "tools/list after calls";
/// A call about a thing that is known from elsewhere, as the very first message, and once more
/// after the list.
pub const CALL: &str = "tools/call as the first message";
pub const CALL_AGAIN: &str = "tools/call on a connection in use";

/// The connection where nothing else is said.
pub const SIDE: Connection = Connection::Side(Side::bare(3));

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let Some(used) = stateless::side(evidence) else { return Vec::new() };
    let call = |label: &str, method: &str, mut params: Value, on| {
        params["_meta"] = Value::Object(stateless::meta());
        let send = stateless::request(evidence, label, method, &params);
        Call::new(Subject::Server, label, send).on(on)
    };
    let thing = chosen(evidence);
    let calls = |label| thing.iter().map(move |t| call(label, "tools/call", t.clone(), SIDE));
    let mut all: Vec<Call> = calls(CALL).collect();
    all.push(call(FIRST, "tools/list", json!({}), SIDE));
    all.extend(calls(CALL_AGAIN));
    all.push(call(LATER, "tools/list", json!({}), used));
    // By now tools have been called there.
    if evidence.revision().is_some_and(Revision::is_stateless) {
        let send = Send::request("tools/list", None);
        all.push(Call::new(Subject::Server, AFTER_CALLS, send));
    }
    all
}

/// Chosen once: what works may be more by the next round.
fn chosen(evidence: &Evidence) -> Option<Value> {
    let before = evidence.of(PROBE.id).any(|x| x.label == FIRST);
    if before && !evidence.of(PROBE.id).any(|x| x.label == CALL) {
        return None;
    }
    let (tool, _, arguments) = absent::of_things(evidence).next()?;
    Some(json!({"name": tool.name, "arguments": arguments}))
}
