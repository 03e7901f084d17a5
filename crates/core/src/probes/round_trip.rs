//! Gives a tool that keeps things something marked, looks for it with the tools that show things,
//! takes it away again and looks once more.

use serde_json::{Map, Value, json};

use super::limits;
use super::round_trip_marks::{self as marks, Marks};
use crate::arguments::violates;
use crate::evidence::{Evidence, Exchange, Tool, steady};
use crate::probe::{Call, Lane, Probe, words};
use crate::probes::valid_call;
use crate::promise::{Promise, things};
use crate::response::{data, substance};
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "round-trip", hostile: false, lane: Lane::Shared, plan };

pub const WRITE: &str = "write";

/// The label of a look at what a tool keeps, or of taking it away.
pub fn label(step: Step, writer: &str) -> String {
    let word = match step {
        Step::Before => "before",
        Step::After => "after",
        Step::Delete => "delete",
        Step::Gone => "gone after",
    };
    format!("{word} {writer}")
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Before,
    After,
    Delete,
    Gone,
}

/// How a tool is asked for what was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// By the name, path or key that we chose ourselves.
    Key(String),
    /// By the id that the keeping tool handed out.
    Id(String),
    /// By words of it.
    Words(String),
    /// It shows everything there is.
    All,
}

/// A tool that shows things, as a witness of what another keeps.
#[derive(Debug)]
pub struct Witness<'a> {
    pub tool: &'a Tool,
    pub way: Way,
    /// Both are about the same kind of thing, so that silence means something.
    pub same_thing: bool,
}

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    evidence.tools().flat_map(|tool| trip(evidence, tool, seed)).collect()
}

fn trip(evidence: &Evidence, writer: &Tool, seed: Seed) -> Vec<Call> {
    let keeps = Promise::of(writer) == Promise::Keeps;
    if !keeps || !valid_call::succeeded(evidence, &writer.name) {
        return Vec::new();
    }
    let marks = Marks::new(seed, &writer.name);
    let Some(kept) = marks::marked(evidence, writer, &marks) else { return Vec::new() };
    let witnesses = witnesses(evidence, writer, &kept);
    if witnesses.is_empty() {
        return Vec::new();
    }
    let look = |step: Step, answer: Option<&Exchange>| -> Vec<Call> {
        let shown = witnesses.iter().filter_map(|w| {
            let arguments = question(evidence, w, &kept, &marks, answer)?;
            Some(Call::tool(&w.tool.name, label(step, &writer.name), arguments))
        });
        shown.collect()
    };
    let mut calls = look(Step::Before, None);
    let looked = |call: &Call| {
        call.subject.tool().is_some_and(|tool| step(evidence, tool, &call.label).is_some())
    };
    if !calls.iter().all(looked) {
        return calls;
    }
    calls.push(Call::tool(&writer.name, WRITE, kept.clone()));
    let Some(written) = done(evidence, &writer.name, WRITE) else { return calls };
    calls.extend(look(Step::After, Some(written)));
    let after = label(Step::After, &writer.name);
    let shown = evidence.of(PROBE.id).any(|x| x.label == after && marks::shows(x));
    let remover = shown.then(|| remover(evidence, writer, &kept, &marks, written)).flatten();
    let Some((remover, arguments)) = remover else { return calls };
    let delete = label(Step::Delete, &writer.name);
    calls.push(Call::tool(&remover.name, delete.clone(), arguments));
    if done(evidence, &remover.name, &delete).is_some() {
        calls.extend(look(Step::Gone, Some(written)));
    }
    calls
}

/// The step, when it was taken and answered well.
fn done<'a>(evidence: &'a Evidence, tool: &'a str, label: &str) -> Option<&'a Exchange> {
    step(evidence, tool, label).filter(|x| x.result().is_some() && !x.reply.is_tool_error())
}

/// One step of a trip, taken or skipped.
pub fn step<'a>(evidence: &'a Evidence, tool: &'a str, label: &str) -> Option<&'a Exchange> {
    evidence.of_tool(PROBE.id, tool).find(|x| x.label == label)
}

/// What an answer says, clocks and fresh ids aside.
pub fn told(exchange: &Exchange) -> String {
    steady(&substance(&exchange.reply).unwrap_or_else(|| exchange.reply.text()))
}

/// At most one witness for each way, those about the same thing first.
pub fn witnesses<'a>(evidence: &'a Evidence, writer: &Tool, kept: &Value) -> Vec<Witness<'a>> {
    let about = things(writer);
    let mut found: Vec<Witness<'a>> = evidence
        .tools()
        .filter(|t| Promise::of(t).is_answer())
        .filter_map(|tool| {
            let same_thing = things(tool).iter().any(|thing| about.contains(thing));
            Some(Witness { tool, way: way(evidence, tool, kept)?, same_thing })
        })
        .filter(|w| w.same_thing || matches!(w.way, Way::Words(_) | Way::All))
        // Who needs an id that only the keeping tool tells could not show before that it works.
        .filter(|w| matches!(w.way, Way::Id(_)) || valid_call::succeeded(evidence, &w.tool.name))
        .collect();
    // Of several, the plainest name shows most: `read_file` rather than `get_file_info`.
    found.sort_by_key(|w| (!w.same_thing, things(w.tool).len()));
    let mut kinds = Vec::new();
    found.retain(|w| {
        let kind = std::mem::discriminant(&w.way);
        let first = !kinds.contains(&kind);
        kinds.push(kind);
        first
    });
    found
}

fn way(evidence: &Evidence, tool: &Tool, kept: &Value) -> Option<Way> {
    let required: Vec<&str> = tool.required().collect();
    let typed = |name: &str| tool.parameters().find(|(n, _)| *n == name).map(|(_, s)| s);
    let is_text = |name: &&&str| {
        typed(name).and_then(|s| s.get("type")).and_then(Value::as_str) == Some("string")
    };
    if required.is_empty() {
        let alike = Promise::of(tool) != Promise::Hits;
        let asked = valid_call::typical(evidence, &tool.name).and_then(|x| x.arguments());
        // A filter that a typical caller gives would hide what we look for.
        let open =
            asked.and_then(Value::as_object).is_none_or(|a| !a.values().any(Value::is_string));
        return (alike && open).then_some(Way::All);
    }
    let [name] = required.iter().filter(is_text).collect::<Vec<_>>()[..] else { return None };
    let last = words(name).pop().unwrap_or_default();
    match () {
        () if Promise::of(tool) == Promise::Hits => Some(Way::Words((*name).to_owned())),
        () if kept.get(name).is_some_and(marks::is_marked) => Some(Way::Key((*name).to_owned())),
        () if last == "id" => Some(Way::Id((*name).to_owned())),
        () => None,
    }
}

fn question(
    evidence: &Evidence,
    witness: &Witness<'_>,
    kept: &Value,
    marks: &Marks,
    written: Option<&Exchange>,
) -> Option<Value> {
    let typical = valid_call::typical(evidence, &witness.tool.name)?;
    let mut arguments: Map<String, Value> = typical.arguments()?.as_object()?.clone();
    match &witness.way {
        Way::Key(name) => drop(arguments.insert(name.clone(), kept.get(name)?.clone())),
        Way::Id(name) => drop(arguments.insert(name.clone(), handed_out(written?, name)?)),
        // A look beforehand would say nothing: nobody wrote these words yet.
        Way::Words(name) => {
            written?;
            arguments.insert(name.clone(), json!(marks.key));
        }
        Way::All => {
            if let Some((name, schema)) = limits::parameter(witness.tool) {
                let most = schema.get("maximum").and_then(Value::as_i64).unwrap_or(100).min(1000);
                arguments.insert(name.to_owned(), json!(most));
            }
        }
    }
    let arguments = Value::Object(arguments);
    violates(&witness.tool.input_schema, &arguments).is_none().then_some(arguments)
}

/// The id in the answer of the keeping tool: under the same name, or plain `id`.
fn handed_out(written: &Exchange, name: &str) -> Option<Value> {
    let data = data(&written.reply)?;
    let whole = [Some(&data), data.as_object().and_then(|o| o.values().find(|v| v.is_object()))];
    whole.into_iter().flatten().find_map(|v| v.get(name).or_else(|| v.get("id"))).cloned()
}

/// The tool that takes away what we gave, and how to ask for exactly that.
fn remover<'a>(
    evidence: &'a Evidence,
    writer: &Tool,
    kept: &Value,
    marks: &Marks,
    written: &Exchange,
) -> Option<(&'a Tool, Value)> {
    let about = things(writer);
    let removes = |t: &&Tool| Promise::of(t) == Promise::Removes && things(t) == about;
    let tool = evidence.tools().find(removes)?;
    let [name] = tool.required().collect::<Vec<_>>()[..] else { return None };
    let value = match kept.get(name).filter(|v| marks::is_marked(v)) {
        Some(ours) => ours.clone(),
        None if words(name).pop().as_deref() == Some("id") => handed_out(written, name)?,
        None => json!([marks.key]),
    };
    let arguments = json!({ name: value });
    violates(&tool.input_schema, &arguments).is_none().then_some((tool, arguments))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    /// What is wanted next, after these exchanges besides the typical ones.
    fn wanted(exchanges: &str) -> Vec<String> {
        let snippet = format!(
            r#"{{"tools": [
                {{"name": "store_item", "inputSchema": {{"type": "object", "properties": {{"name": {{"type": "string"}}}}, "required": ["name"]}}}},
                {{"name": "get_item", "inputSchema": {{"type": "object", "properties": {{"id": {{"type": "string"}}}}, "required": ["id"]}}}},
                {{"name": "list_items"}},
                {{"name": "remove_item", "inputSchema": {{"type": "object", "properties": {{"id": {{"type": "string"}}}}, "required": ["id"]}}}}],
              "exchanges": [
                {{"probe": "valid-call", "tool": "store_item", "label": "typical", "arguments": {{"name": "a"}}, "reply": {{"text": "{{\"id\": \"x1\"}}"}}}},
                {{"probe": "valid-call", "tool": "get_item", "label": "typical", "arguments": {{"id": "1"}}, "reply": {{"tool_error": "no such item"}}}},
                {{"probe": "valid-call", "tool": "list_items", "label": "typical", "reply": {{"text": "[]"}}}}
                {exchanges}]}}"#
        );
        let evidence = pages::evidence(&snippet).unwrap();
        let known =
            |c: &Call| evidence.of(PROBE.id).any(|x| x.subject == c.subject && x.label == c.label);
        let calls = plan(&evidence, Seed(1)).into_iter().filter(|c| !known(c));
        let shown = |c: Call| {
            let id = c.send.params().and_then(|p| p["arguments"]["id"].as_str().map(str::to_owned));
            format!("{} {} {}", c.subject, c.label, id.unwrap_or_default()).trim().to_owned()
        };
        calls.map(shown).collect()
    }

    #[test]
    fn a_trip_goes_step_by_step_with_the_id_that_was_handed_out() {
        const BEFORE: &str = r#", {"probe": "round-trip", "tool": "list_items", "label": "before store_item", "reply": {"text": "[]"}}"#;
        const WRITE: &str = r#", {"probe": "round-trip", "tool": "store_item", "label": "write", "arguments": {"name": "pmkabcdefgh"}, "reply": {"text": "{\"id\": \"x7\"}"}}"#;
        const AFTER: &str = r#", {"probe": "round-trip", "tool": "list_items", "label": "after store_item", "reply": {"text": "[\"pmkabcdefgh\"]"}},
            {"probe": "round-trip", "tool": "get_item", "label": "after store_item", "arguments": {"id": "x7"}, "reply": {"text": "pmkabcdefgh"}}"#;
        const DELETE: &str = r#", {"probe": "round-trip", "tool": "remove_item", "label": "delete store_item", "arguments": {"id": "x7"}, "reply": {"text": "gone"}}"#;
        assert_eq!(wanted(""), ["list_items before store_item"]);
        assert_eq!(wanted(BEFORE), ["store_item write"]);
        let written = [BEFORE, WRITE].concat();
        assert_eq!(
            wanted(&written),
            ["get_item after store_item x7", "list_items after store_item"]
        );
        let shown = [&written, AFTER].concat();
        assert_eq!(wanted(&shown), ["remove_item delete store_item x7"]);
        let deleted = [&shown, DELETE].concat();
        assert_eq!(wanted(&deleted).len(), 2);
    }

    #[test]
    fn a_failed_write_is_followed_by_nothing() {
        let steps = r#", {"probe": "round-trip", "tool": "list_items", "label": "before store_item", "reply": {"text": "[]"}},
            {"probe": "round-trip", "tool": "store_item", "label": "write", "reply": {"tool_error": "full"}}"#;
        assert!(wanted(steps).is_empty());
    }
}
