//! Requests of the stateless revision with something wrong in what stands in for the handshake.

use serde_json::{Map, Value, json};

use crate::evidence::{Evidence, Subject};
use crate::probe::{Awaits, Call, Connection, Lane, Probe, Send};
use crate::revision::Revision;
use crate::seed::Seed;
use crate::spec::sides;
use crate::target::Transport;

pub const PROBE: Probe = Probe { id: "stateless-meta", hostile: false, lane: Lane::Alone, plan };

pub const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
pub const CLIENT: &str = "io.modelcontextprotocol/clientCapabilities";
pub const INFO: &str = "io.modelcontextprotocol/clientInfo";
/// A version that never was.
pub const UNKNOWN: &str = "1900-01-01";

/// What is wrong with a request, and its label.
pub const NO_META: &str = "no _meta";
pub const NO_VERSION: &str = "no version";
pub const NO_CLIENT: &str = "no client capabilities";
pub const NO_INFO: &str = "no client info";
pub const UNKNOWN_VERSION: &str = "an unknown version";
/// Only of use to a server that speaks no older revision.
pub const INITIALIZE: &str = "initialize";

/// The connection in the stateless revision, if the server speaks it.
pub fn side(evidence: &Evidence) -> Option<Connection> {
    sides::spoken(evidence).into_iter().find(|(r, _)| r.is_stateless()).map(|(_, on)| on)
}

/// A complete `_meta` of a client that declares nothing.
pub fn meta() -> Map<String, Value> {
    let mut meta = Map::new();
    meta.insert(VERSION.to_owned(), json!(Revision::V2026_07_28));
    meta.insert(INFO.to_owned(), json!({"name": "proofmark", "version": crate::VERSION}));
    meta.insert(CLIENT.to_owned(), json!({}));
    meta
}

/// A request exactly as given, on either transport; `id` tells its answer.
pub fn request(evidence: &Evidence, id: &str, method: &str, params: &Value) -> Send {
    let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    match evidence.conditions.transport {
        Transport::Http => {
            let version = params["_meta"][VERSION].as_str();
            let version = version.unwrap_or(Revision::V2026_07_28.as_str());
            let name = ["name", "uri", "taskId"].iter().find_map(|key| params[key].as_str());
            let headers = [
                ("MCP-Protocol-Version", Some(version)),
                ("Mcp-Method", Some(method)),
                ("Mcp-Name", name.filter(|_| named(method))),
            ];
            let headers = headers
                .into_iter()
                .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())))
                .collect();
            Send::Http { verb: "POST".to_owned(), headers, body: Some(message.to_string()) }
        }
        Transport::Stdio | Transport::Sse | Transport::None => {
            Send::Raw { text: message.to_string(), awaits: Awaits::Id { id: json!(id) } }
        }
    }
}

fn named(method: &str) -> bool {
    matches!(
        method,
        "tools/call"
            | "prompts/get"
            | "resources/read"
            | "tasks/get"
            | "tasks/update"
            | "tasks/cancel"
    )
}

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let Some(on) = side(evidence) else { return Vec::new() };
    let without = |key: &str| {
        let mut meta = meta();
        meta.shift_remove(key);
        json!({ "_meta": meta })
    };
    let mut unknown = meta();
    unknown.insert(VERSION.to_owned(), json!(UNKNOWN));
    let old = json!({"protocolVersion": Revision::NEWEST_HANDSHAKE, "capabilities": {},
        "clientInfo": {"name": "proofmark", "version": crate::VERSION}});
    [
        (NO_META, "tools/list", json!({})),
        (NO_VERSION, "tools/list", without(VERSION)),
        (NO_CLIENT, "tools/list", without(CLIENT)),
        (NO_INFO, "tools/list", without(INFO)),
        (UNKNOWN_VERSION, "tools/list", json!({ "_meta": unknown })),
        (INITIALIZE, "initialize", old),
    ]
    .into_iter()
    .map(|(label, method, params)| {
        let send = request(evidence, &format!("meta {label}"), method, &params);
        Call::new(Subject::Server, label, send).on(on)
    })
    .collect()
}
