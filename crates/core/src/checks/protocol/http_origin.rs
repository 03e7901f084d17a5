//! Requests from foreign pages: by `Origin`, by `Host`, by both, against requests that are welcome.

use std::net::IpAddr;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::probes::http::{PLAIN, PROBE};
use crate::probes::http_more::{ENDED, PARALLEL, RESUMED};
use crate::probes::{legacy_sse, revisions};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/http-origin",
    title: "Requests from foreign pages are refused",
    facet: Facet::Protocol,
    severity: Severity::High,
    class: None,
    requirements: &[
        rule("HTTP-19", origin),
        rule("HTTP-20", host),
        rule("HTTP-21", loopback_only),
        rule("SSE-03", origin_of_streams),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE, &PARALLEL, &RESUMED, &ENDED, &legacy_sse::PROBE],
    page: include_str!("http_origin.md"),
    judge: by_rules,
};

const FIX: &str = "answer requests whose `Origin` is not allowed with 403, whatever the verb";

fn origin(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    talk.control(PROBE.id, PLAIN)?;
    let mut rulings = vec![talk.answered(row, talk.visit(PROBE.id, "foreign Origin")?.x)];
    let others = [(PROBE.id, "GET with foreign Origin"), (ENDED.id, "DELETE with foreign Origin")];
    for (probe, label) in others {
        let Ok(visit) = talk.visit(probe, label) else { continue };
        // What is not offered, or is taken already, need not be guarded.
        if !matches!(visit.status(), 404 | 405 | 409) {
            rulings.push(talk.answered(row, visit.x));
        }
    }
    let worst = Ruling::worst(rulings).ok_or_else(|| Ruling::unseen("not asked"))?;
    let own = talk.visit(PROBE.id, "own Origin")?;
    let fix = "let the server's own origin in, besides requests without `Origin`";
    match worst.is_fail() || own.worked() {
        true => Ok(Ruling { fix: worst.fix.map(|_| FIX.to_owned()), ..worst }),
        false => Ok(Ruling::partial(format!("own Origin: {}", own.shown()), fix).seen_in(own.x.id)),
    }
}

fn host(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    talk.control(PROBE.id, PLAIN)?;
    let both = ["foreign Host", "foreign Host and Origin"];
    let rulings = both.map(|label| match talk.visit(PROBE.id, label) {
        Ok(visit) => talk.answered(row, visit.x),
        Err(unseen) => unseen,
    });
    Ruling::worst(rulings).ok_or_else(|| Ruling::unseen("not asked"))
}

fn loopback_only(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let listens = &talk.evidence.conditions.listens;
    if listens.is_empty() {
        let why = "where it listens can only be seen of a server on this machine";
        return Err(Ruling::not_testable(why));
    }
    // Another's socket may stand beside the one that takes the connections to loopback.
    match listens.iter().any(IpAddr::is_loopback) {
        true => Ok(Ruling::pass("the server listens on loopback only")),
        false => Ok(Ruling::fail(
            "the server listens on every interface",
            "bind to 127.0.0.1 unless the operator asks for more",
        )),
    }
}

fn origin_of_streams(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    let controls =
        [legacy_sse::STREAMS[0], "plain POST"].map(|l| talk.visit(legacy_sse::PROBE.id, l));
    for control in controls {
        let control = control?;
        if !control.is_success() {
            return Err(Ruling::unseen(format!("control: {}", control.shown())));
        }
    }
    let get = talk.visit(legacy_sse::PROBE.id, "foreign Origin on GET")?;
    let post = talk.visit(legacy_sse::PROBE.id, "foreign Origin on POST")?;
    let rulings = [get, post].map(|visit| talk.answered(row, visit.x));
    Ruling::worst(rulings).ok_or_else(|| Ruling::unseen("not asked"))
}
