//! Requests over Streamable HTTP beside the session: every revision on a connection of its own,
//! with a handshake made by hand, so that nobody else speaks there.

use serde_json::{Value, json};

use crate::evidence::{Evidence, Subject};
use crate::probe::{Call, Connection, Lane, Probe, Send, Side};
use crate::revision::Revision;
use crate::seed::Seed;
use crate::spec::sides;
use crate::target::{Target, Transport};

pub const PROBE: Probe = Probe { id: "http", hostile: false, lane: Lane::Alone, plan };

/// The request that every server answers, and that the others are compared with.
pub const PLAIN: &str = "plain request";
pub const EVIL_HOST: &str = "evil.example";
pub const EVIL_ORIGIN: &str = "http://evil.example";
/// The number of the first connection; one more for every revision.
const FIRST: u8 = 10;

type Header<'a> = (&'a str, &'a str);

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let origin = own_origin(evidence).unwrap_or_default();
    rooms(evidence).iter().flat_map(|room| script(room, &origin)).collect()
}

fn script(room: &Room, origin: &str) -> Vec<Call> {
    let hello = |label: &str, headers: &[Header<'_>]| room.hello(label, headers);
    let mut calls = room.opening();
    calls.extend([
        hello(PLAIN, &[]),
        hello("only JSON accepted", &[("Accept", "application/json")]),
        hello("only HTML accepted", &[("Accept", "text/html")]),
        hello("sent as plain text", &[("Content-Type", "text/plain")]),
        room.ask("unknown method", "proofmark/unknown", json!({}), &[]),
        room.post("ill-formed notification", &json!({"jsonrpc": "2.0", "method": 7}), &[]),
        hello("own Origin", &[("Origin", origin)]),
        hello("foreign Origin", &[("Origin", EVIL_ORIGIN)]),
        hello("foreign Host", &[("Host", EVIL_HOST)]),
        hello("foreign Host and Origin", &[("Host", EVIL_HOST), ("Origin", EVIL_ORIGIN)]),
        room.get("GET", &[]),
    ]);
    if room.revision.is_stateless() {
        let gone = json!({"requestId": "proofmark-none", "reason": "not needed"});
        calls.push(room.notify("notification", "notifications/cancelled", Some(gone)));
        return calls;
    }
    calls.extend([
        room.post("stray response", &json!({"jsonrpc": "2.0", "id": "unasked", "result": {}}), &[]),
        hello("version 1999-01-01", &[("MCP-Protocol-Version", "1999-01-01")]),
        room.get("GET with foreign Origin", &[("Origin", EVIL_ORIGIN)]),
        hello("version nonsense", &[("MCP-Protocol-Version", "nonsense")]),
        hello("no version", &[("MCP-Protocol-Version", "")]),
        hello("no session", &[("Mcp-Session-Id", "")]),
        hello("unknown session", &[("Mcp-Session-Id", "proofmark-unknown-session")]),
    ]);
    calls
}

/// One connection for one revision.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    pub revision: Revision,
    pub on: Connection,
}

/// The connections of a run over Streamable HTTP, which came with 2025-03-26.
pub fn rooms(evidence: &Evidence) -> Vec<Room> {
    if evidence.conditions.transport != Transport::Http {
        return Vec::new();
    }
    let spoken = sides::spoken(evidence).into_iter().map(|(revision, _)| revision);
    let rooms = (FIRST..).zip(Revision::ALL).map(|(number, revision)| {
        let on = Connection::Side(Side::bare(number));
        Room { revision, on }
    });
    let spoken: Vec<Revision> = spoken.filter(|r| *r >= Revision::V2025_03_26).collect();
    rooms.filter(|room| spoken.contains(&room.revision)).collect()
}

impl Room {
    /// What comes before everything else.
    fn opening(&self) -> Vec<Call> {
        match self.revision.is_stateless() {
            true => Vec::new(),
            false => vec![
                self.initialize("initialize", &[]),
                self.notify("notification", "notifications/initialized", None),
            ],
        }
    }

    pub fn initialize(&self, label: &str, headers: &[Header<'_>]) -> Call {
        let params = json!({"protocolVersion": self.revision, "capabilities": {},
            "clientInfo": {"name": "proofmark", "version": crate::VERSION}});
        let headers = [&[("MCP-Protocol-Version", "")], headers].concat();
        self.ask(label, "initialize", params, &headers)
    }

    /// A request that every server must answer.
    pub fn hello(&self, label: &str, headers: &[Header<'_>]) -> Call {
        let stateless = self.revision.is_stateless();
        self.ask(label, if stateless { "server/discover" } else { "ping" }, json!({}), headers)
    }

    /// A proper request, with these headers instead of the usual ones.
    pub fn ask(&self, label: &str, method: &str, params: Value, headers: &[Header<'_>]) -> Call {
        let mut params = params;
        let named = params.get("name").and_then(Value::as_str).map(str::to_owned);
        let mut all = vec![];
        if self.revision.is_stateless() {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": self.revision,
                "io.modelcontextprotocol/clientInfo": {"name": "proofmark", "version": crate::VERSION},
                "io.modelcontextprotocol/clientCapabilities": {},
            });
            all.push(("Mcp-Method", method));
            all.extend(named.as_deref().map(|name| ("Mcp-Name", name)));
        }
        all.extend(headers);
        let body = json!({"jsonrpc": "2.0", "id": label, "method": method, "params": params});
        self.post(label, &body, &all)
    }

    pub fn notify(&self, label: &str, method: &str, params: Option<Value>) -> Call {
        let mut body = json!({"jsonrpc": "2.0", "method": method});
        if let Some(params) = params {
            body["params"] = params;
        }
        let stateless = [("Mcp-Method", method)];
        self.post(label, &body, if self.revision.is_stateless() { &stateless } else { &[] })
    }

    pub fn post(&self, label: &str, body: &Value, headers: &[Header<'_>]) -> Call {
        self.http("POST", label, Some(body.to_string()), headers)
    }

    pub fn get(&self, label: &str, headers: &[Header<'_>]) -> Call {
        let accept = [&[("Accept", "text/event-stream")], headers].concat();
        self.http("GET", label, None, &accept)
    }

    pub fn http(&self, verb: &str, label: &str, body: Option<String>, more: &[Header<'_>]) -> Call {
        let version = (self.revision >= Revision::V2025_06_18).then(|| self.revision.as_str());
        let version = version.map(|v| ("MCP-Protocol-Version", v));
        let all = version.into_iter().chain(more.iter().copied());
        let headers = all.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let send = Send::Http { verb: verb.to_owned(), headers, body };
        Call::new(Subject::Server, format!("{label} {}", self.revision), send).on(self.on)
    }
}

/// Scheme, host and port of the server itself.
pub fn own_origin(evidence: &Evidence) -> Option<String> {
    match &evidence.target {
        Target::Http { url, .. } | Target::Sse { url, .. } => {
            Some(url::Url::parse(url).ok()?.origin().ascii_serialization())
        }
        Target::Stdio { .. } | Target::Source { .. } => None,
    }
}
