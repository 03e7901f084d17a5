//! One call that takes its time, with a token for its progress and without.

use serde_json::json;

use crate::evidence::{Evidence, Subject};
use crate::probe::{Call, Lane, Probe, Send};
use crate::probes::patient_tools;
use crate::seed::Seed;
use crate::spec::sides;

pub const PROBE: Probe = Probe { id: "progress", hostile: false, lane: Lane::Shared, plan };

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let Some((tool, x)) = patient_tools::ranked(evidence).first().copied() else {
        return Vec::new();
    };
    if evidence.risk_of(&tool.name) > evidence.conditions.policy.allow {
        return Vec::new();
    }
    let arguments = x.arguments().cloned().unwrap_or_else(|| json!({}));
    let mut calls = Vec::new();
    for (revision, connection) in sides::spoken(evidence) {
        let tokens = [
            ("without a token", None),
            ("with a text as token", Some(json!(format!("proofmark {revision}")))),
            ("with a number as token", Some(json!(41_000_041))),
        ];
        for (name, token) in tokens {
            let mut call = Call::tool(&tool.name, sides::tagged(name, revision), arguments.clone());
            if let (Some(token), Send::Request { params: Some(params), .. }) =
                (token, &mut call.send)
            {
                params["_meta"] = json!({"progressToken": token});
            }
            // Not about the tool: calls of tools that write would run alone, and take three times as long.
            calls.push(Call { subject: Subject::Server, ..call }.on(connection));
        }
    }
    calls
}
