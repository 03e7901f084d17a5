//! Numbers and archives that make a server build, or count, far more than anyone wants.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::arguments::{Slot, Wrap};
use crate::attack::archive::{Zeros, takes_archives, zip};
use crate::attack::strain::{Strain, is_work, settled, strained};
use crate::attack::{Attack, Payload, gets_through, nothing_else, openness, shot};
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Tool};
use crate::probe::{Call, Lane, Probe};
use crate::probes::benign::Tried;
use crate::probes::{benign, valid_call};
use crate::proof::{Oracle, Proof, payload};
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

const ORDINARY: u64 = 2;
const MANY: [usize; 2] = [100_000, 4_000_000];

/// Step by step: what is slow at one step is not asked for the next.
const STRAINS: &[Strain] = &[
    Strain {
        name: "zero",
        sizes: &[0],
        brief: &[0],
        hostile: |n| json!(n),
        control: |_| json!(ORDINARY),
        half: None,
        ahead: None,
    },
    Strain {
        name: "below zero",
        sizes: &[1],
        brief: &[1],
        hostile: |n| json!(-(n as i64)),
        control: |_| json!(ORDINARY),
        half: None,
        ahead: None,
    },
    Strain {
        name: "many",
        sizes: &MANY,
        brief: &MANY,
        hostile: |n| json!(n),
        control: |_| json!(ORDINARY),
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
            if place.slot == Slot::Text && takes_archives(tool, &tried) {
                calls.extend(bombs(evidence, tool, &tried));
            }
        }
    }
    calls
}

const SMALL: &str = "a small archive";

/// A small archive, and two that are small until they are unpacked.
fn bombs(evidence: &Evidence, tool: &Tool, tried: &Tried<'_>) -> Vec<Call> {
    // As it is, whatever the ordinary text is packed in.
    let mut tried = tried.clone();
    tried.place.wrap = Wrap::Plain;
    let call = |name: &str, archive: Vec<u8>| {
        let value = Value::String(STANDARD.encode(archive));
        let oracle = Oracle::Timing { group: "archives".to_owned(), delay_ms: 0 };
        shot(evidence, tool, &tried, PROBE.id, name, &Payload { value, oracle })
    };
    let small = call(SMALL, zip(&["readings.csv".to_owned()]));
    let large = |zeros: &Zeros| call(&unpacked(zeros), zeros.zip());
    [small, large(&Zeros::FEW), large(&Zeros::MANY)].into_iter().flatten().collect()
}

fn unpacked(zeros: &Zeros) -> String {
    format!("an archive of {} MiB unpacked", zeros.mib)
}

/// Memory that only the larger of the two takes. Work that goes through an archive piece by piece
/// takes none for it.
fn bomb(evidence: &Evidence, large: &Exchange) -> Option<Finding> {
    const QUIET_KIB: u64 = 8 << 10;
    let peak = |x: &Exchange| evidence.observed(x).map(|seen| seen.peak_kib);
    if !large.label.starts_with(&unpacked(&Zeros::MANY)) || large.reply.why_unseen().is_some() {
        return None;
    }
    let small = |x: &&Exchange| x.subject == large.subject && x.label.starts_with(SMALL);
    let (control, taken) = (peak(evidence.of(PROBE.id).find(small)?)?, peak(large)?);
    // Half of it: the smaller one may have left room.
    let filled = taken >= (Zeros::MANY.mib as u64) << 9;
    if !filled || control > QUIET_KIB {
        return None;
    }
    let sent = payload(large).len();
    let says = format!("an archive of {sent} letters filled {} MiB of memory", taken >> 10);
    let fix = "unpack piece by piece, and stop at a limit for the sum of all members, whatever the archive says of their sizes";
    let proof = Proof::Amplified { bytes: taken << 10, control_bytes: control << 10 };
    Some(Finding::fail(large.subject.clone(), says, fix).proven(proof).seen_in(large.id))
}

const FIX: &str = "give the parameter a `minimum` and a `maximum`, and check both on the server";

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
    let flooded: Vec<Finding> = evidence
        .of(PROBE.id)
        .filter_map(|x| flood(evidence, x).or_else(|| bomb(evidence, x)))
        .collect();
    let known = |f: &Finding| flooded.iter().any(|flood| flood.subject.tool() == f.subject.tool());
    let mut findings = ATTACK.judge(evidence);
    findings.retain(|f| !known(f));
    findings.extend(flooded);
    findings
}

/// From here on an answer is more than any client wants.
const FLOOD: u64 = 2_000_000;

/// An answer that grows with the number as far as we ask. What there is only so much of does not:
/// a list ends with its last item.
fn flood(evidence: &Evidence, much: &Exchange) -> Option<Finding> {
    let [first, last] = MANY;
    let beside = |name: String| {
        let same = |x: &&Exchange| x.subject == much.subject && x.label.starts_with(&name);
        evidence.of(PROBE.id).find(same).filter(|x| x.result().is_some())
    };
    // One finding for all the calls: they differ by what they take only.
    if !much.label.starts_with(&format!("many {first}, hostile 1 ")) || much.result().is_none() {
        return None;
    }
    let size = |x: &Exchange| answered(evidence, x);
    let plain = beside(format!("plain {first} "))?;
    let each = size(plain) / ORDINARY;
    let by_each = size(much) >= FLOOD && size(much) >= each * first as u64 / 4;
    let more = beside(format!("many {last}, hostile 1 "))
        .filter(|more| size(more) >= FLOOD && size(more) >= size(much) * (last / first / 2) as u64);
    let shown = more.or(by_each.then_some(much))?;
    let says = format!("the number {} makes an answer of {} bytes", payload(shown), size(shown));
    let proof = Proof::Amplified { bytes: size(shown), control_bytes: size(plain) };
    Some(Finding::fail(much.subject.clone(), says, FIX).proven(proof).seen_in(shown.id))
}

/// The bytes of what came back, also where they were too many to keep.
fn answered(evidence: &Evidence, x: &Exchange) -> u64 {
    evidence.received(x).map(|frame| frame.bytes).sum()
}

fn hole(evidence: &Evidence, x: &Exchange, proof: Proof) -> Finding {
    let says = format!("the number {} made it work many times longer", quote(&payload(x)));
    let finding = Finding::fail(x.subject.clone(), says, FIX);
    settled(evidence, finding, proof, is_work(evidence, x, STRAINS))
}
