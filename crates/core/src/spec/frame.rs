//! Frames as a probe writes them by hand, so that it can break them.

use serde_json::{Value, json};

use crate::evidence::Evidence;
use crate::probe::{Awaits, Send};
use crate::revision::Revision;
use crate::target::Transport;

/// A request that every server of this revision answers at once.
pub fn harmless(revision: Revision) -> &'static str {
    if revision.is_stateless() { "server/discover" } else { "ping" }
}

/// A whole request as the revision wants it.
pub fn request(revision: Revision, id: &Value, method: &str, params: Option<Value>) -> Value {
    let mut message = json!({"jsonrpc": "2.0", "id": id, "method": method});
    if let Some(params) = params {
        message["params"] = params;
    }
    if revision.is_stateless() {
        message["params"]["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": revision.as_str(),
            "io.modelcontextprotocol/clientInfo": {"name": "proofmark", "version": crate::VERSION},
            "io.modelcontextprotocol/clientCapabilities": {},
        });
    }
    message
}

/// Sends this text as one frame, and listens for these ids besides what nothing explains.
pub fn send(evidence: &Evidence, revision: Revision, text: String, ids: Vec<Value>) -> Send {
    if revision.is_stateless() && evidence.conditions.transport == Transport::Http {
        // Without its headers such a frame would be refused before anyone reads it.
        let headers = vec![
            ("MCP-Protocol-Version".to_owned(), revision.to_string()),
            ("Mcp-Method".to_owned(), harmless(revision).to_owned()),
        ];
        return Send::Http { verb: "POST".to_owned(), headers, body: Some(text) };
    }
    let awaits = if ids.is_empty() { Awaits::Stray } else { Awaits::Ids { ids } };
    Send::Raw { text, awaits }
}
