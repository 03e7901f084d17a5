//! Deciding about many values of one schema, and reading it in its plain form.

use std::rc::Rc;

use jsonschema::Validator;
use serde_json::{Map, Value};

use super::merge::merged;
use super::schema::{resolve, validator, without};

/// A validator that is asked about many values of one schema.
#[derive(Debug, Clone)]
pub struct Checker(Rc<Validator>);

impl Checker {
    /// Drafts disagree on whether `format` binds anyone, so it is left out. `None` when the schema
    /// does not compile.
    pub fn without_formats(schema: &Value) -> Option<Checker> {
        let mut copy = schema.clone();
        drop_formats(&mut copy);
        validator(&copy).map(Checker)
    }

    pub fn allows(&self, value: &Value) -> bool {
        self.0.is_valid(value)
    }
}

fn drop_formats(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            // A parameter of this name has a schema, not a text.
            if map.get("format").is_some_and(Value::is_string) {
                map.remove("format");
            }
            map.values_mut().for_each(drop_formats);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_formats),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// A schema without references, its `allOf` merged; of an optional value (`anyOf` with null) the
/// branch that is not null. What cannot be told so plainly is left as it is.
pub fn plain(root: &Value, schema: &Value) -> Map<String, Value> {
    plain_at(root, schema, 0)
}

fn plain_at(root: &Value, schema: &Value, depth: usize) -> Map<String, Value> {
    const DEEPEST: usize = 8;
    let Value::Object(map) = schema else { return Map::new() };
    if depth > DEEPEST {
        return map.clone();
    }
    let rest = without(map, &["$ref", "allOf", "anyOf", "oneOf"]);
    let named = map.get("$ref").and_then(Value::as_str).and_then(|r| resolve(root, r));
    let all = map.get("allOf").and_then(Value::as_array).into_iter().flatten();
    let only = ["anyOf", "oneOf"].iter().filter_map(|key| only_branch(map.get(*key)?));
    let parts = named.into_iter().chain(all).chain(only);
    parts.fold(rest, |whole, part| merged(&whole, &plain_at(root, part, depth + 1)))
}

fn only_branch(branches: &Value) -> Option<&Value> {
    let is_null = |b: &&Value| b.get("type").and_then(Value::as_str) != Some("null");
    let mut real = branches.as_array()?.iter().filter(is_null);
    real.next().filter(|_| real.next().is_none())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn references_all_of_and_optional_values_are_made_plain() {
        let root = json!({"$defs": {"n": {"type": "integer", "minimum": 1}}});
        let schema = json!({"anyOf": [{"allOf": [{"$ref": "#/$defs/n"}, {"maximum": 9}]}, {"type": "null"}], "title": "N"});
        assert_eq!(
            Value::Object(plain(&root, &schema)),
            json!({"type": "integer", "minimum": 1, "maximum": 9, "title": "N"})
        );
        let either = json!({"anyOf": [{"type": "string"}, {"type": "integer"}], "title": "E"});
        assert_eq!(Value::Object(plain(&root, &either)), json!({"title": "E"}));
    }

    #[test]
    fn a_format_binds_nobody_and_a_parameter_named_format_is_still_checked() {
        let schema = json!({"$schema": "http://json-schema.org/draft-07/schema#", "properties": {
            "when": {"type": "string", "format": "date"}, "format": {"type": "string"}}});
        let checker = Checker::without_formats(&schema).unwrap();
        assert!(checker.allows(&json!({"when": "some day"})));
        assert!(!checker.allows(&json!({"format": 1})));
    }
}
