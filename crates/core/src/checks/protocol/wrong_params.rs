//! Requests whose params have the wrong shape.

use serde_json::json;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::Evidence;
use crate::probe::{Call, Lane, Probe, Send};
use crate::probes::revisions;
use crate::seed::Seed;
use crate::spec::{Conversation, Judgement, Requirement, rule, sides};

pub(super) const CHECK: Check = Check {
    id: "protocol/wrong-params",
    title: "Params of the wrong shape are refused as invalid",
    facet: Facet::Protocol,
    severity: Severity::Low,
    class: None,
    requirements: &[rule("RPC-10", refused)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE],
    page: include_str!("wrong_params.md"),
    judge: by_rules,
};

const PROBE: Probe = Probe { id: "wrong-params", hostile: true, lane: Lane::Alone, plan };

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let Some(handshake) = &evidence.handshake else { return Vec::new() };
    let five = || Some(json!({"name": 5}));
    let all = [
        ("tools", "tools/call without params", Send::request("tools/call", None)),
        ("tools", "tools/call with a number as name", Send::request("tools/call", five())),
        ("prompts", "prompts/get without params", Send::request("prompts/get", None)),
        ("resources", "resources/read without uri", Send::request("resources/read", None)),
    ];
    let declared = all.into_iter().filter(|(capability, ..)| handshake.declares(capability));
    let declared: Vec<_> = declared.map(|(_, name, send)| (name, send)).collect();
    sides::on_each(evidence, |_| declared.clone())
}

fn refused(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    Ok(talk.all_answered(row, PROBE.id))
}
