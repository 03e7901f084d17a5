//! Addresses of the caller's choice that the server visits from where it stands.

use crate::attack::{Attack, Form, Nonce, deliver_where, gets_through, nothing_else, openness};
use crate::check::{Check, Class, Confidence, Facet, Finding, Revisions, Severity};
use crate::evidence::Profile::{Deep, Quick, Standard};
use crate::evidence::{Evidence, Exchange};
use crate::probe::{Call, Lane, Probe};
use crate::probes::{benign, valid_call};
use crate::proof::{Oracle, Proof, payload};
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
    needs: &[&valid_call::PROBE, &benign::PROBE, &PROBE],
    page: include_str!("ssrf.md"),
    judge,
};

const PROBE: Probe = Probe { id: "ssrf", hostile: true, lane: Lane::Shared, plan };

/// The first goes to every text, the others where an address is meant. All lead to our own pages.
const FORMS: &[Form] = &[
    Form::new("plain", Quick, "http://content.proofmark.localhost:8080/seen/«L»«R»", visited),
    Form::new("by name", Standard, "http://named.proofmark.localhost:8080/seen/«L»«R»", visited),
    Form::new("decimal", Standard, "http://decimal.proofmark.localhost:8080/seen/«L»«R»", visited),
    Form::new("short", Standard, "http://short.proofmark.localhost:8080/seen/«L»«R»", visited),
    Form::new("IPv6", Standard, "http://six.proofmark.localhost:8080/seen/«L»«R»", visited),
    Form::new("mapped", Standard, "http://mapped.proofmark.localhost:8080/seen/«L»«R»", visited),
    Form::new("any", Standard, "http://any.proofmark.localhost:8080/seen/«L»«R»", visited),
    Form::new(
        "redirect",
        Standard,
        "http://content.proofmark.localhost:8080/elsewhere?file=«O»",
        outside,
    ),
    Form::new("file", Standard, "file://«O»", outside),
    Form::new("file, in capitals", Deep, "FILE://«O»", outside),
    Form::new("file, local host", Deep, "file://localhost«O»", outside),
    Form::new("hexadecimal", Deep, "http://hex.proofmark.localhost:8080/seen/«L»«R»", visited),
    Form::new("octal", Deep, "http://octal.proofmark.localhost:8080/seen/«L»«R»", visited),
    Form::new("user", Standard, "http://«H»@content.proofmark.localhost:8080/seen/«L»«R»", visited),
    Form::new(
        "host at the end",
        Standard,
        "http://content.proofmark.localhost:8080/seen/«L»«R»?a=.«H»",
        visited,
    ),
    Form::new(
        "with its ending",
        Standard,
        "http://content.proofmark.localhost:8080/seen/«L»«R»«E»",
        visited,
    ),
    Form::new("without scheme", Deep, "//content.proofmark.localhost:8080/seen/«L»«R»", visited),
    Form::new(
        "scheme in capitals",
        Deep,
        "HTTP://content.proofmark.localhost:8080/seen/«L»«R»",
        visited,
    ),
    Form::new("host alone", Standard, "content.proofmark.localhost:8080/seen/«L»«R»", visited),
];

fn visited(n: &Nonce<'_>) -> Option<Oracle> {
    n.evidence.conditions.content.as_ref()?;
    Some(Oracle::Callback { token: format!("{}{}", n.left, n.right) })
}

fn outside(n: &Nonce<'_>) -> Option<Oracle> {
    n.evidence.conditions.content.as_ref()?;
    Some(Oracle::Planted { canary: "outside-file".to_owned() })
}

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let profile = evidence.conditions.profile;
    deliver_where(evidence, seed, PROBE.id, FORMS, |tool, tried, form| {
        form.least <= profile
            && (form.name == FORMS[0].name || openness::names_address(tool, tried))
    })
}

const ATTACK: Attack = Attack {
    probe: PROBE.id,
    hole,
    suspicion: nothing_else,
    reached: gets_through,
    clean: "no address led to our pages",
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    ATTACK.judge(evidence)
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

/// Whether the plain address was kept away: then any other that came through is a way around.
fn keeps_some_away(evidence: &Evidence, x: &Exchange) -> bool {
    let plain = |y: &&Exchange| y.subject == x.subject && y.label.starts_with(FORMS[0].name);
    let came = |y: &Exchange| y.oracle.as_ref().is_some_and(|o| o.proof(evidence, y).is_some());
    evidence.of(PROBE.id).find(plain).is_some_and(|y| y.reply.why_unseen().is_none() && !came(y))
}
