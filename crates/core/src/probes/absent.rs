//! Calls of tools that read, about something that is not there: valid, and bound to fail.

use serde_json::{Value, json};

use super::valid_call;
use crate::arguments::violates;
use crate::evidence::{Evidence, Tool};
use crate::probe::{Call, Lane, Probe, Risk, Send, words};
use crate::seed::Seed;
use crate::spec::sides;

pub const PROBE: Probe = Probe { id: "absent", hostile: false, lane: Lane::Alone, plan };

/// What the last word of a parameter is when its value names a thing.
const NAMES: [&str; 7] = ["file", "filename", "id", "key", "path", "slug", "uri"];
const MOST_TOOLS: usize = 2;

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let named: Vec<(&Tool, Value)> = of_things(evidence)
        .filter_map(|(tool, parameter, arguments)| {
            let schema = tool.parameters().find(|(name, _)| *name == parameter)?.1;
            let known = arguments.get(&parameter)?.as_str()?;
            let mut arguments = arguments.clone();
            arguments[&parameter] = json!(stranger(schema, known)?);
            Some((tool, arguments))
        })
        .take(MOST_TOOLS)
        .collect();
    sides::on_each(evidence, |_| {
        let call = |(tool, arguments): &(&Tool, Value)| {
            let params = json!({"name": tool.name, "arguments": arguments});
            (tool.name.clone(), Send::request("tools/call", Some(params)))
        };
        named.iter().map(call).collect()
    })
}

/// Reading tools that work, with the parameter that says of which thing, and the arguments that
/// worked.
pub fn of_things(evidence: &Evidence) -> impl Iterator<Item = (&Tool, String, &Value)> {
    let reads = |tool: &&Tool| evidence.risk_of(&tool.name) == Risk::Reads;
    evidence.tools().filter(reads).filter_map(|tool| {
        let arguments = valid_call::working(evidence, &tool.name)?.arguments()?;
        let names = |name: &str| {
            let last = words(name).pop().unwrap_or_default();
            NAMES.contains(&last.as_str()) && arguments.get(name).is_some_and(Value::is_string)
        };
        let parameter = tool.parameters().map(|(name, _)| name).find(|name| names(name))?;
        Some((tool, parameter.to_owned(), arguments))
    })
}

/// A name of the same kind that nothing has.
fn stranger(schema: &Value, known: &str) -> Option<String> {
    let nines = known.trim_end_matches(|c: char| c.is_ascii_digit());
    let candidates = [format!("{known}-proofmark-absent"), format!("{nines}99999999")];
    let fits = |text: &String| violates(schema, &json!(text)).is_none();
    candidates.into_iter().find(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_nothing_has_keeps_to_the_pattern() {
        let strict = json!({"type": "string", "pattern": "^note-[0-9]{1,9}$"});
        assert_eq!(stranger(&strict, "note-1").as_deref(), Some("note-99999999"));
        let free = json!({"type": "string"});
        assert_eq!(stranger(&free, "a.txt").as_deref(), Some("a.txt-proofmark-absent"));
        assert_eq!(stranger(&json!({"enum": ["a"]}), "a"), None);
    }
}
