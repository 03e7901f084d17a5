//! Objects and arrays of a sample.

use regex::Regex;
use serde_json::{Map, Value, json};

use super::given::{is_empty, is_invented, is_ours_to_choose, is_rival};
use super::meaning::Hint;
use super::merge::merged;
use super::pattern;
use super::sample::Fill;
use super::schema::{Kind, pointer_to, without};
use super::walk::{Spot, Walk};
use crate::probe::words;

/// More members or items are no sample.
const MOST: u64 = 1_000;

static ANYTHING: Value = Value::Bool(true);

impl Walk<'_> {
    pub(super) fn object(&self, map: &Map<String, Value>, spot: Spot<'_>) -> Option<Value> {
        let required = self.required(map, spot);
        let names = self.names(map, &required, spot);
        if let Some(map) = with_dependents(map, &names) {
            return self.object(&map, spot);
        }
        let mut out = Map::new();
        for name in names {
            let pointer = pointer_to(spot.pointer, &name);
            let must = required.contains(&name) || self.lessons.forces(&pointer);
            if self.lessons.drops(&pointer) {
                if must {
                    return None;
                }
                continue;
            }
            match self.member(map, &name, 0, spot) {
                Some(value) => drop(out.insert(name, value)),
                None if must => return None,
                None => {}
            }
        }
        self.reach_least(map, &mut out, spot);
        Some(Value::Object(out))
    }

    fn member(
        &self,
        map: &Map<String, Value>,
        name: &str,
        index: usize,
        spot: Spot<'_>,
    ) -> Option<Value> {
        let pointer = pointer_to(spot.pointer, name);
        let about = self.context.about.get(name).map_or("", String::as_str);
        let hint = Hint { name, about, index };
        self.value(schema_of(map, name), spot.inside(&pointer, hint, self.lessons.turn(&pointer)))
    }

    /// Names of the members to give, in the order of the schema.
    fn names(&self, map: &Map<String, Value>, required: &[String], spot: Spot<'_>) -> Vec<String> {
        let named = map.get("properties").and_then(Value::as_object);
        let optional = named
            .into_iter()
            .flatten()
            .filter(|(name, schema)| !required.contains(name) && self.wants(name, schema, spot));
        let room = map.get("maxProperties").and_then(Value::as_u64).unwrap_or(MOST) as usize;
        let mut wanted: Vec<String> = required.to_vec();
        wanted.extend(
            optional.map(|(name, _)| name.clone()).take(room.saturating_sub(required.len())),
        );
        let mut at = 0;
        while at < wanted.len() {
            for key in ["dependentRequired", "dependencies"] {
                let more = map.get(key).and_then(|d| d.get(&wanted[at])).and_then(Value::as_array);
                for name in more.into_iter().flatten().filter_map(Value::as_str) {
                    if !wanted.iter().any(|w| w == name) {
                        wanted.push(name.to_owned());
                    }
                }
            }
            at += 1;
        }
        let place = |name: &String| {
            named.and_then(|p| p.keys().position(|key| key == name)).unwrap_or(usize::MAX)
        };
        wanted.sort_by_key(place);
        wanted
    }

    /// Names that must be there; with nothing required, a typical caller still gives the first.
    fn required(&self, map: &Map<String, Value>, spot: Spot<'_>) -> Vec<String> {
        let named = map.get("required").and_then(Value::as_array);
        let mut names: Vec<String> =
            named.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
        names.extend(
            self.lessons.forced_in(spot.pointer).filter(|n| !names.contains(n)).collect::<Vec<_>>(),
        );
        if !names.is_empty() || self.fill == Fill::Minimal || spot.depth > 0 {
            return names;
        }
        let properties = map.get("properties").and_then(Value::as_object);
        let first = properties.into_iter().flatten().find(|(name, schema)| {
            // A boolean says little, and paging or waiting is nobody's first wish.
            schema.as_object().and_then(Kind::of) == Some(Kind::Text)
                && schema.get("anyOf").is_none()
                && schema.get("oneOf").is_none()
                && !words(name).iter().any(|w| matches!(w.as_str(), "cursor" | "page" | "token"))
                && !self.lessons.drops(&pointer_to(spot.pointer, name))
        });
        first.map(|(name, _)| name.clone()).into_iter().collect()
    }

    /// Whether an optional member is given.
    fn wants(&self, name: &str, schema: &Value, spot: Spot<'_>) -> bool {
        let pointer = pointer_to(spot.pointer, name);
        let ours = schema.as_object().is_some_and(|map| is_ours_to_choose(name, map));
        if self.lessons.forces(&pointer) || ours {
            return true;
        }
        let supplied = self.context.values.contains_key(&pointer);
        match self.fill {
            Fill::Minimal => false,
            Fill::Typical => {
                let suggests = |key: &str| schema.get(key).is_some_and(|v| !is_empty(v));
                let keys = ["const", "default", "examples", "example"];
                supplied || (spot.depth == 0 && keys.iter().any(|key| suggests(key)))
            }
            Fill::Full => {
                supplied || (spot.depth <= 2 && !is_invented(name) && !is_rival(name, schema))
            }
        }
    }

    /// `minProperties` beyond what is there already.
    fn reach_least(&self, map: &Map<String, Value>, out: &mut Map<String, Value>, spot: Spot<'_>) {
        let least =
            map.get("minProperties").and_then(Value::as_u64).unwrap_or(0).min(MOST) as usize;
        if out.len() >= least {
            return;
        }
        let named = map.get("properties").and_then(Value::as_object);
        let known: Vec<String> =
            named.into_iter().flatten().map(|(name, _)| name.clone()).collect();
        let made = (0..least + 4).filter_map(|i| self.name(map, i, spot));
        for (index, name) in known.into_iter().chain(made).enumerate() {
            if out.len() >= least {
                return;
            }
            let unfit =
                out.contains_key(&name) || self.lessons.drops(&pointer_to(spot.pointer, &name));
            if !unfit && let Some(value) = self.member(map, &name, index, spot) {
                out.insert(name, value);
            }
        }
    }

    /// A name for a member that the schema does not name.
    fn name(&self, map: &Map<String, Value>, index: usize, spot: Spot<'_>) -> Option<String> {
        if let Some(names) = map.get("propertyNames") {
            let hint = Hint { name: "name", about: "", index };
            let text = json!({"allOf": [names, {"type": "string"}]});
            // The pointer is that of no member, so that no lesson about one applies.
            let at = format!("{}//{index}", spot.pointer);
            return self
                .value(&text, spot.inside(&at, hint, spot.turn))?
                .as_str()
                .map(str::to_owned);
        }
        let patterns = map.get("patternProperties").and_then(Value::as_object);
        let closed = map.get("additionalProperties") == Some(&Value::Bool(false));
        match patterns.and_then(|p| p.keys().next()).filter(|_| closed) {
            Some(pattern) => {
                let made = pattern::strings(pattern, 1, None, index);
                made.get(index % made.len().max(1)).cloned()
            }
            None => Some(format!("sample{index}")),
        }
    }

    pub(super) fn array(&self, map: &Map<String, Value>, spot: Spot<'_>) -> Option<Value> {
        let bound = |key: &str| map.get(key).and_then(Value::as_u64).map(|n| n.min(MOST) as usize);
        let (prefix, rest) = items_of(map);
        let contains = map.get("contains");
        let holding = contains.map_or(0, |_| bound("minContains").unwrap_or(1));
        let least = bound("minItems").unwrap_or(0).max(holding);
        // After complaints about the array itself, a longer one may do.
        let wish = least.max(prefix.len()).max(1) + spot.turn;
        let unique = map.get("uniqueItems") == Some(&Value::Bool(true));
        let mut items: Vec<Value> = Vec::new();
        let count = wish.min(bound("maxItems").unwrap_or(usize::MAX));
        for index in 0..count {
            let own = prefix.get(index).unwrap_or(rest);
            let holds = contains.filter(|_| index + holding >= count);
            let both = holds.map(|held| json!({"allOf": [own, held]}));
            let schema = both.as_ref().unwrap_or(own);
            if self.lessons.drops(&format!("{}/{index}", spot.pointer)) {
                break;
            }
            match self.item(schema, index, spot, &items, unique) {
                Some(item) => items.push(item),
                None => break,
            }
        }
        (items.len() >= least).then_some(Value::Array(items))
    }

    fn item(
        &self,
        schema: &Value,
        index: usize,
        spot: Spot<'_>,
        before: &[Value],
        unique: bool,
    ) -> Option<Value> {
        let pointer = format!("{}/{index}", spot.pointer);
        let turn = self.lessons.turn(&pointer);
        let turns = if unique { 8 } else { 1 };
        (0..turns)
            .filter_map(|more| {
                let hint =
                    Hint { index: spot.hint.index + index + more * before.len(), ..spot.hint };
                self.value(schema, spot.inside(&pointer, hint, turn + more))
            })
            .find(|item| !unique || !before.contains(item))
    }
}

/// Items by position, and those after them; draft-07 writes both into `items`.
fn items_of(map: &Map<String, Value>) -> (&[Value], &Value) {
    match map.get("items") {
        Some(Value::Array(prefix)) => (prefix, map.get("additionalItems").unwrap_or(&ANYTHING)),
        rest => {
            let prefix = map.get("prefixItems").and_then(Value::as_array);
            (prefix.map_or(&[], Vec::as_slice), rest.unwrap_or(&ANYTHING))
        }
    }
}

fn schema_of<'a>(map: &'a Map<String, Value>, name: &str) -> &'a Value {
    if let Some(schema) = map.get("properties").and_then(|p| p.get(name)) {
        return schema;
    }
    let patterns = map.get("patternProperties").and_then(Value::as_object);
    let by_pattern = patterns
        .into_iter()
        .flatten()
        .find(|(pattern, _)| Regex::new(pattern).is_ok_and(|regex| regex.is_match(name)));
    let others = || map.get("additionalProperties").filter(|v| v.is_object());
    by_pattern.map(|(_, schema)| schema).or_else(others).unwrap_or(&ANYTHING)
}

/// The schema joined with what the presence of a member brings along; `None` if nothing does.
fn with_dependents(map: &Map<String, Value>, names: &[String]) -> Option<Map<String, Value>> {
    for key in ["dependentSchemas", "dependencies"] {
        let Some(Value::Object(dependents)) = map.get(key) else { continue };
        let brought =
            dependents.iter().find(|(name, more)| more.is_object() && names.contains(name));
        if let Some((name, Value::Object(more))) = brought {
            let mut rest = without(map, &[key]);
            rest.insert(key.to_owned(), Value::Object(without(dependents, &[name])));
            return Some(merged(&rest, more));
        }
    }
    None
}
