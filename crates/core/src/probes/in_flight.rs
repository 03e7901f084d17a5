//! Many requests at once, of two kinds that can be told apart, and a tool among them.

use crate::evidence::{Evidence, Exchange, Subject};
use crate::probe::{Call, Connection, Lane, Probe, Risk, Send};
use crate::probes::valid_call;
use crate::revision::Revision;
use crate::seed::Seed;
use crate::spec::{frame, sides};

pub const PROBE: Probe = Probe { id: "in-flight", hostile: false, lane: Lane::Shared, plan };

/// So many, and every second one is a list.
const MANY: usize = 16;

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let working = working(evidence);
    let mut calls = Vec::new();
    for (revision, connection) in sides::spoken(evidence) {
        if let Some((tool, x)) = working
            && let Some(arguments) = x.arguments()
        {
            let label = sides::tagged("beside", revision);
            calls.push(Call::tool(tool, label, arguments.clone()).on(connection));
        }
        calls.extend((1..=MANY).map(|n| numbered(evidence, revision, connection, n)));
    }
    calls
}

fn numbered(evidence: &Evidence, revision: Revision, on: Connection, n: usize) -> Call {
    let lists =
        n.is_multiple_of(2) && evidence.handshake.as_ref().is_some_and(|h| h.declares("tools"));
    let method = if lists { "tools/list" } else { frame::harmless(revision) };
    let label = sides::tagged(&format!("{method} {n}"), revision);
    Call::new(Subject::Server, label, Send::request(method, None)).on(on)
}

/// A reading tool that all others can wait for.
fn working(evidence: &Evidence) -> Option<(&str, &Exchange)> {
    evidence
        .tools()
        .filter(|t| evidence.risk_of(&t.name) == Risk::Reads)
        .filter_map(|t| Some((t.name.as_str(), valid_call::working(evidence, &t.name)?)))
        .find(|(_, x)| x.took.millis() < 2_000.0)
}
