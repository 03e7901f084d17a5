//! The header that names the protocol version of a request.

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::Reply;
use crate::probes::http::{PLAIN, PROBE};
use crate::probes::{http_stateless, revisions};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/http-version-header",
    title: "A version header that fits nothing is refused, a missing one forgiven",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[
        rule("HTTP-17", unsupported),
        rule("HTTP-18", missing),
        rule("HTTP-23", contradicting),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE, &http_stateless::PROBE],
    page: include_str!("http_version_header.md"),
    judge: by_rules,
};

fn unsupported(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    talk.control(PROBE.id, PLAIN)?;
    let labels = ["version 1999-01-01", "version nonsense"];
    let rulings = labels.map(|label| match talk.visit(PROBE.id, label) {
        Ok(visit) => talk.answered(row, visit.x),
        Err(unseen) => unseen,
    });
    Ruling::worst(rulings).ok_or_else(|| Ruling::unseen("not asked"))
}

fn missing(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    talk.control(PROBE.id, PLAIN)?;
    let visit = talk.visit(PROBE.id, "no version")?;
    let says = format!("without the header: {}", visit.shown());
    let fix = "without `MCP-Protocol-Version`, take the version of the session, or 2025-03-26";
    Ok(match visit.worked() {
        true => Ruling::pass(says),
        false => Ruling::fail(says, fix),
    }
    .seen_in(visit.x.id))
}

/// The error for headers and bodies that differ.
const MISMATCH: i64 = -32020;

fn contradicting(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    talk.control(PROBE.id, PLAIN)?;
    let other = talk.answered(row, talk.visit(http_stateless::PROBE.id, "other version")?.x);
    let bare = talk.visit(http_stateless::PROBE.id, "no version")?.x;
    let none = talk.answered(row, bare);
    let older = Conversation::all(talk.evidence).iter().any(|t| !t.revision.is_stateless());
    let missed = matches!(*bare.reply, Reply::Error { code: MISMATCH, .. });
    // A server of both eras may take a request without the header for an older one; one that
    // misses the header may not.
    let none = if older && !missed && none.is_fail() { Ruling::pass(none.says) } else { none };
    Ruling::worst([other, none]).ok_or_else(|| Ruling::unseen("not asked"))
}
