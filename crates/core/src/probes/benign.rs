//! The benign side of every attack: a call that works, and for each place in its arguments the same
//! call with a word that nobody knows. Attacks borrow their arguments and compare with the answers.

use serde_json::Value;

use crate::arguments::{BENIGN, Place, Slot, choices, places, places_of, switched, violates};
use crate::attack::{Entry, door};
use crate::evidence::{Evidence, Exchange, Tool};
use crate::harvest::beside;
use crate::probe::{Call, Lane, Probe, Risk, words};
use crate::probes::{prompt_get, template_read, valid_call};
use crate::promise::holds;
use crate::response::{Answer, Trouble};
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "benign", hostile: true, lane: Lane::Shared, plan };

/// Attacks wait until ordinary use has been seen: they may disturb it.
fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let valid = evidence.conditions.seed.part(valid_call::PROBE.id);
    if !valid_call::is_over(evidence) {
        return Vec::new();
    }
    let fresh = evidence.tools().filter(|t| evidence.of_tool(PROBE.id, &t.name).next().is_none());
    let of_tools = fresh.flat_map(|tool| calls(evidence, tool, seed, valid));
    of_tools.chain(of_doors(evidence, seed)).collect()
}

/// Once the first answers are in, so that what is ordinary for a door stays so.
fn of_doors(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let pending = |x: &Exchange| x.reply.is_pending();
    let ordinary = [template_read::PROBE.id, prompt_get::PROBE.id];
    if ordinary.iter().any(|probe| evidence.of(probe).any(pending)) {
        return Vec::new();
    }
    door::doors(evidence).iter().flat_map(|door| door.benign(seed)).collect()
}

fn calls(evidence: &Evidence, tool: &Tool, seed: Seed, valid: Seed) -> Vec<Call> {
    let Some(base) = valid_call::best(evidence, tool, valid) else { return Vec::new() };
    let base = lively(evidence, tool, base);
    // What one choice shows, another may not.
    let turned = if looks(tool) { switched(tool, &base) } else { Vec::new() };
    let others = [turned, siblings(evidence, tool, &base), combined(evidence, tool, &base)];
    let mut calls: Vec<Call> = Vec::new();
    for (choice, arguments) in choices(tool, &base).into_iter().chain(others.into_iter().flatten())
    {
        let label = format!("{BENIGN} with {choice}");
        if calls.iter().all(|c| c.label != label) {
            calls.push(Call::tool(&tool.name, label, arguments));
        }
    }
    for place in places(evidence, tool, &base, seed) {
        if calls.iter().all(|c| c.label != place.twin) {
            calls.push(Call::tool(&tool.name, place.twin.clone(), place.arguments.clone()));
        }
        let label = label(&place);
        let word = Value::from(seed.word(&format!("{} {label}", tool.name), 9));
        if let Some((arguments, _)) = place.filled(tool, &word) {
            let call = Call::tool(&tool.name, label, arguments).about(place.subject());
            calls.push(call.with_control(place.twin));
        }
    }
    calls
}

/// The same arguments with another of what is listed instead of what ordinary use has destroyed by
/// now: an attack beside a thing that is gone reaches nothing.
fn lively(evidence: &Evidence, tool: &Tool, mut base: Value) -> Value {
    if Risk::of_tool(tool) == Risk::Destroys {
        return base;
    }
    let gone = destroyed(evidence);
    for pointer in places_of(&base) {
        let Some(own) = base.pointer(&pointer).filter(|own| gone.contains(own)) else { continue };
        let mut others = listed_beside(evidence, tool, own).into_iter();
        let mut arguments = base.clone();
        if let Some(other) = others.find(|other| !gone.contains(&other))
            && let Some(place) = arguments.pointer_mut(&pointer)
        {
            *place = other;
            if violates(&tool.input_schema, &arguments).is_none() {
                base = arguments;
            }
        }
    }
    base
}

/// What tools that destroy were given, and took.
fn destroyed(evidence: &Evidence) -> Vec<&Value> {
    let tools = evidence.tools().filter(|t| Risk::of_tool(t) == Risk::Destroys);
    let calls = tools.flat_map(|t| evidence.of_tool(valid_call::PROBE.id, &t.name));
    let given = calls.filter(|x| valid_call::took(x)).filter_map(Exchange::arguments);
    given.flat_map(|a| places_of(a).into_iter().filter_map(|at| a.pointer(&at))).collect()
}

/// How many ways to choose are looked at together.
const COMBINED: usize = 12;

/// The fullest call of a reading tool, with its choices made otherwise, one or two at a time: some
/// things are only shown where both are made.
fn combined(evidence: &Evidence, tool: &Tool, base: &Value) -> Vec<(String, Value)> {
    let worked = evidence.of_tool(valid_call::PROBE.id, &tool.name).filter(|x| valid_call::took(x));
    let fullest = worked.filter_map(Exchange::arguments).max_by_key(|a| places_of(a).len());
    let Some(mut full) = fullest.filter(|_| looks(tool)).cloned() else { return Vec::new() };
    // What is known to work stays.
    for (name, value) in base.as_object().into_iter().flatten() {
        full[name] = value.clone();
    }
    let single = choices(tool, &full);
    let mut found = Vec::new();
    for (nth, (first, arguments)) in single.iter().enumerate() {
        let at = |choice: &str| choice.split_once(" = ").map(|(at, _)| at.to_owned());
        for (second, other) in single[nth + 1..].iter().filter(|(c, _)| at(c) != at(first)) {
            let value = at(second).and_then(|at| Some((other.pointer(&at)?.clone(), at)));
            let mut both = arguments.clone();
            if let Some((value, at)) = value
                && let Some(place) = both.pointer_mut(&at)
            {
                *place = value;
                found.push((format!("{first} and {second}"), both));
            }
        }
    }
    single.into_iter().chain(found).take(COMBINED).collect()
}

/// Whether a tool only looks, by its name, or by its own word where the name tells nothing.
pub fn looks(tool: &Tool) -> bool {
    match Risk::of_tool(tool) {
        Risk::Reads => true,
        Risk::Writes => tool.hint("readOnlyHint") == Some(true) || says_that_it_looks(tool),
        Risk::Destroys => false,
    }
}

/// "Gives the notes of a release", of a tool whose name has no verb that we know.
fn says_that_it_looks(tool: &Tool) -> bool {
    const LOOKING: &str = "display displays give gives return returns tell tells";
    let known = words(&tool.name).iter().any(|word| Risk::of_word(word).is_some());
    let about = words(tool.description.as_deref().unwrap_or_default());
    let verb = about.first().map(String::as_str).unwrap_or_default();
    let reads = |verb: &str| Risk::of_word(verb) == Some(Risk::Reads);
    !known
        && (holds(&about[..about.len().min(1)], LOOKING)
            || reads(verb)
            || reads(verb.trim_end_matches('s')))
}

/// How many more of what is listed are looked at.
const SIBLINGS: usize = 6;

/// The call of a reading tool for others of the things that are listed where its own is: what one
/// record says, another may not.
fn siblings(evidence: &Evidence, tool: &Tool, base: &Value) -> Vec<(String, Value)> {
    if looks(tool) { among_listed(evidence, tool, base) } else { Vec::new() }
}

/// The same arguments for others of what is listed, and what is other.
pub(crate) fn among_listed(evidence: &Evidence, tool: &Tool, base: &Value) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    for pointer in places_of(base) {
        let Some(own) = base.pointer(&pointer) else { continue };
        for other in listed_beside(evidence, tool, own).into_iter().take(SIBLINGS) {
            let mut arguments = base.clone();
            let Some(place) = arguments.pointer_mut(&pointer) else { continue };
            let shown = other.as_str().map_or_else(|| other.to_string(), str::to_owned);
            *place = other;
            if violates(&tool.input_schema, &arguments).is_none() {
                found.push((format!("{pointer} = {shown}"), arguments));
            }
        }
    }
    found.truncate(SIBLINGS);
    found
}

/// What a listing that needs nothing names beside this value. With nothing asked for, it shows more
/// than with a filter.
fn listed_beside(evidence: &Evidence, tool: &Tool, own: &Value) -> Vec<Value> {
    if own.is_boolean() {
        return Vec::new();
    }
    let listing = evidence.tools().filter(|t| t.name != tool.name && t.required().next().is_none());
    let answers = listing.flat_map(|t| evidence.of_tool(valid_call::PROBE.id, &t.name));
    let others = answers.filter(|x| valid_call::took(x)).map(|x| beside(&x.reply, own));
    others.fold(Vec::new(), |most, others| if others.len() > most.len() { others } else { most })
}

const SLOTS: [(Slot, &str); 3] = [
    (Slot::Text, "word in "),
    (Slot::Key, "word as the name of "),
    (Slot::Scalar, "word instead of "),
];

pub(crate) fn label(place: &Place) -> String {
    let how = SLOTS.iter().find(|(slot, _)| *slot == place.slot).map_or("", |(_, how)| how);
    format!("{how}{}", place.location())
}

/// A place that was tried with a word, and what came of it.
#[derive(Debug, Clone)]
pub struct Tried<'a> {
    pub place: Place,
    /// The call with the word.
    pub word: &'a Exchange,
    /// Neither the schema nor the server takes a text that is not foreseen.
    pub closed: bool,
    pub entry: Entry,
}

/// The places of a tool that were tried and answered.
pub fn tried<'a>(evidence: &'a Evidence, tool: &'a Tool) -> Vec<Tried<'a>> {
    evidence.of_tool(PROBE.id, &tool.name).filter_map(|x| one(evidence, tool, x)).collect()
}

fn one<'a>(evidence: &'a Evidence, tool: &'a Tool, word: &'a Exchange) -> Option<Tried<'a>> {
    let twin = word.control.as_ref()?;
    let base = evidence.of_tool(PROBE.id, &tool.name).find(|x| x.label == *twin)?;
    let answered = base.reply.why_unseen().is_none() && word.reply.why_unseen().is_none();
    let named = |(slot, how): &(Slot, &str)| Some((*slot, word.label.strip_prefix(how)?));
    let (slot, location) = SLOTS.iter().find_map(named)?;
    let place = Place::at(tool, slot, location, base.arguments()?, twin)?;
    let forbidden = violates(&tool.input_schema, word.arguments()?).is_some();
    let closed = forbidden && is_refused(&Answer::of(evidence, word));
    answered.then_some(Tried { place, word, closed, entry: Entry::Tool })
}

/// Whether arguments were turned away for their shape, before anything was done with them.
pub fn is_refused(answer: &Answer) -> bool {
    match answer {
        Answer::Refused { code, message } => {
            *code == -32602 || Trouble::of(message) == Trouble::Shape
        }
        Answer::ToolError(text) => {
            text.to_lowercase().contains("validation error") || Trouble::of(text) == Trouble::Shape
        }
        Answer::Accepted
        | Answer::Malformed(_)
        | Answer::Crashed
        | Answer::Hung
        | Answer::Unseen(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::pages;

    #[test]
    fn what_was_destroyed_gives_way_to_what_is_listed_beside_it() {
        let evidence = pages::evidence(
            r#"{"tools": [{"name": "list_assets"},
                {"name": "get_cover", "inputSchema": {"type": "object", "required": ["asset"], "properties": {"asset": {"type": "string"}}}},
                {"name": "delete_asset", "inputSchema": {"type": "object", "required": ["asset"], "properties": {"asset": {"type": "string"}}}}],
            "exchanges": [
                {"probe": "valid-call", "tool": "list_assets", "label": "typical", "arguments": {}, "reply": {"text": "[{\"id\": \"clip-01\"}, {\"id\": \"clip-02\"}]"}},
                {"probe": "valid-call", "tool": "get_cover", "label": "typical", "arguments": {"asset": "clip-01"}, "reply": {"text": "a cover"}},
                {"probe": "valid-call", "tool": "delete_asset", "label": "typical", "arguments": {"asset": "clip-01"}, "reply": {"text": "deleted"}}]}"#,
        )
        .unwrap();
        let base = |tool: &str| {
            let tool = evidence.tool(tool).unwrap();
            lively(&evidence, tool, json!({"asset": "clip-01"}))
        };
        assert_eq!(base("get_cover"), json!({"asset": "clip-02"}));
        assert_eq!(base("delete_asset"), json!({"asset": "clip-01"}));
    }
}
