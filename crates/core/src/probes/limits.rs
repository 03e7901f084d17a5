//! The typical call of a tool that lists, with the smallest limit and with a larger one.

use serde_json::{Map, Value};

use crate::arguments::{pointer_to, violates};
use crate::evidence::{Evidence, Tool};
use crate::probe::{Call, Lane, Probe, Risk, words};
use crate::probes::valid_call;
use crate::promise::{Promise, holds, is_in};
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "limits", hostile: false, lane: Lane::Shared, plan };

pub const SMALL: &str = "small";
pub const LARGE: &str = "large";

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let working = evidence.tools().filter(|t| valid_call::succeeded(evidence, &t.name));
    working.filter_map(|tool| calls(evidence, tool)).flatten().collect()
}

fn calls(evidence: &Evidence, tool: &Tool) -> Option<Vec<Call>> {
    let (name, schema) = parameter(tool)?;
    let base = valid_call::typical(evidence, &tool.name)?.arguments()?.as_object()?;
    let bound = |key: &str| schema.get(key).and_then(Value::as_i64);
    let small = bound("minimum").unwrap_or(1).max(1);
    let large = (small + 9).min(bound("maximum").unwrap_or(i64::MAX));
    let call = |label: &str, limit: i64| {
        let mut arguments: Map<String, Value> = base.clone();
        arguments.insert(name.to_owned(), Value::from(limit));
        let arguments = Value::Object(arguments);
        violates(&tool.input_schema, &arguments)
            .is_none()
            .then(|| Call::tool(&tool.name, label, arguments).about(&pointer_to("", name)))
    };
    let both = vec![call(SMALL, small)?, call(LARGE, large)?];
    (small < large).then_some(both)
}

/// The parameter that says how many things to list at most.
pub fn parameter(tool: &Tool) -> Option<(&str, &Value)> {
    if !Promise::of(tool).is_answer() && Risk::of_tool(tool) != Risk::Reads {
        return None;
    }
    tool.parameters().find(|(name, schema)| is_limit(name, schema))
}

fn is_limit(name: &str, schema: &Value) -> bool {
    const PLAIN: &[&str] = &[
        "limit",
        "max results",
        "max items",
        "max entries",
        "max count",
        "max hits",
        "num results",
        "number of results",
        "page size",
        "per page",
        "results limit",
        "result limit",
        "results per page",
        "top k",
    ];
    const VAGUE: &str = "count first k max n num size top";
    const OTHER: &str = "
        byte bytes character characters chars depth hops kb length lines mb milliseconds seconds
        size tokens words";
    let kind = schema.get("type").and_then(Value::as_str);
    if !matches!(kind, Some("integer" | "number")) {
        return false;
    }
    let about = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let told = words(about);
    let name = words(name).join(" ");
    if holds(&told, OTHER) {
        return false;
    }
    let most = holds(&told, "most max maximum limit number many");
    let things = holds(&told, "results items entries return list links");
    PLAIN.contains(&name.as_str()) || (is_in(&name, VAGUE) && most && things)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    fn limits(tool: &str, parameter: &str) -> Vec<String> {
        let snippet = format!(
            r#"{{"tools": [{{"name": "{tool}", "inputSchema": {{"type": "object", "properties": {{{parameter}}}}}}}],
                "exchanges": [{{"probe": "valid-call", "tool": "{tool}", "label": "typical",
                "arguments": {{}}, "reply": {{"text": "fine"}}}}]}}"#
        );
        let calls = plan(&pages::evidence(&snippet).unwrap(), Seed(1));
        let sent = |c: &Call| c.send.params().unwrap()["arguments"].to_string();
        calls.iter().map(sent).collect()
    }

    #[test]
    fn a_limit_is_tried_small_and_large_within_its_bounds() {
        let limit = r#""limit": {"type": "integer", "minimum": 2, "maximum": 5}"#;
        assert_eq!(limits("list_notes", limit), [r#"{"limit":2}"#, r#"{"limit":5}"#]);
        let size = r#""pageSize": {"type": "integer"}"#;
        assert_eq!(limits("searchNotes", size), [r#"{"pageSize":1}"#, r#"{"pageSize":10}"#]);
    }

    #[test]
    fn numbers_that_limit_something_else_are_left_alone() {
        for other in [
            r#""limit": {"type": "integer", "description": "Most characters to return"}"#,
            r#""count": {"type": "integer", "description": "How often it rings"}"#,
            r#""depth": {"type": "integer"}"#,
        ] {
            assert!(limits("list_notes", other).is_empty(), "{other}");
        }
        assert!(limits("send_notes", r#""limit": {"type": "integer"}"#).is_empty());
    }
}
