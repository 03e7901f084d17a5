//! Schemas that let every mistyped name through.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject, Tool};
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "usability/schema-closed",
    title: "Input schemas refuse unknown parameters",
    facet: Facet::Practice,
    severity: Severity::Info,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("schema_closed.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let with_parameters = |t: &&Tool| t.parameters().next().is_some();
    let tools: Vec<&Tool> = evidence.tools().filter(with_parameters).collect();
    if tools.is_empty() {
        return Vec::new();
    }
    let settled = |t: &&&Tool| {
        let keys = ["additionalProperties", "unevaluatedProperties"];
        keys.iter().any(|k| t.input_schema.get(*k).is_some())
    };
    let open: Vec<&str> = tools.iter().filter(|t| !settled(t)).map(|t| t.name.as_str()).collect();
    let closed = tools.len() - open.len();
    if open.is_empty() {
        return vec![Finding::pass(
            Subject::Server,
            format!("all {closed} schemas say what else they take"),
        )];
    }
    let says = format!(
        "{closed} of {} schemas say whether they take unknown parameters; not {}",
        tools.len(),
        quote(&open.join(", "))
    );
    let fix = "set `\"additionalProperties\": false` in each `inputSchema`, and refuse what is not among the properties";
    vec![Finding::partial(Subject::Server, Grade::share(closed, tools.len()), says, fix)]
}
