//! Frames that are no proper requests: broken JSON, other JSON, requests with a broken part.

use serde_json::{Value, json};

use crate::evidence::Evidence;
use crate::probe::{Call, Lane, Probe, Send};
use crate::revision::Revision;
use crate::seed::Seed;
use crate::spec::{frame, sides};

pub const PROBE: Probe = Probe { id: "frames", hostile: true, lane: Lane::Alone, plan };

/// No JSON at all.
pub const UNREADABLE: [(&str, &str); 2] =
    [("truncated JSON", "{\"jsonrpc\":"), ("a line that is no JSON", "proofmark")];

/// JSON, but nothing that could be a request.
const OTHER_JSON: [(&str, &str); 3] =
    [("an empty object", "{}"), ("a number", "5"), ("a string", "\"x\"")];

/// A request with one part replaced, or removed where the value is null.
fn broken() -> [(&'static str, &'static str, Value); 7] {
    [
        ("no method", "method", Value::Null),
        ("a method that is a number", "method", json!(5)),
        ("no jsonrpc", "jsonrpc", Value::Null),
        ("jsonrpc \"1.0\"", "jsonrpc", json!("1.0")),
        ("params that are a string", "params", json!("x")),
        ("params that are an array", "params", json!([1])),
        ("an id that is an object", "id", json!({})),
    ]
}

pub const ID_NULL: &str = "a request with id null";

/// The names of all frames that are JSON and no request.
pub fn no_requests() -> impl Iterator<Item = &'static str> {
    let other = OTHER_JSON.into_iter().map(|(name, _)| name);
    other.chain(broken().into_iter().map(|(name, _, _)| name))
}

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    sides::on_each(evidence, |revision| {
        let plain = |(name, text): (&'static str, &str)| {
            (name, frame::send(evidence, revision, text.to_owned(), Vec::new()))
        };
        let mut frames: Vec<(&'static str, Send)> =
            OTHER_JSON.into_iter().chain(UNREADABLE).map(plain).collect();
        for (name, key, value) in broken() {
            frames.push((name, altered(evidence, revision, name, key, value)));
        }
        let null = frame::request(revision, &Value::Null, frame::harmless(revision), None);
        frames.push((ID_NULL, frame::send(evidence, revision, null.to_string(), Vec::new())));
        frames
    })
}

fn altered(evidence: &Evidence, revision: Revision, name: &str, key: &str, value: Value) -> Send {
    let id = json!(format!("proofmark {name}"));
    let mut message = frame::request(revision, &id, frame::harmless(revision), None);
    if value.is_null() {
        message.as_object_mut().map(|m| m.remove(key));
    } else {
        message[key] = value;
    }
    frame::send(evidence, revision, message.to_string(), vec![id])
}
