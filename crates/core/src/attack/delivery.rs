//! Delivery: how payloads get to every place of every tool, one at a time, all else ordinary.

use serde_json::Value;

use super::Nonce;
use crate::evidence::{Evidence, Exchange, Profile, Subject, Tool};
use crate::probe::{Call, Risk, words};
use crate::probes::benign::{self, Tried, is_refused};
use crate::proof::{Oracle, is_alike};
use crate::response::Answer;
use crate::seed::Seed;

/// What is put in a place, and what would prove that it was more than a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Payload {
    pub value: Value,
    pub oracle: Oracle,
}

impl Payload {
    pub fn text(text: impl Into<String>, oracle: Oracle) -> Payload {
        Payload { value: Value::String(text.into()), oracle }
    }
}

/// One way in which a text may be taken for something else.
#[derive(Debug)]
pub struct Form {
    pub name: &'static str,
    /// The first profile in which it is sent.
    pub least: Profile,
    /// `None` where it can't be made: no page to call, no such canary.
    pub make: fn(&Nonce<'_>) -> Option<Payload>,
}

/// Two conditions that differ in nothing but their truth. The true one goes first; the others
/// follow when its answer is unlike that to an unknown word.
#[derive(Debug)]
pub struct Pair {
    pub name: &'static str,
    pub least: Profile,
    /// No filter could tell the two apart by their looks.
    pub opaque: bool,
    /// Where it works, more is touched than was named: only for what reads.
    pub widens: bool,
    /// The value for this truth. The nonce is another one for each turn.
    pub make: fn(&Nonce<'_>, bool) -> Value,
}

/// Every form for every open place.
pub fn deliver(evidence: &Evidence, seed: Seed, probe: &str, forms: &[Form]) -> Vec<Call> {
    let profile = evidence.conditions.profile;
    let due: Vec<&Form> = forms.iter().filter(|f| f.least <= profile).collect();
    everywhere(evidence, |tool, tried| {
        let nonce = |name: &str| Nonce::new(evidence, tool, &tried.place, probe, name, seed);
        let call = |form: &&Form| {
            let payload = (form.make)(&nonce(form.name))?;
            shot(evidence, tool, tried, probe, form.name, &payload)
        };
        due.iter().filter_map(call).collect()
    })
}

/// Every pair for every open place, the second half only where the first shows something.
pub fn deliver_pairs(evidence: &Evidence, seed: Seed, probe: &str, pairs: &[Pair]) -> Vec<Call> {
    let profile = evidence.conditions.profile;
    let due: Vec<&Pair> = pairs.iter().filter(|p| p.least <= profile).collect();
    everywhere(evidence, |tool, tried| {
        let fits = |p: &&&Pair| !p.widens || may_widen(evidence, tool);
        due.iter()
            .filter(fits)
            .flat_map(|p| of_pair(evidence, tool, tried, probe, p, seed))
            .collect()
    })
}

fn of_pair(
    evidence: &Evidence,
    tool: &Tool,
    tried: &Tried<'_>,
    probe: &str,
    pair: &Pair,
    seed: Seed,
) -> Vec<Call> {
    const TURNS: [(bool, u8); 4] = [(true, 1), (false, 1), (true, 2), (false, 2)];
    let mut calls = TURNS.iter().filter_map(|(truth, turn)| {
        let name = format!("{} {truth} {turn}", pair.name);
        // Both truths of a turn are made of the same values.
        let turn = format!("{} {turn}", pair.name);
        let nonce = Nonce::new(evidence, tool, &tried.place, probe, &turn, seed);
        let oracle = Oracle::Differential {
            group: pair.name.to_owned(),
            truth: *truth,
            opaque: pair.opaque,
        };
        let payload = Payload { value: (pair.make)(&nonce, *truth), oracle };
        shot(evidence, tool, tried, probe, &name, &payload)
    });
    let Some(first) = calls.next() else { return Vec::new() };
    let made = evidence.of(probe).find(|x| x.subject == first.subject && x.label == first.label);
    let telling = made
        .is_some_and(|x| Answer::of(evidence, x) == Answer::Accepted && !is_alike(x, tried.word));
    let mut all = vec![first];
    if telling {
        all.extend(calls);
    }
    all
}

/// Asks for calls at every place that takes texts. What is closed is left alone.
pub fn everywhere(
    evidence: &Evidence,
    mut calls: impl FnMut(&Tool, &Tried<'_>) -> Vec<Call>,
) -> Vec<Call> {
    let mut all = Vec::new();
    for tool in evidence.tools() {
        for tried in benign::tried(evidence, tool).iter().filter(|t| !t.closed) {
            all.extend(calls(tool, tried));
        }
    }
    all
}

/// The call that carries a payload. Where the schema forbids it, one call finds out whether anyone
/// minds; the others follow if not. Where a hole is proven, nothing more is sent.
pub fn shot(
    evidence: &Evidence,
    tool: &Tool,
    tried: &Tried<'_>,
    probe: &str,
    name: &str,
    payload: &Payload,
) -> Option<Call> {
    let place = &tried.place;
    let (arguments, allowed) = place.filled(tool, &payload.value)?;
    let label = format!("{name} in {}", place.pointer);
    let subject = Subject::param(&tool.name, &place.pointer);
    let mut before = evidence.of(probe).filter(|x| x.subject == subject && x.label != label);
    let minded =
        |x: &Exchange| x.reply.why_unseen().is_some() || is_refused(&Answer::of(evidence, x));
    if !allowed && before.any(minded) {
        return None;
    }
    let call = Call::tool(&tool.name, label, arguments).about(&place.pointer);
    Some(call.with_control(&place.twin).with_oracle(payload.oracle.clone()))
}

/// Whether a condition that is true for everything may reach this tool. One that writes or
/// destroys would do it to everything.
fn may_widen(evidence: &Evidence, tool: &Tool) -> bool {
    let unknown = words(&tool.name).iter().all(|w| Risk::of_word(w).is_none());
    evidence.risk_of(&tool.name) == Risk::Reads
        || (unknown && evidence.conditions.policy.disposable)
}
