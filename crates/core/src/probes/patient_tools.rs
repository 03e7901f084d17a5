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

/// How long a tool is told to take, where it lets us choose.
const CHOSEN_MS: u32 = 1_000;
const DURATIONS: [&str; 4] = ["duration", "delay", "sleep", "wait"];

/// A tool, arguments with which it takes a while, and how many milliseconds that is.
pub(crate) fn slow(evidence: &Evidence) -> Option<(&Tool, Value, u32)> {
    ranked(evidence).into_iter().find_map(|(t, x)| Some((t, lengthened(t, x)?, CHOSEN_MS)))
}

/// The arguments of a call that worked, with a second as its duration.
fn lengthened(tool: &Tool, x: &Exchange) -> Option<Value> {
    let properties = tool.input_schema.get("properties")?.as_object()?;
    let is_duration = |name: &str| words(name).iter().any(|w| DURATIONS.contains(&w.as_str()));
    let counts = |schema: &Value| {
        matches!(schema.get("type").and_then(Value::as_str), Some("integer" | "number"))
    };
    let (name, schema) = properties.iter().find(|(n, s)| is_duration(n) && counts(s))?;
    let in_ms = words(name).iter().any(|w| w == "ms" || w.starts_with("milli"));
    let wanted = if in_ms { CHOSEN_MS } else { 1 };
    let most = schema.get("maximum").and_then(Value::as_f64).unwrap_or(f64::MAX);
    let mut arguments = x.arguments()?.clone();
    arguments[name.as_str()] = json!(wanted);
    (f64::from(wanted) <= most).then_some(arguments)
}

fn hints(tool: &Tool) -> bool {
    let description = tool.description.as_deref().unwrap_or_default();
    let mut said = words(&tool.name).into_iter().chain(words(description));
    said.any(|word| HINTS.contains(&word.as_str()))
}
