//! Sends members that would land on the prototype of all objects, then looks at what others show.

use serde_json::{Map, Value, json};

use crate::arguments::choices;
use crate::attack::stand::{Stand, objects, ordinary, with_members};
use crate::attack::{Nonce, in_tools};
use crate::evidence::{Evidence, Exchange, Tool};
use crate::probe::{Call, Lane, Probe, Risk};
use crate::probes::benign;
use crate::proof::Oracle;
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "prototype-pollution", hostile: true, lane: Lane::Turn, plan };
/// Tools that are looked at afterwards.
const LOOKS: usize = 32;
pub const AFTER: &str = "afterwards";

/// Once every tool was called as usual: all attempts, then a look at what others show.
fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let Some(on) = Stand::Polluted.connection(evidence) else { return Vec::new() };
    let mut calls: Vec<Call> =
        evidence.tools().flat_map(|tool| into_objects(evidence, tool, seed)).collect();
    calls.extend(in_tools(evidence, |tool, tried| {
        if tried.place.location() != tried.place.pointer {
            return Vec::new();
        }
        let nonce = Nonce::new(evidence, tool, &tried.place, PROBE.id, "text", seed);
        let marks = [nonce.word("first"), nonce.word("second"), nonce.word("third")];
        let control = nonce.word("control");
        let texts = [
            ("ordinary path", format!("{}.{control}", nonce.word("plain"))),
            ("path", format!("__proto__.{}", marks[0])),
            ("longer path", format!("constructor.prototype.{}", marks[1])),
            ("document", members(&marks[2], &control, &nonce.word("value")).to_string()),
        ];
        let call = |(name, text): &(&str, String)| {
            let (arguments, allowed) = tried.place.filled(tool, &json!(text))?;
            let label = format!("{name} in {}", tried.place.pointer);
            let expected = marks.iter().find(|mark| text.contains(mark.as_str()));
            let oracle = Oracle::computed(expected.unwrap_or(&control).as_str());
            let call = Call::tool(&tool.name, label, arguments).about(tried.place.subject());
            allowed.then(|| call.with_oracle(oracle).with_control(control.clone()))
        };
        texts.iter().filter_map(call).collect()
    }));
    if calls.is_empty() {
        return calls;
    }
    calls.extend(looks(evidence));
    calls.into_iter().map(|call| call.on(on)).collect()
}

fn members(mark: &str, control: &str, value: &str) -> Value {
    json!({"__proto__": {mark: value}, "constructor": {"prototype": {mark: value}}, "plain": {control: value}})
}

fn into_objects(evidence: &Evidence, tool: &Tool, seed: Seed) -> Vec<Call> {
    let Some(arguments) = ordinary(evidence, tool).and_then(Exchange::arguments) else {
        return Vec::new();
    };
    let call = |pointer: String| {
        let seed = seed.part(&format!("{} {pointer}", tool.name));
        let [mark, control, value] =
            ["mark", "control", "value"].map(|l| format!("x{}", seed.word(l, 8)));
        let more: Map<String, Value> = members(&mark, &control, &value).as_object()?.clone();
        let arguments = with_members(arguments, &pointer, more)?;
        let call = Call::tool(&tool.name, format!("members of {pointer}"), arguments);
        Some(call.about(&pointer).with_oracle(Oracle::computed(mark)).with_control(control))
    };
    objects(arguments).into_iter().filter_map(call).collect()
}

fn looks(evidence: &Evidence) -> Vec<Call> {
    // What reads first, then what was written to: it may show what it made by itself.
    let mut lookers: Vec<&Tool> =
        evidence.tools().filter(|t| Risk::of_tool(t) != Risk::Destroys).collect();
    lookers.sort_by_key(|t| Risk::of_tool(t));
    let look = |tool: &Tool| -> Option<Vec<Call>> {
        let usual = ordinary(evidence, tool)?.arguments()?;
        let own = Call::tool(&tool.name, AFTER, usual.clone());
        if !benign::looks(tool) {
            return Some(vec![own]);
        }
        // What was written to shows what it was given; another one of its kind does not, nor another of
        // the things that are listed.
        let listed = benign::among_listed(evidence, tool, usual).into_iter().take(1);
        let others = choices(tool, usual).into_iter().chain(listed);
        let others = others.map(|(choice, arguments)| {
            Call::tool(&tool.name, format!("{AFTER} with {choice}"), arguments)
        });
        Some(std::iter::once(own).chain(others).collect())
    };
    lookers.into_iter().filter_map(look).flatten().take(LOOKS).collect()
}
