//! Values that stand only in the description.

use serde_json::Value;

use crate::arguments::listed_values;
use crate::check::{Check, Confidence, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject, Tool};
use crate::probe::words;
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "usability/enums-not-prose",
    title: "Allowed values stand in an enum",
    facet: Facet::Practice,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("enums_not_prose.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let mut told = 0;
    let mut prose = Vec::new();
    for tool in evidence.tools() {
        for (name, schema) in tool.parameters() {
            if has_values(schema) {
                told += 1;
            } else if let Some(values) = in_prose(schema).filter(|v| are_values(tool, name, v)) {
                prose.push(format!("{}.{name} ({})", tool.name, values.join(", ")));
            }
        }
    }
    if told + prose.len() == 0 {
        return Vec::new();
    }
    if prose.is_empty() {
        return vec![Finding::pass(Subject::Server, format!("parameters with an enum: {told}"))];
    }
    let says = format!("values only in the description: {}", quote(&prose.join("; ")));
    let fix = "move the values into `\"enum\": [...]`, and keep in the description what each means";
    let grade = Grade::share(told, told + prose.len());
    vec![Finding::partial(Subject::Server, grade, says, fix).confidence(Confidence::Medium)]
}

fn has_values(schema: &Value) -> bool {
    let own = |s: &Value| s.get("enum").is_some() || s.get("const").is_some();
    let inner = ["anyOf", "oneOf", "allOf"].iter().filter_map(|k| schema.get(*k)?.as_array());
    own(schema)
        || schema.get("items").is_some_and(own)
        || inner.flatten().any(|s| own(s) || s.get("$ref").is_some())
        || schema.get("$ref").is_some()
}

/// Only a plain text can be mistaken; patterns and formats say enough.
fn in_prose(schema: &Value) -> Option<Vec<String>> {
    let plain = schema.get("type").and_then(Value::as_str) == Some("string")
        && schema.get("pattern").is_none()
        && schema.get("format").is_none();
    let values = listed_values(schema.get("description")?.as_str()?);
    (plain && values.len() >= 2).then_some(values)
}

/// "One of `text` or `regex`" names other parameters, and a path has an ending, not a value.
fn are_values(tool: &Tool, name: &str, values: &[String]) -> bool {
    let sibling = |value: &String| tool.parameters().any(|(other, _)| other == value);
    let place = words(name).iter().any(|w| ["path", "file", "url", "uri"].contains(&w.as_str()));
    !place && !values.iter().any(sibling)
}
