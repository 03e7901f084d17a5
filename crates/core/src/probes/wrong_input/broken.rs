//! Arguments with one thing wrong, and proof by the validator that it is wrong.

use serde_json::{Map, Value, json};

use super::Kind;
use super::spot::Spot;
use crate::arguments::{Checker, pointer_to, violates};
use crate::probes::boundary;

/// Beyond these a bound is no promise but the end of a type, and a value there an attack.
const FARTHEST: f64 = 1e12;
const LONGEST: u64 = 20_000;
const FULLEST: u64 = 100;
const OVERSIZE: usize = 16 * 1024;

/// Calls that break one thing.
#[derive(Debug)]
pub(super) struct Broken {
    pub(super) pointer: String,
    pub(super) label: &'static str,
    pub(super) arguments: Value,
}

/// What is tried in a place; not all of it need be wrong there.
type Tries = Vec<(&'static str, Value)>;

pub(super) fn all(kind: Kind, spot: &Spot, base: &Value, checker: &Checker) -> Vec<Broken> {
    match kind {
        Kind::MissingRequired => without(spot, base, checker).into_iter().collect(),
        Kind::ExtraParameter => extra(spot, base, checker).into_iter().collect(),
        Kind::WrongType => first(spot, base, checker, wrong_types(&spot.schema)),
        Kind::PatternViolated => first(spot, base, checker, against_pattern(&spot.schema)),
        Kind::AsText => each(spot, base, checker, as_text(spot)),
        Kind::Null => each(spot, base, checker, vec![("null", Value::Null)]),
        Kind::OutOfEnum => first(spot, base, checker, no_option(&spot.schema)),
        Kind::OutOfRange => each(spot, base, checker, out_of_range(spot)),
        Kind::Empty => each(spot, base, checker, empty(&spot.schema)),
        // These two are legal as far as the validator goes.
        Kind::InvalidFormat => legal(spot, base, checker, other_format(&spot.schema)),
        Kind::Oversized => legal(spot, base, checker, oversized(&spot.schema)),
    }
}

fn each(spot: &Spot, base: &Value, checker: &Checker, tries: Tries) -> Vec<Broken> {
    let made = tries.into_iter().filter_map(|(label, value)| with(spot, base, label, value));
    made.filter(|b| !checker.allows(&b.arguments)).collect()
}

fn first(spot: &Spot, base: &Value, checker: &Checker, tries: Tries) -> Vec<Broken> {
    each(spot, base, checker, tries).into_iter().take(1).collect()
}

fn legal(spot: &Spot, base: &Value, checker: &Checker, tries: Tries) -> Vec<Broken> {
    let made = tries.into_iter().filter_map(|(label, value)| with(spot, base, label, value));
    made.filter(|b| checker.allows(&b.arguments)).collect()
}

/// The arguments with another value in this place.
fn with(spot: &Spot, base: &Value, label: &'static str, value: Value) -> Option<Broken> {
    if spot.pointer.is_empty() {
        return None;
    }
    let mut arguments = base.clone();
    match arguments.pointer_mut(&spot.pointer) {
        Some(place) => *place = value,
        None => drop(holder(&mut arguments, spot)?.insert(spot.name.clone(), value)),
    }
    Some(Broken { pointer: spot.pointer.clone(), label, arguments })
}

fn holder<'a>(arguments: &'a mut Value, spot: &Spot) -> Option<&'a mut Map<String, Value>> {
    let (outer, _) = spot.pointer.rsplit_once('/')?;
    arguments.pointer_mut(outer)?.as_object_mut()
}

fn without(spot: &Spot, base: &Value, checker: &Checker) -> Option<Broken> {
    let mut arguments = base.clone();
    holder(&mut arguments, spot)?.remove(&spot.name)?;
    let broken = Broken { pointer: spot.pointer.clone(), label: "missing", arguments };
    (!checker.allows(&broken.arguments)).then_some(broken)
}

fn extra(spot: &Spot, base: &Value, checker: &Checker) -> Option<Broken> {
    const NAME: &str = "unexpected_parameter";
    let mut arguments = base.clone();
    arguments
        .pointer_mut(&spot.pointer)?
        .as_object_mut()?
        .insert(NAME.to_owned(), json!("surplus"));
    let pointer = pointer_to(&spot.pointer, NAME);
    (!checker.allows(&arguments)).then_some(Broken { pointer, label: "extra", arguments })
}

/// A number where text is due comes first: servers that trust their input turn it into text and
/// carry on, which is what we look for. A value of the right type may break another rule, which
/// is another kind.
fn wrong_types(schema: &Map<String, Value>) -> Tries {
    let of_type = schema.get("type").map(|kind| json!({ "type": kind }));
    let wrong = |value: &Value| of_type.as_ref().is_none_or(|t| violates(t, value).is_some());
    let tries = [json!(42), json!("not of this type"), json!({"unexpected": true}), json!([[]])];
    tries.into_iter().filter(wrong).map(|value| ("wrong type", value)).collect()
}

fn as_text(spot: &Spot) -> Tries {
    let value = match (&spot.sent, kind(&spot.schema)) {
        (Some(value @ (Value::Number(_) | Value::Bool(_))), _) => value.to_string(),
        (_, "integer" | "number") => "5".to_owned(),
        (_, "boolean") => "true".to_owned(),
        (_, _) => return Vec::new(),
    };
    vec![("as text", value.into())]
}

fn no_option(schema: &Map<String, Value>) -> Tries {
    let options = match (schema.get("enum"), schema.get("const")) {
        (Some(Value::Array(options)), _) => options.as_slice(),
        (_, Some(only)) => std::slice::from_ref(only),
        (_, None) => return Vec::new(),
    };
    let other = match options.first() {
        Some(Value::Number(_)) => json!(987_654),
        Some(_) | None => json!("no_such_option"),
    };
    vec![("not an option", other)]
}

fn out_of_range(spot: &Spot) -> Tries {
    let schema = &spot.schema;
    match kind(schema) {
        "integer" | "number" => beyond(&spot.name, schema),
        "string" => lengths(schema, spot.sent.as_ref()),
        "array" => counts(schema, spot.sent.as_ref()),
        _ => Vec::new(),
    }
}

fn beyond(name: &str, schema: &Map<String, Value>) -> Tries {
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64).filter(|n| n.abs() < FARTHEST);
    let number = |n: f64| if n.fract() == 0.0 { json!(n as i64) } else { json!(n) };
    let below = bound("minimum").map(|n| n - 1.0).or(bound("exclusiveMinimum"));
    // More than the most only costs time where the tool waits.
    let above = bound("maximum").map(|n| n + 1.0).or(bound("exclusiveMaximum"));
    let above = above.filter(|_| !boundary::is_wait(name));
    let below = below.map(|n| ("too small", number(n)));
    below.into_iter().chain(above.map(|n| ("too large", number(n)))).collect()
}

fn lengths(schema: &Map<String, Value>, sent: Option<&Value>) -> Tries {
    let bound = |key: &str| schema.get(key).and_then(Value::as_u64).filter(|n| *n <= LONGEST);
    let base = sent.and_then(Value::as_str).filter(|s| !s.is_empty()).unwrap_or("sample text ");
    let of_length = |n: u64| -> Value {
        base.chars().cycle().take(usize::try_from(n).unwrap_or(0)).collect::<String>().into()
    };
    // Shorter than one is empty, a kind of its own.
    let short = bound("minLength").filter(|n| *n > 1).map(|n| ("too short", of_length(n - 1)));
    let long = bound("maxLength").map(|n| ("too long", of_length(n + 1)));
    long.into_iter().chain(short).collect()
}

fn counts(schema: &Map<String, Value>, sent: Option<&Value>) -> Tries {
    let bound = |key: &str| schema.get(key).and_then(Value::as_u64).filter(|n| *n <= FULLEST);
    let items: Vec<Value> = sent.and_then(Value::as_array).cloned().unwrap_or_default();
    let of_count = |n: u64| -> Value {
        items.iter().cycle().take(usize::try_from(n).unwrap_or(0)).cloned().collect()
    };
    let few = bound("minItems").filter(|n| *n > 1).map(|n| ("too few", of_count(n - 1)));
    let many = bound("maxItems").map(|n| ("too many", of_count(n + 1)));
    many.into_iter().chain(few).collect()
}

fn against_pattern(schema: &Map<String, Value>) -> Tries {
    if !schema.contains_key("pattern") {
        return Vec::new();
    }
    let tries = ["?! does not match !?", "0", "no match", "\u{2603}"];
    tries.into_iter().map(|text| ("against the pattern", json!(text))).collect()
}

fn empty(schema: &Map<String, Value>) -> Tries {
    let value = match kind(schema) {
        // An empty text is not among the options either, but that is another kind.
        "string" if !schema.contains_key("enum") => json!(""),
        "array" => json!([]),
        "object" => json!({}),
        _ => return Vec::new(),
    };
    vec![("empty", value)]
}

/// A text that is plainly not of the format, if our validator knows the format.
fn other_format(schema: &Map<String, Value>) -> Tries {
    let Some(Value::String(format)) = schema.get("format") else { return Vec::new() };
    let text = json!("?! not like that !?");
    let rule = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "string",
        "format": format,
    });
    if violates(&rule, &text).is_some() { vec![("another format", text)] } else { Vec::new() }
}

fn oversized(schema: &Map<String, Value>) -> Tries {
    match kind(schema) {
        "string" => vec![("16 KiB", json!("lorem ipsum dolo".repeat(OVERSIZE / 16)))],
        _ => Vec::new(),
    }
}

/// The type, or of several the first that is not null.
fn kind(schema: &Map<String, Value>) -> &str {
    match schema.get("type") {
        Some(Value::String(kind)) => kind,
        Some(Value::Array(kinds)) => {
            kinds.iter().filter_map(Value::as_str).find(|k| *k != "null").unwrap_or_default()
        }
        Some(_) | None => "",
    }
}
