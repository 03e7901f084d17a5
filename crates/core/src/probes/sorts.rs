//! The typical call of a tool that lists, in ascending and in descending order.

use serde_json::{Map, Value};

use crate::arguments::{pointer_to, violates};
use crate::evidence::{Evidence, Tool};
use crate::probe::{Call, Lane, Probe, Risk, words};
use crate::probes::valid_call;
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "sorts", hostile: false, lane: Lane::Shared, plan };

pub const UP: &str = "ascending";
pub const DOWN: &str = "descending";

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let working = evidence.tools().filter(|t| valid_call::succeeded(evidence, &t.name));
    working.filter_map(|tool| calls(evidence, tool)).flatten().collect()
}

fn calls(evidence: &Evidence, tool: &Tool) -> Option<Vec<Call>> {
    let (name, up, down) = parameter(tool)?;
    let base = valid_call::typical(evidence, &tool.name)?.arguments()?.as_object()?;
    let call = |label: &str, direction: &str| {
        let mut arguments: Map<String, Value> = base.clone();
        arguments.insert(name.to_owned(), Value::from(direction));
        let arguments = Value::Object(arguments);
        violates(&tool.input_schema, &arguments)
            .is_none()
            .then(|| Call::tool(&tool.name, label, arguments).about(&pointer_to("", name)))
    };
    Some(vec![call(UP, up)?, call(DOWN, down)?])
}

/// The parameter of a reading tool that turns the order round, and its two choices.
pub fn parameter(tool: &Tool) -> Option<(&str, &str, &str)> {
    if Risk::of_tool(tool) != Risk::Reads {
        return None;
    }
    tool.parameters().find_map(|(name, schema)| {
        let choices = schema.get("enum")?.as_array()?;
        let choice = |start: &str| {
            let texts = choices.iter().filter_map(Value::as_str);
            texts.into_iter().find(|c| c.to_lowercase().starts_with(start))
        };
        let order =
            words(name).iter().any(|w| matches!(w.as_str(), "order" | "direction" | "sort"));
        order.then_some((name, choice("asc")?, choice("desc")?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    fn sent(properties: &str) -> Vec<String> {
        let snippet = format!(
            r#"{{"tools": [{{"name": "list_notes", "inputSchema": {{"type": "object", "properties": {{{properties}}}}}}}],
                "exchanges": [{{"probe": "valid-call", "tool": "list_notes", "label": "typical",
                "arguments": {{}}, "reply": {{"text": "fine"}}}}]}}"#
        );
        let calls = plan(&pages::evidence(&snippet).unwrap(), Seed(1));
        calls.iter().map(|c| c.send.params().unwrap()["arguments"].to_string()).collect()
    }

    #[test]
    fn a_direction_is_tried_both_ways() {
        let order = r#""sortOrder": {"type": "string", "enum": ["ASC", "DESC"]}"#;
        assert_eq!(sent(order), [r#"{"sortOrder":"ASC"}"#, r#"{"sortOrder":"DESC"}"#]);
    }

    #[test]
    fn choices_that_are_no_directions_are_left_alone() {
        assert!(sent(r#""order": {"type": "string", "enum": ["pizza", "pasta"]}"#).is_empty());
        assert!(sent(r#""order": {"type": "string"}"#).is_empty());
    }
}
