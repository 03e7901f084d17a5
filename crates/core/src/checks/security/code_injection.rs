//! Texts that an interpreter takes for code.

use crate::attack::code::FORMS;
use crate::attack::{
    Attack, Offer, deliver, deliver_kept, deliver_stored, gets_through, nothing_else, proven_unless,
};
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange};
use crate::probe::{Call, Lane, Probe};
use crate::probes::{aftermath, benign, flows, valid_call};
use crate::proof::{Proof, payload};
use crate::response::quote;
use crate::seed::Seed;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "security/code-injection",
    title: "No text is run as code",
    facet: Facet::Injection,
    severity: Severity::Critical,
    class: Some(Class::CodeInjection),
    requirements: &[served("SEC-07"), served("TOOL-24")],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &benign::PROBE, &PROBE, &aftermath::PROBE, &flows::PROBE, &KEPT],
    page: include_str!("code_injection.md"),
    judge,
};

const PROBE: Probe = Probe { id: "code-injection", hostile: true, lane: Lane::Shared, plan };

const KEPT: Probe =
    Probe { id: "code-injection-kept", hostile: true, lane: Lane::Alone, plan: kept };

fn kept(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    deliver_kept(evidence, seed, KEPT.id, &FORMS[..2])
}

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let mut calls = deliver(evidence, seed, PROBE.id, FORMS);
    calls.extend(deliver_stored(evidence, seed, PROBE.id, &FORMS[..2]));
    calls
}

const ATTACK: Attack = Attack {
    probe: PROBE.id,
    hole,
    suspicion: nothing_else,
    reached: gets_through,
    clean: "no text was run as code",
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    ATTACK.judge(evidence)
}

fn hole(evidence: &Evidence, x: &Exchange, proof: Proof) -> Finding {
    let says = format!("an interpreter ran \"{}\"", quote(&payload(x)));
    let fix = "do not use `eval`, `exec` or `new Function` on texts from callers; parse what is expected (a number, a formula) and compute it yourself";
    let finding = Finding::fail(x.subject.clone(), says, fix);
    let beyond = !matches!(proof, Proof::Computed { .. });
    let offered = if beyond { Offer::Execution } else { Offer::Expressions };
    proven_unless(offered, evidence, x, finding, proof)
}
