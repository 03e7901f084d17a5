//! Values at the very bounds that a schema sets: least and most of numbers, lengths and counts.

use serde_json::{Value, json};

use crate::arguments::{pointer_to, violates};
use crate::evidence::{Evidence, Profile, Tool};
use crate::probe::{Call, Lane, Probe, Risk, words};
use crate::probes::valid_call;
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "boundary", hostile: false, lane: Lane::Shared, plan };

/// Beyond these a bound is no promise but the end of a number type, and a value there an attack.
const FARTHEST: f64 = 100_000.0;
const LONGEST: u64 = 20_000;
const FULLEST: u64 = 100;

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let most = match evidence.conditions.profile {
        Profile::Quick => 2,
        Profile::Standard => 6,
        Profile::Deep => 60,
    };
    evidence
        .tools()
        .filter(|t| evidence.risk_of(&t.name) != Risk::Destroys)
        .filter(|t| evidence.of_tool(PROBE.id, &t.name).next().is_none())
        .flat_map(|tool| calls(evidence, tool).into_iter().take(most))
        .collect()
}

fn calls(evidence: &Evidence, tool: &Tool) -> Vec<Call> {
    let base = valid_call::working(evidence, &tool.name).and_then(|x| x.arguments());
    let Some(Value::Object(base)) = base else { return Vec::new() };
    let required: Vec<&str> = tool.required().collect();
    let mut parameters: Vec<(&str, &Value)> = tool.parameters().collect();
    parameters.sort_by_key(|(name, _)| !required.contains(name));
    let mut calls = Vec::new();
    for (name, schema) in parameters {
        for (label, value) in bounds(name, schema, base.get(name)) {
            let mut arguments = base.clone();
            arguments.insert(name.to_owned(), value);
            let arguments = Value::Object(arguments);
            if violates(&tool.input_schema, &arguments).is_none() {
                calls.push(Call::tool(&tool.name, label, arguments).about(&pointer_to("", name)));
            }
        }
    }
    calls
}

/// Whether any parameter has bounds that can be tried.
pub fn has_bounds(tool: &Tool) -> bool {
    tool.parameters().any(|(name, schema)| !bounds(name, schema, None).is_empty())
}

fn bounds(name: &str, schema: &Value, sent: Option<&Value>) -> Vec<(&'static str, Value)> {
    let kind = schema.get("type").and_then(Value::as_str).unwrap_or_default();
    let fixed = ["enum", "const", "pattern", "format"].iter().any(|k| schema.get(k).is_some());
    match kind {
        "integer" | "number" if !is_wait(name) => numbers(schema, kind == "integer"),
        "string" if !fixed => texts(schema, sent),
        "array" => counts(schema, sent),
        _ => Vec::new(),
    }
}

fn numbers(schema: &Value, whole: bool) -> Vec<(&'static str, Value)> {
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64).filter(|n| n.abs() <= FARTHEST);
    let step = if whole { 1.0 } else { 0.5 };
    let least = bound("minimum").or(bound("exclusiveMinimum").map(|n| n + step));
    let most = bound("maximum").or(bound("exclusiveMaximum").map(|n| n - step));
    let number = |n: f64| if n.fract() == 0.0 { json!(n as i64) } else { json!(n) };
    let least = least.map(|n| ("least", number(if whole { n.ceil() } else { n })));
    let most = most.map(|n| ("most", number(if whole { n.floor() } else { n })));
    least.into_iter().chain(most).collect()
}

/// The text that was sent, cut or repeated to the length: it means something to the tool.
fn texts(schema: &Value, sent: Option<&Value>) -> Vec<(&'static str, Value)> {
    let bound = |key: &str| schema.get(key).and_then(Value::as_u64).filter(|n| *n <= LONGEST);
    let base = sent.and_then(Value::as_str).filter(|s| !s.is_empty()).unwrap_or("sample text ");
    let of_length = |n: u64| -> Value {
        base.chars().cycle().take(usize::try_from(n).unwrap_or(0)).collect::<String>().into()
    };
    let least = bound("minLength").map(|n| ("shortest", of_length(n)));
    let most = bound("maxLength").map(|n| ("longest", of_length(n)));
    least.into_iter().chain(most).collect()
}

fn counts(schema: &Value, sent: Option<&Value>) -> Vec<(&'static str, Value)> {
    let bound = |key: &str| schema.get(key).and_then(Value::as_u64).filter(|n| *n <= FULLEST);
    let items: Vec<Value> = sent.and_then(Value::as_array).cloned().unwrap_or_default();
    let of_count = |n: u64| -> Value {
        items.iter().cycle().take(usize::try_from(n).unwrap_or(0)).cloned().collect()
    };
    let least = bound("minItems").map(|n| ("fewest", of_count(n)));
    let most = bound("maxItems").map(|n| ("fullest", of_count(n)));
    least.into_iter().chain(most).collect()
}

/// A number that makes the tool wait: its most would only cost time.
pub(super) fn is_wait(name: &str) -> bool {
    let waits = ["duration", "timeout", "delay", "wait", "seconds", "interval", "sleep", "ms"];
    words(name).iter().any(|w| waits.contains(&w.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    fn sent(properties: &str, arguments: &str) -> Vec<String> {
        let snippet = format!(
            r#"{{"tools": [{{"name": "find", "inputSchema": {{"type": "object", "properties": {properties}}}}}], "exchanges": [
                {{"probe": "valid-call", "tool": "find", "label": "typical", "arguments": {arguments}, "reply": {{"text": "hi"}}}}]}}"#
        );
        let calls = plan(&pages::evidence(&snippet).unwrap(), Seed(1));
        let arguments = |c: &Call| c.send.params().unwrap()["arguments"].to_string();
        calls.iter().map(|c| format!("{} {} {}", c.subject, c.label, arguments(c))).collect()
    }

    #[test]
    fn both_ends_of_every_bound_are_sent() {
        assert_eq!(
            sent(r#"{"n": {"type": "integer", "exclusiveMinimum": 0, "maximum": 50}}"#, "{}"),
            [r#"find /n least {"n":1}"#, r#"find /n most {"n":50}"#]
        );
        assert_eq!(
            sent(r#"{"q": {"type": "string", "minLength": 1, "maxLength": 4}}"#, r#"{"q": "ab"}"#),
            [r#"find /q shortest {"q":"a"}"#, r#"find /q longest {"q":"abab"}"#]
        );
        assert_eq!(
            sent(r#"{"t": {"type": "array", "minItems": 0, "maxItems": 3}}"#, r#"{"t": [1]}"#),
            [r#"find /t fewest {"t":[]}"#, r#"find /t fullest {"t":[1,1,1]}"#]
        );
    }

    #[test]
    fn the_ends_of_number_types_and_long_waits_are_left_alone() {
        let zod = r#"{"n": {"type": "integer", "maximum": 9007199254740991}, "delay": {"type": "integer", "maximum": 60}}"#;
        assert!(sent(zod, "{}").is_empty());
    }

    #[test]
    fn what_another_rule_forbids_is_not_sent() {
        let unique = r#"{"t": {"type": "array", "uniqueItems": true, "maxItems": 3}}"#;
        assert!(sent(unique, r#"{"t": [1]}"#).is_empty());
    }
}
