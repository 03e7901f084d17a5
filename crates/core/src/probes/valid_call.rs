//! Calls every tool as a reasonable caller would.

use serde_json::Value;

use crate::arguments::{Context, Fill, sample};
use crate::evidence::{Evidence, Exchange, Profile, Tool};
use crate::probe::{Call, Lane, Probe};
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "valid-call", hostile: false, lane: Lane::Shared, plan };

/// The call that other probes vary.
pub const TYPICAL: &str = "typical";
/// Only what is required.
pub const MINIMAL: &str = "minimal";
/// Everything the schema names.
pub const FULL: &str = "full";

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let labels: &[(&str, Fill)] = match evidence.conditions.profile {
        Profile::Quick => &[(TYPICAL, Fill::Typical)],
        Profile::Standard | Profile::Deep => {
            &[(TYPICAL, Fill::Typical), (MINIMAL, Fill::Minimal), (FULL, Fill::Full)]
        }
    };
    let fresh = evidence.tools().filter(|t| evidence.of_tool(PROBE.id, &t.name).next().is_none());
    fresh.flat_map(|tool| calls(evidence, tool, seed, labels)).collect()
}

fn calls(evidence: &Evidence, tool: &Tool, seed: Seed, labels: &[(&str, Fill)]) -> Vec<Call> {
    let context = Context::of(evidence, &tool.name);
    let seed = seed.part(&tool.name);
    let mut sent: Vec<Value> = Vec::new();
    let mut calls = Vec::new();
    for (label, fill) in labels {
        if let Some(arguments) = sample(&tool.input_schema, &context, seed, *fill)
            && !sent.contains(&arguments)
        {
            calls.push(Call::tool(&tool.name, *label, arguments.clone()));
            sent.push(arguments);
        }
    }
    calls
}

/// The arguments of the typical call: those sent, or those that would be.
pub fn arguments(evidence: &Evidence, tool: &Tool, seed: Seed) -> Option<Value> {
    match typical(evidence, &tool.name).and_then(Exchange::arguments) {
        Some(sent) => Some(sent.clone()),
        None => {
            let context = Context::of(evidence, &tool.name);
            sample(&tool.input_schema, &context, seed.part(&tool.name), Fill::Typical)
        }
    }
}

/// The typical call of a tool, if it was planned.
pub fn typical<'a>(evidence: &'a Evidence, tool: &'a str) -> Option<&'a Exchange> {
    evidence.of_tool(PROBE.id, tool).find(|x| x.label == TYPICAL)
}

/// Whether the typical call was answered with a result that is no error.
pub fn succeeded(evidence: &Evidence, tool: &str) -> bool {
    typical(evidence, tool).is_some_and(|x| x.result().is_some() && !x.reply.is_tool_error())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    fn labels(snippet: &str) -> Vec<String> {
        let evidence = pages::evidence(snippet).unwrap();
        plan(&evidence, Seed(1)).into_iter().map(|c| format!("{} {}", c.subject, c.label)).collect()
    }

    #[test]
    fn fuller_and_smaller_samples_are_sent_only_where_they_differ() {
        let tools = r#""tools": [{"name": "now"}, {"name": "add", "inputSchema": {"type": "object",
            "properties": {"a": {"type": "number"}, "b": {"type": "number"}}, "required": ["a"]}}]"#;
        assert_eq!(labels(&format!("{{{tools}}}")), ["now typical", "add typical", "add full"]);
        assert_eq!(
            labels(&format!(r#"{{{tools}, "profile": "quick"}}"#)),
            ["now typical", "add typical"]
        );
    }

    #[test]
    fn tools_outside_the_scope_are_left_alone() {
        assert_eq!(
            labels(r#"{"tools": [{"name": "a"}, {"name": "b"}], "scope": {"skip_tools": ["a*"]}}"#),
            ["b typical"]
        );
    }

    #[test]
    fn a_tool_that_was_called_is_not_planned_again() {
        let snippet = r#"{"tools": [{"name": "now"}], "exchanges":
            [{"probe": "valid-call", "tool": "now", "label": "typical", "reply": {"text": "12:00"}}]}"#;
        assert!(labels(snippet).is_empty());
    }
}
