//! The typical call of a tool that answers, with other values in the parameter that matters most.

use serde_json::{Map, Value, json};

use crate::arguments::{Context, Fill, pointer_to, sample, violates};
use crate::evidence::{Evidence, Tool};
use crate::probe::{Call, Lane, Probe, words};
use crate::probes::valid_call;
use crate::promise::{Promise, holds, mentions, names};
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "vary", hostile: false, lane: Lane::Shared, plan };

/// Other values besides the typical one.
const MOST: usize = 3;

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    evidence
        .tools()
        .filter(|t| is_telling(t) && valid_call::succeeded(evidence, &t.name))
        .flat_map(|t| calls(evidence, t, seed))
        .collect()
}

fn calls(evidence: &Evidence, tool: &Tool, seed: Seed) -> Vec<Call> {
    let sent = valid_call::typical(evidence, &tool.name).and_then(|x| x.arguments());
    let Some(Value::Object(base)) = sent else { return Vec::new() };
    let salient = parameters(tool, base).find_map(|name| {
        let others = others(evidence, tool, name, base, seed);
        (!others.is_empty()).then_some((name, others))
    });
    let Some((name, others)) = salient else { return Vec::new() };
    (1_usize..)
        .zip(others)
        .map(|(n, arguments)| {
            Call::tool(&tool.name, n.to_string(), arguments).about(&pointer_to("", name))
        })
        .collect()
}

/// Whether other input must give another answer. Yes and no, chance, closeness and state of health
/// may well be the same for all we can think of.
pub fn is_telling(tool: &Tool) -> bool {
    const SAME: &str = "
        can check compare exists has health help is lint ping status test validate verify
        version";
    const CHANCE: &str = "
        closest embedding embeddings fuzzy nearest random recommend recommendations related
        semantic semantically similar similarity suggest vector";
    Promise::of(tool).is_answer() && !names(tool, SAME) && !mentions(tool, CHANCE)
}

/// How the answer looks, who asks, where and how long to look: not what is asked for.
const BESIDE: &str = "
    account agent auth context count currency cursor date decimals depth detail direction
    encoding end engine environment explanation format height host intent key kind lang language
    level limit lines locale max min mode model namespace offset order page precision project
    provider purpose quality rationale reason region retries seed session since size sort start
    style tenant theme thought timeout timezone token top type tz unit units until url uri user
    verbose version width workspace";

/// Parameters of the call that say what is asked for: those that must be given, or where none
/// must, those that are.
fn parameters<'a>(tool: &'a Tool, base: &Map<String, Value>) -> impl Iterator<Item = &'a str> {
    let required: Vec<&str> = tool.required().collect();
    let given: Vec<&str> = tool
        .parameters()
        .filter(|(name, _)| base.get(*name).is_some_and(|v| v.is_string() || v.is_number()))
        .filter(|(name, _)| required.is_empty() || required.contains(name))
        .filter(|(name, _)| !holds(&words(name), BESIDE))
        .map(|(name, _)| name)
        .collect();
    given.into_iter()
}

/// Whole arguments with another value each.
fn others(
    evidence: &Evidence,
    tool: &Tool,
    name: &str,
    base: &Map<String, Value>,
    seed: Seed,
) -> Vec<Value> {
    let schema = tool.parameters().find(|(n, _)| *n == name).map(|(_, s)| s.clone());
    let several = json!({
        "type": "object",
        "properties": { name: { "type": "array", "items": schema, "minItems": MOST + 1 } },
        "required": [name],
        "$defs": tool.input_schema.get("$defs").cloned().unwrap_or(json!({})),
        "definitions": tool.input_schema.get("definitions").cloned().unwrap_or(json!({})),
    });
    let context = Context::of(evidence, &tool.name);
    let drawn = sample(&several, &context, seed.part(&tool.name), Fill::Minimal);
    let drawn = drawn.and_then(|d| d.get(name)?.as_array().cloned()).unwrap_or_default();
    // What nobody ever wrote: a search that finds the same for it finds the same for everything.
    let nonsense = (Promise::of(tool) == Promise::Hits && base[name].is_string())
        .then(|| Value::from(seed.word(&format!("nonsense/{}", tool.name), 11)));
    let mut values: Vec<Value> = Vec::new();
    for value in drawn.into_iter().filter(|v| base.get(name) != Some(v)) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values.truncate(MOST - usize::from(nonsense.is_some()));
    values
        .into_iter()
        .chain(nonsense)
        .map(|value| {
            let mut arguments = base.clone();
            arguments.insert(name.to_owned(), value);
            Value::Object(arguments)
        })
        .filter(|arguments| violates(&tool.input_schema, arguments).is_none())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    fn planned(tool: &str, schema: &str, arguments: &str) -> Vec<String> {
        let snippet = format!(
            r#"{{"tools": [{{"name": "{tool}", "inputSchema": {{"type": "object", "properties": {schema}}}}}],
                "exchanges": [{{"probe": "valid-call", "tool": "{tool}", "label": "typical",
                "arguments": {arguments}, "reply": {{"text": "fine"}}}}]}}"#
        );
        let calls = plan(&pages::evidence(&snippet).unwrap(), Seed(1));
        let sent = |c: &Call| c.send.params().unwrap()["arguments"].to_string();
        calls.iter().map(sent).collect()
    }

    #[test]
    fn the_parameter_that_says_what_is_asked_for_is_varied() {
        let schema = r#"{"language": {"type": "string"}, "city": {"type": "string"}}"#;
        assert_eq!(
            planned("get_weather", schema, r#"{"language": "en", "city": "Berlin"}"#),
            [r#"{"language":"en","city":"Paris"}"#, r#"{"language":"en","city":"New York"}"#]
        );
    }

    #[test]
    fn a_search_is_also_asked_for_nonsense() {
        let sent =
            planned("search_notes", r#"{"query": {"type": "string"}}"#, r#"{"query": "notes"}"#);
        assert_eq!(sent.len(), 3);
        assert!(!sent[2].contains("sample") && !sent[2].contains("example"), "{}", sent[2]);
    }

    #[test]
    fn yes_or_no_deeds_and_paging_are_not_varied() {
        let text = r#"{"text": {"type": "string"}}"#;
        assert!(planned("validate_text", text, r#"{"text": "a"}"#).is_empty());
        assert!(planned("save_text", text, r#"{"text": "a"}"#).is_empty());
        assert!(
            planned("list_all", r#"{"page": {"type": "integer"}}"#, r#"{"page": 1}"#).is_empty()
        );
    }
}
