//! A stateless request as the first message on a connection.

use serde_json::{Value, json};

use super::stateless;
use crate::evidence::{Evidence, Subject};
use crate::probe::{Call, Connection, Lane, Probe, Side};
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "fresh-stateless", hostile: false, lane: Lane::Alone, plan };

/// On a connection where nothing has been said, and on one that has been in use.
pub const FIRST: &str = "tools/list as the first message";
pub const LATER: &str = "tools/list on a connection in use";

/// The connection where nothing else is said.
pub const SIDE: Connection = Connection::Side(Side::bare(3));

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let Some(used) = stateless::side(evidence) else { return Vec::new() };
    let params = json!({ "_meta": Value::Object(stateless::meta()) });
    let call = |label: &str, on| {
        let send = stateless::request(evidence, label, "tools/list", &params);
        Call::new(Subject::Server, label, send).on(on)
    };
    vec![call(FIRST, SIDE), call(LATER, used)]
}
