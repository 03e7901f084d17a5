//! Tools that a strict client would drop, and why.

use serde_json::Value;

use crate::arguments::validator;
use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Subject, Tool};

pub(super) const CHECK: Check = Check {
    id: "protocol/strict-client",
    title: "No tool would be dropped by a strict client",
    facet: Facet::Portability,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("strict_client.md"),
    judge,
};

/// What the tool interfaces of the large model providers take as a name.
const LONGEST: usize = 64;

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    evidence.tools().map(|tool| verdict(evidence, tool)).collect()
}

fn verdict(evidence: &Evidence, tool: &Tool) -> Finding {
    let subject = Subject::tool_named(&tool.name);
    match reason(evidence, tool) {
        None => Finding::pass(subject, "a strict client takes it"),
        Some((why, fix)) => Finding::fail(subject, format!("a strict client drops it: {why}"), fix),
    }
}

fn reason(evidence: &Evidence, tool: &Tool) -> Option<(&'static str, &'static str)> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let schema = &tool.input_schema;
    let root = schema.get("type").and_then(Value::as_str);
    let alternatives = ["anyOf", "oneOf", "allOf"].iter().any(|key| schema.get(*key).is_some());
    let compiles = |schema: &Value| validator(schema).is_some();
    let others = evidence.inventory.tools.iter().filter(|t| t.name == tool.name).count();
    let output = tool.output_schema.as_ref();
    if tool.name.is_empty() || tool.name.len() > LONGEST || !tool.name.chars().all(plain) {
        Some((
            "its name is not 1 to 64 letters, digits, `_` and `-`",
            "shorten or respell the name",
        ))
    } else if others > 1 {
        Some(("another tool has its name", "give each tool a name of its own"))
    } else if root != Some("object") {
        Some(("its schema is not that of an object", "set `\"type\": \"object\"` at the root"))
    } else if alternatives {
        Some((
            "its schema has alternatives at the root",
            "move anyOf, oneOf and allOf below the root",
        ))
    } else if !compiles(schema) {
        Some(("its schema does not compile", "correct `inputSchema`"))
    } else if output.is_some_and(|o| !compiles(o)) {
        Some(("its output schema does not compile", "correct `outputSchema`"))
    } else {
        None
    }
}
