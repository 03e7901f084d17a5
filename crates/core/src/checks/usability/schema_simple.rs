//! Schemas too deep or too broad to fill by hand.

use serde_json::Value;

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject, Tool};
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "usability/schema-simple",
    title: "Input schemas are small enough to fill",
    facet: Facet::Practice,
    severity: Severity::Info,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("schema_simple.md"),
    judge,
};

const DEEPEST: usize = 4;
const MOST: usize = 20;
/// References may go round in circles.
const FOLLOW: usize = 16;

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let all = evidence.tools().count();
    let flaws: Vec<String> = evidence.tools().filter_map(flaw).collect();
    if all == 0 {
        return Vec::new();
    }
    if flaws.is_empty() {
        let says =
            format!("no schema is deeper than {DEEPEST} levels or has more than {MOST} parameters");
        return vec![Finding::pass(Subject::Server, says)];
    }
    let fix = "split the tool by what people do with it, or flatten the object into parameters of its own";
    let grade = Grade::share(all - flaws.len(), all);
    vec![Finding::partial(Subject::Server, grade, quote(&flaws.join("; ")), fix)]
}

fn flaw(tool: &Tool) -> Option<String> {
    let count = tool.parameters().count();
    let depth = depth(&tool.input_schema, &tool.input_schema, FOLLOW);
    if count > MOST {
        Some(format!("{} has {count} parameters", tool.name))
    } else if depth > DEEPEST {
        Some(format!("{} is {depth} levels deep", tool.name))
    } else {
        None
    }
}

/// Levels of objects and lists below this one.
fn depth(root: &Value, schema: &Value, left: usize) -> usize {
    if left == 0 {
        return 0;
    }
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let target = reference.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
        return target.map_or(0, |target| depth(root, target, left - 1));
    }
    let inner = |schema: &Value| depth(root, schema, left - 1);
    let properties = schema.get("properties").and_then(Value::as_object);
    let below = properties.into_iter().flat_map(|map| map.values()).map(inner).max();
    let items = schema.get("items").map(inner);
    let branches = ["anyOf", "oneOf", "allOf"].iter().filter_map(|k| schema.get(*k)?.as_array());
    let beside = branches.flatten().map(inner).max().unwrap_or(0);
    below.into_iter().chain(items).max().map_or(0, |deepest| deepest + 1).max(beside)
}
