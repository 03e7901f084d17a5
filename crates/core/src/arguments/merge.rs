//! Two schemas at once, as `allOf` means it, for the keywords that samples are made from.

use serde_json::{Map, Value, json};

pub(super) fn merged(base: &Map<String, Value>, more: &Map<String, Value>) -> Map<String, Value> {
    let mut out = base.clone();
    for (key, value) in more {
        match out.get(key) {
            // Two constants can't both be: a list without options says so.
            Some(have) if have != value && key == "const" => {
                out.insert("enum".to_owned(), json!([]));
            }
            Some(have) if have != value => {
                let joined = joined(key, have, value);
                out.insert(key.clone(), joined);
            }
            Some(_) => {}
            None => drop(out.insert(key.clone(), value.clone())),
        }
    }
    narrowed(out)
}

fn joined(key: &str, a: &Value, b: &Value) -> Value {
    match (key, a, b) {
        (
            "properties" | "patternProperties" | "dependentSchemas",
            Value::Object(a),
            Value::Object(b),
        ) => each(a, b),
        ("dependentRequired", Value::Object(a), Value::Object(b)) => {
            let mut out = a.clone();
            out.extend(b.clone());
            Value::Object(out)
        }
        ("required" | "allOf" | "examples", Value::Array(a), Value::Array(b)) => {
            let new = b.iter().filter(|v| !a.contains(v)).cloned();
            Value::Array(a.iter().cloned().chain(new).collect())
        }
        (
            "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties"
            | "minContains",
            a,
            b,
        ) => {
            if a.as_f64() > b.as_f64() {
                a.clone()
            } else {
                b.clone()
            }
        }
        ("maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties", a, b) => {
            if a.as_f64() < b.as_f64() { a.clone() } else { b.clone() }
        }
        ("multipleOf", a, b) => multiple(a, b),
        ("enum", Value::Array(a), Value::Array(b)) => {
            Value::Array(a.iter().filter(|v| b.contains(v)).cloned().collect())
        }
        ("type", a, b) => types(a, b),
        ("items" | "additionalProperties" | "propertyNames" | "contains", a, b) => both(a, b),
        ("not", a, b) => json!({"anyOf": [a, b]}),
        // The outer description speaks of the parameter, the inner one of the type.
        (
            "description" | "title" | "default" | "$defs" | "definitions" | "$schema" | "$id",
            a,
            _,
        ) => a.clone(),
        (_, _, b) => b.clone(),
    }
}

/// `const` is a list of one, so that constants and lists narrow each other.
fn narrowed(mut map: Map<String, Value>) -> Map<String, Value> {
    if map.contains_key("const") && map.contains_key("enum") {
        let only = map.remove("const").unwrap_or_default();
        let options = map.get("enum").and_then(Value::as_array);
        let left: Vec<Value> =
            options.into_iter().flatten().filter(|v| **v == only).cloned().collect();
        map.insert("enum".to_owned(), Value::Array(left));
    }
    map
}

fn each(a: &Map<String, Value>, b: &Map<String, Value>) -> Value {
    let mut out = a.clone();
    for (name, schema) in b {
        let joined = out.get(name).map_or_else(|| schema.clone(), |have| both(have, schema));
        out.insert(name.clone(), joined);
    }
    Value::Object(out)
}

fn both(a: &Value, b: &Value) -> Value {
    match (a, b) {
        (Value::Bool(false), _) | (_, Value::Bool(false)) => Value::Bool(false),
        (Value::Bool(true), other) | (other, Value::Bool(true)) => other.clone(),
        (Value::Object(x), Value::Object(y)) if clash(x, y) => json!({"allOf": [a, b]}),
        (Value::Object(x), Value::Object(y)) => Value::Object(merged(x, y)),
        (_, other) => other.clone(),
    }
}

/// Whether both make a choice of their own, which one map can't hold.
pub(super) fn clash(a: &Map<String, Value>, b: &Map<String, Value>) -> bool {
    ["anyOf", "oneOf", "if", "$ref", "pattern"]
        .iter()
        .any(|key| a.contains_key(*key) && b.contains_key(*key) && a[*key] != b[*key])
}

fn types(a: &Value, b: &Value) -> Value {
    let (a, b) = (names(a), names(b));
    let mut common: Vec<&str> = a.iter().filter(|t| b.contains(t)).copied().collect();
    let whole = |x: &[&str], y: &[&str]| x.contains(&"integer") && y.contains(&"number");
    if (whole(&a, &b) || whole(&b, &a)) && !common.contains(&"integer") {
        common.push("integer");
    }
    json!(common)
}

fn names(types: &Value) -> Vec<&str> {
    match types.as_array() {
        Some(names) => names.iter().filter_map(Value::as_str).collect(),
        None => types.as_str().into_iter().collect(),
    }
}

fn multiple(a: &Value, b: &Value) -> Value {
    match (a.as_u64(), b.as_u64()) {
        (Some(x), Some(y)) if x > 0 && y > 0 => {
            let (mut high, mut low) = (x, y);
            while low > 0 {
                (high, low) = (low, high % low);
            }
            Value::from((x / high).saturating_mul(y))
        }
        _ => b.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(a: Value, b: Value) -> Value {
        Value::Object(merged(a.as_object().unwrap(), b.as_object().unwrap()))
    }

    #[test]
    fn the_narrower_bound_holds() {
        assert_eq!(
            of(json!({"minimum": 3, "maxLength": 9}), json!({"minimum": 5, "maxLength": 20})),
            json!({"minimum": 5, "maxLength": 9})
        );
        assert_eq!(
            of(json!({"multipleOf": 4}), json!({"multipleOf": 6})),
            json!({"multipleOf": 12})
        );
    }

    #[test]
    fn types_and_options_are_what_both_allow() {
        assert_eq!(
            of(json!({"type": ["string", "number"]}), json!({"type": "integer"})),
            json!({"type": ["integer"]})
        );
        assert_eq!(of(json!({"enum": [1, 2]}), json!({"const": 2})), json!({"enum": [2]}));
        assert_eq!(of(json!({"enum": [1, 2]}), json!({"const": 3})), json!({"enum": []}));
    }

    #[test]
    fn properties_of_both_are_merged_one_by_one() {
        assert_eq!(
            of(
                json!({"properties": {"a": {"minimum": 1}, "b": true}}),
                json!({"properties": {"a": {"maximum": 2}, "b": false}})
            ),
            json!({"properties": {"a": {"minimum": 1, "maximum": 2}, "b": false}})
        );
    }
}
