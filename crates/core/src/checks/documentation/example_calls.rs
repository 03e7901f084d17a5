//! Calls in the README that the running server would refuse.

use serde_json::Value;

use crate::arguments::violates;
use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::readme::{Readme, ShownCall, shown_calls};
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "documentation/example-calls",
    title: "Calls shown in the README fit the running server",
    facet: Facet::Examples,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("example_calls.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let readme = match Readme::beside_tools(evidence) {
        Ok(readme) => readme,
        Err(why) => return vec![Finding::unseen(Subject::Server, why)],
    };
    let values: Vec<Value> = readme.json().filter_map(|(_, values)| values).flatten().collect();
    let calls: Vec<ShownCall<'_>> = values.iter().flat_map(shown_calls).collect();
    if calls.is_empty() || evidence.tools().next().is_none() {
        return Vec::new();
    }
    let flaws: Vec<String> = calls.iter().filter_map(|call| flaw(evidence, call)).collect();
    let Some(first) = flaws.first() else {
        let says = format!("calls shown that fit the tools: {}", calls.len());
        return vec![Finding::pass(Subject::Server, says)];
    };
    let says = format!("{} of {} calls shown do not fit: {first}", flaws.len(), calls.len());
    let fix = "bring the calls in the README up to date with the tools; validate them against `inputSchema` in a test";
    let share = (calls.len() - flaws.len()) as f64 / calls.len() as f64;
    vec![Finding::partial(Subject::Server, Grade::new(share), says, fix)]
}

fn flaw(evidence: &Evidence, call: &ShownCall<'_>) -> Option<String> {
    let Some(tool) = evidence.tool(call.tool) else {
        return Some(format!("there is no tool `{}`", quote(call.tool)));
    };
    let known = |name: &str| tool.parameters().any(|(parameter, _)| parameter == name);
    let given = call.arguments.as_object()?;
    let open = tool.input_schema.get("additionalProperties").is_some_and(|a| *a != false);
    if let Some(name) = given.keys().find(|name| !open && !known(name)) {
        return Some(format!("`{}` has no parameter `{}`", tool.name, quote(name)));
    }
    let (place, why) = violates(&tool.input_schema, call.arguments)?;
    let value = call.arguments.pointer(&place).and_then(Value::as_str).unwrap_or_default();
    // What stands for the reader's own value need not be one.
    let stand_in = value.contains(['<', '[', '{', '$']) || value.to_lowercase().contains("your");
    (!stand_in).then(|| format!("`{}`: {}", tool.name, quote(&why)))
}
