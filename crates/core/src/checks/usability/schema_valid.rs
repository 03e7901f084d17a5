//! Input schemas that do not compile, or say too little.

use serde_json::Value;

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject, Tool};
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "usability/schema-valid",
    title: "Every input schema is valid and gives its parameters a type",
    facet: Facet::SchemaQuality,
    severity: Severity::Medium,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("schema_valid.md"),
    judge,
};

/// Any of these says what a value may be.
const TYPING: &[&str] = &["type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"];

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    evidence.tools().map(verdict).collect()
}

fn verdict(tool: &Tool) -> Finding {
    let subject = Subject::tool_named(&tool.name);
    let schema = &tool.input_schema;
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        return Finding::fail(
            subject,
            "the root of `inputSchema` has no `\"type\": \"object\"`",
            "set `\"type\": \"object\"` at the root, also for a tool without parameters",
        );
    }
    if let Err(error) = jsonschema::validator_for(schema) {
        return Finding::fail(
            subject,
            format!("`inputSchema` is no valid JSON Schema: {}", quote(&error.to_string())),
            "correct the schema until a JSON Schema validator compiles it; refer only to definitions inside it",
        );
    }
    let all: Vec<(&str, &Value)> = tool.parameters().collect();
    let bare: Vec<&str> =
        all.iter().filter(|(_, schema)| !is_typed(schema)).map(|(name, _)| *name).collect();
    if bare.is_empty() {
        return Finding::pass(subject, "`inputSchema` is valid and every parameter has a type");
    }
    let share = (all.len() - bare.len()) as f64 / all.len() as f64;
    Finding::partial(
        subject,
        Grade::new(0.5 + share / 2.0),
        format!("parameters without a type: {}", quote(&bare.join(", "))),
        "give every property a `type`, an `enum` or a reference to a definition",
    )
}

/// A branch without a word takes anything, and with it the whole.
fn is_typed(schema: &Value) -> bool {
    let anything = |v: &Value| v.as_object().is_some_and(serde_json::Map::is_empty);
    let open = ["anyOf", "oneOf"].iter().filter_map(|k| schema.get(*k)?.as_array());
    TYPING.iter().any(|key| schema.get(*key).is_some()) && !open.flatten().any(anything)
}
