//! Numbers below zero where only counts make sense: they turn taking into giving.

use serde_json::{Value, json};

use crate::attack::openness;
use crate::attack::stand::{Stand, ordinary};
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::probe::{Call, Lane, Probe, words};
use crate::probes::{benign, valid_call};
use crate::proof::Proof;
use crate::response::Answer;
use crate::seed::Seed;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "security/integer-handling",
    title: "Counts below zero are refused",
    facet: Facet::InputValidation,
    severity: Severity::Medium,
    class: Some(Class::IntegerHandling),
    requirements: &[served("SEC-07"), served("TOOL-24")],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &benign::PROBE, &PROBE],
    page: include_str!("integer_handling.md"),
    judge,
};

const PROBE: Probe = Probe { id: "integer-handling", hostile: true, lane: Lane::Turn, plan };
/// Two ordinary steps show what one unit does; the others ask for the reverse.
const STEPS: [i64; 4] = [1, 1, -3, -2];

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let Some(on) = Stand::State.connection(evidence) else { return Vec::new() };
    let calls = evidence.tools().flat_map(|tool| steps(evidence, tool));
    calls.map(|call| call.on(on)).collect()
}

fn steps(evidence: &Evidence, tool: &Tool) -> Vec<Call> {
    let arguments = ordinary(evidence, tool).and_then(Exchange::arguments);
    let Some(arguments) = arguments else { return Vec::new() };
    let counts = tool.parameters().filter(|(name, schema)| is_count(tool, name, schema));
    let calls = counts.flat_map(|(name, _)| {
        STEPS.iter().enumerate().filter_map(move |(turn, step)| {
            let mut arguments = arguments.clone();
            arguments.as_object_mut()?.insert(name.to_owned(), json!(step));
            let pointer = format!("/{name}");
            let label = format!("step {turn}: {step} in {pointer}");
            Some(Call::tool(&tool.name, label, arguments).about(&pointer))
        })
    });
    calls.collect()
}

/// A number of which less than none makes no sense, by its schema, its name or what is said of it.
fn is_count(tool: &Tool, name: &str, schema: &Value) -> bool {
    const NAMES: &[&str] =
        &["amount", "quantity", "qty", "pieces", "count", "units", "points", "tickets", "seats"];
    const SIGNED: &[&str] = &["delta", "change", "offset", "adjustment", "difference"];
    let number = matches!(schema.get("type").and_then(Value::as_str), Some("integer" | "number"));
    let least = ["minimum", "exclusiveMinimum"].iter().find_map(|k| schema.get(*k)?.as_f64());
    let about = openness::of_parameter(tool, name).to_lowercase();
    let said = ["at least 1", "positive", "how many", "how much", "number of"];
    let has = |list: &[&str]| words(name).iter().any(|w| list.contains(&w.as_str()));
    let counts =
        has(NAMES) || least.is_some_and(|l| l >= 0.0) || said.iter().any(|s| about.contains(s));
    number && counts && !has(SIGNED)
}

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let mut subjects: Vec<&Subject> = evidence.of(PROBE.id).map(|x| &x.subject).collect();
    subjects.sort();
    subjects.dedup();
    subjects.into_iter().map(|subject| verdict(evidence, subject)).collect()
}

fn verdict(evidence: &Evidence, subject: &Subject) -> Finding {
    let steps: Vec<&Exchange> = evidence.of(PROBE.id).filter(|x| x.subject == *subject).collect();
    let unseen = steps.iter().find_map(|x| x.reply.why_unseen());
    if let Some(why) = unseen.filter(|_| reverses(evidence, &steps).is_none()) {
        return Finding::unseen(subject.clone(), why);
    }
    match reverses(evidence, &steps) {
        Some(proof) => Finding::fail(
            subject.clone(),
            "a number below zero was accepted and did the reverse of what the tool does",
            "refuse numbers below one before doing anything with them",
        )
        .proven(proof)
        .seen_in(steps[2].id),
        None => Finding::pass(subject.clone(), "no number below zero did the reverse"),
    }
}

/// Each step moves a number of the answer by the same amount for each unit, and those below zero
/// move it back. A counter of calls does not, and neither does what keeps no state.
fn reverses(evidence: &Evidence, steps: &[&Exchange]) -> Option<Proof> {
    let [_, second, third, _] = steps else { return None };
    let accepted = steps.iter().all(|x| Answer::of(evidence, x) == Answer::Accepted);
    let numbers: Vec<Vec<i64>> = steps.iter().map(|x| numbers(&x.reply.text())).collect();
    let places = numbers.iter().map(Vec::len).min().filter(|_| accepted)?;
    let follows = (0..places).any(|i| {
        let unit = numbers[1][i] - numbers[0][i];
        unit != 0
            && numbers[2][i] - numbers[1][i] == -3 * unit
            && numbers[3][i] - numbers[2][i] == -2 * unit
    });
    follows.then_some(Proof::Contradiction { a: second.id, b: third.id })
}

fn numbers(text: &str) -> Vec<i64> {
    let part = |c: char| !(c.is_ascii_digit() || c == '-');
    text.split(part)
        .filter_map(|word| word.parse().ok())
        .filter(|n: &i64| n.abs() < 1 << 50)
        .collect()
}
