//! Numbers without a unit, and texts of which only the author knows the form.

use serde_json::Value;

use crate::arguments::told_range;
use crate::check::{Check, Confidence, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::probe::words;
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "usability/units-and-formats",
    title: "Quantities name their unit and dates their format",
    facet: Facet::Practice,
    severity: Severity::Info,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("units_and_formats.md"),
    judge,
};

/// Words of names whose numbers mean nothing without a unit.
const QUANTITIES: &str = "timeout duration delay interval ttl wait age expiry elapsed bandwidth \
    distance radius weight temperature";
/// Units, and what a temperature that has none is told by.
const UNITS: &str = "second sec ms millisecond milli minute min hour day week month year byte kb mb \
    gb meter metre km kilometer kilometre mile gram kg celsius fahrenheit kelvin degree percent pixel \
    px sampling creativity randomness";
/// Words of names whose texts have a form.
const DATED: &str = "date datetime timestamp since until deadline birthday";
const FORMS: &[&str] = &[
    "iso", "rfc", "yyyy", "yy", "epoch", "unix", "utc", "format", "e.g", "example", "such as",
    "like ", "today", "20",
];

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let mut clear = 0;
    let mut vague = Vec::new();
    for tool in evidence.tools() {
        for (name, schema) in tool.parameters() {
            match is_clear(name, schema) {
                Some(true) => clear += 1,
                Some(false) => vague.push(format!("{}.{name}", tool.name)),
                None => {}
            }
        }
    }
    if clear + vague.len() == 0 {
        return Vec::new();
    }
    if vague.is_empty() {
        return vec![Finding::pass(
            Subject::Server,
            format!("quantities and dates that are clear: {clear}"),
        )];
    }
    let says = format!("no unit or format: {}", quote(&vague.join(", ")));
    let fix = "put the unit into the name (`timeout_ms`) or the description; give dates a `format` or an example";
    let grade = Grade::share(clear, clear + vague.len());
    vec![Finding::partial(Subject::Server, grade, says, fix).confidence(Confidence::Low)]
}

/// `None` for parameters that are neither a quantity nor a date.
fn is_clear(name: &str, schema: &Value) -> Option<bool> {
    let called = words(name);
    let holds = |words: &[String], list: &str| {
        let one = |w: &String| w.trim_end_matches('s').to_owned();
        words.iter().any(|w| list.split_whitespace().any(|l| l == w.as_str() || l == one(w)))
    };
    let kind = schema.get("type").and_then(Value::as_str)?;
    let about =
        schema.get("description").and_then(Value::as_str).unwrap_or_default().to_lowercase();
    match kind {
        "integer" | "number" if holds(&called, QUANTITIES) => {
            Some(holds(&words(&about), UNITS) || holds(&called, UNITS) || is_ratio(schema, &about))
        }
        "string" if holds(&called, DATED) => {
            let keys = ["format", "pattern", "enum", "examples", "default"];
            let shown = FORMS.iter().any(|form| about.contains(form));
            Some(shown || keys.iter().any(|k| schema.get(*k).is_some()))
        }
        _ => None,
    }
}

/// A number from 0 to 1 is a share of something, and has no unit.
fn is_ratio(schema: &Value, about: &str) -> bool {
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    let range = bound("minimum").zip(bound("maximum")).or_else(|| told_range(about));
    range.is_some_and(|(low, high)| low >= 0.0 && high <= 1.0)
}
