//! Streams of events that answer requests, and what may be said on those opened by GET.

use std::collections::BTreeSet;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::EventStream;
use crate::probes::http::{PLAIN, PROBE};
use crate::probes::http_more::{AT_ONCE, LISTENERS, PARALLEL};
use crate::probes::revisions;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, Visit, is_response, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/http-streams",
    title: "Each message travels on one stream, and streams end with their answer",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[
        rule("HTTP-05", ends),
        rule("HTTP-06", primed),
        rule("HTTP-08", no_answers),
        rule("HTTP-09", once),
        rule("HTTP-34", together),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE, &PARALLEL],
    page: include_str!("http_streams.md"),
    judge: by_rules,
};

fn answer<'a>(talk: &Conversation<'a>) -> Result<(Visit<'a>, &'a EventStream), Ruling> {
    let visit = talk.visit(PROBE.id, PLAIN)?;
    let plain = || Ruling::not_testable("answers are plain JSON").seen_in(visit.x.id);
    Ok((visit, visit.stream().ok_or_else(plain)?))
}

fn ends(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let (visit, stream) = answer(talk)?;
    let fix = "send the response on the stream of its request, then end the stream";
    Ok(match (visit.messages().iter().any(is_response), stream.ended) {
        (true, true) => Ruling::pass("the stream brought the response and ended"),
        (true, false) => Ruling::fail("the stream was open two seconds after its response", fix),
        (false, true) => Ruling::fail("the stream ended without the response", fix),
        (false, false) => Ruling::fail("the stream brought no response", fix),
    }
    .seen_in(visit.x.id))
}

fn primed(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let (visit, stream) = answer(talk)?;
    let fix = "open the stream with an event that has an id and empty data, so that clients can come back";
    let first = stream.events.first();
    let primed = first.is_some_and(|e| e.id.is_some() && e.data.as_deref() == Some(""));
    let answered = visit.messages().iter().any(is_response);
    let retries = stream.events.iter().any(|e| e.retry.is_some());
    Ok(match (primed, stream.ended && !answered && !retries) {
        (true, false) => Ruling::pass("the stream opens with an id and empty data"),
        (true, true) => Ruling::fail("the stream closed early without `retry`", fix),
        (false, _) => Ruling::fail("the stream does not open with an id and empty data", fix),
    }
    .seen_in(visit.x.id))
}

/// The streams opened by GET while requests were made.
fn listeners<'a>(talk: &Conversation<'a>) -> Result<Vec<Visit<'a>>, Ruling> {
    let visits = LISTENERS.iter().map(|label| talk.visit(PARALLEL.id, label));
    let mut open: Vec<Visit<'_>> = visits.collect::<Result<_, _>>()?;
    open.retain(|v| v.stream().is_some());
    if open.is_empty() {
        return Err(Ruling::not_testable("GET opens no stream"));
    }
    Ok(open)
}

fn no_answers(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let open = listeners(talk)?;
    let fix = "send a response only on the stream of its request";
    let wrong = open.iter().find(|v| v.messages().iter().any(is_response));
    Ok(match wrong {
        Some(v) => Ruling::fail("a response came on a stream opened by GET", fix).seen_in(v.x.id),
        None => Ruling::pass(format!("no response came on it during {AT_ONCE} requests")),
    })
}

fn once(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let mut seen = BTreeSet::new();
    let fix = "send each message on one of the open streams, not on all";
    let open = listeners(talk)?;
    for visit in talk.visits(PARALLEL.id) {
        let own: BTreeSet<String> = visit.messages().iter().map(ToString::to_string).collect();
        if let Some(twice) = own.intersection(&seen).next() {
            let says = format!("came on two streams: {}", crate::response::quote(twice));
            return Ok(Ruling::fail(says, fix).seen_in(visit.x.id));
        }
        seen.extend(own);
    }
    match open.len() {
        1 => Err(Ruling::not_testable("only one stream can be opened by GET")),
        _ => Ok(Ruling::pass("nothing came on two streams")),
    }
}

fn together(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let visits = (1..=AT_ONCE).map(|n| talk.visit(PARALLEL.id, &format!("request {n}")));
    let visits: Vec<Visit<'_>> = visits.collect::<Result<_, _>>()?;
    let worked = visits.iter().filter(|v| v.worked()).count();
    let says = format!("{worked} of {AT_ONCE} requests at once were answered");
    Ok(match worked == visits.len() {
        true => Ruling::pass(says),
        false => Ruling::fail(says, "answer requests that come side by side"),
    })
}
