//! When a mutant acts: conditions on what was heard, on what is about to be said, on HTTP.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::revision::Revision;
use crate::rpc;
use crate::server::VERSION_KEY;

/// Conditions that must all hold; an empty one always does.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub(super) struct When {
    pub(super) at: Moment,
    /// What was heard.
    kind: Option<Kind>,
    method: Option<Names>,
    except: Option<Names>,
    tool: Option<String>,
    has: Vec<String>,
    lacks: Vec<String>,
    /// It is there, and null, which TOML can't say.
    null: Vec<String>,
    equals: BTreeMap<String, Value>,
    begins: BTreeMap<String, String>,
    /// It names no revision that there is.
    strange: bool,
    /// It may speak any revision; otherwise one of the row, or an unknown one.
    pub(super) any_revision: bool,
    /// What is about to be said.
    pub(super) out: Option<Out>,
    out_method: Option<String>,
    pub(super) code: Option<i64>,
    shows: BTreeMap<String, Value>,
    /// Words in it.
    mentions: Option<String>,
    /// What happened before.
    pub(super) nth: Option<u64>,
    pub(super) every: Option<u64>,
    pub(super) after: Option<String>,
    /// This method was not heard before.
    pub(super) first: Option<String>,
    /// The value at this pointer was heard before.
    pub(super) repeated: Option<String>,
    /// HTTP. A header is `*` for any value, `-` for absent, `x*` for a start, or a value.
    pub(super) verb: Option<String>,
    pub(super) header: BTreeMap<String, String>,
    pub(super) status: Option<u16>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Moment {
    #[default]
    Message,
    Start,
    /// A message outside the answer to any request.
    Told,
    /// Stdin has closed.
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Kind {
    Request,
    Notification,
    Response,
    Batch,
    /// JSON, but no message.
    Invalid,
    NotJson,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Out {
    Result,
    Error,
    Notification,
    Request,
    Any,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Names {
    One(String),
    Many(Vec<String>),
}

/// A frame as it came, before any mutant touched it.
#[derive(Debug)]
pub(crate) struct Heard {
    /// `None` when it was not JSON.
    pub(super) message: Option<Value>,
    pub(super) revision: Option<Revision>,
}

impl Heard {
    /// `agreed` is the revision of the connection, for messages that name none.
    pub(crate) fn new(message: Option<&Value>, agreed: Option<Revision>) -> Heard {
        let named = message.and_then(|m| {
            let opens = m["method"] == "initialize";
            let version = opens.then(|| &m["params"]["protocolVersion"]);
            m["params"]["_meta"][VERSION_KEY].as_str().or(version.and_then(Value::as_str))
        });
        Heard { message: message.cloned(), revision: named.map_or(agreed, Revision::parse) }
    }

    pub(super) fn method(&self) -> &str {
        self.at("/method").and_then(Value::as_str).unwrap_or_default()
    }

    pub(super) fn at(&self, pointer: &str) -> Option<&Value> {
        self.message.as_ref()?.pointer(pointer)
    }

    fn kind(&self) -> Kind {
        match &self.message {
            None => Kind::NotJson,
            Some(Value::Array(_)) => Kind::Batch,
            Some(message) => match rpc::Incoming::read(message) {
                rpc::Incoming::Request { .. } => Kind::Request,
                rpc::Incoming::Notification { .. } => Kind::Notification,
                rpc::Incoming::Response { .. } => Kind::Response,
                rpc::Incoming::Mangled { .. } | rpc::Incoming::Invalid { .. } => Kind::Invalid,
            },
        }
    }
}

impl When {
    /// Whether what was heard is what the mutant waits for.
    pub(super) fn hears(&self, heard: &Heard) -> bool {
        let named = |names: &Names| match names {
            Names::One(name) => name == heard.method(),
            Names::Many(names) => names.iter().any(|name| name == heard.method()),
        };
        let called = heard.at("/params/name").and_then(Value::as_str);
        self.kind.is_none_or(|kind| kind == heard.kind())
            && self.method.as_ref().is_none_or(named)
            && self.tool.as_deref().is_none_or(|tool| called == Some(tool))
            && self.has.iter().all(|pointer| heard.at(pointer).is_some())
            && self.lacks.iter().all(|pointer| heard.at(pointer).is_none())
            && !self.except.as_ref().is_some_and(named)
            && !(self.strange && heard.revision.is_some())
            && self.begins.iter().all(|(pointer, start)| {
                let text = heard.at(pointer).and_then(Value::as_str);
                text.is_some_and(|text| text.starts_with(start.as_str()))
            })
            && self.null.iter().all(|pointer| heard.at(pointer) == Some(&Value::Null))
            && self.equals.iter().all(|(pointer, value)| heard.at(pointer) == Some(value))
    }

    /// Whether a message on its way out is meant; unless told otherwise, a response is.
    pub(super) fn selects(&self, said: &Value) -> bool {
        let named = said["method"].as_str();
        let kind = match self.out {
            None => said.is_array() || rpc::is_response(said),
            Some(Out::Any) => true,
            Some(Out::Result) => rpc::is_response(said) && said.get("result").is_some(),
            Some(Out::Error) => rpc::is_response(said) && said.get("error").is_some(),
            Some(Out::Notification) => named.is_some() && said.get("id").is_none(),
            Some(Out::Request) => named.is_some() && said.get("id").is_some(),
        };
        kind && self.out_method.as_deref().is_none_or(|method| named == Some(method))
            && self.code.is_none_or(|code| said["error"]["code"] == code)
            && self.mentions.as_ref().is_none_or(|words| said.to_string().contains(words.as_str()))
            && self.shows.iter().all(|(pointer, value)| said.pointer(pointer) == Some(value))
    }

    /// Whether it acts only where a certain message is said.
    pub(super) fn is_about_speech(&self) -> bool {
        self.out.is_some()
            || self.code.is_some()
            || self.mentions.is_some()
            || !self.shows.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Heard, When};

    fn when(text: &str) -> When {
        toml::from_str(text).expect("conditions parse")
    }

    fn hears(text: &str, message: &Value) -> bool {
        when(text).hears(&Heard::new(Some(message), None))
    }

    #[test]
    fn conditions_on_what_was_heard_must_all_hold() {
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                           "params": { "name": "list_notes", "arguments": { "limit": 2 } } });
        assert!(hears("", &call));
        assert!(hears("tool = 'list_notes'\nequals = { '/params/arguments/limit' = 2 }", &call));
        assert!(hears("method = ['ping', 'tools/call']\nhas = ['/id']", &call));
        assert!(!hears("method = 'tools/call'\ntool = 'read_note'", &call));
        assert!(!hears("lacks = ['/params/name']", &call));
        assert!(!hears("kind = 'notification'", &call));
    }

    #[test]
    fn every_shape_of_input_has_its_kind() {
        for (kind, message) in [
            ("batch", json!([])),
            ("invalid", json!(5)),
            ("notification", json!({ "jsonrpc": "2.0", "method": "x" })),
            ("response", json!({ "jsonrpc": "2.0", "id": 1, "result": {} })),
        ] {
            assert!(hears(&format!("kind = '{kind}'"), &message), "{kind}");
        }
        assert!(when("kind = 'not-json'").hears(&Heard::new(None, None)));
    }

    #[test]
    fn a_response_is_meant_unless_another_message_is_named() {
        let error = json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": -32601 } });
        let log = json!({ "jsonrpc": "2.0", "method": "notifications/message" });
        assert!(when("").selects(&error) && !when("").selects(&log));
        assert!(when("code = -32601").selects(&error) && !when("code = -32602").selects(&error));
        assert!(!when("out = 'result'").selects(&error));
        assert!(when("out = 'notification'").selects(&log));
        assert!(!when("out = 'notification'\nout-method = 'x'").selects(&log));
    }
}
