//! The walk through a schema that builds one sample.

use std::cell::Cell;

use serde_json::{Map, Value, json};

use super::context::Context;
use super::meaning::Hint;
use super::schema::{Kind, merged, resolve, standing_alone, validator};
use super::{number, text};
use crate::probe::words;
use crate::seed::Seed;

/// How much of what may be given is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fill {
    /// What is required.
    Minimal,
    /// Besides, what the schema itself suggests a value for.
    Typical,
    /// All that the schema names.
    Full,
}

/// Arguments that the schema allows; `None` when we find none (a pattern we can't meet, bounds that
/// exclude each other). Where a fuller sample breaks a rule between parameters, a smaller one is
/// given. A schema that does not compile is met as well as can be read from it.
pub fn sample(schema: &Value, context: &Context, seed: Seed, fill: Fill) -> Option<Value> {
    let validator = validator(schema);
    let fills: &[Fill] = match fill {
        Fill::Full => &[Fill::Full, Fill::Typical, Fill::Minimal],
        Fill::Typical => &[Fill::Typical, Fill::Minimal, Fill::Full],
        Fill::Minimal => &[Fill::Minimal, Fill::Typical],
    };
    fills.iter().find_map(|fill| {
        let walk = Walk { root: schema, context, seed, fill: *fill, left: Cell::new(STEPS) };
        let hint = Hint { name: "", about: "", index: 0 };
        let value = walk.value(schema, hint, 0)?;
        validator.as_ref().is_none_or(|v| v.is_valid(&value)).then_some(value)
    })
}

/// Bounds the work on schemas that refer to themselves.
const STEPS: u32 = 2_000;
const COMPILE: u32 = 25;
const DEEPEST: usize = 12;

struct Walk<'a> {
    root: &'a Value,
    context: &'a Context,
    seed: Seed,
    fill: Fill,
    left: Cell<u32>,
}

impl Walk<'_> {
    fn spend(&self, steps: u32) -> Option<()> {
        self.left.set(self.left.get().checked_sub(steps)?);
        Some(())
    }

    fn value(&self, schema: &Value, hint: Hint<'_>, depth: usize) -> Option<Value> {
        self.spend(1)?;
        if depth > DEEPEST {
            return None;
        }
        match schema {
            Value::Bool(true) => Some(json!("sample")),
            Value::Object(map) => self.of_map(map, hint, depth),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => None,
        }
    }

    fn of_map(&self, map: &Map<String, Value>, hint: Hint<'_>, depth: usize) -> Option<Value> {
        let about = map.get("description").and_then(Value::as_str).unwrap_or(hint.about);
        let hint = Hint { about, ..hint };
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            let target = resolve(self.root, reference)?.as_object()?;
            return self.of_map_bounded(&merged(&without(map, "$ref"), target), hint, depth + 1);
        }
        if let Some(Value::Array(parts)) = map.get("allOf") {
            let whole = parts.iter().try_fold(without(map, "allOf"), |all, part| {
                Some(merged(&all, self.resolved(part)?))
            })?;
            return self.of_map_bounded(&whole, hint, depth + 1);
        }
        if let Some(given) = self.given(map, hint) {
            return Some(given);
        }
        for key in ["oneOf", "anyOf"] {
            if let Some(Value::Array(branches)) = map.get(key) {
                return self.branch(map, key, branches, hint, depth);
            }
        }
        self.of_kind(map, hint, depth)
    }

    fn of_map_bounded(
        &self,
        map: &Map<String, Value>,
        hint: Hint<'_>,
        depth: usize,
    ) -> Option<Value> {
        self.spend(1)?;
        if depth > DEEPEST { None } else { self.of_map(map, hint, depth) }
    }

    /// A part of `allOf`, its own reference followed.
    fn resolved<'b>(&'b self, part: &'b Value) -> Option<&'b Map<String, Value>> {
        match part.get("$ref").and_then(Value::as_str) {
            Some(reference) => resolve(self.root, reference)?.as_object(),
            None => part.as_object(),
        }
    }

    /// A value that the schema itself names.
    fn given(&self, map: &Map<String, Value>, hint: Hint<'_>) -> Option<Value> {
        if let Some(only) = map.get("const") {
            return Some(only.clone());
        }
        if let Some(Value::Array(options)) = map.get("enum") {
            return options.get(hint.index % options.len().max(1)).cloned();
        }
        if hint.index > 0 || number::is_wait(hint.name) {
            return None;
        }
        let examples = map.get("examples").and_then(Value::as_array).and_then(|all| all.first());
        let usable = |v: &&Value| !v.is_null() && self.allows(map, v);
        map.get("default").filter(usable).or(examples.filter(usable)).cloned()
    }

    fn allows(&self, map: &Map<String, Value>, value: &Value) -> bool {
        self.spend(COMPILE).is_some()
            && validator(&standing_alone(map, self.root)).is_none_or(|v| v.is_valid(value))
    }

    fn branch(
        &self,
        map: &Map<String, Value>,
        key: &str,
        branches: &[Value],
        hint: Hint<'_>,
        depth: usize,
    ) -> Option<Value> {
        let base = without(map, key);
        let is_null = |b: &&Value| b.get("type").and_then(Value::as_str) == Some("null");
        let (null, proper): (Vec<&Value>, Vec<&Value>) = branches.iter().partition(is_null);
        proper.into_iter().chain(null).find_map(|branch| {
            let whole = merged(&base, self.resolved(branch)?);
            let value = self.of_map_bounded(&whole, hint, depth + 1)?;
            self.allows(map, &value).then_some(value)
        })
    }

    fn of_kind(&self, map: &Map<String, Value>, hint: Hint<'_>, depth: usize) -> Option<Value> {
        match Kind::of(map)? {
            Kind::Object => self.object(map, depth),
            Kind::Array => self.array(map, hint, depth),
            Kind::Text => self.text(map, hint),
            Kind::Integer => number::number(map, hint, true),
            Kind::Number => number::number(map, hint, false),
            Kind::Boolean => Some(Value::Bool(harmless_when_true(hint.name))),
            Kind::Null => Some(Value::Null),
        }
    }

    fn text(&self, map: &Map<String, Value>, hint: Hint<'_>) -> Option<Value> {
        let mut candidates = text::candidates(map, hint, self.context, self.seed).into_iter();
        if !map.contains_key("pattern") {
            return candidates.next().map(Value::String);
        }
        self.spend(COMPILE)?;
        match validator(&standing_alone(map, self.root)) {
            Some(validator) => candidates.map(Value::String).find(|v| validator.is_valid(v)),
            None => candidates.next().map(Value::String),
        }
    }

    fn array(&self, map: &Map<String, Value>, hint: Hint<'_>, depth: usize) -> Option<Value> {
        let bound = |key: &str| map.get(key).and_then(Value::as_u64).map(|n| n.min(64) as usize);
        let least = bound("minItems").unwrap_or(0);
        let prefix =
            map.get("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let wish = least.max(prefix.len()).max(1);
        let unique = map.get("uniqueItems").and_then(Value::as_bool) == Some(true);
        let anything = Value::Bool(true);
        let rest = map.get("items").unwrap_or(&anything);
        let mut items: Vec<Value> = Vec::new();
        for index in 0..wish.min(bound("maxItems").unwrap_or(usize::MAX)) {
            let schema = prefix.get(index).unwrap_or(rest);
            match self.value(schema, Hint { index, ..hint }, depth + 1) {
                Some(item) if unique && items.contains(&item) => {}
                Some(item) => items.push(item),
                None => break,
            }
        }
        (items.len() >= least).then_some(Value::Array(items))
    }

    fn object(&self, map: &Map<String, Value>, depth: usize) -> Option<Value> {
        let none = Map::new();
        let properties = map.get("properties").and_then(Value::as_object).unwrap_or(&none);
        let anything = Value::Bool(true);
        let mut out = Map::new();
        let required = self.required(map, depth);
        for (name, schema) in properties {
            let must = required.contains(&name.as_str());
            if !must && !self.wants(schema, depth) {
                continue;
            }
            let about = self.context.about.get(name).map_or("", String::as_str);
            match self.value(schema, Hint { name, about, index: 0 }, depth + 1) {
                Some(value) => drop(out.insert(name.clone(), value)),
                None if must => return None,
                None => {}
            }
        }
        for name in required.iter().filter(|name| !properties.contains_key(**name)) {
            let schema = match map.get("additionalProperties") {
                Some(schema @ Value::Object(_)) => schema,
                Some(_) | None => &anything,
            };
            let value = self.value(schema, Hint { name, about: "", index: 0 }, depth + 1)?;
            out.insert((*name).to_owned(), value);
        }
        self.reach_least(map, properties, &mut out, depth);
        Some(Value::Object(out))
    }

    /// Names that must be there; with nothing required, a typical caller still gives the first.
    fn required<'b>(&self, map: &'b Map<String, Value>, depth: usize) -> Vec<&'b str> {
        let named = map.get("required").and_then(Value::as_array);
        let names: Vec<&str> = named.into_iter().flatten().filter_map(Value::as_str).collect();
        if !names.is_empty() || self.fill == Fill::Minimal || depth > 0 {
            return names;
        }
        let properties = map.get("properties").and_then(Value::as_object);
        let first = properties.into_iter().flatten().find(|(name, schema)| {
            // A boolean says little, and paging or waiting is nobody's first wish.
            schema.as_object().and_then(Kind::of) == Some(Kind::Text)
                && !words(name).iter().any(|w| matches!(w.as_str(), "cursor" | "page" | "token"))
        });
        first.map(|(name, _)| name.as_str()).into_iter().collect()
    }

    /// Whether an optional parameter is given.
    fn wants(&self, schema: &Value, depth: usize) -> bool {
        match self.fill {
            Fill::Minimal => false,
            Fill::Typical => {
                let suggests = |key: &str| schema.get(key).is_some_and(|v| !v.is_null());
                depth == 0 && ["const", "default", "examples"].iter().any(|key| suggests(key))
            }
            Fill::Full => depth <= 2,
        }
    }

    /// `minProperties` beyond what is there already.
    fn reach_least(
        &self,
        map: &Map<String, Value>,
        properties: &Map<String, Value>,
        out: &mut Map<String, Value>,
        depth: usize,
    ) {
        let least = map.get("minProperties").and_then(Value::as_u64).unwrap_or(0).min(64) as usize;
        let open = map.get("additionalProperties").filter(|v| v.is_object());
        let named = properties.iter().map(|(name, schema)| (name.clone(), schema.clone()));
        let extra =
            (0..least).map(|i| (format!("sample{i}"), open.cloned().unwrap_or(Value::Bool(true))));
        for (name, schema) in named.chain(extra) {
            if out.len() >= least {
                return;
            }
            if !out.contains_key(&name)
                && let Some(value) =
                    self.value(&schema, Hint { name: &name, about: "", index: 0 }, depth + 1)
            {
                out.insert(name, value);
            }
        }
    }
}

fn without(map: &Map<String, Value>, key: &str) -> Map<String, Value> {
    map.iter().filter(|(k, _)| *k != key).map(|(k, v)| (k.clone(), v.clone())).collect()
}

/// Most switches are off unless asked for; the careful ones are better on.
fn harmless_when_true(name: &str) -> bool {
    let words = words(name);
    words.iter().any(|w| matches!(w.as_str(), "dry" | "preview" | "readonly" | "simulate"))
}
