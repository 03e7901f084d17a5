//! Numbers that make a server build, or count, far more than anyone wants.

use serde_json::json;

use crate::arguments::Slot;
use crate::attack::strain::{Strain, is_work, settled, strained};
use crate::attack::{Attack, gets_through, nothing_else, openness};
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Tool};
use crate::probe::{Call, Lane, Probe};
use crate::probes::{benign, valid_call};
use crate::proof::{Proof, payload};
use crate::response::quote;
use crate::seed::Seed;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "security/resource-exhaustion",
    title: "No number makes the server work without end",
    facet: Facet::Robustness,
    severity: Severity::Medium,
    class: Some(Class::ResourceExhaustion),
    requirements: &[served("SEC-07"), served("TOOL-24")],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &benign::PROBE, &PROBE],
    page: include_str!("resource_exhaustion.md"),
    judge,
};

const PROBE: Probe = Probe { id: "resource-exhaustion", hostile: true, lane: Lane::Last, plan };

/// Step by step: what is slow at one step is not asked for the next.
const STRAINS: &[Strain] = &[
    Strain {
        name: "zero",
        sizes: &[0],
        brief: &[0],
        hostile: |n| json!(n),
        control: |_| json!(2),
        half: None,
        ahead: None,
    },
    Strain {
        name: "below zero",
        sizes: &[1],
        brief: &[1],
        hostile: |n| json!(-(n as i64)),
        control: |_| json!(2),
        half: None,
        ahead: None,
    },
    Strain {
        name: "many",
        sizes: &[100_000, 4_000_000],
        brief: &[100_000, 4_000_000],
        hostile: |n| json!(n),
        control: |_| json!(2),
        half: None,
        ahead: None,
    },
];

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let mut calls = Vec::new();
    for tool in evidence.tools() {
        for tried in benign::tried(evidence, tool) {
            let place = &tried.place;
            let number = place.slot == Slot::Scalar && place.text.parse::<f64>().is_ok();
            if number && !is_time(tool, &place.pointer) {
                let of = |s| strained(evidence, tool, &tried, PROBE.id, s);
                calls.extend(STRAINS.iter().flat_map(of));
            }
        }
    }
    calls
}

/// A number that says how long to wait is waited for by design.
fn is_time(tool: &Tool, pointer: &str) -> bool {
    let said = format!("{pointer} {}", openness::of_parameter(tool, pointer)).to_lowercase();
    [
        "second", "minute", "duration", "timeout", "delay", "wait", "interval", "sleep", "_ms",
        "millis", "steps",
    ]
    .iter()
    .any(|word| said.contains(word))
}

const ATTACK: Attack = Attack {
    probe: PROBE.id,
    hole,
    suspicion: nothing_else,
    reached: gets_through,
    clean: "no number made it work for long",
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    ATTACK.judge(evidence)
}

fn hole(evidence: &Evidence, x: &Exchange, proof: Proof) -> Finding {
    let says = format!("the number {} made it work many times longer", quote(&payload(x)));
    let fix = "give the parameter a `minimum` and a `maximum`, and check both on the server";
    let finding = Finding::fail(x.subject.clone(), says, fix);
    settled(evidence, finding, proof, is_work(evidence, x, STRAINS))
}
