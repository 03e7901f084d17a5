//! JSON-RPC 2.0: reading a message and writing the three kinds a server sends.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

pub(crate) const PARSE_ERROR: i64 = -32700;
pub(crate) const INVALID_REQUEST: i64 = -32600;
pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
pub(crate) const INVALID_PARAMS: i64 = -32602;
pub(crate) const RESOURCE_NOT_FOUND: i64 = -32002;
pub(crate) const HEADER_MISMATCH: i64 = -32020;
pub(crate) const MISSING_CLIENT_CAPABILITY: i64 = -32021;
pub(crate) const UNSUPPORTED_VERSION: i64 = -32022;

/// A protocol error on its way out.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Refusal {
    pub code: i64,
    pub message: String,
    pub data: Option<Value>,
}

impl Refusal {
    pub(crate) fn new(code: i64, message: impl Into<String>) -> Refusal {
        Refusal { code, message: message.into(), data: None }
    }

    pub(crate) fn with(mut self, data: Value) -> Refusal {
        self.data = Some(data);
        self
    }

    pub(crate) fn invalid_params(message: impl Into<String>) -> Refusal {
        Refusal::new(INVALID_PARAMS, message)
    }

    pub(crate) fn unknown_method(method: &str) -> Refusal {
        Refusal::new(METHOD_NOT_FOUND, format!("method not found: {method}"))
    }
}

/// A frame that cannot be taken as a message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Unread {
    pub refusal: Refusal,
    pub id: Option<Value>,
    /// It was no request, so nobody waits for an answer.
    pub is_notification: bool,
}

/// Reads a frame. One that is nested too deeply to be held is still looked at for its id.
pub(crate) fn parse(frame: &[u8]) -> Result<Value, Box<Unread>> {
    #[derive(Deserialize)]
    struct Head {
        id: Option<Value>,
        method: Option<IgnoredAny>,
    }
    let unread = || match serde_json::from_slice::<Head>(frame) {
        Ok(Head { id, method }) => Unread {
            refusal: Refusal::new(INVALID_REQUEST, "the message is nested too deeply"),
            is_notification: id.is_none() && method.is_some(),
            id: id.filter(|id| id.is_string() || id.is_i64() || id.is_u64()),
        },
        Err(_) => Unread {
            refusal: Refusal::new(PARSE_ERROR, "the frame is not valid JSON"),
            id: None,
            is_notification: false,
        },
    };
    serde_json::from_slice(frame).map_err(|_| Box::new(unread()))
}

/// A message from the client, as far as it could be understood.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Incoming {
    Request {
        id: Value,
        method: String,
        params: Value,
    },
    Notification {
        method: String,
        params: Value,
    },
    Response {
        id: Value,
        outcome: Result<Value, Value>,
    },
    /// Meant as a notification and not well-formed: nobody waits for an answer.
    Mangled {
        why: &'static str,
    },
    /// Not a message; `id` when one could be read.
    Invalid {
        id: Option<Value>,
        why: &'static str,
    },
}

impl Incoming {
    pub(crate) fn read(message: &Value) -> Incoming {
        let Some(object) = message.as_object() else {
            return Incoming::Invalid { id: None, why: "a message must be an object" };
        };
        let id = object.get("id").filter(|id| id.is_string() || id.is_i64() || id.is_u64());
        let announces = !object.contains_key("id")
            && object.get("method").and_then(Value::as_str).is_some_and(is_notification);
        let invalid = |why| {
            if announces {
                Incoming::Mangled { why }
            } else {
                Incoming::Invalid { id: id.cloned(), why }
            }
        };
        if object.get("jsonrpc") != Some(&json!("2.0")) {
            return invalid("`jsonrpc` must be \"2.0\"");
        }
        let method = match object.get("method") {
            Some(Value::String(method)) => method.clone(),
            Some(_) => return invalid("`method` must be a string"),
            None => return Incoming::response(message, id, invalid),
        };
        let params = object.get("params").cloned().unwrap_or_else(|| json!({}));
        match (object.contains_key("id"), id) {
            (false, _) if !params.is_object() => {
                Incoming::Mangled { why: "`params` must be an object" }
            }
            (false, _) => Incoming::Notification { method, params },
            (true, None) => invalid("`id` must be a string or an integer"),
            (true, Some(_)) if !params.is_object() => invalid("`params` must be an object"),
            (true, Some(id)) => Incoming::Request { id: id.clone(), method, params },
        }
    }

    fn response(
        message: &Value,
        id: Option<&Value>,
        invalid: impl Fn(&'static str) -> Incoming,
    ) -> Incoming {
        match (id, message.get("result"), message.get("error")) {
            (Some(id), Some(result), None) => {
                Incoming::Response { id: id.clone(), outcome: Ok(result.clone()) }
            }
            (Some(id), None, Some(error)) => {
                Incoming::Response { id: id.clone(), outcome: Err(error.clone()) }
            }
            (_, None, None) => invalid("`method` is missing"),
            (_, _, _) => invalid("a response needs an id and either `result` or `error`"),
        }
    }
}

fn is_notification(method: &str) -> bool {
    method.starts_with("notifications/")
}

pub(crate) fn result(id: &Value, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

pub(crate) fn request(id: &Value, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

pub(crate) fn notification(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

/// A notification that says nothing beyond its name.
pub(crate) fn announcement(method: &str) -> Value {
    json!({ "jsonrpc": "2.0", "method": method })
}

/// Without an id the field is left out, as the newer schemas want it.
pub(crate) fn error(id: Option<&Value>, refusal: Refusal) -> Value {
    let mut error = json!({ "code": refusal.code, "message": refusal.message });
    if let Some(data) = refusal.data {
        error["data"] = data;
    }
    match id {
        Some(id) => json!({ "jsonrpc": "2.0", "id": id, "error": error }),
        None => json!({ "jsonrpc": "2.0", "error": error }),
    }
}

/// The older revisions have no schema for an error without an id; JSON-RPC makes it null.
pub(crate) fn with_null_id(mut error: Value) -> Value {
    if error.get("error").is_some() && error.get("id").is_none() {
        error["id"] = Value::Null;
    }
    error
}

/// Whether a message answers a request.
pub(crate) fn is_response(message: &Value) -> bool {
    message.get("method").is_none()
        && (message.get("result").is_some() || message.get("error").is_some())
}
