//! Breaks one parameter of a typical call at a time: a value of a type its schema forbids.

use serde_json::{Map, Value, json};

use crate::arguments::{validator, violates};
use crate::evidence::{Evidence, Profile, Tool};
use crate::probe::{Call, Lane, Probe};
use crate::probes::valid_call;
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "wrong-type", hostile: false, lane: Lane::Shared, plan };

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let most = match evidence.conditions.profile {
        Profile::Quick => 1,
        Profile::Standard => 5,
        Profile::Deep => 20,
    };
    let fresh = evidence
        .tools()
        .filter(|t| evidence.of_tool(PROBE.id, &t.name).next().is_none())
        .filter(|t| valid_call::is_due(evidence, t));
    fresh.flat_map(|tool| calls(evidence, tool, seed, most)).collect()
}

fn calls(evidence: &Evidence, tool: &Tool, seed: Seed, most: usize) -> Vec<Call> {
    // Without a validator nobody can say that a value is wrong.
    if validator(&tool.input_schema).is_none() {
        return Vec::new();
    }
    let Some(Value::Object(base)) = valid_call::arguments(evidence, tool, seed) else {
        return Vec::new();
    };
    let required: Vec<&str> = tool.required().collect();
    let (first, rest): (Vec<&str>, Vec<&str>) =
        tool.parameters().map(|(name, _)| name).partition(|name| required.contains(name));
    first
        .into_iter()
        .chain(rest)
        .filter_map(|name| broken(tool, &base, name))
        .take(most)
        .map(|(name, arguments)| {
            Call::tool(&tool.name, "wrong type", arguments).about(&pointer(name))
        })
        .collect()
}

/// The base with one value that its schema forbids, if any of ours is forbidden.
fn broken<'a>(tool: &Tool, base: &Map<String, Value>, name: &'a str) -> Option<(&'a str, Value)> {
    // A number where text is due comes first: servers that trust their input turn it into text
    // and carry on, which is what we look for.
    let wrong = [json!(42), json!("not of this type"), json!({"unexpected": true}), json!([[]])];
    wrong.into_iter().find_map(|value| {
        let mut arguments = base.clone();
        arguments.insert(name.to_owned(), value);
        let arguments = Value::Object(arguments);
        let (at, _) = violates(&tool.input_schema, &arguments)?;
        (at == pointer(name)).then_some((name, arguments))
    })
}

/// A top-level parameter as a JSON pointer.
pub fn pointer(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    fn planned(snippet: &str) -> Vec<Call> {
        plan(&pages::evidence(snippet).unwrap(), Seed(1))
    }

    const TOOLS: &str = r#""tools": [{"name": "read_lines", "inputSchema": {"type": "object",
        "properties": {"head": {"type": "integer"}, "path": {"type": "string"}, "any": {}},
        "required": ["path"]}}]"#;

    #[test]
    fn each_typed_parameter_is_broken_once_the_required_first() {
        let calls = planned(&format!("{{{TOOLS}}}"));
        let subjects: Vec<String> = calls.iter().map(|c| c.subject.to_string()).collect();
        assert_eq!(subjects, ["read_lines /path", "read_lines /head"]);
        let arguments = |i: usize| calls[i].send.params().unwrap()["arguments"].clone();
        assert_eq!(arguments(0), json!({"path": 42}));
        assert_eq!(
            arguments(1),
            json!({"path": "/scratch/work/notes.md", "head": "not of this type"})
        );
    }

    #[test]
    fn a_quick_run_breaks_only_the_first() {
        assert_eq!(planned(&format!(r#"{{{TOOLS}, "profile": "quick"}}"#)).len(), 1);
    }
}
