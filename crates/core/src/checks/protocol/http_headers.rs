//! Headers that repeat the body (2026-07-28): compared, and read as HTTP reads headers.

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::probes::http::PLAIN;
use crate::probes::{http, http_stateless, revisions, valid_call};
use crate::revision::Revision;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, Visit, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/http-headers",
    title: "Headers that contradict the body are refused, other spellings understood",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[
        rule("HTTP-24", contradictions),
        rule("HTTP-25", spellings),
        rule("HTTP-26", encoded),
        rule("HTTP-27", parameters),
    ],
    revisions: Revisions::From(Revision::V2026_07_28),
    needs: &[&revisions::PROBE, &valid_call::PROBE, &http::PROBE, &PROBE],
    page: include_str!("http_headers.md"),
    judge: by_rules,
};

use http_stateless::PROBE;

const MISMATCH: &str = "-32020";

fn contradictions(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    talk.control(http::PROBE.id, PLAIN)?;
    let mut rulings = Vec::new();
    for label in ["no method", "other method", "method in capitals"] {
        rulings.push(talk.answered(row, talk.visit(PROBE.id, label)?.x));
    }
    if talk.control(PROBE.id, "call").is_ok() {
        for label in ["no name", "other name"] {
            rulings.push(talk.answered(row, talk.visit(PROBE.id, label)?.x));
        }
    }
    Ruling::worst(rulings).ok_or_else(|| Ruling::unseen("not asked"))
}

/// All our header names are written small, which is not how the specification writes them.
fn spellings(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    talk.control(http::PROBE.id, PLAIN)?;
    let spaced = taken(talk.visit(PROBE.id, "method in spaces")?);
    let capitals = talk.visit(PROBE.id, "method in capitals")?;
    let fix =
        "compare header values exactly as written: `SERVER/DISCOVER` is not `server/discover`";
    let says = format!("method in capitals: {}", capitals.shown());
    let exact = match capitals.refused() {
        true => Ruling::pass(
            "small header names and spaces around values are read, capitals in values refused",
        ),
        false => Ruling::fail(says, fix),
    };
    Ruling::worst([exact.seen_in(capitals.x.id), spaced]).ok_or_else(|| Ruling::unseen("not asked"))
}

fn encoded(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    if talk.control(PROBE.id, "call").is_err() {
        return Err(Ruling::not_testable("no tool that reads is known to work"));
    }
    let name = taken(talk.visit(PROBE.id, "encoded name")?);
    let parameter = talk.control(PROBE.id, "parameter repeated");
    let parameter = parameter.and_then(|_| talk.visit(PROBE.id, "parameter encoded")).map(taken);
    Ruling::worst([Some(name), parameter.ok()].into_iter().flatten())
        .ok_or_else(|| Ruling::unseen("not asked"))
}

fn parameters(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    let none = |_| Ruling::not_testable("no working tool wants a parameter in a header");
    let repeated = talk.visit(PROBE.id, "parameter repeated").map_err(none)?;
    let mut rulings = vec![taken(repeated)];
    for label in ["parameter not repeated", "parameter contradicted"] {
        rulings.push(talk.answered(row, talk.visit(PROBE.id, label)?.x));
    }
    Ruling::worst(rulings).ok_or_else(|| Ruling::unseen("not asked"))
}

/// A request that must not be refused.
fn taken(visit: Visit<'_>) -> Ruling {
    let label = visit.x.label.rsplit_once(' ').map_or("", |(label, _)| label);
    let says = format!("{label}: {}", visit.shown());
    let fix = format!(
        "decode and trim the header value before comparing; {MISMATCH} is for values that differ then"
    );
    match visit.refused() {
        true => Ruling::fail(says, fix),
        false => Ruling::pass(says),
    }
    .seen_in(visit.x.id)
}
