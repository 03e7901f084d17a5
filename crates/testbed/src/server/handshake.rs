//! What only the handshake revisions have: `initialize`, `logging/setLevel`, a remembered session.

use serde_json::{Value, json};

use super::terms::{self, Terms};
use super::{Server, Session};
use crate::revision::Revision;
use crate::rpc::Refusal;

/// The terms agreed at the start of the connection.
pub(super) fn terms(session: &Session, method: &str, may_ask: bool) -> Result<Terms, Refusal> {
    let revision = match (session.revision, method) {
        (Some(revision), _) => revision,
        (None, "initialize" | "ping") => Revision::NEWEST_HANDSHAKE,
        (None, _) => {
            let why = "send `initialize` first, or give `params._meta` with \
                       io.modelcontextprotocol/protocolVersion and clientCapabilities";
            return Err(Refusal::invalid_params(why));
        }
    };
    let client = session.client.clone();
    Ok(Terms { revision, client, log_level: session.log_level, may_ask })
}

pub(super) fn initialize(
    server: &Server,
    session: &mut Session,
    params: &Value,
) -> Result<Value, Refusal> {
    let handshakes = || server.speaks.iter().copied().filter(|r| !r.is_stateless());
    let Some(newest) = handshakes().next_back() else {
        return Err(super::stateless::unsupported(server, &params["protocolVersion"]));
    };
    let Some(requested) = params["protocolVersion"].as_str() else {
        return Err(Refusal::invalid_params("`protocolVersion` must be a string"));
    };
    if !params["capabilities"].is_object() {
        return Err(Refusal::invalid_params("`capabilities` must be an object"));
    }
    let revision = handshakes().find(|r| r.as_str() == requested).unwrap_or(newest);
    *session = Session {
        revision: Some(revision),
        client: params["capabilities"].clone(),
        exclusive: session.exclusive,
        ..Session::default()
    };
    let mut result = json!({
        "protocolVersion": revision.as_str(),
        "capabilities": server.capabilities(revision, session.exclusive),
        "serverInfo": server.info(revision),
    });
    if let Some(instructions) = server.instructions {
        result["instructions"] = json!(instructions);
    }
    Ok(result)
}

pub(super) fn set_level(session: &mut Session, params: &Value) -> Result<Value, Refusal> {
    let rank = params["level"].as_str().and_then(terms::rank);
    let rank =
        rank.ok_or_else(|| Refusal::invalid_params("`level` must be a syslog level name"))?;
    session.log_level = Some(rank);
    Ok(json!({}))
}
