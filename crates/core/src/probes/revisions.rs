//! Every revision on a connection of its own: what the server agrees to, and its list of tools there.

use crate::evidence::{Evidence, Subject};
use crate::probe::{Call, Connection, Lane, Probe, Send};
use crate::seed::Seed;
use crate::spec::sides;

/// Opens the sides that all protocol probes share; they wait for it.
pub const PROBE: Probe = Probe { id: "revisions", hostile: false, lane: Lane::Shared, plan };

/// The label of the one call on each side.
pub const TOOLS: &str = "tools/list";

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    sides::tried(evidence)
        .into_iter()
        .map(|side| {
            let label = side.handshake.map_or_else(String::new, |r| format!("{TOOLS} {r}"));
            Call::new(Subject::Server, label, Send::request("tools/list", None))
                .on(Connection::Side(side))
        })
        .collect()
}
