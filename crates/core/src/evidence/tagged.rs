//! Reading what bears its kind as a member. Serde would buffer each before it knows the kind and
//! copy it once more then; the frequent kinds of a transcript are put together here.

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::{Map, Value};

use super::Reply;
use crate::probe::Send;

type Members = Map<String, Value>;

pub(super) fn reply<'de, D: Deserializer<'de>>(from: D) -> Result<Reply, D::Error> {
    let mut members = Members::deserialize(from)?;
    if is(&members, "result")
        && members.len() == 2
        && let Some(value) = members.swap_remove("value")
    {
        return Ok(Reply::Result { value });
    }
    Reply::deserialize(Value::Object(members)).map_err(D::Error::custom)
}

pub(super) fn send<'de, D: Deserializer<'de>>(from: D) -> Result<Send, D::Error> {
    let mut members = Members::deserialize(from)?;
    let known = |key: &String| matches!(key.as_str(), "kind" | "method" | "params" | "id");
    let plain = members.get("method").is_some_and(Value::is_string);
    if is(&members, "request")
        && plain
        && members.keys().all(known)
        && let Some(Value::String(method)) = members.swap_remove("method")
    {
        // As serde has it: what is `null` is not there.
        let mut given = |key| members.swap_remove(key).filter(|value: &Value| !value.is_null());
        return Ok(Send::Request { method, params: given("params"), id: given("id") });
    }
    Send::deserialize(Value::Object(members)).map_err(D::Error::custom)
}

fn is(members: &Members, kind: &str) -> bool {
    members.get("kind").and_then(Value::as_str) == Some(kind)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Each read as serde itself would.
    #[test]
    fn every_kind_is_read_as_it_is_written() {
        let replies = [
            json!({"kind": "result", "value": {"content": [], "kind": "error"}}),
            json!({"value": null, "kind": "result"}),
            json!({"kind": "result", "value": 1, "more": 2}),
            json!({"kind": "result"}),
            json!({"kind": "error", "code": -32601, "message": "no", "data": [1]}),
            json!({"kind": "silence"}),
            json!({"kind": "timed_out", "after_ms": 10}),
            json!({"kind": "loud"}),
            json!({}),
        ];
        for value in replies {
            let plain = serde_json::from_value::<Reply>(value.clone());
            assert_eq!(reply(value.clone()).ok(), plain.ok(), "{value}");
        }
        let sends = [
            json!({"kind": "request", "method": "ping"}),
            json!({"kind": "request", "method": "tools/call", "params": {"name": "a"}, "id": 7}),
            json!({"kind": "request", "method": "ping", "id": null, "params": null}),
            json!({"kind": "request", "method": 1}),
            json!({"kind": "request", "method": "ping", "text": ""}),
            json!({"kind": "notification", "method": "initialized", "params": {}}),
            json!({"kind": "listen", "ms": 5}),
        ];
        for value in sends {
            let plain = serde_json::from_value::<Send>(value.clone());
            assert_eq!(send(value.clone()).ok(), plain.ok(), "{value}");
        }
    }
}
