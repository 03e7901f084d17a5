//! Types wide enough to hold a mistake.

use serde_json::Value;

use crate::check::{Check, Confidence, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject, Tool};
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "usability/types-narrow",
    title: "Parameters have the narrowest type that fits",
    facet: Facet::Practice,
    severity: Severity::Info,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("types_narrow.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let mut all = 0;
    let mut wide = Vec::new();
    for tool in evidence.tools() {
        for (name, schema) in tool.parameters() {
            all += 1;
            wide.extend(flaw(tool, name, schema).map(|why| format!("{}.{name} {why}", tool.name)));
        }
    }
    if all == 0 {
        return Vec::new();
    }
    if wide.is_empty() {
        return vec![Finding::pass(
            Subject::Server,
            format!("all {all} parameters have a narrow type"),
        )];
    }
    let says = format!("{} of {all} parameters: {}", wide.len(), quote(&wide.join("; ")));
    let fix = "list the properties of objects, keep to one type, and leave optional parameters out of `required` instead of allowing null";
    let grade = Grade::share(all - wide.len(), all);
    vec![Finding::partial(Subject::Server, grade, says, fix).confidence(Confidence::Medium)]
}

fn flaw(tool: &Tool, name: &str, schema: &Value) -> Option<&'static str> {
    let types = types(schema);
    let required = tool.required().any(|r| r == name);
    let said = |key: &str| schema.get(key).is_some();
    let described =
        ["properties", "additionalProperties", "patternProperties", "allOf", "anyOf", "oneOf"];
    if types == ["object"] && !described.iter().any(|k| said(k)) {
        Some("is an object of anything")
    } else if types.iter().filter(|t| **t != "null").count() > 2 {
        Some("may be of three types or more")
    } else if types.len() > 1 && types.contains(&"null") && !required && !said("default") {
        Some("is optional and may be null as well")
    } else {
        None
    }
}

fn types(schema: &Value) -> Vec<&str> {
    let mut found: Vec<&str> = match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        Some(_) | None => Vec::new(),
    };
    let branches = ["anyOf", "oneOf"].iter().filter_map(|k| schema.get(*k)?.as_array()).flatten();
    found.extend(branches.filter_map(|branch| branch.get("type")?.as_str()));
    found.sort_unstable();
    found.dedup();
    found
}
