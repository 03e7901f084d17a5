//! Methods that the stateless revision no longer has.

use serde_json::{Value, json};

use super::stateless;
use crate::evidence::{Evidence, Subject};
use crate::probe::{Call, Lane, Probe};
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "removed-methods", hostile: false, lane: Lane::Alone, plan };

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let Some(on) = stateless::side(evidence) else { return Vec::new() };
    let uri = evidence.inventory.resources.first().map_or("file:///nowhere", |r| r.uri.as_str());
    [
        ("ping", json!({})),
        ("logging/setLevel", json!({"level": "info"})),
        ("resources/subscribe", json!({ "uri": uri })),
        ("resources/unsubscribe", json!({ "uri": uri })),
    ]
    .into_iter()
    .map(|(method, mut params)| {
        params["_meta"] = Value::Object(stateless::meta());
        let send = stateless::request(evidence, &format!("removed {method}"), method, &params);
        Call::new(Subject::Server, method, send).on(on)
    })
    .collect()
}
