//! What only the stateless revision has: terms in every request, `server/discover`, result dress.

use serde_json::{Value, json};

use super::terms::{self, Terms};
use super::{Server, Session};
use crate::revision::Revision;
use crate::rpc::{Refusal, UNSUPPORTED_VERSION};

const PREFIX: &str = "io.modelcontextprotocol/";
pub(crate) const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
pub(crate) const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";
const LOG_LEVEL_KEY: &str = "io.modelcontextprotocol/logLevel";
const SERVER_KEY: &str = "io.modelcontextprotocol/serverInfo";

/// How long a client may keep a listing.
const TTL_MS: u64 = 60_000;

/// Whether a request speaks the stateless revision: by its `_meta`, or because no handshake knows
/// the method.
pub(super) fn applies(session: &Session, method: &str, params: &Value) -> bool {
    let meta = params["_meta"].as_object();
    let claims =
        meta.is_some_and(|m| m.contains_key(VERSION_KEY) || m.contains_key(CAPABILITIES_KEY));
    claims || (method == "server/discover" && session.revision.is_none())
}

pub(super) fn terms(server: &Server, params: &Value) -> Result<Terms, Refusal> {
    let meta = &params["_meta"];
    let Some(version) = meta[VERSION_KEY].as_str() else {
        return Err(Refusal::invalid_params(format!("`_meta` must have a string {VERSION_KEY}")));
    };
    let known = Revision::parse(version).filter(|r| r.is_stateless() && server.speaks.contains(r));
    let Some(revision) = known else {
        return Err(unsupported(server, &meta[VERSION_KEY]));
    };
    if !meta[CAPABILITIES_KEY].is_object() {
        let why = format!("`_meta` must have an object {CAPABILITIES_KEY}");
        return Err(Refusal::invalid_params(why));
    }
    let log_level = match meta.get(LOG_LEVEL_KEY) {
        None => None,
        Some(level) => Some(level.as_str().and_then(terms::rank).ok_or_else(|| {
            Refusal::invalid_params(format!("{PREFIX}logLevel must be a syslog level name"))
        })?),
    };
    Ok(Terms { revision, client: meta[CAPABILITIES_KEY].clone(), log_level, may_ask: true })
}

pub(super) fn unsupported(server: &Server, requested: &Value) -> Refusal {
    let data = json!({ "supported": versions(server), "requested": requested });
    Refusal::new(UNSUPPORTED_VERSION, "unsupported protocol version").with(data)
}

pub(super) fn discover(server: &Server, terms: &Terms) -> Value {
    let mut result = json!({
        "supportedVersions": versions(server),
        "capabilities": server.capabilities(terms.revision, false),
    });
    if let Some(instructions) = server.instructions {
        result["instructions"] = json!(instructions);
    }
    result
}

/// Only the versions a request may name in its `_meta`; the others are found by `initialize`.
fn versions(server: &Server) -> Vec<&'static str> {
    server.speaks.iter().filter(|r| r.is_stateless()).map(|r| r.as_str()).collect()
}

/// Adds what every stateless result carries; leaves the others as they are.
pub(super) fn dressed(server: &Server, terms: &Terms, method: &str, mut result: Value) -> Value {
    if !terms.revision.is_stateless() {
        return result;
    }
    if result.get("resultType").is_none() {
        result["resultType"] = json!("complete");
    }
    if method == "server/discover" || method == "resources/read" || method.ends_with("/list") {
        result["ttlMs"] = json!(TTL_MS);
        result["cacheScope"] = json!("private");
    }
    result["_meta"][SERVER_KEY] = server.info(terms.revision);
    result
}
