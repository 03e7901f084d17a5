//! Schemas that contradict themselves.

use serde_json::Value;

use crate::arguments::violates;
use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject, Tool};
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "usability/schema-sound",
    title: "No input schema contradicts itself",
    facet: Facet::SchemaQuality,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("schema_sound.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    evidence.tools().map(verdict).collect()
}

fn verdict(tool: &Tool) -> Finding {
    let subject = Subject::tool_named(&tool.name);
    let known = |name: &str| tool.parameters().any(|(parameter, _)| parameter == name);
    // Where others may be given, or stand in a branch, a name need not be among the properties.
    let whole = ["allOf", "anyOf", "oneOf", "patternProperties", "$ref"]
        .iter()
        .all(|k| tool.input_schema.get(*k).is_none());
    let mut flaws: Vec<String> = tool
        .required()
        .filter(|name| whole && !known(name))
        .map(|name| format!("`{name}` is required but not among the properties"))
        .collect();
    for (name, schema) in tool.parameters() {
        flaws.extend(flaw(tool, name, schema));
    }
    if flaws.is_empty() {
        return Finding::pass(subject, "`inputSchema` is sound");
    }
    let fix = "mend the schema: required names among the properties, defaults and examples that fit, arrays with `items`, enums with values";
    Finding::partial(subject, Grade::new(0.5), quote(&flaws.join("; ")), fix)
}

fn flaw(tool: &Tool, name: &str, schema: &Value) -> Option<String> {
    let fits = |value: &Value| violates(&with_definitions(tool, schema), value).is_none();
    let default = schema.get("default");
    let is_array = schema.get("type").and_then(Value::as_str) == Some("array");
    if default.is_some_and(|d| d.is_null() && !fits(d)) {
        Some(format!("the default of `{name}` is null, which its type forbids"))
    } else if default.is_some_and(|d| !fits(d)) {
        Some(format!("the default of `{name}` does not fit its own schema"))
    } else if schema.get("enum").and_then(Value::as_array).is_some_and(Vec::is_empty) {
        Some(format!("`{name}` has an enum without values"))
    } else if is_array && schema.get("items").is_none() && schema.get("prefixItems").is_none() {
        Some(format!("`{name}` is an array of anything: it has no `items`"))
    } else {
        None
    }
}

/// A part of a schema still refers to the definitions of the whole.
fn with_definitions(tool: &Tool, schema: &Value) -> Value {
    let mut part = schema.clone();
    if let Some(map) = part.as_object_mut() {
        for key in ["$defs", "definitions"] {
            let definitions =
                tool.input_schema.get(key).filter(|_| !map.contains_key(key)).cloned();
            map.extend(definitions.map(|d| (key.to_owned(), d)));
        }
    }
    part
}
