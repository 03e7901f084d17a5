//! Texts that are not what they should be, though the schema allows any text: half a document, a day
//! that there is not, an expression without an end. What is said then is often written by nobody.

use serde_json::{Value, json};

use crate::arguments::{described, places_of, pointer_to, violates};
use crate::evidence::{Evidence, Profile, Tool};
use crate::probe::{Call, Lane, Probe, Risk, words};
use crate::probes::valid_call;
use crate::promise::holds;
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "malformed-text", hostile: false, lane: Lane::Shared, plan };

/// Words that tell what a text is, and one that is none of it.
const KINDS: &[(&str, &str)] = &[
    ("csv spreadsheet table tsv", "a,b\n1\n1,2,3"),
    ("json", "{\"a\": "),
    ("atom html opml rss svg xml", "<a><b></a>"),
    ("toml yaml yml", "a: [1\n b: - c"),
    ("date day deadline month since until when", "2024-13-45"),
    ("pattern regex regexp", "(["),
    ("base64 cursor token", "%%%"),
    ("calculation condition expression filter formula query rule sql", "1 + * ("),
    ("amount count number price quantity", "1e5x"),
];

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let most = match evidence.conditions.profile {
        Profile::Quick => 0,
        Profile::Standard => 4,
        Profile::Deep => 12,
    };
    let due = |t: &&Tool| {
        evidence.risk_of(&t.name) != Risk::Destroys
            && evidence.of_tool(PROBE.id, &t.name).next().is_none()
    };
    evidence.tools().filter(due).flat_map(|t| calls(evidence, t).into_iter().take(most)).collect()
}

fn calls(evidence: &Evidence, tool: &Tool) -> Vec<Call> {
    let sent = valid_call::working(evidence, &tool.name)
        .or_else(|| valid_call::typical(evidence, &tool.name).filter(|x| !x.reply.is_pending()));
    let Some(base) = sent.and_then(|x| x.arguments()) else { return Vec::new() };
    let mut calls = Vec::new();
    let places =
        places_of(base).into_iter().filter(|at| base.pointer(at).is_some_and(Value::is_string));
    for pointer in places {
        let text = malformed(tool, &pointer).map(Value::from);
        calls.extend(text.and_then(|text| call(tool, base, &pointer, text)));
    }
    for (name, _) in tool.parameters() {
        let pointer = pointer_to("", name);
        let members = strange(&described(tool, &pointer));
        calls.extend(members.and_then(|members| call(tool, base, &pointer, members)));
    }
    calls
}

fn call(tool: &Tool, base: &Value, pointer: &str, value: Value) -> Option<Call> {
    let mut arguments = base.clone();
    match arguments.pointer_mut(pointer) {
        Some(there) => *there = value,
        None => {
            let name = pointer.strip_prefix('/')?.to_owned();
            arguments.as_object_mut()?.insert(name, value);
        }
    }
    violates(&tool.input_schema, &arguments)
        .is_none()
        .then(|| Call::tool(&tool.name, format!("malformed {pointer}"), arguments).about(pointer))
}

/// What its name says a text is, else what is said of it.
fn malformed(tool: &Tool, pointer: &str) -> Option<&'static str> {
    let name = words(pointer.rsplit('/').next().unwrap_or_default());
    let about = words(&described(tool, pointer));
    let alone = tool.parameters().count() == 1;
    let of_tool = words(tool.description.as_deref().filter(|_| alone).unwrap_or_default());
    let of = |words: &[String]| KINDS.iter().find(|(clues, _)| holds(words, clues));
    [name, about, of_tool].iter().find_map(|words| of(words)).map(|(_, text)| *text)
}

/// Members that only a description names, "width (80), indent", each with a value of no use.
fn strange(about: &str) -> Option<Value> {
    let is_name = |n: &&str| {
        n.len() > 2 && n.chars().all(|c| c.is_ascii_lowercase() || c == '_') && !n.starts_with('_')
    };
    let named = about.split(',').map(|part| part.split('(').next().unwrap_or_default().trim());
    let names: Vec<&str> = named.filter(is_name).collect();
    let members = names.iter().map(|name| ((*name).to_owned(), json!({"a": [0]})));
    (names.len() > 1).then(|| Value::Object(members.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    #[test]
    fn a_text_is_broken_as_its_kind_can_be() {
        let snippet = json!({
            "tools": [{"name": "convert", "inputSchema": {"type": "object", "properties": {
                "csv": {"type": "string"},
                "note": {"type": "string", "description": "Free words"},
                "options": {"type": "object", "description": "width (80), heading_level (1), indent"}}}}],
            "exchanges": [{"probe": "valid-call", "tool": "convert", "label": "typical",
                "arguments": {"csv": "a", "note": "b"}, "reply": {"text": "ok"}}]
        });
        let evidence = pages::evidence(&snippet.to_string()).unwrap();
        let calls = plan(&evidence, Seed(1));
        let sent: Vec<&Value> =
            calls.iter().map(|c| &c.send.params().unwrap()["arguments"]).collect();
        assert_eq!(sent.len(), 2, "{sent:?}");
        assert_eq!(*sent[0], json!({"csv": "a,b\n1\n1,2,3", "note": "b"}));
        let names: Vec<&String> = sent[1]["options"].as_object().unwrap().keys().collect();
        assert_eq!(names, ["width", "heading_level", "indent"]);
    }
}
