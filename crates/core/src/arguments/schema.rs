//! Reading JSON Schemas: local references, merged branches, validation.

use jsonschema::Validator;
use serde_json::{Map, Value};

/// A validator for the schema; `None` when it does not compile (unknown dialect, remote reference,
/// broken pattern), which other checks judge.
pub fn validator(schema: &Value) -> Option<Validator> {
    jsonschema::validator_for(schema).ok()
}

/// The first way in which a value breaks a schema: where, and how. `None` when it conforms, or the
/// schema itself does not compile.
pub fn violates(schema: &Value, value: &Value) -> Option<(String, String)> {
    let validator = validator(schema)?;
    let error = validator.validate(value).err()?;
    Some((error.instance_path().to_string(), error.to_string()))
}

/// The schema a local `$ref` names.
pub(super) fn resolve<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    let pointer = reference.strip_prefix('#')?;
    if pointer.is_empty() { Some(root) } else { root.pointer(pointer) }
}

/// A part of the root that still finds its definitions when it stands alone.
pub(super) fn standing_alone(part: &Map<String, Value>, root: &Value) -> Value {
    let mut alone = part.clone();
    for key in ["$defs", "definitions", "$schema"] {
        if let Some(value) = root.get(key)
            && !alone.contains_key(key)
        {
            alone.insert(key.to_owned(), value.clone());
        }
    }
    Value::Object(alone)
}

/// Both at once: as `allOf` means it, for the keywords that samples are made from.
pub(super) fn merged(base: &Map<String, Value>, more: &Map<String, Value>) -> Map<String, Value> {
    let mut out = base.clone();
    for (key, value) in more {
        let joined = match (key.as_str(), out.get(key), value) {
            ("properties", Some(Value::Object(a)), Value::Object(b)) => properties(a, b),
            ("required", Some(Value::Array(a)), Value::Array(b)) => {
                let new = b.iter().filter(|v| !a.contains(v)).cloned();
                Value::Array(a.iter().cloned().chain(new).collect())
            }
            (
                "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties",
                Some(a),
                b,
            ) => {
                if a.as_f64() > b.as_f64() {
                    a.clone()
                } else {
                    b.clone()
                }
            }
            (
                "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties",
                Some(a),
                b,
            ) => {
                if a.as_f64() < b.as_f64() {
                    a.clone()
                } else {
                    b.clone()
                }
            }
            ("enum", Some(Value::Array(a)), Value::Array(b)) => {
                Value::Array(a.iter().filter(|v| b.contains(v)).cloned().collect())
            }
            // The outer description speaks of the parameter, the inner one of the type.
            ("description" | "title" | "default" | "examples", Some(a), _) => a.clone(),
            (_, _, value) => value.clone(),
        };
        out.insert(key.clone(), joined);
    }
    out
}

fn properties(a: &Map<String, Value>, b: &Map<String, Value>) -> Value {
    let mut out = a.clone();
    for (name, schema) in b {
        let joined = match (out.get(name), schema) {
            (Some(Value::Object(x)), Value::Object(y)) => Value::Object(merged(x, y)),
            (_, schema) => schema.clone(),
        };
        out.insert(name.clone(), joined);
    }
    Value::Object(out)
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
    /// The type a sample should have: the first that is not null, or what the keywords imply.
    pub(super) fn of(schema: &Map<String, Value>) -> Option<Kind> {
        match schema.get("type") {
            Some(Value::String(name)) => Kind::named(name),
            Some(Value::Array(names)) => {
                let kinds: Vec<Kind> =
                    names.iter().filter_map(Value::as_str).filter_map(Kind::named).collect();
                kinds.iter().find(|k| **k != Kind::Null).or(kinds.first()).copied()
            }
            _ => Kind::implied(schema),
        }
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

    fn implied(schema: &Map<String, Value>) -> Option<Kind> {
        let has = |keys: &[&str]| keys.iter().any(|k| schema.contains_key(*k));
        if has(&["properties", "required", "minProperties"]) {
            Some(Kind::Object)
        } else if has(&["items", "prefixItems", "minItems"]) {
            Some(Kind::Array)
        } else if has(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"])
        {
            Some(Kind::Number)
        } else {
            Some(Kind::Text)
        }
    }
}
