//! What ordinary arguments leave out: further members, items and names, each with a value.

use serde_json::{Map, Value, json};

use super::checker::plain;
use super::merge::merged;
use super::schema::{pointer_to, resolve};
use super::{Context, Fill, sample, validator};
use crate::evidence::Tool;
use crate::seed::Seed;

/// No more than this is looked for, nor deeper.
pub(super) const MOST: usize = 24;
const DEEPEST: usize = 4;

/// Looks for what the arguments leave out.
pub(super) struct Growth<'a> {
    pub(super) tool: &'a Tool,
    pub(super) context: Context,
    pub(super) seed: Seed,
    /// Where something may stand, and an ordinary value for it.
    pub(super) found: Vec<(String, Value)>,
    /// Members whose name is free.
    pub(super) keys: Vec<String>,
}

impl Growth<'_> {
    pub(super) fn look(&mut self, schema: &Value, value: &Value, pointer: &str, depth: usize) {
        if depth > DEEPEST || self.found.len() > MOST {
            return;
        }
        let map = self.settled(schema, value);
        match value {
            Value::Object(members) => self.look_inside(&map, members, pointer, depth),
            Value::Array(items) => {
                let of_items = map.get("items").filter(|s| s.is_object());
                match (items.first(), of_items) {
                    (Some(first), Some(s)) => {
                        self.look(s, first, &format!("{pointer}/0"), depth + 1)
                    }
                    (None, Some(s)) => {
                        let item = self.sampled("item", s);
                        self.found.extend(item.map(|v| (format!("{pointer}/0"), v)));
                    }
                    (_, None) => {}
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {
                if may_be_text(self.tool, schema) {
                    self.found.push((pointer.to_owned(), json!("sample")));
                }
            }
            Value::String(_) => {}
        }
    }

    fn look_inside(
        &mut self,
        map: &Map<String, Value>,
        members: &Map<String, Value>,
        pointer: &str,
        depth: usize,
    ) {
        let named = map.get("properties").and_then(Value::as_object);
        for (name, schema) in named.into_iter().flatten() {
            let at = pointer_to(pointer, name);
            match members.get(name) {
                Some(value) => self.look(schema, value, &at, depth + 1),
                None => {
                    let value = self.sampled(name, schema);
                    self.found.extend(value.map(|v| (at, v)));
                }
            }
        }
        let is_named = |name: &String| named.is_some_and(|n| n.contains_key(name));
        if !is_open(map) {
            return;
        }
        if let Some(name) = members.keys().find(|name| !is_named(name)) {
            self.keys.push(pointer_to(pointer, name));
        } else if depth > 0 || map.contains_key("additionalProperties") {
            let mut wider = map.clone();
            wider.insert("minProperties".to_owned(), json!(members.len() + 1));
            let whole = self.sampled("", &Value::Object(wider));
            let extra = whole.as_ref().and_then(Value::as_object).into_iter().flatten();
            if let Some((name, value)) = extra.into_iter().find(|(name, _)| !is_named(name)) {
                let at = pointer_to(pointer, name);
                self.keys.push(at.clone());
                self.found.push((at, value.clone()));
            }
        }
    }

    /// The schema that holds for this value: of several branches, the one that takes it.
    fn settled(&self, schema: &Value, value: &Value) -> Map<String, Value> {
        let root = &self.tool.input_schema;
        let takes =
            |b: &&Value| validator(&with_definitions(root, b)).is_some_and(|v| v.is_valid(value));
        let branch = branches(root, schema).into_iter().find(takes);
        branch.map_or_else(
            || plain(root, schema),
            |branch| merged(&plain(root, schema), &plain(root, branch)),
        )
    }

    fn sampled(&self, name: &str, schema: &Value) -> Option<Value> {
        let alone = json!({"type": "object", "properties": {name: schema}, "required": [name]});
        let alone = with_definitions(&self.tool.input_schema, &alone);
        // What an optional object may hold is only reached once it is there.
        let whole = sample(&alone, &self.context, self.seed, Fill::Full)
            .filter(|value| validator(&alone).is_some_and(|v| v.is_valid(value)));
        let whole = whole.filter(|value| value.get(name).is_some_and(Value::is_object));
        let typical = || sample(&alone, &self.context, self.seed, Fill::Typical);
        whole.or_else(typical)?.get(name).cloned()
    }
}

fn with_definitions(root: &Value, schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(map) = schema.as_object_mut() {
        for key in ["$defs", "definitions"] {
            if let Some(definitions) = root.get(key) {
                map.insert(key.to_owned(), definitions.clone());
            }
        }
    }
    schema
}

/// The ways in which a value may meet the schema, where there are several.
fn branches<'a>(root: &'a Value, schema: &'a Value) -> Vec<&'a Value> {
    let reference = schema.get("$ref").and_then(Value::as_str);
    let schema = reference.and_then(|r| resolve(root, r)).unwrap_or(schema);
    let of = |key: &str| schema.get(key).and_then(Value::as_array).into_iter().flatten();
    of("anyOf").chain(of("oneOf")).collect()
}

/// Whether one of several branches or types is a text.
fn may_be_text(tool: &Tool, schema: &Value) -> bool {
    let root = &tool.input_schema;
    let takes = |s: &Value| {
        validator(&with_definitions(root, s)).is_some_and(|v| v.is_valid(&json!("sample")))
    };
    let several = plain(root, schema).get("type").is_some_and(Value::is_array);
    branches(root, schema).into_iter().any(takes) || (several && takes(schema))
}

/// Whether an object takes members that its schema does not name.
fn is_open(map: &Map<String, Value>) -> bool {
    match map.get("additionalProperties") {
        Some(Value::Bool(open)) => *open || map.contains_key("patternProperties"),
        Some(_) => true,
        None => {
            let named = map.get("properties").and_then(Value::as_object);
            map.contains_key("patternProperties") || named.is_none_or(Map::is_empty)
        }
    }
}
