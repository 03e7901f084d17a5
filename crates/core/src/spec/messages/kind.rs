//! What a message is, by the members that tell.

use serde_json::Value;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A response with a result.
    Result,
    /// A response with an error.
    Error,
    Request,
    Notification,
    /// An array, whatever is in it.
    Batch,
    /// No JSON-RPC message at all.
    Nothing,
}

impl Kind {
    pub fn of(message: &Value) -> Kind {
        let Some(members) = message.as_object() else {
            return if message.is_array() { Kind::Batch } else { Kind::Nothing };
        };
        let has = |name| members.contains_key(name);
        // JSON-RPC 1.0 servers send `"error": null` beside the result, so the result decides.
        if has("result") {
            Kind::Result
        } else if has("error") {
            Kind::Error
        } else if !has("method") {
            Kind::Nothing
        } else if has("id") {
            Kind::Request
        } else {
            Kind::Notification
        }
    }

    pub fn is_answer(self) -> bool {
        matches!(self, Kind::Result | Kind::Error)
    }
}
