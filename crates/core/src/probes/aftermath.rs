//! What tools that need nothing show once the attacks are over: a text that one tool stored may be
//! computed where another one shows it.

use serde_json::json;

use crate::evidence::{Evidence, Exchange};
use crate::probe::{Call, Lane, Probe, Risk};
use crate::probes::{benign, valid_call};
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "aftermath", hostile: true, lane: Lane::Shared, plan };

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let attacked = |x: &Exchange| {
        let stored = x.subject.tool().is_some_and(|t| evidence.risk_of(t) > Risk::Reads);
        stored && x.oracle.is_some() && x.probe != benign::PROBE.id && x.result().is_some()
    };
    if !evidence.transcript.iter().any(attacked) {
        return Vec::new();
    }
    let shows = evidence.tools().filter(|t| evidence.risk_of(&t.name) == Risk::Reads);
    let bare = shows.filter(|t| t.required().next().is_none());
    bare.filter(|t| valid_call::succeeded(evidence, &t.name))
        .map(|t| Call::tool(&t.name, "after the attacks", json!({})))
        .collect()
}
