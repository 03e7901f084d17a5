//! The lists in every revision: each once, its further pages, a page again, and, alone, a bogus
//! cursor.

use serde_json::{Value, json};

use super::revisions;
use crate::evidence::{Evidence, Exchange, Subject};
use crate::probe::{Call, Connection, Lane, Probe, Send};
use crate::revision::Revision;
use crate::seed::Seed;
use crate::spec::listing::{LISTS, next_cursor};
use crate::spec::sides::{self, tagged};

pub const PROBE: Probe = Probe { id: "listings", hostile: false, lane: Lane::Shared, plan };

/// Bogus cursors one by one: should the server die of one, it is known of which.
pub const CURSORS: Probe =
    Probe { id: "cursors", hostile: true, lane: Lane::Alone, plan: plan_bogus };

/// Labels, before the revision.
pub const BOGUS: &str = "bogus cursor";
pub const AGAIN: &str = "again";
/// A page by the same cursor a second time.
pub const REUSED: &str = "page 2 again";

/// More pages than this are not followed on a side; the main connection follows all.
const MOST_PAGES: usize = 10;

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let mut calls: Vec<Call> = sides::spoken(evidence)
        .into_iter()
        .flat_map(|(revision, on)| LISTS.map(|(method, _)| of_list(evidence, revision, on, method)))
        .flatten()
        .collect();
    calls.extend(later(evidence));
    calls
}

fn plan_bogus(evidence: &Evidence, _: Seed) -> Vec<Call> {
    sides::on_each(evidence, |_| {
        let send = |method| Send::request(method, Some(json!({"cursor": "%%bogus%%"})));
        LISTS.map(|(method, _)| (format!("{method} {BOGUS}"), send(method))).to_vec()
    })
}

fn list(label: String, method: &str, cursor: Option<&str>, on: Connection) -> Call {
    let params = cursor.map(|c| json!({ "cursor": c }));
    Call::new(Subject::Server, label, Send::request(method, params)).on(on)
}

fn of_list(evidence: &Evidence, revision: Revision, on: Connection, method: &str) -> Vec<Call> {
    let label = |what: &str| tagged(&format!("{method} {what}"), revision);
    let mut calls = Vec::new();
    // The list of tools comes with the opening of the side.
    if method != revisions::TOOLS {
        calls.push(list(tagged(method, revision), method, None, on));
    }
    calls.push(list(label(AGAIN), method, None, on));
    let mut page = first(evidence, revision, method).and_then(Exchange::result);
    let mut seen: Vec<&str> = Vec::new();
    while let Some(cursor) = page.and_then(next_cursor) {
        if seen.len() == MOST_PAGES || seen.contains(&cursor) {
            break;
        }
        seen.push(cursor);
        let name = label(&format!("page {}", seen.len() + 1));
        page = answered(evidence, &name);
        calls.push(list(name, method, Some(cursor), on));
        if seen.len() == 1 {
            calls.push(list(label(REUSED), method, Some(cursor), on));
        }
    }
    calls
}

fn first<'a>(evidence: &'a Evidence, revision: Revision, method: &str) -> Option<&'a Exchange> {
    let label = tagged(method, revision);
    let mut asked = evidence.of(revisions::PROBE.id).chain(evidence.of(PROBE.id));
    asked.find(|x| x.label == label)
}

/// The cursor to each page of a list in this revision, none for the first page. Nothing as long as
/// a page is still to be asked for.
pub fn cursors<'a>(
    evidence: &'a Evidence,
    revision: Revision,
    method: &str,
) -> Option<Vec<Option<&'a str>>> {
    let mut all = vec![None];
    let mut page = first(evidence, revision, method)?.result();
    while let Some(cursor) = page.and_then(next_cursor) {
        if all.len() > MOST_PAGES || all.contains(&Some(cursor)) {
            break;
        }
        all.push(Some(cursor));
        let label = tagged(&format!("{method} page {}", all.len()), revision);
        page = evidence.of(PROBE.id).find(|x| x.label == label)?.result();
    }
    Some(all)
}

fn answered<'a>(evidence: &'a Evidence, label: &str) -> Option<&'a Value> {
    evidence.of(PROBE.id).find(|x| x.label == label)?.result()
}

/// On the main connection once more, after tools have been called: a list may have changed.
fn later(evidence: &Evidence) -> Vec<Call> {
    let called = evidence.of(super::valid_call::PROBE.id).next().is_some();
    let told = |method: &str| {
        let capability = method.split('/').next().unwrap_or_default();
        let declared = evidence.handshake.as_ref().map(|h| &h.capabilities);
        declared.and_then(|c| c.get(capability)?.get("listChanged")?.as_bool()) == Some(true)
    };
    LISTS
        .iter()
        .filter(|(method, _)| called && told(method))
        .map(|(method, _)| list(format!("{method} later"), method, None, Connection::Main))
        .collect()
}
