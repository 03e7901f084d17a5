//! Calls what was refused again after each call that may have switched something.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Value, json};

use crate::attack::openness;
use crate::attack::stand::{Stand, objects, ordinary, with_members};
use crate::evidence::{Evidence, Exchange, Tool};
use crate::pattern;
use crate::probe::{Call, Lane, Probe, Risk};
use crate::response::Answer;
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "privilege-toggle", hostile: true, lane: Lane::Turn, plan };
/// Refused tools that are tried, other tools that may switch something, and values for each text.
const REFUSED: usize = 3;
const SWITCHES: usize = 12;
const VALUES: usize = 4;

static DENIED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern::ascii(r"not (allowed|permitted|authori[sz]ed)|permission|forbidden|access denied|denied|privilege|(admin|owner|operator)s? only|only (for )?(the )?(admin|owner|operator)|requires? (admin|owner|elevated|operator)|unauthori[sz]ed").ok()
});

pub fn is_denied(x: &Exchange) -> bool {
    let text = x.reply.text().to_lowercase();
    DENIED.as_ref().is_some_and(|d| d.is_match(&text))
}

/// Tools whose ordinary call was refused for who calls it.
fn refused(evidence: &Evidence) -> Vec<(&Tool, &Exchange)> {
    let called = evidence.tools().filter_map(|t| Some((t, ordinary(evidence, t)?)));
    let denied =
        |(_, x): &(&Tool, &Exchange)| Answer::of(evidence, x) != Answer::Accepted && is_denied(x);
    called.filter(denied).take(REFUSED).collect()
}

/// First the refused call; then, each followed by it, the calls that may switch something.
fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let Some(on) = Stand::State.connection(evidence) else { return Vec::new() };
    let mut calls = Vec::new();
    for (tool, x) in refused(evidence) {
        let Some(arguments) = x.arguments() else { continue };
        let again = |label: String| Call::tool(&tool.name, label, arguments.clone());
        calls.push(again("at first".to_owned()));
        let others = evidence.tools().filter(|t| t.name != tool.name && !names(tool, t));
        let switches = others.flat_map(|t| switches(evidence, t));
        for (label, switch) in switches.take(SWITCHES * VALUES) {
            let label = format!("{label} for {}", tool.name);
            calls.push(Call { label: label.clone(), ..switch });
            calls.push(again(format!("after {label}")));
        }
    }
    calls.into_iter().map(|call| call.on(on)).collect()
}

/// Whether a tool itself says that the other comes first: then that is the way it is meant.
fn names(tool: &Tool, other: &Tool) -> bool {
    tool.raw.to_string().contains(&other.name)
}

/// The ordinary call of a tool, and the same with the words that it offers for its texts.
fn switches(evidence: &Evidence, tool: &Tool) -> Vec<(String, Call)> {
    let arguments = ordinary(evidence, tool).and_then(Exchange::arguments);
    let Some(arguments) = arguments else { return Vec::new() };
    let mut found = Vec::new();
    for (name, schema) in tool.parameters() {
        for value in values(tool, name, schema) {
            let mut arguments = arguments.clone();
            let Some(map) = arguments.as_object_mut() else { continue };
            map.insert(name.to_owned(), value.clone());
            let label = format!("{} with {name} {value}", tool.name);
            found.push((label.clone(), Call::tool(&tool.name, label, arguments)));
        }
    }
    if evidence.risk_of(&tool.name) == Risk::Writes {
        found.extend(objects(arguments).iter().flat_map(|at| more_members(tool, arguments, at)));
    }
    found
}

/// Members that no caller was offered, in an object that may be merged into what the server keeps.
fn more_members(tool: &Tool, arguments: &Value, pointer: &str) -> Vec<(String, Call)> {
    let sets =
        [json!({"role": "admin"}), json!({"is_admin": true, "isAdmin": true, "admin": true})];
    let call = |set: &Value| {
        let arguments = with_members(arguments, pointer, set.as_object()?.clone())?;
        let label = format!("{} with more in {pointer}: {set}", tool.name);
        Some((label.clone(), Call::tool(&tool.name, label, arguments)))
    };
    sets.iter().filter_map(call).collect()
}

/// What a switch may be set to: its choices, or the words between which it is said to choose.
pub(crate) fn values(tool: &Tool, name: &str, schema: &Value) -> Vec<Value> {
    if let Some(choices) = schema.get("enum").and_then(Value::as_array) {
        return choices.iter().take(VALUES).cloned().collect();
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("boolean") => vec![json!(true), json!(false)],
        Some("string") | None => {
            let about = openness::of_parameter(tool, name)
                .replace(['`', '"', '\'', ',', '.', '(', ')'], " ");
            let words: Vec<&str> = about.split_whitespace().collect();
            let chosen = words.windows(3).filter(|w| w[1] == "or").flat_map(|w| [w[0], w[2]]);
            let usual = is_switch(name).then_some("admin");
            chosen.chain(usual).take(VALUES).map(|w| json!(w)).collect()
        }
        Some(_) => Vec::new(),
    }
}

fn is_switch(name: &str) -> bool {
    ["mode", "role", "level", "profile", "user"].iter().any(|w| name.to_lowercase().contains(w))
}
