//! Clients with one capability each, under the names of well-known ones, which turn down what they
//! are asked for: what the server offers them, and how its tools take a no.

use crate::evidence::{ClientCapabilities, ClientName, Evidence, Profile, Subject};
use crate::probe::{Call, Connection, Lane, Probe, Send, Side};
use crate::revision::Revision;
use crate::seed::Seed;
use crate::spec::sides;

use super::features;

pub const PROBE: Probe = Probe { id: "profiles", hostile: false, lane: Lane::Alone, plan };

pub const TOOLS: &str = "tools/list";

/// The clients, by what each declares.
pub const CLIENTS: [(&str, ClientCapabilities); 3] = [
    ("roots", ClientCapabilities { roots: true, name: ClientName::Claude, ..DECLINING }),
    ("sampling", ClientCapabilities { sampling: true, name: ClientName::Cursor, ..DECLINING }),
    (
        "elicitation",
        ClientCapabilities { elicitation: true, name: ClientName::VsCode, ..DECLINING },
    ),
];

const DECLINING: ClientCapabilities =
    ClientCapabilities { declines: true, ..ClientCapabilities::NONE };

/// The revision these clients speak; none in a quick or pinned run.
pub fn spoken(evidence: &Evidence) -> Option<Revision> {
    let one = evidence.conditions.pinned.is_some() || evidence.conditions.profile == Profile::Quick;
    let newest = sides::spoken(evidence).into_iter().map(|(revision, _)| revision).max();
    newest.filter(|_| !one)
}

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let Some(revision) = spoken(evidence) else { return Vec::new() };
    let asking = features::asking(evidence);
    let mut calls = Vec::new();
    for (name, client) in CLIENTS {
        let on = Connection::Side(Side { client, ..Side::speaking(revision) });
        let label = format!("{TOOLS} for {name}");
        calls.push(Call::new(Subject::Server, label, Send::request(TOOLS, None)).on(on));
        let label = format!("a no to {name}");
        let told =
            |x: &&crate::evidence::Exchange| Call::new(x.subject.clone(), &label, x.send.clone());
        calls.extend(asking.iter().map(told).map(|call| call.on(on)));
    }
    calls
}
