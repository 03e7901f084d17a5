//! Texts that reach a shell, or a program as one of its options.

use crate::attack::{
    Attack, Offer, deliver, deliver_delays, deliver_kept, deliver_pairs, deliver_stored,
    gets_through, nothing_else, proven_unless, shell,
};
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, ExchangeId, Profile};
use crate::probe::{Call, Lane, Probe};
use crate::probes::{aftermath, benign, flows, valid_call};
use crate::proof::{Proof, payload};
use crate::response::quote;
use crate::seed::Seed;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "security/command-injection",
    title: "No parameter reaches a shell",
    facet: Facet::Injection,
    severity: Severity::Critical,
    class: Some(Class::CommandInjection),
    requirements: &[served("SEC-07"), served("TOOL-24")],
    revisions: Revisions::All,
    needs: &[
        &valid_call::PROBE,
        &benign::PROBE,
        &PROBE,
        &aftermath::PROBE,
        &flows::PROBE,
        &KEPT,
        &DELAYS,
    ],
    page: include_str!("command_injection.md"),
    judge,
};

const PROBE: Probe = Probe { id: "command-injection", hostile: true, lane: Lane::Shared, plan };
const DELAYS: Probe =
    Probe { id: "command-injection-delays", hostile: true, lane: Lane::Last, plan: delays };

fn delays(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    deliver_delays(evidence, seed, DELAYS.id, Profile::Deep, shell::SLOW)
}

const KEPT: Probe =
    Probe { id: "command-injection-kept", hostile: true, lane: Lane::Alone, plan: kept };

fn kept(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    deliver_kept(evidence, seed, KEPT.id, &shell::FORMS[..3])
}

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let mut calls = deliver(evidence, seed, PROBE.id, shell::FORMS);
    calls.extend(deliver_pairs(evidence, seed, PROBE.id, shell::OPTIONS));
    calls.extend(deliver_stored(evidence, seed, PROBE.id, &shell::FORMS[..3]));
    calls
}

const ATTACK: Attack = Attack {
    probe: PROBE.id,
    hole,
    suspicion: nothing_else,
    reached: gets_through,
    clean: "no text was executed",
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    ATTACK.judge(evidence)
}

/// Whether what is misspelt was refused: whoever merely shows the beginning of a text takes both.
fn minds_spelling(evidence: &Evidence, proof: &Proof) -> bool {
    let Proof::Differential { falsehoods, .. } = proof else { return true };
    let minds = |id: &ExchangeId| evidence.exchange(*id).is_some_and(|x| !valid_call::took(x));
    falsehoods.iter().all(minds)
}

fn hole(evidence: &Evidence, x: &Exchange, proof: Proof) -> Finding {
    if !minds_spelling(evidence, &proof) {
        return Finding::pass(x.subject.clone(), ATTACK.clean);
    }
    let text = quote(&payload(x));
    let (says, fix) = if text.starts_with("--") {
        (
            format!("a program took \"{text}\" as an option"),
            "put `--` before values that come from callers, and refuse those that begin with a dash",
        )
    } else {
        (
            format!("a shell executed \"{text}\""),
            "start programs with a list of arguments and without a shell (`execFile`, `subprocess.run([...])`), and allow only expected values",
        )
    };
    let finding = Finding::fail(x.subject.clone(), says, fix);
    // A parameter that is openly a command line is executed by design: for people to judge.
    proven_unless(Offer::Execution, evidence, x, finding, proof)
}
