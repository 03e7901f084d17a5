//! Line breaks that begin a new header.

use crate::attack::header::{ALONE, FORMS, IN_MESSAGES, NAME};
use crate::attack::{Attack, deliver_kept, deliver_where, gets_through, nothing_else, openness};
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange};
use crate::probe::{Call, Lane, Probe};
use crate::probes::benign::Tried;
use crate::probes::{benign, flows, valid_call};
use crate::promise::mentions;
use crate::proof::{Proof, has_member, lists, payload};
use crate::response::quote;
use crate::seed::Seed;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "security/header-injection",
    title: "No text begins a new header",
    facet: Facet::Injection,
    severity: Severity::Medium,
    class: Some(Class::HeaderInjection),
    requirements: &[served("SEC-07"), served("TOOL-24")],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &benign::PROBE, &PROBE, &flows::PROBE, &KEPT],
    page: include_str!("header_injection.md"),
    judge,
};

const PROBE: Probe = Probe { id: "header-injection", hostile: true, lane: Lane::Shared, plan };
const KEPT: Probe =
    Probe { id: "header-injection-kept", hostile: true, lane: Lane::Alone, plan: kept };

fn kept(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    const ABOUT: &str = "email header headers inbox mail mails message messages outbox smtp";
    if !evidence.tools().any(|tool| mentions(tool, ABOUT)) {
        return Vec::new();
    }
    deliver_kept(evidence, seed, KEPT.id, IN_MESSAGES)
}

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let profile = evidence.conditions.profile;
    deliver_where(evidence, seed, PROBE.id, FORMS, |tool, tried, form| {
        let address = matches!(form.name, "request" | "encoded");
        let meant = !address || openness::names_address(tool, tried);
        let first = form.name == ALONE.name;
        form.least <= profile && meant && (first || takes_lines_as_text(evidence, tried))
    })
}

/// Whether a header alone, in this place, was no header.
fn takes_lines_as_text(evidence: &Evidence, tried: &Tried<'_>) -> bool {
    let alone = |x: &&Exchange| x.subject == tried.word.subject && x.label.starts_with(ALONE.name);
    evidence.of(PROBE.id).find(alone).is_some_and(|x| {
        let sent = payload(x);
        let value = sent.rsplit(' ').next().unwrap_or_default();
        let taken = has_member(&x.reply, NAME, value) || lists(&x.reply, NAME);
        x.reply.why_unseen().is_none() && !taken
    })
}

const ATTACK: Attack = Attack {
    probe: PROBE.id,
    hole,
    suspicion: nothing_else,
    reached: gets_through,
    clean: "no line break began a header",
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    ATTACK.judge(evidence)
}

/// Whether what is no header was listed in the same way.
fn lists_anything(evidence: &Evidence, x: &Exchange) -> bool {
    let mut same = evidence.of(KEPT.id).filter(|y| y.subject == x.subject);
    let control = same.find(|y| y.label.contains(IN_MESSAGES[0].name));
    control.is_none_or(|y| y.oracle.as_ref().is_some_and(|o| o.proof(evidence, y).is_some()))
}

fn hole(evidence: &Evidence, x: &Exchange, proof: Proof) -> Finding {
    if x.probe == KEPT.id && lists_anything(evidence, x) {
        return Finding::pass(x.subject.clone(), ATTACK.clean);
    }
    let says = format!("a new header was begun by \"{}\"", quote(&payload(x)));
    let fix = "refuse line breaks in what becomes part of a header or a request line; build messages with a library that does";
    Finding::fail(x.subject.clone(), says, fix).proven(proof)
}
