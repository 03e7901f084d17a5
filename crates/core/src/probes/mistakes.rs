//! Mistakes that were made on the main connection, once more in every other revision.

use crate::evidence::{Evidence, Exchange};
use crate::probe::{Call, Connection, Lane, Probe, Risk};
use crate::probes::wrong_input::{MISSING_REQUIRED, WRONG_TYPE};
use crate::probes::{unknown_tool, valid_call};
use crate::revision::Revision;
use crate::seed::Seed;
use crate::spec::sides::{self, tagged};

pub const PROBE: Probe = Probe { id: "mistakes", hostile: false, lane: Lane::Alone, plan };

/// Labels, before the revision.
pub const UNKNOWN: &str = "an unknown tool";
pub const WRONG: &str = "a wrong type";
pub const MISSING: &str = "a parameter missing";

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let unknown = evidence.of(unknown_tool::PROBE.id).next();
    let made = [
        (UNKNOWN, unknown),
        (WRONG, of_reading(evidence, WRONG_TYPE.id)),
        (MISSING, of_reading(evidence, MISSING_REQUIRED.id)),
    ];
    let others =
        sides::spoken(evidence).into_iter().filter(|(r, _)| evidence.revision() != Some(*r));
    let again = |(revision, on): (Revision, Connection)| {
        made.iter().filter_map(move |(what, x)| {
            let x = (*x)?;
            Some(Call::new(x.subject.clone(), tagged(what, revision), x.send.clone()).on(on))
        })
    };
    others.flat_map(again).collect()
}

/// The first such call of a tool that reads and works.
fn of_reading<'a>(evidence: &'a Evidence, probe: &'a str) -> Option<&'a Exchange> {
    evidence.of(probe).find(|x| {
        x.subject.tool().is_some_and(|tool| {
            evidence.risk_of(tool) == Risk::Reads && valid_call::succeeded(evidence, tool)
        })
    })
}
