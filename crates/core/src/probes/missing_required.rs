//! Leaves out one required parameter at a time.

use serde_json::Value;

use super::wrong_type::pointer;
use crate::evidence::{Evidence, Profile, Tool};
use crate::probe::{Call, Lane, Probe};
use crate::probes::valid_call;
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "missing-required", hostile: false, lane: Lane::Shared, plan };

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let most = match evidence.conditions.profile {
        Profile::Quick => 1,
        Profile::Standard => 4,
        Profile::Deep => 20,
    };
    let fresh = evidence
        .tools()
        .filter(|t| evidence.of_tool(PROBE.id, &t.name).next().is_none())
        .filter(|t| valid_call::is_due(evidence, t));
    fresh.flat_map(|tool| calls(evidence, tool, seed, most)).collect()
}

fn calls(evidence: &Evidence, tool: &Tool, seed: Seed, most: usize) -> Vec<Call> {
    let Some(Value::Object(base)) = valid_call::arguments(evidence, tool, seed) else {
        return Vec::new();
    };
    let present = tool.required().filter(|name| base.contains_key(*name)).take(most);
    present
        .map(|name| {
            let left = base.iter().filter(|(k, _)| *k != name);
            let arguments = left.map(|(k, v)| (k.clone(), v.clone())).collect();
            Call::tool(&tool.name, "missing", Value::Object(arguments)).about(&pointer(name))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::pages;

    #[test]
    fn each_required_parameter_is_left_out_once() {
        let snippet = r#"{"tools": [{"name": "get_sum", "inputSchema": {"type": "object",
            "properties": {"a": {"type": "number"}, "b": {"type": "number"}, "c": {"type": "number"}},
            "required": ["a", "b"]}}]}"#;
        let calls = plan(&pages::evidence(snippet).unwrap(), Seed(1));
        let sent: Vec<Value> =
            calls.iter().map(|c| c.send.params().unwrap()["arguments"].clone()).collect();
        assert_eq!(sent, [json!({"b": 3}), json!({"a": 3})]);
        assert_eq!(calls[1].subject.to_string(), "get_sum /b");
    }
}
