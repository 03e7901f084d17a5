//! Clients with one capability each, under the names of well-known ones, which turn down what they
//! are asked for: what the server offers them, and how its tools take a no. And one that fills in
//! forms wrongly.

use crate::evidence::{ClientCapabilities, ClientName, Evidence, Exchange, Profile, Subject};
use crate::probe::{Call, Connection, Lane, Probe, Send, Side};
use crate::revision::Revision;
use crate::seed::Seed;
use crate::spec::sides;

use super::features;

pub const PROBE: Probe = Probe { id: "profiles", hostile: false, lane: Lane::Alone, plan };

pub const TOOLS: &str = "tools/list";

/// The label of what is asked of this client, before its name.
pub const NO: &str = "a no to";
pub const WRONG: &str = "a wrong answer to elicitation";

/// The clients, by what each declares.
pub const CLIENTS: [(&str, ClientCapabilities); 3] = [
    ("roots", ClientCapabilities { roots: true, name: ClientName::Claude, ..DECLINING }),
    ("sampling", ClientCapabilities { sampling: true, name: ClientName::Cursor, ..DECLINING }),
    (
        "elicitation",
        ClientCapabilities { elicitation: true, name: ClientName::VsCode, ..DECLINING },
    ),
];

const CARELESS: ClientCapabilities = ClientCapabilities {
    elicitation: true,
    pages: true,
    careless: true,
    ..ClientCapabilities::NONE
};

const DECLINING: ClientCapabilities =
    ClientCapabilities { declines: true, ..ClientCapabilities::NONE };

/// The revision these clients speak; none in a quick run.
pub fn spoken(evidence: &Evidence) -> Option<Revision> {
    let quick = evidence.conditions.profile == Profile::Quick;
    let newest = sides::spoken(evidence).into_iter().map(|(revision, _)| revision).max();
    newest.filter(|_| !quick)
}

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let Some(revision) = spoken(evidence) else { return Vec::new() };
    let asking = features::asking(evidence);
    let mut calls = Vec::new();
    for (name, client) in CLIENTS {
        let on = Connection::Side(Side { client, ..Side::speaking(revision) });
        let label = format!("{TOOLS} for {name}");
        calls.push(Call::new(Subject::Server, label, Send::request(TOOLS, None)).on(on));
        let label = format!("{NO} {name}");
        calls.extend(asking.iter().map(|x| again(x, &label, on)));
    }
    // Without a handshake forms come in results, where other probes answer them.
    if !revision.is_stateless() {
        let on = Connection::Side(Side { client: CARELESS, ..Side::speaking(revision) });
        calls.extend(asking.iter().map(|x| again(x, WRONG, on)));
    }
    calls
}

fn again(x: &Exchange, label: &str, on: Connection) -> Call {
    Call::new(x.subject.clone(), label, x.send.clone()).on(on)
}
