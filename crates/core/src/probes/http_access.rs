//! Requests that a stranger would make over HTTP: from a foreign page, with a session id of their own
//! choosing, with bodies that break parsers, and to places where secrets are sometimes left.

use serde_json::json;

use crate::evidence::{Evidence, Exchange, Subject};
use crate::probe::{Call, Lane, Probe, Send};
use crate::probes::auth::credentials;
use crate::probes::http::EVIL_ORIGIN;
use crate::revision::Revision;
use crate::seed::Seed;
use crate::target::Transport;

pub const PROBE: Probe = Probe { id: "http-access", hostile: false, lane: Lane::Alone, plan };

pub const PREFLIGHT: &str = "preflight of a foreign page";
pub const CHOSEN: &str = "initialize with a session id of our choice";
pub const CHOSEN_USED: &str = "ping with the session id of our choice";
/// A place that no server has: what it says to that is its page for nothing.
pub const NOWHERE: &str = "no such page";
/// Requests that break parsers.
pub const BROKEN: [&str; 3] = ["body cut short", "body of another kind", "ill-formed query"];
/// Places that are left open by mistake.
pub const PLACES: [&str; 12] = [
    "/.env",
    "/.git/HEAD",
    "/.git/config",
    "/actuator/env",
    "/admin",
    "/config.json",
    "/debug",
    "/debug/pprof/",
    "/debug/vars",
    "/metrics",
    "/phpinfo.php",
    "/server-status",
];

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    if evidence.conditions.transport != Transport::Http || !evidence.is_up() {
        return Vec::new();
    }
    let mut calls = vec![preflight(), chosen(evidence, seed)];
    let id = chosen_id(seed);
    if adopted(evidence).is_some() {
        let ping = json!({"jsonrpc": "2.0", "id": "chosen", "method": "ping"}).to_string();
        calls.push(aside("POST", "", CHOSEN_USED, &[(SESSION, &id)], Some(ping)));
    }
    let nowhere = format!("/proofmark-{}", seed.word("nowhere", 12));
    calls.push(stranger(evidence, &nowhere, NOWHERE));
    let broken = [
        ("", "application/json", "{\"jsonrpc\": \"2.0\", \"id\": 1, \"meth"),
        ("", "application/xml", "<initialize/>"),
        ("?%FF%FE=%00&[", "application/json", "[]"),
    ];
    for (label, (url, kind, body)) in BROKEN.iter().zip(broken) {
        let headers = [("content-type", kind), (SESSION, "")];
        calls.push(aside("POST", url, label, &headers, Some(body.to_owned())));
    }
    calls.extend(PLACES.map(|place| stranger(evidence, place, place)));
    calls
}

const SESSION: &str = "mcp-session-id";

fn preflight() -> Call {
    let headers = [
        ("origin", EVIL_ORIGIN),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "content-type, authorization"),
        (SESSION, ""),
    ];
    aside("OPTIONS", "", PREFLIGHT, &headers, None)
}

fn chosen(evidence: &Evidence, seed: Seed) -> Call {
    let newest = evidence.revision().filter(|r| !r.is_stateless());
    let revision = newest.unwrap_or(Revision::NEWEST_HANDSHAKE);
    let body = json!({"jsonrpc": "2.0", "id": "chosen", "method": "initialize", "params": {
        "protocolVersion": revision, "capabilities": {},
        "clientInfo": {"name": "proofmark", "version": crate::VERSION}}});
    let headers = [(SESSION, chosen_id(seed)), ("mcp-protocol-version", String::new())];
    let headers: Vec<(&str, &str)> = headers.iter().map(|(n, v)| (*n, v.as_str())).collect();
    aside("POST", "", CHOSEN, &headers, Some(body.to_string()))
}

fn chosen_id(seed: Seed) -> String {
    format!("proofmark-chosen-{}", seed.word("session", 16))
}

/// The exchange in which the server took over our id.
pub fn adopted(evidence: &Evidence) -> Option<&Exchange> {
    let x = evidence.of(PROBE.id).find(|x| x.label == CHOSEN)?;
    let Send::Aside { headers, .. } = &x.send else { return None };
    let ours = headers.iter().find(|(name, _)| name == SESSION).map(|(_, value)| value);
    let given = x.http.as_ref()?.headers.get(SESSION);
    (given.is_some() && given == ours).then_some(x)
}

/// Without the session and every credential.
fn stranger(evidence: &Evidence, url: &str, label: &str) -> Call {
    let secrets = credentials(evidence);
    let mut headers: Vec<(&str, &str)> = secrets.iter().map(|name| (*name, "")).collect();
    headers.extend([(SESSION, ""), ("accept", "*/*")]);
    aside("GET", url, label, &headers, None)
}

fn aside(
    verb: &str,
    url: &str,
    label: &str,
    headers: &[(&str, &str)],
    body: Option<String>,
) -> Call {
    let headers = headers.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    let send = Send::Aside { verb: verb.to_owned(), url: url.to_owned(), headers, body };
    Call::new(Subject::Server, label, send)
}

/// What an answer says, be it a document or a page.
pub fn page(x: &Exchange) -> String {
    let body = x.http.as_ref().and_then(|h| h.body.clone());
    body.or_else(|| x.result().map(ToString::to_string)).unwrap_or_default()
}
