//! Gets every prompt, with arguments that make sense.

use serde_json::{Map, Value, json};

use super::complete;
use crate::arguments::{Context, Fill, sample};
use crate::evidence::{Evidence, Profile, Prompt, Subject};
use crate::harvest::{Harvest, Sense};
use crate::probe::{Call, Lane, Probe, Send, words};
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "prompt-get", hostile: false, lane: Lane::Shared, plan };

/// Only what is required.
pub const MINIMAL: &str = "minimal";
/// Every argument.
pub const FULL: &str = "full";

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let most = match evidence.conditions.profile {
        Profile::Quick => 3,
        Profile::Standard => 10,
        Profile::Deep => usize::MAX,
    };
    let prompts: Vec<&Prompt> = evidence.inventory.prompts.iter().take(most).collect();
    let wanted: Vec<Call> = prompts.iter().flat_map(|p| asks(evidence, p)).collect();
    if complete::is_pending(evidence, PROBE.id) || !wanted.is_empty() {
        return wanted;
    }
    let harvest = Harvest::of(evidence);
    let unasked = |p: &&&Prompt| {
        !evidence.of(PROBE.id).any(|x| x.subject == subject(p) && !x.label.starts_with("complete "))
    };
    prompts.iter().filter(unasked).flat_map(|p| calls(evidence, &harvest, p, seed)).collect()
}

fn subject(prompt: &Prompt) -> Subject {
    Subject::Prompt { prompt: prompt.name.clone() }
}

fn asks(evidence: &Evidence, prompt: &Prompt) -> Vec<Call> {
    let reference = json!({"type": "ref/prompt", "name": prompt.name});
    let names = prompt.arguments.iter().map(|a| a.name.as_str());
    complete::asks(evidence, PROBE.id, &subject(prompt), &reference, names)
}

fn calls(evidence: &Evidence, harvest: &Harvest, prompt: &Prompt, seed: Seed) -> Vec<Call> {
    let all = arguments(evidence, harvest, prompt, seed);
    let needed: Map<String, Value> = all
        .iter()
        .filter(|(name, _)| prompt.arguments.iter().any(|a| a.required && a.name == **name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let call = |label: &str, arguments: &Map<String, Value>| {
        let mut params = json!({"name": prompt.name});
        if let (false, Some(map)) = (arguments.is_empty(), params.as_object_mut()) {
            map.insert("arguments".to_owned(), Value::Object(arguments.clone()));
        }
        Call::new(subject(prompt), label, Send::request("prompts/get", Some(params)))
    };
    let quick = evidence.conditions.profile == Profile::Quick;
    let mut calls = vec![call(MINIMAL, &needed)];
    if all != needed && !quick {
        calls.push(call(FULL, &all));
    }
    calls
}

/// What the server offers to complete with, then what its answers held, then what the name means.
fn arguments(
    evidence: &Evidence,
    harvest: &Harvest,
    prompt: &Prompt,
    seed: Seed,
) -> Map<String, Value> {
    let guesses = guessed(evidence, prompt, seed);
    let sense = Sense::reading(&words(&prompt.name));
    let text = json!({"type": "string"});
    let value = |name: &str| {
        let about = described(prompt, name);
        let offered = complete::offered(evidence, PROBE.id, &subject(prompt), name);
        offered.map(Value::String).or_else(|| {
            let found = harvest.best_of(name, about, &sense, &text);
            let given = || guesses.get(name).cloned().unwrap_or_else(|| json!("sample"));
            Some(found.map_or_else(given, |f| f.value.clone()))
        })
    };
    prompt
        .arguments
        .iter()
        .filter_map(|a| Some((a.name.clone(), as_text(value(&a.name)?))))
        .collect()
}

/// Prompt arguments are texts, whatever they mean.
fn as_text(value: Value) -> Value {
    match value {
        Value::String(_) => value,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            Value::String(value.to_string())
        }
    }
}

pub(crate) fn described<'a>(prompt: &'a Prompt, name: &str) -> &'a str {
    let arguments = prompt.raw.get("arguments").and_then(Value::as_array);
    let of = |a: &&Value| a.get("name").and_then(Value::as_str) == Some(name);
    let found = arguments.into_iter().flatten().find(of);
    found.and_then(|a| a.get("description")).and_then(Value::as_str).unwrap_or_default()
}

fn guessed(evidence: &Evidence, prompt: &Prompt, seed: Seed) -> Map<String, Value> {
    let property = |name: &String| json!({"type": "string", "minLength": 1, "description": described(prompt, name)});
    let names: Vec<String> = prompt.arguments.iter().map(|a| a.name.clone()).collect();
    let properties: Map<String, Value> = names.iter().map(|n| (n.clone(), property(n))).collect();
    let schema = json!({"type": "object", "properties": properties, "required": names});
    let context = Context::in_folder(&evidence.conditions.workspace);
    match sample(&schema, &context, seed.part(&prompt.name), Fill::Minimal) {
        Some(Value::Object(map)) => map,
        Some(_) | None => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    const PROMPT: &str = r#""prompts": [{"name": "describe_bird", "arguments": [{"name": "bird", "required": true}, {"name": "language"}]}]"#;

    fn planned(snippet: &str) -> Vec<String> {
        let calls = plan(&pages::evidence(snippet).unwrap(), Seed(1));
        calls.iter().map(|c| format!("{} {}", c.label, c.send.params().unwrap())).collect()
    }

    #[test]
    fn required_arguments_alone_then_all() {
        let calls = planned(&format!("{{{PROMPT}}}"));
        assert_eq!(calls.len(), 2);
        assert!(calls[0].starts_with("minimal") && !calls[0].contains("language"), "{calls:?}");
        assert!(
            calls[1].starts_with("full") && calls[1].contains(r#""language":"en""#),
            "{calls:?}"
        );
    }

    #[test]
    fn a_server_that_completes_is_asked_first() {
        let able = r#""handshake": {"capabilities": {"prompts": {}, "completions": {}}}"#;
        let asked = planned(&format!("{{{PROMPT}, {able}}}"));
        assert_eq!(asked.len(), 2);
        assert!(asked[0].starts_with("complete bird"), "{asked:?}");
        let answer = |name: &str, values: &str| {
            format!(
                r#"{{"probe": "prompt-get", "prompt": "describe_bird", "label": "complete {name}", "method": "completion/complete", "reply": {{"result": {{"completion": {{"values": [{values}]}}}}}}}}"#
            )
        };
        let exchanges = [answer("bird", r#""heron""#), answer("language", "")].join(",");
        let got = planned(&format!(r#"{{{PROMPT}, {able}, "exchanges": [{exchanges}]}}"#));
        assert!(got[0].contains(r#""bird":"heron""#), "{got:?}");
    }
}
