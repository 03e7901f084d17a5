//! Messages that ask for nothing: accepted with 202 and no body, or refused by the HTTP status.

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::probes::http::PROBE;
use crate::probes::revisions;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, Visit, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/http-acceptance",
    title: "Notifications over HTTP are accepted with 202, unacceptable ones refused by the status",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("HTTP-03", accepted), rule("HTTP-04", refused)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE],
    page: include_str!("http_acceptance.md"),
    judge: by_rules,
};

fn accepted(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let notification = with_202(&talk.visit(PROBE.id, "notification")?);
    if talk.revision.is_stateless() {
        return Ok(notification);
    }
    let response = with_202(&talk.visit(PROBE.id, "stray response")?);
    Ruling::worst([notification, response]).ok_or_else(|| Ruling::unseen("not asked"))
}

fn with_202(visit: &Visit<'_>) -> Ruling {
    let fix = "answer an accepted notification or response with 202 and an empty body";
    let label = label(visit);
    let empty = visit.facts.body.is_none() && visit.stream().is_none();
    let says = format!("{label}: HTTP {}", visit.status());
    match (visit.status(), empty) {
        (202, true) => Ruling::pass(format!("{says} without a body")),
        (202, false) => Ruling::fail(format!("{says} with a body"), fix),
        (200..=399, _) => Ruling::fail(says, fix),
        // A server need not accept them all.
        _ => Ruling::not_testable(format!("{says}: not accepted")),
    }
    .seen_in(visit.x.id)
}

fn refused(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let visit = talk.visit(PROBE.id, "ill-formed notification")?;
    let says = format!("a message whose `method` is a number: {}", visit.shown());
    let fix = "answer what is no proper message with an HTTP error status such as 400";
    Ok(match visit.refused() {
        true => Ruling::pass(says),
        false => Ruling::fail(says, fix),
    }
    .seen_in(visit.x.id))
}

/// The label without its revision.
fn label<'a>(visit: &Visit<'a>) -> &'a str {
    visit.x.label.rsplit_once(' ').map_or(visit.x.label.as_str(), |(label, _)| label)
}
