//! What the stateless revision adds to every request, and its rounds of asking back.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proofmark_core::evidence::{Incoming, Reply};
use proofmark_core::revision::Revision;
use serde_json::{Map, Value, json};

use super::{Policy, Session};
use crate::wire::Outgoing;

/// The name and version we give.
pub(super) fn client_info(policy: &Policy) -> Value {
    json!({ "name": policy.client.name.as_str(), "version": proofmark_core::VERSION })
}

/// The `_meta` that stands in for a handshake.
pub(super) fn meta(policy: &Policy, revision: Revision) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": revision.as_str(),
        "io.modelcontextprotocol/clientInfo": client_info(policy),
        "io.modelcontextprotocol/clientCapabilities": policy.declared(),
    })
}

impl Session {
    /// Params as they go out: in the stateless revision with `_meta`, else as given. A `_meta`
    /// that the call brings along wins, key by key, so that probes can break it.
    pub(super) fn dress(&self, params: Option<&Value>) -> Option<Value> {
        let Some(revision) = self.revision.filter(|r| r.is_stateless()) else {
            return params.cloned();
        };
        let mut dressed = match params {
            None => Value::Object(Map::new()),
            Some(Value::Object(map)) => Value::Object(map.clone()),
            // Params of another shape are a probe's business; there is no place for `_meta`.
            Some(other) => return Some(other.clone()),
        };
        let mut all = meta(&self.policy, revision);
        if let (Some(Value::Object(own)), Some(map)) = (dressed.get("_meta"), all.as_object_mut()) {
            map.extend(own.clone());
        }
        dressed["_meta"] = all;
        Some(dressed)
    }

    /// A frame with the headers the revision wants on HTTP.
    pub(super) fn outgoing(
        &self,
        text: String,
        method: Option<&str>,
        params: Option<&Value>,
    ) -> Outgoing {
        let mut headers = Vec::new();
        if let (Some(version), Some(method)) = (self.version_of(params), method) {
            headers.push(("MCP-Protocol-Version".to_owned(), version));
            headers.push(("Mcp-Method".to_owned(), method.to_owned()));
            if let Some(name) = named(method, params) {
                headers.push(("Mcp-Name".to_owned(), header_value(name)));
            }
            if method == "tools/call" {
                headers.extend(self.marks.headers(params));
            }
        }
        Outgoing { text, headers, verb: None }
    }

    /// The version a request declares: the session's, or the one it brings along before there is
    /// a session.
    fn version_of(&self, params: Option<&Value>) -> Option<String> {
        match self.revision {
            Some(revision) => revision.is_stateless().then(|| revision.as_str().to_owned()),
            None => params?
                .get("_meta")?
                .get("io.modelcontextprotocol/protocolVersion")?
                .as_str()
                .map(str::to_owned),
        }
    }

    /// The params of the next round, when the reply asks for input that we can give.
    pub(super) fn answer_input(&self, reply: &Reply, params: Option<&Value>) -> Option<Value> {
        self.revision.filter(|r| r.is_stateless())?;
        let result = reply.result()?;
        if result.get("resultType").and_then(Value::as_str) != Some("input_required") {
            return None;
        }
        let mut responses = Map::new();
        for (key, request) in result.get("inputRequests").and_then(Value::as_object)? {
            let method = request.get("method").and_then(Value::as_str)?;
            let asked = request.get("params");
            let answer = self.policy.result(method, asked);
            self.shared.record.incoming(Incoming {
                connection: self.wire.connection(),
                method: method.to_owned(),
                params: asked.cloned(),
                answer: answer.clone(),
                frame: None,
                within: None,
                at: self.shared.record.now(),
            });
            responses.insert(key.clone(), answer?);
        }
        let mut next = params.cloned().unwrap_or_else(|| json!({}));
        next["inputResponses"] = Value::Object(responses);
        if let Some(state) = result.get("requestState") {
            next["requestState"] = state.clone();
        }
        Some(next)
    }
}

fn named<'a>(method: &str, params: Option<&'a Value>) -> Option<&'a str> {
    let key = match method {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        _ => return None,
    };
    params?.get(key)?.as_str()
}

/// Header values are visible ASCII; anything else travels as a base64 sentinel.
pub(super) fn header_value(name: &str) -> String {
    let plain = !name.is_empty()
        && name.bytes().all(|b| (0x20..0x7f).contains(&b))
        && name.trim() == name
        && !name.starts_with("=?base64?");
    if plain { name.to_owned() } else { format!("=?base64?{}?=", STANDARD.encode(name)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_outside_visible_ascii_travel_as_base64() {
        assert_eq!(header_value("read_file"), "read_file");
        assert_eq!(header_value("größe"), "=?base64?Z3LDtsOfZQ==?=");
        assert_eq!(header_value(" padded"), "=?base64?IHBhZGRlZA==?=");
    }

    #[test]
    fn the_name_header_follows_the_method() {
        let params = json!({"name": "t", "uri": "u"});
        assert_eq!(named("tools/call", Some(&params)), Some("t"));
        assert_eq!(named("resources/read", Some(&params)), Some("u"));
        assert_eq!(named("tools/list", Some(&params)), None);
    }
}
