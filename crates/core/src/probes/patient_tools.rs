//! Tools that take their time: those to ask for progress, and to cancel.

use serde_json::{Value, json};

use crate::evidence::{Evidence, Exchange, Tool};
use crate::probe::{Risk, words};
use crate::probes::valid_call;

const HINTS: [&str; 7] = ["long", "slow", "progress", "sleep", "wait", "delay", "countdown"];

/// Longer ones would use up the patience of a side.
const LONGEST_MS: f64 = 3_000.0;

/// The tools that may be called again on a side, with the call that worked: those that say that
/// they take long first, then those that read. How long they took is chance, and chooses nothing.
pub(crate) fn ranked(evidence: &Evidence) -> Vec<(&Tool, &Exchange)> {
    let mut all: Vec<(&Tool, &Exchange)> = evidence
        .tools()
        .filter(|t| match evidence.risk_of(&t.name) {
            Risk::Reads => true,
            Risk::Writes => hints(t),
            Risk::Destroys => false,
        })
        .filter_map(|t| Some((t, valid_call::working(evidence, &t.name)?)))
        .filter(|(_, x)| x.took.millis() < LONGEST_MS)
        .collect();
    all.sort_by_key(|(t, _)| (!hints(t), t.name.clone()));
    all
}

/// How long a tool is told to take, where it lets us choose: of whole seconds, one.
const CHOSEN_MS: u32 = 500;
const DURATIONS: [&str; 4] = ["duration", "delay", "sleep", "wait"];

/// A tool, arguments with which it takes a while, and how many milliseconds that is.
pub(crate) fn slow(evidence: &Evidence) -> Option<(&Tool, Value, u32)> {
    let lengthened = |(tool, x)| {
        let (arguments, ms) = lengthened(tool, x)?;
        Some((tool, arguments, ms))
    };
    ranked(evidence).into_iter().find_map(lengthened)
}

/// The arguments of a call that worked, with a duration that is long enough, and that duration.
fn lengthened(tool: &Tool, x: &Exchange) -> Option<(Value, u32)> {
    let properties = tool.input_schema.get("properties")?.as_object()?;
    let is_duration = |name: &str| words(name).iter().any(|w| DURATIONS.contains(&w.as_str()));
    let is = |schema: &Value, kind: &str| schema.get("type").is_some_and(|t| t == kind);
    let counts = |schema: &Value| is(schema, "integer") || is(schema, "number");
    let (name, schema) = properties.iter().find(|(n, s)| is_duration(n) && counts(s))?;
    let in_ms = words(name).iter().any(|w| w == "ms" || w.starts_with("milli"));
    let (wanted, ms) = match (in_ms, is(schema, "integer")) {
        (true, _) => (json!(CHOSEN_MS), CHOSEN_MS),
        (false, true) => (json!(1), 1_000),
        (false, false) => (json!(f64::from(CHOSEN_MS) / 1_000.0), CHOSEN_MS),
    };
    let least = schema.get("minimum").and_then(Value::as_f64).unwrap_or(f64::MIN);
    let most = schema.get("maximum").and_then(Value::as_f64).unwrap_or(f64::MAX);
    let mut arguments = x.arguments()?.clone();
    let fits = wanted.as_f64().is_some_and(|wanted| least <= wanted && wanted <= most);
    arguments[name.as_str()] = wanted;
    fits.then_some((arguments, ms))
}

fn hints(tool: &Tool) -> bool {
    let description = tool.description.as_deref().unwrap_or_default();
    let mut said = words(&tool.name).into_iter().chain(words(description));
    said.any(|word| HINTS.contains(&word.as_str()))
}
