//! The walk through a schema that builds one value. It decides; the validator judges.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::context::Context;
use super::lessons::Lessons;
use super::meaning::Hint;
use super::merge::{clash, merged};
use super::sample::Fill;
use super::schema::{Kind, Matchers, resolve, without};
use super::{described, given, number, text};
use crate::seed::Seed;

/// Bounds the work on schemas that refer to themselves.
const STEPS: u32 = 4_000;
const DEEPEST: usize = 24;
/// How often a definition may stand within itself.
const WITHIN_ITSELF: usize = 2;

pub(super) struct Walk<'a> {
    pub(super) root: &'a Value,
    pub(super) context: &'a Context,
    pub(super) seed: Seed,
    pub(super) fill: Fill,
    pub(super) lessons: &'a Lessons,
    matchers: &'a Matchers,
    left: Cell<u32>,
    whole: RefCell<BTreeSet<String>>,
}

/// Where in the sample we are, and what we know of the place.
#[derive(Clone, Copy)]
pub(super) struct Spot<'a> {
    pub(super) pointer: &'a str,
    pub(super) hint: Hint<'a>,
    /// Levels of objects and arrays around it.
    pub(super) depth: usize,
    /// Which of the possible choices to take: higher after complaints.
    pub(super) turn: usize,
    steps: usize,
    refs: Option<&'a Refs<'a>>,
}

/// The references followed to get here.
struct Refs<'a> {
    name: &'a str,
    outer: Option<&'a Refs<'a>>,
}

impl Refs<'_> {
    fn times(&self, name: &str) -> usize {
        usize::from(self.name == name) + self.outer.map_or(0, |outer| outer.times(name))
    }
}

impl<'a> Spot<'a> {
    /// A member or item of the value here.
    pub(super) fn inside<'b>(&self, pointer: &'b str, hint: Hint<'b>, turn: usize) -> Spot<'b>
    where
        'a: 'b,
    {
        Spot { pointer, hint, depth: self.depth + 1, turn, steps: self.steps + 1, refs: self.refs }
    }
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        root: &'a Value,
        context: &'a Context,
        seed: Seed,
        fill: Fill,
        lessons: &'a Lessons,
        matchers: &'a Matchers,
    ) -> Walk<'a> {
        let (left, whole) = (Cell::new(STEPS), RefCell::default());
        Walk { root, context, seed, fill, lessons, matchers, left, whole }
    }

    pub(super) fn whole_value(&self) -> Option<Value> {
        let hint = Hint { name: "", about: "", index: 0 };
        let turn = self.lessons.turn("");
        self.value(self.root, Spot { pointer: "", hint, depth: 0, turn, steps: 0, refs: None })
    }

    /// Places whose value was taken in one piece.
    pub(super) fn taken_whole(self) -> BTreeSet<String> {
        self.whole.into_inner()
    }

    pub(super) fn value(&self, schema: &Value, spot: Spot<'_>) -> Option<Value> {
        let mut spot = spot;
        if let Some(value) = self.context.values.get(spot.pointer) {
            if spot.turn == 0 {
                self.whole.borrow_mut().insert(spot.pointer.to_owned());
                return Some(value.clone());
            }
            spot.turn -= 1;
        }
        match schema {
            Value::Bool(true) => self.of_map(&Map::new(), spot),
            Value::Object(map) => self.of_map(map, spot),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => None,
        }
    }

    fn of_map(&self, map: &Map<String, Value>, spot: Spot<'_>) -> Option<Value> {
        self.left.set(self.left.get().checked_sub(1)?);
        if spot.steps > DEEPEST {
            return None;
        }
        let about = map.get("description").and_then(Value::as_str).filter(|d| !d.is_empty());
        let hint = Hint { about: about.unwrap_or(spot.hint.about), ..spot.hint };
        let spot = Spot { hint, steps: spot.steps + 1, ..spot };
        for key in ["$ref", "$dynamicRef", "$recursiveRef"] {
            if let Some(reference) = map.get(key).and_then(Value::as_str) {
                return self.referred(map, key, reference, spot);
            }
        }
        if let Some(options) = given::options(map) {
            self.whole.borrow_mut().insert(spot.pointer.to_owned());
            return options.get((spot.hint.index + spot.turn) % options.len().max(1)).cloned();
        }
        let suggested = given::suggestions(map, spot.hint, self.context);
        if let Some(value) = suggested.get(spot.turn) {
            self.whole.borrow_mut().insert(spot.pointer.to_owned());
            return Some(value.clone());
        }
        let spot = Spot { turn: spot.turn - suggested.len(), ..spot };
        self.chosen(&without(map, &["default", "examples", "example"]), spot)
    }

    /// One of the ways in which the schema may be met, then the rest of it.
    fn chosen(&self, map: &Map<String, Value>, spot: Spot<'_>) -> Option<Value> {
        for key in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = map.get(key) {
                return self.branch(map, key, branches, spot);
            }
        }
        if let Some(condition) = map.get("if") {
            return self.conditional(map, condition, spot);
        }
        if let Some(Value::Array(parts)) = map.get("allOf") {
            return self.all(map, parts, spot);
        }
        let kinds = Kind::all_of(map);
        // A few turns of one type before the next: a wrong value is likelier than a wrong type.
        const EACH: usize = 3;
        let (round, first) = (spot.turn / EACH, spot.turn % EACH);
        let laps = round / kinds.len().max(1);
        let spot = Spot { turn: first + laps * EACH, ..spot };
        turned(&kinds, round).find_map(|kind| self.of_kind(*kind, map, spot))
    }

    fn referred(
        &self,
        map: &Map<String, Value>,
        key: &str,
        reference: &str,
        spot: Spot<'_>,
    ) -> Option<Value> {
        if spot.refs.is_some_and(|refs| refs.times(reference) >= WITHIN_ITSELF) {
            return None;
        }
        let refs = Refs { name: reference, outer: spot.refs };
        let spot = Spot { refs: Some(&refs), ..spot };
        let rest = without(map, &[key]);
        self.of_map(&with(&rest, resolve(self.root, reference)?)?, spot)
    }

    fn branch(
        &self,
        map: &Map<String, Value>,
        key: &str,
        branches: &[Value],
        spot: Spot<'_>,
    ) -> Option<Value> {
        let base = without(map, &[key]);
        let is_null = |b: &&Value| b.get("type").and_then(Value::as_str) == Some("null");
        let (null, mut ordered): (Vec<&Value>, Vec<&Value>) = branches.iter().partition(is_null);
        ordered.extend(null);
        let spot_within = Spot { turn: spot.turn / ordered.len().max(1), ..spot };
        turned(&ordered, spot.turn).find_map(|branch| {
            let mut whole = with(&base, branch)?;
            if let (Value::Object(more), "oneOf") = (branch, key) {
                leave_to_others(&mut whole, more, branches);
            }
            self.of_map(&whole, spot_within)
        })
    }

    fn conditional(
        &self,
        map: &Map<String, Value>,
        condition: &Value,
        spot: Spot<'_>,
    ) -> Option<Value> {
        let base = without(map, &["if", "then", "else"]);
        let met = [Some(condition), map.get("then")];
        let unmet = [None, map.get("else")];
        let spot_within = Spot { turn: spot.turn / 2, ..spot };
        turned(&[met, unmet], spot.turn).find_map(|parts| {
            let mut whole = base.clone();
            for part in parts.iter().flatten() {
                match part {
                    Value::Object(more) => whole = joined(&whole, more),
                    Value::Bool(false) => return None,
                    Value::Null
                    | Value::Bool(true)
                    | Value::Number(_)
                    | Value::String(_)
                    | Value::Array(_) => {}
                }
            }
            self.of_map(&whole, spot_within)
        })
    }

    /// Part by part, since a part may hold a choice of its own.
    fn all(&self, map: &Map<String, Value>, parts: &[Value], spot: Spot<'_>) -> Option<Value> {
        let mut whole = without(map, &["allOf"]);
        let mut rest = parts.iter();
        for part in rest.by_ref() {
            match part {
                Value::Object(more) => whole = merged(&whole, more),
                Value::Bool(false) => return None,
                Value::Null
                | Value::Bool(true)
                | Value::Number(_)
                | Value::String(_)
                | Value::Array(_) => {}
            }
            let choice = ["anyOf", "oneOf", "if", "allOf", "$ref"];
            if choice.iter().any(|key| whole.contains_key(*key)) {
                break;
            }
        }
        let mut later: Vec<Value> = rest.cloned().collect();
        if !later.is_empty() {
            let nested = whole.get("allOf").and_then(Value::as_array);
            later.extend(nested.into_iter().flatten().cloned());
            whole.insert("allOf".to_owned(), Value::Array(later));
        }
        self.of_map(&whole, spot)
    }

    fn of_kind(&self, kind: Kind, map: &Map<String, Value>, spot: Spot<'_>) -> Option<Value> {
        match kind {
            Kind::Object => self.object(map, spot),
            Kind::Array => self.array(map, spot),
            Kind::Text => {
                text::text(map, spot.hint, self.context, self.seed, self.matchers, spot.turn)
            }
            Kind::Integer => number::number(map, spot.hint, true, spot.turn),
            Kind::Number => number::number(map, spot.hint, false, spot.turn),
            Kind::Boolean => {
                let first = described::switch(spot.hint.about)
                    .unwrap_or_else(|| given::harmless_when_true(spot.hint.name));
                Some(Value::Bool(first ^ ((spot.hint.index + spot.turn) % 2 == 1)))
            }
            Kind::Null => Some(Value::Null),
        }
    }
}

/// All options, beginning with the one whose turn it is.
fn turned<T>(options: &[T], turn: usize) -> impl Iterator<Item = &T> {
    options.iter().cycle().skip(turn % options.len().max(1)).take(options.len())
}

/// The base and one schema more; `None` where that allows nothing, or is no schema.
fn with(base: &Map<String, Value>, more: &Value) -> Option<Map<String, Value>> {
    match more {
        Value::Object(more) => Some(joined(base, more)),
        Value::Bool(true) => Some(base.clone()),
        Value::Null
        | Value::Bool(false)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_) => None,
    }
}

/// Both at once; where both hold a choice, one after the other.
fn joined(base: &Map<String, Value>, more: &Map<String, Value>) -> Map<String, Value> {
    if !clash(base, more) {
        return merged(base, more);
    }
    let mut out = base.clone();
    let mut parts = vec![Value::Object(more.clone())];
    let nested = base.get("allOf").and_then(Value::as_array);
    parts.extend(nested.into_iter().flatten().cloned());
    out.insert("allOf".to_owned(), Value::Array(parts));
    out
}

/// Exactly one branch may hold, so what only another branch asks for is left out.
fn leave_to_others(whole: &mut Map<String, Value>, chosen: &Map<String, Value>, all: &[Value]) {
    fn required(map: &Map<String, Value>) -> impl Iterator<Item = &str> {
        map.get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
    }
    let own = chosen.get("properties").and_then(Value::as_object);
    let others: BTreeSet<String> = all
        .iter()
        .filter_map(Value::as_object)
        .filter(|other| *other != chosen)
        .flat_map(required)
        .filter(|name| !required(whole).any(|r| r == *name))
        .filter(|name| own.is_none_or(|p| !p.contains_key(*name)))
        .map(str::to_owned)
        .collect();
    if let Some(Value::Object(properties)) = whole.get_mut("properties") {
        for name in others {
            if properties.contains_key(&name) {
                properties.insert(name, Value::Bool(false));
            }
        }
    }
}
