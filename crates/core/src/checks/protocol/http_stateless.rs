//! HTTP without sessions (2026-07-28): what is gone, and what every answer keeps to.

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::probes::http::PLAIN;
use crate::probes::{http, http_stateless, revisions, valid_call};
use crate::revision::Revision;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, Visit, is_response, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/http-stateless",
    title: "Without sessions, each answer belongs to its request alone",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[
        rule("HTTP-28", unknown_method),
        rule("HTTP-29", no_sessions),
        rule("HTTP-30", unbuffered),
        rule("HTTP-31", own_messages),
        rule("HTTP-32", keeps_id),
    ],
    revisions: Revisions::From(Revision::V2026_07_28),
    needs: &[&revisions::PROBE, &valid_call::PROBE, &http::PROBE, &PROBE],
    page: include_str!("http_stateless.md"),
    judge: by_rules,
};

use http_stateless::PROBE;

fn unknown_method(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    talk.control(http::PROBE.id, PLAIN)?;
    Ok(talk.answered(row, talk.visit(http::PROBE.id, "unknown method")?.x))
}

fn no_sessions(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    talk.control(http::PROBE.id, PLAIN)?;
    let get = talk.visit(http::PROBE.id, "GET")?;
    let delete = talk.visit(PROBE.id, "DELETE")?;
    let old = talk.visit(PROBE.id, "old session")?;
    let fix = "answer GET and DELETE with 405, and neither read nor send `Mcp-Session-Id`";
    let wrong = if get.status() != 405 {
        Some((get, format!("GET answered {}", get.status())))
    } else if delete.status() != 405 {
        Some((delete, format!("DELETE answered {}", delete.status())))
    } else if !old.worked() {
        Some((old, format!("a request with an old session id: {}", old.shown())))
    } else {
        let minted = everything(talk).into_iter().find(|v| v.header("mcp-session-id").is_some());
        minted.map(|v| (v, "an answer names a session".to_owned()))
    };
    Ok(match wrong {
        Some((visit, says)) => Ruling::fail(says, fix).seen_in(visit.x.id),
        None => Ruling::pass("GET and DELETE answered 405, session headers ignored"),
    })
}

fn everything<'a>(talk: &Conversation<'a>) -> Vec<Visit<'a>> {
    let first = talk.visits(http::PROBE.id);
    first.into_iter().chain(talk.visits(PROBE.id)).collect()
}

fn streams<'a>(talk: &Conversation<'a>) -> Result<Vec<Visit<'a>>, Ruling> {
    let mut visits = everything(talk);
    visits.retain(|v| v.stream().is_some());
    if visits.is_empty() {
        return Err(Ruling::not_testable("no answer was a stream of events"));
    }
    Ok(visits)
}

fn unbuffered(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let streams = streams(talk)?;
    let fix =
        "send `X-Accel-Buffering: no` with every stream, so that proxies pass events on at once";
    let buffered = streams.iter().find(|v| {
        !v.header("x-accel-buffering").is_some_and(|value| value.eq_ignore_ascii_case("no"))
    });
    Ok(match buffered {
        Some(v) => Ruling::fail("a stream without `X-Accel-Buffering: no`", fix).seen_in(v.x.id),
        None => Ruling::pass(format!("{} streams with `X-Accel-Buffering: no`", streams.len())),
    })
}

fn own_messages(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let streams = streams(talk)?;
    let fix = "on the stream of a request, send its notifications and its response only; ask the client by an `input_required` result";
    for visit in &streams {
        let own = visit.asked_id();
        let token = visit.asked("/params/_meta/progressToken");
        let foreign = visit.messages().into_iter().find(|m| match is_response(m) {
            true => m.get("id").is_some_and(|id| !id.is_null()) && m.get("id") != own.as_ref(),
            false if m.get("method").is_some_and(|name| name == "notifications/progress") => {
                m.pointer("/params/progressToken") != token.as_ref()
            }
            false => m.get("method").is_some() && m.get("id").is_some(),
        });
        if let Some(message) = foreign {
            let what = message.get("method").and_then(Value::as_str).unwrap_or("a response");
            let says = format!("{what} came on the stream of another request");
            return Ok(Ruling::fail(says, fix).seen_in(visit.x.id));
        }
    }
    Ok(Ruling::pass(format!("{} streams brought only what belongs to them", streams.len())))
}

fn keeps_id(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let refused = everything(talk).into_iter().filter(Visit::refused);
    let mut answers =
        refused.filter_map(|v| Some((v, v.asked_id()?, v.messages().into_iter().next()?)));
    let fix = "give an error the id of its request wherever the id can be read";
    match answers.by_ref().find(|(_, id, message)| message.get("id") != Some(id)) {
        Some((visit, id, _)) => {
            let says = format!("the error to the request {id} does not name it: {}", visit.shown());
            Ok(Ruling::fail(says, fix).seen_in(visit.x.id))
        }
        None if everything(talk).iter().any(|v| v.refused() && v.facts.body.is_some()) => {
            Ok(Ruling::pass("errors name the request they answer"))
        }
        None => Err(Ruling::not_testable("no request was refused with a message")),
    }
}
