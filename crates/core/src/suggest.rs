//! Skeletons of better definitions, for the tools that need it most. What is there is kept; what is
//! missing stands as `<…>` to be filled in by somebody who knows.

mod shape;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::arguments::{listed_values, told_default};
use crate::check::{Finding, Outcome, Topic, judge};
use crate::checks;
use crate::evidence::{Evidence, Reply, Tool};
use crate::probe::{Risk, words};

/// A better definition of one tool.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Suggestion {
    pub tool: String,
    /// What the definition below sees to.
    pub because: Vec<String>,
    pub definition: Value,
}

/// How many are worth reading at once.
pub const SUGGESTED: usize = 3;

/// For the tools with the most to mend, the worst first; at most so many.
pub fn suggestions(evidence: &Evidence, most: usize) -> Vec<Suggestion> {
    let usability: Vec<_> =
        checks::all().into_iter().filter(|c| c.topic() == Topic::Usability).collect();
    let judged = judge(evidence, &usability);
    let failing: Vec<&Finding> =
        judged.iter().flat_map(|j| &j.findings).filter(|f| f.outcome() == Outcome::Fail).collect();
    let lost = |tool: &Tool| -> f64 {
        let own = failing.iter().filter(|f| f.subject.tool() == Some(tool.name.as_str()));
        own.filter_map(|f| f.grade).map(|grade| 1.0 - grade.value()).sum()
    };
    let mut found: Vec<(f64, Suggestion)> = evidence
        .tools()
        .map(|tool| (lost(tool), suggestion(evidence, tool)))
        .filter(|(_, s)| !s.because.is_empty())
        .collect();
    found.sort_by(|(a, x), (b, y)| {
        b.total_cmp(a).then_with(|| y.because.len().cmp(&x.because.len()))
    });
    found.into_iter().take(most).map(|(_, suggestion)| suggestion).collect()
}

fn suggestion(evidence: &Evidence, tool: &Tool) -> Suggestion {
    let mut because = Vec::new();
    let mut definition = tool.raw.clone();
    if let Some(map) = definition.as_object_mut() {
        titled(tool, map, &mut because);
        described(tool, map, &mut because);
        if let Some(schema) = map.get_mut("inputSchema").and_then(Value::as_object_mut) {
            filled(schema, &mut because);
        }
        answered(evidence, tool, map, &mut because);
        hinted(tool, map, &mut because);
    }
    Suggestion { tool: tool.name.clone(), because, definition: ordered(definition) }
}

/// As people write it, however the server sorts its keys.
fn ordered(definition: Value) -> Value {
    const FIRST: &[&str] =
        &["name", "title", "description", "inputSchema", "outputSchema", "annotations"];
    let Value::Object(mut map) = definition else { return definition };
    let mut ordered = Map::new();
    for key in FIRST {
        ordered.extend(map.shift_remove_entry(*key));
    }
    ordered.extend(map);
    Value::Object(ordered)
}

fn titled(tool: &Tool, map: &mut Map<String, Value>, because: &mut Vec<String>) {
    if tool.title.as_ref().is_none_or(|t| t.trim().is_empty()) {
        let mut title = words(&tool.name).join(" ");
        if let Some(first) = title.get(..1).map(str::to_uppercase) {
            title.replace_range(..1, &first);
        }
        map.insert("title".to_owned(), json!(title));
        because.push("a title for people".to_owned());
    }
}

fn described(tool: &Tool, map: &mut Map<String, Value>, because: &mut Vec<String>) {
    const SHORT: usize = 40;
    let text = tool.description.as_deref().unwrap_or_default().trim();
    if text.chars().count() >= SHORT {
        return;
    }
    let own = if text.is_empty() {
        format!("<what {} does, in one sentence>.", tool.name)
    } else {
        format!("{}.", text.trim_end_matches('.'))
    };
    let more = "Use it when <…>, not when <…>. Returns <what comes back>. Limits: <…>.";
    map.insert("description".to_owned(), json!(format!("{own} {more}")));
    because.push("a description that tells when to use it and what comes back".to_owned());
}

fn filled(schema: &mut Map<String, Value>, because: &mut Vec<String>) {
    let mut bare = 0;
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (name, inner) in properties.into_iter().flatten() {
        let Some(inner) = inner.as_object_mut() else { continue };
        let about = inner.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
        if about.trim().is_empty() {
            let text = format!("<what {name} means, its format, an example>");
            inner.insert("description".to_owned(), json!(text));
            bare += 1;
        }
        let values = listed_values(&about);
        let is_text = inner.get("type").and_then(Value::as_str) == Some("string");
        if is_text && values.len() >= 2 && !inner.contains_key("enum") {
            inner.insert("enum".to_owned(), json!(values));
            because.push(format!("the values of `{name}` as an enum"));
        }
        if let Some(value) = told_default(&about).filter(|_| !inner.contains_key("default")) {
            let value = serde_json::from_str(&value).ok().filter(|_| !is_text);
            let told = value.unwrap_or_else(|| json!(told_default(&about)));
            inner.insert("default".to_owned(), told);
            because.push(format!("the default of `{name}` in the schema"));
        }
        if inner.get("type").and_then(Value::as_str) == Some("array")
            && !inner.contains_key("items")
        {
            inner.insert("items".to_owned(), json!({"type": "<type of an item>"}));
            because.push(format!("what `{name}` is a list of"));
        }
    }
    if bare > 0 {
        because.push(format!("descriptions for {bare} of the parameters"));
    }
    if schema.contains_key("properties") && !schema.contains_key("additionalProperties") {
        schema.insert("additionalProperties".to_owned(), json!(false));
        because.push("unknown parameters refused".to_owned());
    }
}

/// The shape of what the tool really answered, where it answered in JSON.
fn answered(
    evidence: &Evidence,
    tool: &Tool,
    map: &mut Map<String, Value>,
    because: &mut Vec<String>,
) {
    if tool.output_schema.is_some() {
        return;
    }
    let seen: Vec<Value> = evidence
        .transcript
        .iter()
        .filter(|x| x.subject.tool() == Some(tool.name.as_str()) && x.oracle.is_none())
        .filter_map(|x| data(&x.reply))
        .collect();
    if let Some(schema) = shape::of(&seen) {
        map.insert("outputSchema".to_owned(), schema);
        because.push("an output schema, told from what it answered".to_owned());
    }
}

/// What a call came to as data: its structured content, or JSON in its text.
fn data(reply: &Reply) -> Option<Value> {
    let value = match reply {
        Reply::Result { value } => value,
        Reply::Error { .. }
        | Reply::Malformed { .. }
        | Reply::Silence
        | Reply::TimedOut { .. }
        | Reply::Disconnected
        | Reply::Skipped { .. } => return None,
    };
    if value.get("isError") == Some(&Value::Bool(true)) {
        return None;
    }
    let structured = value.get("structuredContent").cloned();
    structured
        .or_else(|| serde_json::from_str(&reply.text()).ok())
        .filter(|v: &Value| v.is_object())
}

fn hinted(tool: &Tool, map: &mut Map<String, Value>, because: &mut Vec<String>) {
    if tool.annotations.is_some() {
        return;
    }
    let hints = match Risk::of_tool(tool) {
        Risk::Reads => json!({"readOnlyHint": true}),
        Risk::Writes => json!({"readOnlyHint": false, "destructiveHint": false}),
        Risk::Destroys => json!({"readOnlyHint": false, "destructiveHint": true}),
    };
    map.insert("annotations".to_owned(), hints);
    because.push("hints on what it does, guessed from its name: check them".to_owned());
}

#[cfg(test)]
mod tests {
    use crate::pages::evidence;

    use super::*;

    #[test]
    fn what_is_there_is_kept_and_what_is_missing_is_asked_for() {
        let seen = evidence(
            r#"{"tools": [{"name": "list_notes", "description": "Lists notes", "inputSchema": {"type": "object", "properties": {"order": {"type": "string", "description": "One of: asc, desc (default: asc)"}, "tag": {"type": "string"}}}}],
            "exchanges": [{"probe": "p", "tool": "list_notes", "reply": {"text": "{\"notes\": [{\"id\": 1}], \"total\": 1}"}}]}"#,
        )
        .unwrap();
        let all = suggestions(&seen, 3);
        let definition = &all[0].definition;
        assert_eq!(definition["name"], "list_notes");
        assert_eq!(definition["title"], "List notes");
        let properties = &definition["inputSchema"]["properties"];
        assert_eq!(properties["order"]["enum"], json!(["asc", "desc"]));
        assert_eq!(properties["order"]["default"], "asc");
        assert!(properties["tag"]["description"].as_str().unwrap().starts_with("<what tag means"));
        assert_eq!(definition["inputSchema"]["additionalProperties"], json!(false));
        assert_eq!(definition["annotations"]["readOnlyHint"], json!(true));
        let output = &definition["outputSchema"];
        assert_eq!(output["required"], json!(["notes", "total"]));
        assert_eq!(output["properties"]["notes"]["items"]["properties"]["id"]["type"], "integer");
    }

    #[test]
    fn a_good_definition_is_left_alone() {
        let seen = evidence(
            r#"{"tools": [{"name": "a", "title": "Add", "description": "Adds two numbers and returns their sum as a number.", "annotations": {"readOnlyHint": true}, "inputSchema": {"type": "object", "properties": {"x": {"type": "number", "description": "One summand"}}, "additionalProperties": false}}]}"#,
        )
        .unwrap();
        assert_eq!(suggestions(&seen, 3), []);
    }
}
