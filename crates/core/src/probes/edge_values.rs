//! Legal but unusual values in one parameter of a call that is known to work.

use serde_json::{Value, json};

use super::wrong_type::pointer;
use crate::arguments::violates;
use crate::evidence::{Evidence, Profile, Tool};
use crate::probe::{Call, Lane, Probe};
use crate::probes::valid_call;
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "edge-values", hostile: false, lane: Lane::Shared, plan };

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let working = evidence.tools().filter(|t| valid_call::succeeded(evidence, &t.name));
    let fresh = working.filter(|t| evidence.of_tool(PROBE.id, &t.name).next().is_none());
    fresh.flat_map(|tool| calls(evidence, tool)).collect()
}

fn calls(evidence: &Evidence, tool: &Tool) -> Vec<Call> {
    let sent = valid_call::working(evidence, &tool.name).and_then(|x| x.arguments());
    let Some((Value::Object(base), (name, values))) = sent.zip(edges(evidence, tool)) else {
        return Vec::new();
    };
    let with = |value: Value| {
        let mut arguments = base.clone();
        arguments.insert(name.to_owned(), value);
        Value::Object(arguments)
    };
    values
        .into_iter()
        .map(|(label, value)| (label, with(value)))
        .filter(|(_, arguments)| violates(&tool.input_schema, arguments).is_none())
        .map(|(label, arguments)| Call::tool(&tool.name, label, arguments).about(&pointer(name)))
        .collect()
}

/// The parameter to vary and the values for it.
fn edges<'a>(evidence: &Evidence, tool: &'a Tool) -> Option<(&'a str, Vec<(&'static str, Value)>)> {
    let name = parameter(tool)?;
    let is_text = free_parameters(tool, &["string"]).contains(&name);
    // Large numbers are left out: as a count or a size they are an attack, not an edge.
    let numbers = || vec![("zero", json!(0)), ("negative", json!(-1))];
    Some((name, if is_text { texts(evidence.conditions.profile) } else { numbers() }))
}

/// The parameter that is varied: free text before numbers, required before optional.
pub fn parameter(tool: &Tool) -> Option<&str> {
    let texts = free_parameters(tool, &["string"]);
    texts.first().or(free_parameters(tool, &["integer", "number"]).first()).copied()
}

fn free_parameters<'a>(tool: &'a Tool, kinds: &[&str]) -> Vec<&'a str> {
    let required: Vec<&str> = tool.required().collect();
    let is_free = |schema: &Value| {
        let kind = schema.get("type").and_then(Value::as_str).unwrap_or_default();
        let bound = ["enum", "const", "format", "pattern"].iter().any(|k| schema.get(k).is_some());
        kinds.contains(&kind) && !bound
    };
    let mut free: Vec<&str> =
        tool.parameters().filter(|(_, schema)| is_free(schema)).map(|(name, _)| name).collect();
    free.sort_by_key(|name| !required.contains(name));
    free
}

fn texts(profile: Profile) -> Vec<(&'static str, Value)> {
    let mut texts = vec![
        ("empty", json!("")),
        ("unicode", json!("Grüße, 世界! Привет 🚀 مرحبا e\u{301}")),
        ("special characters", json!("a \"b\" 'c' \\d <e> &f %g #h \t\n i")),
        ("long", json!("lorem ipsum ".repeat(400))),
    ];
    if profile == Profile::Quick {
        texts.truncate(2);
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    fn labels(schema: &str, reply: &str) -> Vec<String> {
        let snippet = format!(
            r#"{{"tools": [{{"name": "echo", "inputSchema": {schema}}}], "exchanges": [
                {{"probe": "valid-call", "tool": "echo", "label": "typical", "arguments": {{"message": "hi", "times": 3}},
                 "reply": {{"{reply}": "hi"}}}}]}}"#
        );
        let calls = plan(&pages::evidence(&snippet).unwrap(), Seed(1));
        calls.into_iter().map(|c| format!("{} {}", c.subject, c.label)).collect()
    }

    #[test]
    fn a_text_is_varied_within_what_the_schema_allows() {
        let schema = r#"{"type": "object", "properties": {"times": {"type": "integer"}, "message": {"type": "string", "minLength": 1, "maxLength": 100}}}"#;
        assert_eq!(
            labels(schema, "text"),
            ["echo /message unicode", "echo /message special characters"]
        );
    }

    #[test]
    fn a_tool_that_did_not_work_is_not_varied() {
        let schema = r#"{"type": "object", "properties": {"message": {"type": "string"}}}"#;
        assert_eq!(labels(schema, "text").len(), 4);
        assert!(labels(schema, "tool_error").is_empty());
    }

    #[test]
    fn without_text_a_number_is_varied() {
        let schema =
            r#"{"type": "object", "properties": {"times": {"type": "integer", "minimum": 0}}}"#;
        assert_eq!(labels(schema, "text"), ["echo /times zero"]);
    }
}
