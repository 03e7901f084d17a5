//! Legal but unusual values in one parameter of a call that is known to work.

use serde_json::{Value, json};

use crate::arguments::{pointer_to, violates};
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
    let Some(Value::Object(base)) = sent else { return Vec::new() };
    let mut calls = Vec::new();
    for (name, values) in edges(evidence, tool) {
        for (label, value) in values {
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

/// A parameter and what is put into it.
type Edges<'a> = (&'a str, Vec<(&'static str, Value)>);

/// The parameters to vary, one unless the run is deep, and the values for each.
fn edges<'a>(evidence: &Evidence, tool: &'a Tool) -> Vec<Edges<'a>> {
    let profile = evidence.conditions.profile;
    let texts = free_parameters(tool, &["string"]).into_iter().map(|name| (name, texts(profile)));
    let numeric = free_parameters(tool, &["integer", "number"]);
    // Large numbers are left out: as a count or a size they are an attack, not an edge.
    let numbers = || vec![("zero", json!(0)), ("negative", json!(-1)), ("fraction", json!(0.5))];
    let most = match profile {
        Profile::Quick | Profile::Standard => 1,
        Profile::Deep => 6,
    };
    texts.chain(numeric.into_iter().map(|name| (name, numbers()))).take(most).collect()
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
        ("whitespace", json!(" \t ")),
        ("long", json!("lorem ipsum ".repeat(400))),
    ];
    match profile {
        Profile::Quick => texts.truncate(2),
        Profile::Standard => {}
        Profile::Deep => texts.extend([
            ("several lines", json!("one\ntwo\r\nthree\n")),
            ("control characters", json!("a\u{1}b\u{7f}c")),
            ("right to left", json!("\u{202e}abc\u{202c} שלום")),
            ("looks like a number", json!("007")),
            ("looks like nothing", json!("null")),
        ]),
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
            [
                "echo /message unicode",
                "echo /message special characters",
                "echo /message whitespace"
            ]
        );
    }

    #[test]
    fn a_tool_that_did_not_work_is_not_varied() {
        let schema = r#"{"type": "object", "properties": {"message": {"type": "string"}}}"#;
        assert_eq!(labels(schema, "text").len(), 5);
        assert!(labels(schema, "tool_error").is_empty());
    }

    #[test]
    fn without_text_a_number_is_varied() {
        let schema =
            r#"{"type": "object", "properties": {"times": {"type": "integer", "minimum": 0}}}"#;
        assert_eq!(labels(schema, "text"), ["echo /times zero"]);
    }
}
