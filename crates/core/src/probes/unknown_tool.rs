//! Calls a tool that is not in the list.

use serde_json::json;

use crate::evidence::{Evidence, Subject};
use crate::probe::{Call, Lane, Probe, Send};
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "unknown-tool", hostile: false, lane: Lane::Shared, plan };

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    // A server without tools need not know `tools/call` at all.
    if evidence.tools().next().is_none() {
        return Vec::new();
    }
    let name = format!("no_such_tool_{}", seed.word("unknown-tool", 6));
    let params = json!({"name": name, "arguments": {}});
    vec![Call::new(Subject::Server, "no such tool", Send::request("tools/call", Some(params)))]
}
