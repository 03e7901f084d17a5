//! Reading JSON Schemas: validation, local references, the type a sample should have.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use jsonschema::Validator;
use serde_json::{Map, Value};

thread_local! {
    /// Compiled once: a run asks the same few schemas thousands of times, and compiling one takes
    /// a hundred times as long as asking it.
    static COMPILED: RefCell<BTreeMap<[u8; 32], Option<Rc<Validator>>>> =
        const { RefCell::new(BTreeMap::new()) };
}

const MOST_COMPILED: usize = 1_000;

/// A validator for the schema; `None` when it does not compile (a remote reference, a keyword of
/// the wrong type), which other checks judge. What only we can't read, a pattern in another dialect
/// of regular expressions or an unknown `$schema`, is left out, so that the rest still counts.
pub fn validator(schema: &Value) -> Option<Rc<Validator>> {
    let key = *blake3::hash(schema.to_string().as_bytes()).as_bytes();
    COMPILED.with_borrow_mut(|known| {
        if known.len() > MOST_COMPILED {
            known.clear();
        }
        known.entry(key).or_insert_with(|| compile(schema).map(Rc::new)).clone()
    })
}

fn compile(schema: &Value) -> Option<Validator> {
    jsonschema::validator_for(schema).ok().or_else(|| {
        let readable = readable(schema)?;
        jsonschema::validator_for(&readable).ok()
    })
}

/// The first way in which a value breaks a schema: where, and how. `None` when it conforms, or the
/// schema itself does not compile.
pub fn violates(schema: &Value, value: &Value) -> Option<(String, String)> {
    let validator = validator(schema)?;
    let error = validator.validate(value).err()?;
    Some((error.instance_path().to_string(), error.to_string()))
}

/// A copy without what hinders compiling; `None` when there is nothing to leave out.
fn readable(schema: &Value) -> Option<Value> {
    let mut copy = schema.clone();
    let mut left_out = leave_out(&mut copy);
    if let Some(map) = copy.as_object_mut()
        && let Some(Value::String(dialect)) = map.get("$schema")
        && !dialect.contains("json-schema.org/")
    {
        map.remove("$schema");
        left_out = true;
    }
    left_out.then_some(copy)
}

fn leave_out(schema: &mut Value) -> bool {
    match schema {
        Value::Array(items) => items.iter_mut().map(leave_out).fold(false, |a, b| a | b),
        Value::Object(map) => {
            let mut left_out = map.values_mut().map(leave_out).fold(false, |a, b| a | b);
            let pattern = map.get("pattern").and_then(Value::as_str).map(str::to_owned);
            if let Some(pattern) = pattern {
                match legible(&pattern) {
                    Some(legible) if legible == pattern => {}
                    Some(legible) => {
                        map.insert("pattern".to_owned(), Value::String(legible));
                        left_out = true;
                    }
                    None => left_out |= map.remove("pattern").is_some(),
                }
            }
            if let Some(Value::Object(by_name)) = map.get_mut("patternProperties") {
                for (pattern, inner) in std::mem::take(by_name) {
                    let legible = legible(&pattern);
                    left_out |= legible.as_ref() != Some(&pattern);
                    by_name.extend(legible.map(|pattern| (pattern, inner)));
                }
            }
            left_out
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// What tells whether a text matches a pattern, by the rules of the validator itself.
pub(super) fn matcher(pattern: &str) -> Option<Validator> {
    compiled(pattern).or_else(|| compiled(&spelt(pattern)))
}

fn compiled(pattern: &str) -> Option<Validator> {
    jsonschema::validator_for(&serde_json::json!({"type": "string", "pattern": pattern})).ok()
}

/// A pattern as it is, or spelt so that the validator can read it; `None` if neither can be read.
fn legible(pattern: &str) -> Option<String> {
    [pattern.to_owned(), spelt(pattern)].into_iter().find(|pattern| compiled(pattern).is_some())
}

/// The beginning and the end of a text as JSON Schema writes them: Python and Ruby have their own marks.
/// Only for what can't be read as it is: behind another backslash, these are letters.
pub(super) fn spelt(pattern: &str) -> String {
    pattern.replace("\\A", "^").replace("\\Z", "$").replace("\\z", "$")
}

/// Matchers made so far: compiling one costs more than all else about a sample.
#[derive(Debug, Default)]
pub(super) struct Matchers(RefCell<BTreeMap<String, Option<Rc<Validator>>>>);

impl Matchers {
    pub(super) fn of(&self, pattern: &str) -> Option<Rc<Validator>> {
        let mut known = self.0.borrow_mut();
        match known.get(pattern) {
            Some(matcher) => matcher.clone(),
            None => {
                let made = matcher(pattern).map(Rc::new);
                known.insert(pattern.to_owned(), made.clone());
                made
            }
        }
    }
}

/// The schema a local reference names: by pointer, or by anchor.
pub(super) fn resolve<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    let within = match reference.split_once('#') {
        Some(("", within)) => within,
        Some((base, within)) if root.get("$id").and_then(Value::as_str) == Some(base) => within,
        Some(_) | None => return None,
    };
    match within {
        "" => Some(root),
        pointer if pointer.starts_with('/') => {
            root.pointer(pointer).or_else(|| root.pointer(&decoded(pointer)))
        }
        anchor => anchored(root, anchor, 0),
    }
}

fn decoded(pointer: &str) -> String {
    // A plus sign stands for itself in a fragment.
    let escaped = pointer.replace('+', "%2B").replace('=', "%3D").replace('&', "%26");
    url::form_urlencoded::parse(escaped.as_bytes()).map(|(name, _)| name.into_owned()).collect()
}

fn anchored<'a>(schema: &'a Value, anchor: &str, depth: usize) -> Option<&'a Value> {
    const DEEPEST: usize = 32;
    if depth > DEEPEST {
        return None;
    }
    match schema {
        Value::Object(map) => {
            let named = |key: &str| map.get(key).and_then(Value::as_str);
            let here = named("$anchor") == Some(anchor)
                || named("$dynamicAnchor") == Some(anchor)
                || named("$id").and_then(|id| id.strip_prefix('#')) == Some(anchor);
            if here {
                return Some(schema);
            }
            map.values().find_map(|v| anchored(v, anchor, depth + 1))
        }
        Value::Array(items) => items.iter().find_map(|v| anchored(v, anchor, depth + 1)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

pub(super) fn without(map: &Map<String, Value>, keys: &[&str]) -> Map<String, Value> {
    map.iter()
        .filter(|(k, _)| !keys.contains(&k.as_str()))
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect()
}

/// `parent` and one step further, as a JSON pointer.
pub fn pointer_to(parent: &str, key: &str) -> String {
    format!("{parent}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// JSON Schema's types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Object,
    Array,
    Text,
    Integer,
    Number,
    Boolean,
    Null,
}

impl Kind {
    /// The types a sample may have, best first: null is what people send when they must.
    pub(super) fn all_of(schema: &Map<String, Value>) -> Vec<Kind> {
        let mut kinds: Vec<Kind> = match schema.get("type") {
            Some(Value::String(name)) => Kind::named(name).into_iter().collect(),
            Some(Value::Array(names)) => {
                names.iter().filter_map(Value::as_str).filter_map(Kind::named).collect()
            }
            _ => Kind::implied(schema),
        };
        kinds.sort_by_key(|k| *k == Kind::Null);
        if schema.get("nullable") == Some(&Value::Bool(true)) && !kinds.contains(&Kind::Null) {
            kinds.push(Kind::Null);
        }
        kinds
    }

    pub(super) fn of(schema: &Map<String, Value>) -> Option<Kind> {
        Kind::all_of(schema).first().copied()
    }

    fn named(name: &str) -> Option<Kind> {
        Some(match name {
            "object" => Kind::Object,
            "array" => Kind::Array,
            "string" => Kind::Text,
            "integer" => Kind::Integer,
            "number" => Kind::Number,
            "boolean" => Kind::Boolean,
            "null" => Kind::Null,
            _ => return None,
        })
    }

    /// Without a type, what the keywords speak of comes first and everything else is allowed.
    fn implied(schema: &Map<String, Value>) -> Vec<Kind> {
        const CLUES: &[(Kind, &[&str])] = &[
            (
                Kind::Object,
                &[
                    "properties",
                    "required",
                    "minProperties",
                    "additionalProperties",
                    "propertyNames",
                ],
            ),
            (Kind::Array, &["items", "prefixItems", "minItems", "uniqueItems", "contains"]),
            (Kind::Text, &["pattern", "minLength", "maxLength", "format"]),
            (
                Kind::Number,
                &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
            ),
        ];
        let all = [Kind::Text, Kind::Object, Kind::Array, Kind::Number, Kind::Boolean, Kind::Null];
        let spoken_of = |keys: &[&str]| keys.iter().any(|k| schema.contains_key(*k));
        let mut kinds: Vec<Kind> =
            CLUES.iter().filter(|(_, keys)| spoken_of(keys)).map(|(kind, _)| *kind).collect();
        kinds.extend(all.into_iter().filter(|k| !kinds.contains(k)).collect::<Vec<Kind>>());
        kinds
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_pattern_in_another_dialect_does_not_cost_the_rest() {
        let schema = json!({"type": "object", "required": ["n"], "properties": {
            "s": {"type": "string", "pattern": "(?<!"}, "n": {"type": "integer"}}});
        assert_eq!(violates(&schema, &json!({"s": "x", "n": 1})), None);
        assert_eq!(violates(&schema, &json!({"s": "x", "n": "1"})).unwrap().0, "/n");
    }

    #[test]
    fn a_reference_is_followed_by_pointer_by_anchor_and_through_escapes() {
        let root =
            json!({"$defs": {"a b": {"type": "null"}, "c": {"$anchor": "here", "const": 1}}});
        assert_eq!(resolve(&root, "#/$defs/a%20b"), Some(&json!({"type": "null"})));
        assert_eq!(resolve(&root, "#here").unwrap()["const"], 1);
        assert_eq!(resolve(&root, "#"), Some(&root));
        assert_eq!(resolve(&root, "https://example.com/x#"), None);
    }

    #[test]
    fn only_marks_that_can_not_be_read_are_spelt_otherwise() {
        let path = json!({"type": "string", "pattern": r"^C:\\Apps$"});
        assert!(violates(&path, &json!(r"C:\Apps")).is_none());
        assert!(violates(&path, &json!("C:pps")).is_some());
        let named = json!({"type": "object", "patternProperties": {r"^[a-z]+\Z": {"type": "number"}},
            "properties": {"B": {"type": "string", "pattern": r"\A[a-z]+\Z"}}});
        assert!(violates(&named, &json!({"a": 1, "B": "b"})).is_none());
        assert!(violates(&named, &json!({"a": "1"})).is_some());
        assert!(violates(&named, &json!({"B": "b1"})).is_some());
    }
}
