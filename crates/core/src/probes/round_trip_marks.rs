//! The marks by which a thing is known again: one in what it is called, one in what it holds.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value, json};

use crate::arguments::violates;
use crate::evidence::{Evidence, Exchange, Tool};
use crate::pattern;
use crate::probe::words;
use crate::probes::valid_call;
use crate::promise::is_in;
use crate::response::substance;
use crate::seed::Seed;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marks {
    pub key: String,
    pub body: String,
}

impl Marks {
    pub fn new(seed: Seed, tool: &str) -> Marks {
        let word = |what: &str| seed.word(&format!("{what}/{tool}"), 8);
        Marks { key: format!("pmk{}", word("key")), body: format!("pmb{}", word("body")) }
    }

    fn text(&self) -> String {
        format!("Kept for {}: {}", self.key, self.body)
    }
}

static MARK: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern::ascii(r"\bpm[kb][a-z][a-z0-9]{7}\b").ok());

fn marks_in(text: &str) -> Vec<&str> {
    MARK.as_ref().map(|m| m.find_iter(text).map(|f| f.as_str()).collect()).unwrap_or_default()
}

pub fn is_marked(value: &Value) -> bool {
    !marks_in(&value.to_string()).is_empty()
}

/// The answer shows a mark that the question does not: no echo can do that.
pub fn shows(exchange: &Exchange) -> bool {
    let asked = exchange.arguments().map(ToString::to_string).unwrap_or_default();
    let told = substance(&exchange.reply).unwrap_or_default();
    !exchange.reply.is_tool_error() && marks_in(&told).iter().any(|mark| !asked.contains(mark))
}

const NAMES: &str = "filename id key label name path slug subject title";
const BODIES: &str = "
    body comment content contents data description details fact memory message note notes
    observation observations summary text value";

/// The typical arguments of a keeping tool with marks in them, if the schema allows that.
pub fn marked(evidence: &Evidence, tool: &Tool, marks: &Marks) -> Option<Value> {
    let typical = valid_call::typical(evidence, &tool.name)?.arguments()?;
    let kept = with_marks(typical, "", marks);
    (is_marked(&kept) && violates(&tool.input_schema, &kept).is_none()).then_some(kept)
}

fn with_marks(value: &Value, name: &str, marks: &Marks) -> Value {
    let last = words(name).pop().unwrap_or_default();
    match value {
        Value::String(old) if is_in(&last, NAMES) => json!(renamed(old, &marks.key)),
        Value::String(_) if is_in(&last, BODIES) => json!(marks.text()),
        Value::Array(items) => items.iter().map(|v| with_marks(v, name, marks)).collect(),
        Value::Object(fields) => {
            let marked = fields.iter().map(|(k, v)| (k.clone(), with_marks(v, k, marks)));
            Value::Object(marked.collect::<Map<String, Value>>())
        }
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// A path keeps its folder and its extension.
fn renamed(old: &str, key: &str) -> String {
    let (folder, file) = old.rsplit_once('/').map_or(("", old), |(folder, file)| (folder, file));
    let slash = if old.contains('/') { "/" } else { "" };
    let dot = file.rsplit_once('.').filter(|(_, end)| !end.contains(' ') && end.len() <= 5);
    match dot {
        Some((_, extension)) => format!("{folder}{slash}{key}.{extension}"),
        None => format!("{folder}{slash}{key}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_bodies_are_marked_wherever_they_stand() {
        let marks = Marks { key: "pmkaaaaaaaa".to_owned(), body: "pmbbbbbbbbb".to_owned() };
        let given = json!({"path": "/w/sample.txt", "mode": "x", "items": [{"name": "a b", "observations": ["c"]}]});
        assert_eq!(
            with_marks(&given, "", &marks),
            json!({"path": "/w/pmkaaaaaaaa.txt", "mode": "x", "items": [{"name": "pmkaaaaaaaa",
                "observations": ["Kept for pmkaaaaaaaa: pmbbbbbbbbb"]}]})
        );
    }

    #[test]
    fn marks_are_known_again() {
        let marks = Marks::new(Seed(3), "create_note");
        assert!(is_marked(&json!(marks.key)) && is_marked(&json!({"a": [marks.text()]})));
        assert!(!is_marked(&json!("pmk and pmb")));
    }
}
