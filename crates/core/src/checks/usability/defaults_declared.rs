//! Defaults that stand only in the description.

use serde_json::Value;

use crate::arguments::{told_default, violates};
use crate::check::{Check, Confidence, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject, Tool};
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "usability/defaults-declared",
    title: "Defaults stand in the schema",
    facet: Facet::Practice,
    severity: Severity::Info,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("defaults_declared.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let mut declared = 0;
    let mut prose = Vec::new();
    for tool in evidence.tools() {
        for (name, schema) in tool.parameters() {
            let about = schema.get("description").and_then(Value::as_str).unwrap_or_default();
            if schema.get("default").is_some() {
                declared += 1;
            } else if let Some(value) = told_default(about)
                .filter(|v| !is_parameter(tool, v) && is_declarable(schema, about, v))
            {
                prose.push(format!("{}.{name} ({value})", tool.name));
            }
        }
    }
    if declared + prose.len() == 0 {
        return Vec::new();
    }
    if prose.is_empty() {
        return vec![Finding::pass(Subject::Server, format!("defaults declared: {declared}"))];
    }
    let says = format!("defaults only in the description: {}", quote(&prose.join("; ")));
    let fix = "declare them as `default` in the schema";
    let grade = Grade::share(declared, declared + prose.len());
    vec![Finding::partial(Subject::Server, grade, says, fix).confidence(Confidence::Medium)]
}

/// "Defaults to `sheet`" may mean what was given there.
fn is_parameter(tool: &Tool, value: &str) -> bool {
    tool.parameters().any(|(name, _)| name == value)
}

/// "Default: last" of a number, or "5.1 (timeline: 9.3)", is a rule and no value.
fn is_declarable(schema: &Value, about: &str, value: &str) -> bool {
    let told = about.rsplit_once(value).map_or("", |(_, after)| after);
    let otherwise = told.trim_start_matches(['"', '\'', '`']).trim_start().starts_with('(');
    let read = serde_json::from_str(&value.to_lowercase()).ok();
    let texts = [Some(Value::String(value.to_owned())), read];
    !otherwise && texts.into_iter().flatten().any(|value| violates(schema, &value).is_none())
}
