//! The stream of the older HTTP+SSE transport, opened again by hand, and the same from a foreign page.

use serde_json::json;

use crate::evidence::{Evidence, Subject};
use crate::probe::{Call, Connection, Lane, Probe, Send, Side};
use crate::probes::http::EVIL_ORIGIN;
use crate::revision::Revision;
use crate::seed::Seed;
use crate::target::Transport;

pub const PROBE: Probe = Probe { id: "legacy-sse", hostile: false, lane: Lane::Alone, plan };
pub const STREAMS: [&str; 3] = ["stream 1", "stream 2", "stream 3"];
const ROOM: Connection = Connection::Side(Side::bare(10));

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    if evidence.conditions.transport != Transport::Sse {
        return Vec::new();
    }
    let origin = [("Origin", EVIL_ORIGIN)];
    let mut calls: Vec<Call> = STREAMS.iter().map(|label| call("GET", label, &[], false)).collect();
    calls.extend([
        call("GET", "foreign Origin on GET", &origin, false),
        call("POST", "plain POST", &[], true),
        call("POST", "foreign Origin on POST", &origin, true),
    ]);
    calls
}

fn call(verb: &str, label: &str, headers: &[(&str, &str)], posts: bool) -> Call {
    let accept = if posts { "*/*" } else { "text/event-stream" };
    let all = [&[("Accept", accept)], headers].concat();
    let headers = all.into_iter().map(|(n, v)| (n.to_owned(), v.to_owned())).collect();
    // Nothing answers it, so nothing comes on the stream of this connection.
    let gone = json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": {"requestId": "proofmark-none", "reason": "not needed"}});
    let body = posts.then(|| gone.to_string());
    let send = Send::Http { verb: verb.to_owned(), headers, body };
    Call::new(Subject::Server, format!("{label} {}", Revision::V2024_11_05), send).on(ROOM)
}
