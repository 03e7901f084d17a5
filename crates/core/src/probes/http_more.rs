//! What follows the first requests over Streamable HTTP: many at once, a stream taken up again, many
//! sessions, and the end of one.

use serde_json::json;

use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::probe::{Call, Lane, Probe, Send};
use crate::probes::http::{self, EVIL_ORIGIN, PLAIN, Room, rooms};
use crate::probes::patient_tools;
use crate::seed::Seed;
use crate::spec::sides;

/// Two listeners and several requests, all in flight together.
pub const PARALLEL: Probe =
    Probe { id: "http-parallel", hostile: false, lane: Lane::Shared, plan: parallel };
pub const LISTENERS: [&str; 2] = ["listener 1", "listener 2"];
pub const AT_ONCE: usize = 6;

/// A stream that was read, asked for again from its first event.
pub const RESUMED: Probe =
    Probe { id: "http-resumed", hostile: false, lane: Lane::Alone, plan: resumed };

/// Session ids, as many as their randomness takes to see.
pub const SESSIONS: Probe =
    Probe { id: "http-sessions", hostile: false, lane: Lane::Alone, plan: sessions };
pub const IDS: usize = 20;

/// The session is ended, and used after that: last, so checks that need it need the others too.
pub const ENDED: Probe = Probe { id: "http-ended", hostile: false, lane: Lane::Alone, plan: ended };

const SESSION: &str = "mcp-session-id";

/// Revisions in which the first requests have been made.
fn ready(evidence: &Evidence) -> impl Iterator<Item = (Room, &Exchange)> {
    rooms(evidence).into_iter().filter_map(|room| Some((room, seen(evidence, room, PLAIN)?)))
}

fn seen<'a>(evidence: &'a Evidence, room: Room, label: &str) -> Option<&'a Exchange> {
    let whole = format!("{label} {}", room.revision);
    evidence.of(http::PROBE.id).find(|x| x.label == whole)
}

fn parallel(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let all = |(room, _): (Room, &Exchange)| {
        let listens = !room.revision.is_stateless();
        let listeners = LISTENERS.iter().map(move |label| room.get(label, &[]));
        let requests = (1..=AT_ONCE).map(move |n| room.hello(&format!("request {n}"), &[]));
        let news = if listens { with_news(evidence, room) } else { Vec::new() };
        listeners.filter(move |_| listens).chain(requests).chain(news)
    };
    ready(evidence).flat_map(all).collect()
}

/// Once the listeners hear: a call whose progress may reach more than one of them.
fn with_news(evidence: &Evidence, room: Room) -> Vec<Call> {
    const OPENED_MS: u32 = 100;
    let ranked = patient_tools::ranked(evidence);
    let may = |tool: &Tool| evidence.risk_of(&tool.name) <= evidence.conditions.policy.allow;
    let Some((tool, x)) = ranked.into_iter().find(|(tool, _)| may(tool)) else {
        return Vec::new();
    };
    let params = json!({
        "name": tool.name,
        "arguments": x.arguments().cloned().unwrap_or_else(|| json!({})),
        "_meta": {"progressToken": format!("proofmark news {}", room.revision)},
    });
    let label = sides::tagged("time to open", room.revision);
    let wait = Call::new(Subject::Server, label, Send::Listen { ms: OPENED_MS }).on(room.on);
    vec![wait, room.ask("a call with news", "tools/call", params, &[])]
}

fn resumed(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let again = |(room, plain): (Room, &Exchange)| {
        let events = &plain.http.as_ref()?.stream.as_ref()?.events;
        let id = events.iter().find_map(|e| e.id.as_deref()).filter(|id| !id.is_empty())?;
        (!room.revision.is_stateless()).then(|| room.get("resumed", &[("Last-Event-ID", id)]))
    };
    ready(evidence).filter_map(again).collect()
}

fn sessions(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let given = |room: &Room| {
        let opening = seen(evidence, *room, "initialize");
        let http = opening.and_then(|x| x.http.as_ref());
        http.is_some_and(|h| h.headers.contains_key(SESSION))
    };
    // One revision is enough: ids are made in one place.
    let newest = rooms(evidence).into_iter().rfind(given);
    let many = newest.into_iter().flat_map(|room| {
        (1..=IDS).map(move |n| room.initialize(&format!("session {n}"), &[("Mcp-Session-Id", "")]))
    });
    many.collect()
}

fn ended(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let ending = |(room, _): (Room, &Exchange)| {
        let foreign = seen(evidence, room, "foreign Origin");
        // Where a foreign page may ask, it may surely end; the session is still needed.
        let guarded = foreign.is_some_and(|x| x.result().is_none());
        let headers = [("Origin", EVIL_ORIGIN)];
        let foreign = room.http("DELETE", "DELETE with foreign Origin", None, &headers);
        let delete = room.http("DELETE", "DELETE", None, &[]);
        let after = room.hello("after DELETE", &[]);
        let session = (!room.revision.is_stateless()).then_some([delete, after]);
        guarded.then_some(foreign).into_iter().chain(session.into_iter().flatten())
    };
    let made = |probe: &Probe, call: &Call| evidence.of(probe.id).any(|x| x.label == call.label);
    let over = |(room, _): &(Room, &Exchange)| {
        let here = |call: &Call| call.on == room.on;
        let together = parallel(evidence, seed).into_iter().filter(here);
        let again = resumed(evidence, seed).into_iter().filter(here);
        together.into_iter().all(|call| made(&PARALLEL, &call))
            && again.into_iter().all(|call| made(&RESUMED, &call))
    };
    ready(evidence).filter(over).flat_map(ending).collect()
}
