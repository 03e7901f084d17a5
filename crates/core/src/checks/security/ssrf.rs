//! Addresses of the caller's choice that the server visits from where it stands.

use crate::attack::address::{BEHIND, FORMS, HOSTS, WITHIN};
use crate::attack::{
    Attack, deliver_kept, deliver_stored, deliver_where, gets_through, nothing_else, openness,
};
use crate::check::{Check, Class, Confidence, Facet, Finding, Outcome, Revisions, Severity};
use crate::evidence::{Evidence, Exchange};
use crate::probe::{Call, Lane, Probe};
use crate::probes::benign::Tried;
use crate::probes::{benign, flows, valid_call};
use crate::proof::{Proof, payload};
use crate::response::quote;
use crate::seed::Seed;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "security/ssrf",
    title: "No text makes the server visit an inner address",
    facet: Facet::Injection,
    severity: Severity::High,
    class: Some(Class::Ssrf),
    requirements: &[served("SEC-07"), served("TOOL-24")],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &benign::PROBE, &PROBE, &HOST_PROBE, &flows::PROBE, &KEPT],
    page: include_str!("ssrf.md"),
    judge,
};

const PROBE: Probe = Probe { id: "ssrf", hostile: true, lane: Lane::Shared, plan };
const HOST_PROBE: Probe =
    Probe { id: "ssrf-hosts", hostile: true, lane: Lane::Alone, plan: plan_hosts };

const KEPT: Probe = Probe { id: "ssrf-kept", hostile: true, lane: Lane::Alone, plan: kept };

fn kept(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    deliver_kept(evidence, seed, KEPT.id, &FORMS[..1])
}

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let profile = evidence.conditions.profile;
    let mut calls = deliver_where(evidence, seed, PROBE.id, FORMS, |tool, tried, form| {
        form.least <= profile
            && (form.name == FORMS[0].name || openness::names_address(tool, tried))
    });
    calls.extend(deliver_where(evidence, seed, PROBE.id, BEHIND, |_, tried, form| {
        form.least <= profile && is_rest_of_address(evidence, tried)
    }));
    calls.extend(deliver_where(evidence, seed, PROBE.id, WITHIN, |_, _, form| {
        form.least <= profile
    }));
    calls.extend(deliver_stored(evidence, seed, PROBE.id, &FORMS[..1]));
    calls
}

/// A path that is none of our files is one of a page: `/pier`.
fn is_rest_of_address(evidence: &Evidence, tried: &Tried<'_>) -> bool {
    let text = tried.place.text.as_str();
    text.starts_with('/') && !text.starts_with(evidence.conditions.workspace.as_str())
}

fn plan_hosts(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let profile = evidence.conditions.profile;
    deliver_where(evidence, seed, HOST_PROBE.id, HOSTS, |tool, tried, form| {
        form.least <= profile && openness::names_host(tool, tried)
    })
}

const HOST_ATTACK: Attack = Attack { probe: HOST_PROBE.id, ..ATTACK };
const ATTACK: Attack = Attack {
    probe: PROBE.id,
    hole,
    suspicion: nothing_else,
    reached: gets_through,
    clean: "no address led to our pages",
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let mut found = ATTACK.judge(evidence);
    let holes = HOST_ATTACK.judge(evidence).into_iter().filter(|f| f.outcome() == Outcome::Fail);
    let fresh: Vec<Finding> = holes
        .filter(|h| found.iter().all(|f| f.outcome() != Outcome::Fail || f.subject != h.subject))
        .collect();
    // A tool with a hole did not withstand.
    found.retain(|f| {
        f.outcome() == Outcome::Fail || fresh.iter().all(|h| h.subject.tool() != f.subject.tool())
    });
    found.extend(fresh);
    found
}

fn hole(evidence: &Evidence, x: &Exchange, proof: Proof) -> Finding {
    let read = matches!(proof, Proof::PlantedContent { .. });
    let what = if read { "read a file of the machine by" } else { "visited the inner address" };
    let says = format!("{what} \"{}\"", quote(&payload(x)));
    let fix = "resolve the host first and refuse addresses that are not public (loopback, private, link-local), for every redirect anew; allow only http and https";
    let finding = Finding::fail(x.subject.clone(), says, fix);
    if is_offered(evidence, x, read) {
        finding.confidence(Confidence::Medium)
    } else {
        finding.proven(proof)
    }
}

/// A tool whose open job is to fetch any address does so by design, unless it keeps some away.
fn is_offered(evidence: &Evidence, x: &Exchange, read: bool) -> bool {
    let Some((tool, pointer)) = openness::parameter(evidence, x) else { return false };
    if read {
        return openness::takes_files(&tool, &pointer);
    }
    openness::is_fetcher(&tool, &pointer)
        && !openness::promises_public(&tool, &pointer)
        && !keeps_some_away(evidence, x)
}

/// Whether the plain address was kept away, or another one for being an inner one: then any that came
/// through is a way around.
fn keeps_some_away(evidence: &Evidence, x: &Exchange) -> bool {
    let own = evidence.of(PROBE.id).filter(|y| y.subject == x.subject);
    let came = |y: &Exchange| y.oracle.as_ref().is_some_and(|o| o.proof(evidence, y).is_some());
    let mut kept = own.filter(|y| y.reply.why_unseen().is_none() && !came(y));
    kept.any(|y| y.label.starts_with(FORMS[0].name) || openness::forbids_inner(y))
}
