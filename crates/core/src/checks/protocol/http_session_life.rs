//! From missing to ended: what the session header of a request does.

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::probes::http::{PLAIN, PROBE};
use crate::probes::http_more::{ENDED, PARALLEL, RESUMED};
use crate::probes::revisions;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/http-session-life",
    title: "A missing session is answered 400, an ended one 404",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("HTTP-14", missing), rule("HTTP-15", terminated), rule("HTTP-16", delete)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE, &PARALLEL, &RESUMED, &ENDED],
    page: include_str!("http_session_life.md"),
    judge: by_rules,
};

/// The requirement is about servers that give session ids.
fn with_session(talk: &Conversation<'_>) -> Result<(), Ruling> {
    let opening = talk.visit(PROBE.id, "initialize")?;
    let given = opening.header("mcp-session-id").is_some();
    if given { Ok(()) } else { Err(Ruling::not_applicable("the server gives no session id")) }
}

fn missing(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    with_session(talk)?;
    talk.control(PROBE.id, PLAIN)?;
    let visit = talk.visit(PROBE.id, "no session")?;
    let says = format!("no session: {}", visit.shown());
    match visit.status() {
        _ if visit.worked() => Err(Ruling::not_applicable("requests work without the session id")),
        500.. => {
            Ok(Ruling::fail(says, "answer a request without its session with 400")
                .seen_in(visit.x.id))
        }
        _ => Ok(talk.answered(row, visit.x)),
    }
}

fn terminated(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    with_session(talk)?;
    talk.control(PROBE.id, PLAIN)?;
    let delete = talk.visit(ENDED.id, "DELETE")?;
    if !delete.is_success() {
        let why = format!("DELETE answered {}: clients cannot end sessions", delete.status());
        return Err(Ruling::not_testable(why).seen_in(delete.x.id));
    }
    Ok(talk.answered(row, talk.visit(ENDED.id, "after DELETE")?.x))
}

fn delete(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    with_session(talk)?;
    let visit = talk.visit(ENDED.id, "DELETE")?;
    Ok(Ruling::pass(format!("DELETE answered {}", visit.status())).seen_in(visit.x.id))
}
