//! Members that land on the prototype of all objects, and show on one that nobody gave them to.

use serde_json::{Map, Value, json};

use crate::attack::stand::{Stand, objects, ordinary, with_members};
use crate::attack::{Nonce, everywhere};
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::probe::{Call, Lane, Probe, Risk};
use crate::probes::{benign, valid_call};
use crate::proof::{Oracle, Proof, payload, says};
use crate::response::{Answer, quote};
use crate::seed::Seed;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "security/prototype-pollution",
    title: "No member lands on the prototype of all objects",
    facet: Facet::Injection,
    severity: Severity::High,
    class: Some(Class::PrototypePollution),
    requirements: &[served("SEC-07"), served("TOOL-24")],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &benign::PROBE, &PROBE],
    page: include_str!("prototype_pollution.md"),
    judge,
};

const PROBE: Probe = Probe { id: "prototype-pollution", hostile: true, lane: Lane::Alone, plan };
/// Reading tools that are looked at afterwards.
const LOOKS: usize = 16;
const AFTER: &str = "afterwards";

/// Once every tool was called as usual: all attempts, then a look at what others show.
fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let Some(on) = Stand::Polluted.connection(evidence) else { return Vec::new() };
    let mut calls: Vec<Call> =
        evidence.tools().flat_map(|tool| into_objects(evidence, tool, seed)).collect();
    calls.extend(everywhere(evidence, |tool, tried| {
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
    let readers = evidence.tools().filter(|t| Risk::of_tool(t) == Risk::Reads);
    let look = |tool: &Tool| {
        let arguments = ordinary(evidence, tool)?.arguments()?.clone();
        Some(Call::tool(&tool.name, AFTER, arguments))
    };
    readers.filter_map(look).take(LOOKS).collect()
}

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let looks: Vec<&Exchange> = evidence.of(PROBE.id).filter(|x| x.label == AFTER).collect();
    if looks.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<Finding> = Vec::new();
    for x in evidence.of(PROBE.id).filter(|x| x.label != AFTER) {
        let hole = looks.iter().find_map(|look| shown(x, look)).map(|f| f.seen_in(x.id));
        found.extend(hole.filter(|f| found.iter().all(|g| g.subject != f.subject)));
    }
    let seen = |x: &&&Exchange| matches!(Answer::of(evidence, x), Answer::Accepted);
    match looks.iter().find(seen) {
        _ if !found.is_empty() => found,
        Some(look) => {
            let says = "no object had members that nobody gave it";
            vec![Finding::pass(Subject::Server, says).seen_in(look.id)]
        }
        None => {
            let why = looks[0].reply.why_unseen();
            let why = why.unwrap_or_else(|| "no reading tool worked afterwards".to_owned());
            vec![Finding::unseen(Subject::Server, why)]
        }
    }
}

/// A member that was sent to the prototype and shows elsewhere, while what was sent the same way to
/// an ordinary place does not: a store would show both.
fn shown(x: &Exchange, look: &Exchange) -> Option<Finding> {
    let Some(Oracle::Computed { expected }) = &x.oracle else { return None };
    let control = x.control.as_deref().unwrap_or_default();
    let hidden = ["__proto__", "prototype", control].iter().all(|t| !says(&look.reply, t));
    let polluted = control != expected && hidden && says(&look.reply, expected);
    polluted.then(|| {
        let proof = Proof::Computed { payload: payload(x), expected: expected.clone() };
        let tool = look.subject.tool().unwrap_or_default();
        let says = format!("\"{}\" put a member on every object: `{tool}` showed it", quote(&payload(x)));
        let fix = "leave out `__proto__`, `constructor` and `prototype` when merging or walking paths; use `Object.create(null)` or a Map";
        Finding::fail(x.subject.clone(), says, fix).proven(proof)
    })
}
