//! Lists of tools and prompts asked for again: between calls, after them, and where another
//! connection was told something else, on one that is opened exactly as the first.

mod cause;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::drift::{Shift, shifts};
use crate::evidence::{Evidence, Exchange, Subject};
use crate::probe::{Call, Connection, Lane, Probe, Send, Side};
use crate::probes::{repeat, valid_call};
use crate::seed::Seed;
use crate::spec::listing::items;

pub use cause::Cause;

pub const PROBE: Probe = Probe { id: "definitions", hostile: false, lane: Lane::Shared, plan };

pub const LISTS: [&str; 2] = ["tools/list", "prompts/list"];
/// The label of the list on a connection that is opened as the first one was.
pub const ALIKE: &str = "as at first";
const NUMBER: u8 = 5;

/// So many pages of a list are asked for again.
const PAGES: usize = 8;

/// A call for a list, and for all of its pages once they are known to be there.
pub fn all_pages(evidence: &Evidence, probe: &str, first: Call) -> Vec<Call> {
    let answered = |call: &Call| {
        let same = |x: &&Exchange| x.subject == call.subject && x.label == call.label;
        evidence.of(probe).find(same)?.result()?.get("nextCursor")?.as_str().map(str::to_owned)
    };
    let (label, on) = (first.label.clone(), first.on);
    let method = first.send.method().unwrap_or_default().to_owned();
    let mut calls = vec![first];
    while let Some(cursor) = calls.last().and_then(answered).filter(|_| calls.len() < PAGES) {
        let send = Send::request(&method, Some(json!({ "cursor": cursor })));
        let label = format!("{label}, page {}", calls.len() + 1);
        calls.push(Call::new(Subject::Server, label, send).on(on));
    }
    calls
}

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let called = |probe: &str| evidence.of(probe).any(|x| x.result().is_some());
    let mut calls = Vec::new();
    for method in LISTS {
        if first(evidence, method).is_none() {
            continue;
        }
        let list = |what: &str| {
            Call::new(Subject::Server, format!("{method} {what}"), Send::request(method, None))
        };
        if called(valid_call::PROBE.id) {
            calls.push(list("between calls"));
        }
        if called(repeat::PROBE.id) {
            calls.push(list("after calls"));
        }
        let elsewhere = |t: &Telling<'_>| t.x.on != Connection::Main && !t.shifts.is_empty();
        if tellings(evidence, method).iter().any(elsewhere) {
            calls.extend(alike(evidence).map(|side| list(ALIKE).on(Connection::Side(side))));
        }
    }
    calls.into_iter().flat_map(|list| all_pages(evidence, PROBE.id, list)).collect()
}

fn alike(evidence: &Evidence) -> Option<Side> {
    let client = evidence.conditions.client;
    Some(Side { client, number: NUMBER, ..Side::speaking(evidence.revision()?) })
}

/// One definition as one answer told it, against what the first list said.
#[derive(Debug)]
pub struct Telling<'a> {
    pub x: &'a Exchange,
    /// The list that named it first.
    pub first: &'a Exchange,
    pub name: &'a str,
    pub shifts: Vec<Shift>,
}

/// Every time a definition was told again, in the order of the transcript.
pub fn tellings<'a>(evidence: &'a Evidence, method: &'static str) -> Vec<Telling<'a>> {
    let pages = || {
        let asked = evidence.transcript.iter().filter(|x| x.send.method() == Some(method));
        asked.filter_map(|x| Some((x, x.result()?)))
    };
    let mut known: BTreeMap<String, (&Exchange, &Value)> = BTreeMap::new();
    for (x, page) in pages().filter(|(x, _)| x.on == Connection::Main) {
        for (name, item) in named(evidence, method, page) {
            known.entry(name.to_owned()).or_insert((x, item));
        }
    }
    let mut found = Vec::new();
    for (x, page) in pages() {
        for (name, definition) in named(evidence, method, page) {
            let Some((first, before)) = known.get(name).filter(|(first, _)| first.id != x.id)
            else {
                continue;
            };
            let shifts = compare(evidence, before, definition, x);
            found.push(Telling { x, first, name, shifts });
        }
    }
    found
}

/// The items of a page that the run asks for.
fn named<'a>(
    evidence: &'a Evidence,
    method: &'static str,
    page: &'a Value,
) -> impl Iterator<Item = (&'a str, &'a Value)> {
    let wanted =
        move |name: &str| method != LISTS[0] || evidence.conditions.scope.includes_tool(name);
    let named = items(method, page).filter_map(|item| Some((item.get("name")?.as_str()?, item)));
    named.filter(move |(name, _)| wanted(name))
}

/// In another revision some members are not there yet; what both know is compared.
fn compare(evidence: &Evidence, before: &Value, after: &Value, x: &Exchange) -> Vec<Shift> {
    let revision = match x.on {
        Connection::Main => evidence.revision(),
        Connection::Side(side) => side.handshake,
    };
    let mut shifts = shifts(before, after);
    if revision != evidence.revision() {
        let kept = |s: &Shift| s.pointer == "/description" || s.pointer.starts_with("/inputSchema");
        shifts.retain(kept);
    }
    shifts
}

fn first<'a>(evidence: &'a Evidence, method: &str) -> Option<&'a Exchange> {
    evidence.transcript.iter().find(|x| {
        x.on == Connection::Main && x.send.method() == Some(method) && x.result().is_some()
    })
}
