//! Numbers and archives that make a server build, or count, far more than anyone wants.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::arguments::{Slot, Wrap};
use crate::attack::archive::{Container, Zeros};
use crate::attack::strain::{Strain, is_work, settled, strained};
use crate::attack::{Attack, Payload, gets_through, nothing_else, openness, shot};
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Micros, Tool};
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
const MANY: [usize; 3] = [1_000, 100_000, 4_000_000];

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
            if number && !is_flooded(evidence, &tried) && !is_waited_for(evidence, tool, &tried) {
                let of = |s| strained(evidence, tool, &tried, PROBE.id, s);
                calls.extend(STRAINS.iter().flat_map(of));
            }
            let packed = Container::of(tool, &tried).filter(|_| place.slot == Slot::Text);
            calls.extend(packed.into_iter().flat_map(|kind| bombs(evidence, tool, &tried, kind)));
        }
    }
    calls
}

const SMALL: &str = "a small archive";

/// A small archive, and two that are small until they are unpacked.
fn bombs(evidence: &Evidence, tool: &Tool, tried: &Tried<'_>, kind: Container) -> Vec<Call> {
    // As it is, whatever the ordinary text is packed in.
    let mut tried = tried.clone();
    tried.place.wrap = Wrap::Plain;
    let call = |name: &str, archive: Vec<u8>| {
        let value = Value::String(STANDARD.encode(archive));
        let oracle = Oracle::Timing { group: "archives".to_owned(), delay_ms: 0 };
        shot(evidence, tool, &tried, PROBE.id, name, &Payload { value, oracle })
    };
    let small = call(SMALL, kind.small("readings.csv"));
    let large = |zeros: &Zeros| call(&unpacked(zeros), kind.large(zeros));
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

/// A number that says how long to wait is waited for by design. What answers long before the time is
/// up does something else with it.
fn is_waited_for(evidence: &Evidence, tool: &Tool, tried: &Tried<'_>) -> bool {
    const FAST: Micros = Micros(50_000);
    const LEAST: f64 = 0.2;
    let said = |words: &[&str]| {
        let about = openness::of_parameter(tool, &tried.place.pointer);
        let said = format!("{} {about}", tried.place.pointer).to_lowercase();
        words.iter().any(|word| said.contains(word))
    };
    let twin = evidence.of_tool(benign::PROBE.id, &tool.name).find(|x| x.label == tried.place.twin);
    let at_once = twin.is_some_and(|x| x.result().is_some() && x.took < FAST);
    let long = tried.place.text.parse::<f64>().is_ok_and(|time| time >= LEAST);
    let coarse = said(&["second", "minute", "duration"]) && !said(&["milli", "_ms"]);
    let time = coarse
        || said(&["timeout", "delay", "wait", "interval", "sleep", "_ms", "millis", "steps"]);
    time && !(coarse && long && at_once)
}

/// More than that need not be asked for.
fn is_flooded(evidence: &Evidence, tried: &Tried<'_>) -> bool {
    let own = evidence.of(PROBE.id).filter(|x| x.subject == tried.word.subject);
    own.into_iter().any(|x| answered(evidence, x) >= FLOOD)
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
const FLOOD: u64 = 1_000_000;

/// An answer that grows with the number as far as we ask. What there is only so much of does not:
/// a list ends with its last item.
fn flood(evidence: &Evidence, much: &Exchange) -> Option<Finding> {
    let beside = |name: String| {
        let same = |x: &&Exchange| x.subject == much.subject && x.label.starts_with(&name);
        evidence.of(PROBE.id).find(same).filter(|x| x.result().is_some())
    };
    // One finding for all the calls: they differ by what they take only.
    if !much.label.starts_with(&format!("many {}, hostile 1 ", MANY[0])) {
        return None;
    }
    let size = |x: &Exchange| answered(evidence, x);
    let plain = beside(format!("plain {} ", MANY[0]))?;
    let asked = MANY.map(|n| (n as u64, beside(format!("many {n}, hostile 1 "))));
    // As much for each as for the first ones, or for those of the step before.
    let mut before = (ORDINARY, plain);
    let shown = asked.into_iter().find_map(|(n, x)| {
        let x = x?;
        let due = |(few, x): (u64, &Exchange)| size(x) * (n / few) / 4;
        // A thousand things may be many bytes and still be what was asked for.
        let least = if n == MANY[0] as u64 { 8 * FLOOD } else { FLOOD };
        let grown =
            size(x) >= least && (size(x) >= due((ORDINARY, plain)) || size(x) >= due(before));
        before = (n, x);
        grown.then_some(x)
    })?;
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
