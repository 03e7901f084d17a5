//! Saved states and documents that call functions when they are read.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::arguments::Wrap;
use crate::attack::saved::WITHIN;
use crate::attack::saved::{FORMS, PACKED};
use crate::attack::{
    Attack, Form, Nonce, Payload, deliver_stored, deliver_where, everywhere, gets_through,
    nothing_else, shot,
};
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange};
use crate::probe::{Call, Lane, Probe};
use crate::probes::{benign, valid_call};
use crate::proof::{Proof, payload};
use crate::response::quote;
use crate::seed::Seed;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "security/unsafe-deserialization",
    title: "Reading a saved state calls nothing",
    facet: Facet::Injection,
    severity: Severity::Critical,
    class: Some(Class::UnsafeDeserialization),
    requirements: &[served("SEC-07"), served("TOOL-24")],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &benign::PROBE, &PROBE],
    page: include_str!("unsafe_deserialization.md"),
    judge,
};

const PROBE: Probe =
    Probe { id: "unsafe-deserialization", hostile: true, lane: Lane::Shared, plan };

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let profile = evidence.conditions.profile;
    let mut calls = deliver_where(evidence, seed, PROBE.id, FORMS, |_, tried, form| {
        form.least <= profile && (form.name != WITHIN || tried.place.wrap.inner().is_some())
    });
    calls.extend(deliver_stored(evidence, seed, PROBE.id, &FORMS[..1]));
    calls.extend(everywhere(evidence, |tool, tried| {
        let due = PACKED.iter().filter(|form| form.least <= profile);
        let call = |form: &Form| {
            let nonce = Nonce::new(evidence, tool, &tried.place, PROBE.id, form.name, seed);
            let text = nonce.fill(form.text)?;
            let packed = tried.place.wrap == Wrap::Base64;
            let value = if packed { text } else { STANDARD.encode(text) }.into();
            let payload = Payload { value, oracle: (form.oracle)(&nonce)? };
            shot(evidence, tool, tried, PROBE.id, form.name, &payload)
        };
        due.filter_map(call).collect()
    }));
    calls
}

const ATTACK: Attack = Attack {
    probe: PROBE.id,
    hole,
    suspicion: nothing_else,
    reached: gets_through,
    clean: "no document called anything",
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    ATTACK.judge(evidence)
}

fn hole(_: &Evidence, x: &Exchange, proof: Proof) -> Finding {
    let says = format!("a function was called by the document \"{}\"", quote(&payload(x)));
    let fix = "read states as plain data: JSON, `yaml.safe_load`, never `pickle`, `yaml.load` or `node-serialize` on what callers send";
    Finding::fail(x.subject.clone(), says, fix).proven(proof)
}
