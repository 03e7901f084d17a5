//! A `tools/call` that is none is refused by the protocol.

use serde_json::{Value, json};

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::probe::{Call, Lane, Probe, Send};
use crate::response::{Mistake, protocol_refusals};
use crate::seed::Seed;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "errors/malformed-call",
    title: "A malformed tools/call is refused",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[served("TOOL-25")],
    revisions: Revisions::All,
    needs: &[&PROBE],
    page: include_str!("malformed_call.md"),
    judge,
};

const PROBE: Probe = Probe { id: "malformed-call", hostile: false, lane: Lane::Shared, plan };
const FIX: &str = "validate the request before looking for the tool: answer with -32602 if `name` is no string or `arguments` no object";

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let Some(tool) = evidence.tools().next() else { return Vec::new() };
    let cases: [(&str, Value); 3] = [
        ("no name", json!({"arguments": {}})),
        ("a name that is a number", json!({"name": 42, "arguments": {}})),
        ("arguments that are text", json!({"name": tool.name, "arguments": "none"})),
    ];
    let call = |(label, params)| {
        Call::new(Subject::Server, label, Send::request("tools/call", Some(params)))
    };
    cases.into_iter().map(call).collect()
}

fn judge(evidence: &Evidence) -> Vec<Finding> {
    protocol_refusals(evidence, PROBE.id, Mistake::MalformedCall, FIX)
}
