//! The records of a list: objects in the longest array of an answer.

use serde_json::{Map, Value};

use super::payload::data;
use crate::evidence::Reply;

/// Empty where the answer is no list of objects.
pub fn records(reply: &Reply) -> Vec<Map<String, Value>> {
    let Some(data) = data(reply) else { return Vec::new() };
    let arrays: Vec<&Vec<Value>> = match &data {
        Value::Array(items) => vec![items],
        Value::Object(map) => map.values().filter_map(Value::as_array).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    };
    let longest = arrays.into_iter().max_by_key(|items| items.len());
    longest.into_iter().flatten().filter_map(|item| item.as_object().cloned()).collect()
}

/// The value that a record has under this name, whatever the style of the name.
pub fn field<'a>(record: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    let wanted = crate::probe::words(name);
    record.iter().find(|(key, _)| crate::probe::words(key) == wanted).map(|(_, value)| value)
}
