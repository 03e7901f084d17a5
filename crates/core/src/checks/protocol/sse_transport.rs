//! The older HTTP+SSE transport: the stream names where to post, and answers come on it.

use std::collections::BTreeSet;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::StreamEvent;
use crate::probes::http::own_origin;
use crate::probes::legacy_sse::{PROBE, STREAMS};
use crate::probes::revisions;
use crate::response::quote;
use crate::spec::door::{event_name, heard, is_message};
use crate::spec::{Conversation, Door, Judgement, Requirement, Ruling, Visit, jammed, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/sse-transport",
    title: "An HTTP+SSE stream first names where to post, then brings the answers",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[
        jammed("SSE-01", endpoint_first),
        jammed("SSE-02", answers),
        rule("SSE-04", endpoint_safe),
        rule("SSE-05", deprecated),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE],
    page: include_str!("sse_transport.md"),
    judge: by_rules,
};

fn first<'a>(visit: Visit<'a>) -> Option<&'a StreamEvent> {
    visit.stream()?.events.first()
}

fn endpoint_first(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "answer GET with `text/event-stream` whose first event is `endpoint`, with the address to post to as data";
    if talk.door == Door::Jammed {
        return match heard(talk.evidence).find_map(event_name) {
            Some("endpoint") => Ok(Ruling::pass("the first event is `endpoint`")),
            Some(name) => Ok(Ruling::fail(format!("the first event is `{}`", quote(name)), fix)),
            None => Err(Ruling::unseen("no event came")),
        };
    }
    let visit = talk.visit(PROBE.id, STREAMS[0])?;
    Ok(match first(visit) {
        Some(e)
            if e.name == "endpoint" && e.data.as_deref().is_some_and(|d| !d.trim().is_empty()) =>
        {
            Ruling::pass("the first event is `endpoint` and names an address")
        }
        Some(e) => Ruling::fail(format!("the first event is `{}`", e.name), fix),
        None => Ruling::fail(format!("GET answered {} and no event came", visit.status()), fix),
    }
    .seen_in(visit.x.id))
}

fn answers(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let mut answered = talk.exchanges().filter(|x| x.result().is_some() && x.http.is_some());
    let posts: Vec<_> = answered.by_ref().collect();
    let refused =
        posts.iter().find(|x| x.http.as_ref().is_some_and(|h| !(200..300).contains(&h.status)));
    let fix = "accept the POST with 202 and send the answer as a `message` event on the stream";
    let odd = |name: &&str| *name != "message";
    let mut told = heard(talk.evidence).filter(|f| is_message(f));
    if let Some(name) = told.find_map(|f| event_name(f).filter(odd)) {
        let says = format!("an answer came as an event called `{}`", quote(name));
        return Ok(Ruling::fail(says, fix));
    }
    match (refused, posts.len()) {
        (Some(x), _) => {
            let status = x.http.as_ref().map_or(0, |h| h.status);
            let says = format!("{}: answered on the stream, but the POST with {status}", x.label);
            Ok(Ruling::fail(says, fix).seen_in(x.id))
        }
        (None, 0) => Err(Ruling::unseen("no request was answered")),
        (None, _) => Ok(Ruling::pass("requests were accepted and answered by `message` events")),
    }
}

fn endpoint_safe(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let visits = STREAMS.map(|label| talk.visit(PROBE.id, label));
    let visits: Vec<Visit<'_>> = visits.into_iter().collect::<Result<_, _>>()?;
    let named: Vec<&str> = visits.iter().filter_map(|v| first(*v)?.data.as_deref()).collect();
    let different: BTreeSet<&str> = named.iter().copied().collect();
    let origin = own_origin(talk.evidence).unwrap_or_default();
    let away = named.iter().any(|a| a.contains("://") && !a.starts_with(&format!("{origin}/")));
    let long = named.iter().all(|address| longest_word(address) >= 16);
    Ok(Ruling::pass(match (away, different.len() == named.len(), long) {
        (true, _, _) => "an address on another origin, which clients refuse",
        (false, false, _) => "two streams were given the same address",
        (false, true, false) => "addresses on the same origin, with a part short enough to guess",
        (false, true, true) => "addresses on the same origin, with a long part of their own",
    }))
}

fn longest_word(address: &str) -> usize {
    let word = |c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_';
    address.split(word).map(str::len).max().unwrap_or_default()
}

fn deprecated(_: &Conversation<'_>, _: &Requirement) -> Judgement {
    Ok(Ruling::pass("HTTP+SSE is deprecated since 2025-03-26: offer Streamable HTTP"))
}
