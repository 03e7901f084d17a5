//! Places: where in a tool's arguments something of our choice can stand.

use serde_json::{Map, Value, json};

use super::checker::plain;
use super::merge::merged;
use super::schema::{pointer_to, resolve};
use super::wrap::{Wrap, wraps};
use super::{Context, Fill, sample, validator};
use crate::evidence::{Evidence, Tool};
use crate::seed::Seed;

/// No tool is asked about more places than this, nor deeper ones.
const MOST: usize = 24;
const DEEPEST: usize = 4;
/// Choices that are made otherwise, for one tool.
const CHOICES: usize = 4;
/// Names ordinary arguments.
pub const BENIGN: &str = "benign";
/// Stands before a choice in the name of a place.
const WHERE: &str = " where ";

/// What stands in a place of the ordinary arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    Text,
    /// The name of a member, where any name will do.
    Key,
    /// A number or a switch: whoever looks at types takes no text here.
    Scalar,
}

/// One place in otherwise ordinary arguments.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// Into the arguments; of a key, to the member that bears it.
    pub pointer: String,
    pub slot: Slot,
    /// The ordinary text there; of a number or switch, as it is written.
    pub text: String,
    /// The ordinary arguments; several places of a tool share them.
    pub arguments: Value,
    /// Names the ordinary arguments: equal for places that share them.
    pub twin: String,
    pub wrap: Wrap,
    /// The choice that is made elsewhere in the arguments, where it is not the usual one.
    pub choice: Option<String>,
}

impl Place {
    /// What a finding about this place is about: of a key, the object it stands in.
    pub fn subject(&self) -> &str {
        match self.slot {
            Slot::Text | Slot::Scalar => &self.pointer,
            Slot::Key => self.pointer.rsplit_once('/').map_or("", |(parent, _)| parent),
        }
    }

    /// The place in words that tell it apart from all others of its tool.
    pub fn location(&self) -> String {
        let inner = match &self.wrap {
            Wrap::Plain | Wrap::Base64 => "",
            Wrap::Json(inner) => inner,
        };
        let mark = if inner.is_empty() { "" } else { "#" };
        let choice = self.choice.iter().map(|c| format!("{WHERE}{c}")).collect::<String>();
        format!("{}{mark}{inner}{choice}", self.pointer)
    }

    /// A place by its location, in these ordinary arguments.
    pub fn at(
        tool: &Tool,
        slot: Slot,
        location: &str,
        arguments: &Value,
        twin: &str,
    ) -> Option<Place> {
        let (place, choice) = match location.split_once(WHERE) {
            Some((place, choice)) => (place, Some(choice.to_owned())),
            None => (location, None),
        };
        let (pointer, inner) = match place.split_once('#') {
            Some((pointer, inner)) => (pointer, Some(inner.to_owned())),
            None => (place, None),
        };
        let there = arguments.pointer(pointer)?;
        let coded =
            || wraps(there.as_str().unwrap_or_default(), &described(tool, pointer)).swap_remove(0);
        let wrap = match (inner, slot) {
            (Some(inner), _) => Wrap::Json(inner),
            (None, Slot::Text) => coded(),
            (None, Slot::Key | Slot::Scalar) => Wrap::Plain,
        };
        let text = match slot {
            Slot::Text => wrap.unpacked(there.as_str()?),
            Slot::Key => pointer.rsplit('/').next()?.to_owned(),
            Slot::Scalar => there.to_string(),
        };
        let (arguments, twin) = (arguments.clone(), twin.to_owned());
        Some(Place { pointer: pointer.to_owned(), slot, text, arguments, twin, wrap, choice })
    }

    /// The arguments with something else in this place, and whether the schema allows that.
    pub fn filled(&self, tool: &Tool, with: &Value) -> Option<(Value, bool)> {
        let mut arguments = self.arguments.clone();
        match self.slot {
            Slot::Text | Slot::Scalar => {
                let there = arguments.pointer_mut(&self.pointer)?;
                let packed = match (there.as_str(), with.as_str()) {
                    (Some(whole), Some(with)) => Value::from(self.wrap.packed(whole, with)?),
                    (_, _) if self.wrap == Wrap::Plain => with.clone(),
                    (_, _) => return None,
                };
                *there = packed;
            }
            Slot::Key => {
                let (parent, name) = self.pointer.rsplit_once('/')?;
                let map = arguments.pointer_mut(parent)?.as_object_mut()?;
                let value = map.remove(&name.replace("~1", "/").replace("~0", "~"))?;
                map.insert(with.as_str()?.to_owned(), value);
            }
        }
        let allowed = validator(&tool.input_schema).is_none_or(|v| v.is_valid(&arguments));
        Some((arguments, allowed))
    }

    /// The arguments with another text in this place; `None` when the schema forbids it, so that
    /// it would never get past validation.
    pub fn with(&self, tool: &Tool, text: &str) -> Option<Value> {
        let (arguments, allowed) = self.filled(tool, &Value::from(text))?;
        allowed.then_some(arguments)
    }
}

/// The places of a tool: in arguments that work, and in what these leave out, one thing at a time.
pub fn places(evidence: &Evidence, tool: &Tool, base: &Value, seed: Seed) -> Vec<Place> {
    let mut growth = Growth {
        tool,
        context: Context::of(evidence, &tool.name),
        seed: seed.part(&tool.name),
        found: vec![],
        keys: vec![],
    };
    growth.look(&tool.input_schema, base, "", 0);
    let mut found: Vec<Place> = Vec::new();
    let mut add = |slots: Vec<(String, Slot)>, arguments: &Value, twin: &str| {
        for (pointer, slot) in slots {
            let text = arguments.pointer(&pointer).and_then(Value::as_str).unwrap_or_default();
            let wraps = match slot {
                Slot::Text => wraps(text, &described(tool, &pointer)),
                Slot::Key | Slot::Scalar => vec![Wrap::Plain],
            };
            let inner = |wrap: Wrap| match wrap {
                Wrap::Plain | Wrap::Base64 => pointer.clone(),
                Wrap::Json(inner) => format!("{pointer}#{inner}"),
            };
            let at = |wrap| Place::at(tool, slot, &inner(wrap), arguments, twin);
            found.extend(wraps.into_iter().filter_map(at));
        }
    };
    add(slots(base, "", &growth.keys), base, BENIGN);
    for (pointer, value) in &growth.found {
        let Some(arguments) = put(base, pointer, value) else { continue };
        if validator(&tool.input_schema).is_none_or(|v| v.is_valid(&arguments)) {
            add(slots(value, pointer, &growth.keys), &arguments, &format!("benign with {pointer}"));
        }
    }
    // Texts first: they are the likely ones when there are too many.
    found.sort_by_key(|p| p.slot);
    found.truncate(MOST);
    found.extend(chosen(tool, base));
    found
}

/// The texts beside a choice, for each way in which it can be made otherwise: what is done with a
/// text often depends on it.
fn chosen(tool: &Tool, base: &Value) -> Vec<Place> {
    let texts = slots(base, "", &[]);
    let free = |at: &str| schema_at(tool, at).is_none_or(|s| s.get("enum").is_none());
    let mut found = Vec::new();
    for (choice, arguments) in choices(tool, base) {
        let twin = format!("{BENIGN} with {choice}");
        let beside = texts.iter().filter(|(at, slot)| *slot == Slot::Text && free(at));
        found.extend(beside.filter_map(|(at, slot)| {
            Place::at(tool, *slot, &format!("{at}{WHERE}{choice}"), &arguments, &twin)
        }));
    }
    found
}

/// The ordinary arguments with each choice in them made otherwise, and that choice in words.
pub fn choices(tool: &Tool, base: &Value) -> Vec<(String, Value)> {
    let of_place = |(pointer, _): (String, Slot)| {
        let options = schema_at(tool, &pointer).and_then(|s| s.get("enum")?.as_array());
        let usual = base.pointer(&pointer);
        let others = options.into_iter().flatten().filter(|o| Some(*o) != usual);
        let made = others.filter_map(|option| {
            let choice = format!("{pointer} = {}", option.as_str()?);
            Some((choice, put(base, &pointer, option)?))
        });
        made.collect::<Vec<_>>()
    };
    slots(base, "", &[]).into_iter().flat_map(of_place).take(CHOICES).collect()
}

/// The schema of the place that a pointer leads to, as far as it is told without detours.
fn schema_at<'a>(tool: &'a Tool, pointer: &str) -> Option<&'a Value> {
    let root = &tool.input_schema;
    let named = |s: &'a Value| s.get("$ref").and_then(Value::as_str).and_then(|r| resolve(root, r));
    pointer.split('/').skip(1).try_fold(root, |schema, part| {
        let schema = named(schema).unwrap_or(schema);
        let part = part.replace("~1", "/").replace("~0", "~");
        let item = || part.parse::<usize>().ok().and_then(|_| schema.get("items"));
        schema.get("properties").and_then(|p| p.get(&part)).or_else(item)
    })
}

/// What is said of the place that a pointer leads to, and of what it stands in.
pub fn described(tool: &Tool, pointer: &str) -> String {
    let said = |at: &str| {
        let schema = schema_at(tool, at)?;
        let coded = schema.get("contentEncoding").and_then(Value::as_str);
        let about = schema.get("description").and_then(Value::as_str);
        Some([about, coded].into_iter().flatten().collect::<Vec<_>>().join(" "))
    };
    let ends = pointer.match_indices('/').map(|(at, _)| at).skip(1).chain([pointer.len()]);
    let told: Vec<String> = ends.filter_map(|end| said(&pointer[..end])).collect();
    told.into_iter().rfind(|text| !text.is_empty()).unwrap_or_default()
}

/// Looks for what the arguments leave out.
struct Growth<'a> {
    tool: &'a Tool,
    context: Context,
    seed: Seed,
    /// Where something may stand, and an ordinary value for it.
    found: Vec<(String, Value)>,
    /// Members whose name is free.
    keys: Vec<String>,
}

impl Growth<'_> {
    fn look(&mut self, schema: &Value, value: &Value, pointer: &str, depth: usize) {
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
        sample(&alone, &self.context, self.seed, Fill::Typical)?.get(name).cloned()
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

/// The arguments with a value put where there was none.
fn put(base: &Value, pointer: &str, value: &Value) -> Option<Value> {
    let mut arguments = base.clone();
    if let Some(place) = arguments.pointer_mut(pointer) {
        *place = value.clone();
        return Some(arguments);
    }
    let (parent, name) = pointer.rsplit_once('/')?;
    match arguments.pointer_mut(parent)? {
        Value::Object(map) => {
            map.insert(name.replace("~1", "/").replace("~0", "~"), value.clone());
        }
        Value::Array(items) => items.push(value.clone()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return None,
    }
    Some(arguments)
}

/// Every place within a value; of an array only the first item, the others are treated alike.
fn slots(value: &Value, pointer: &str, keys: &[String]) -> Vec<(String, Slot)> {
    let mut found = match value {
        Value::String(_) => vec![(pointer.to_owned(), Slot::Text)],
        Value::Number(_) | Value::Bool(_) => vec![(pointer.to_owned(), Slot::Scalar)],
        Value::Array(items) => {
            items.first().map(|v| slots(v, &format!("{pointer}/0"), keys)).unwrap_or_default()
        }
        Value::Object(map) => {
            map.iter().flat_map(|(k, v)| slots(v, &pointer_to(pointer, k), keys)).collect()
        }
        Value::Null => Vec::new(),
    };
    if keys.iter().any(|key| key == pointer) {
        found.push((pointer.to_owned(), Slot::Key));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    fn places_of(schema: &str, base: &str) -> (Evidence, Vec<Place>) {
        let snippet = format!(r#"{{"tools": [{{"name": "find", "inputSchema": {schema}}}]}}"#);
        let evidence = pages::evidence(&snippet).unwrap();
        let base = serde_json::from_str(base).unwrap();
        let found = places(&evidence, &evidence.inventory.tools[0], &base, Seed(1));
        (evidence, found)
    }

    fn shown(found: &[Place]) -> Vec<String> {
        found.iter().map(|p| format!("{} {:?}", p.pointer, p.slot)).collect()
    }

    #[test]
    fn places_are_found_wherever_they_are() {
        let (_, found) = places_of(
            r#"{"type": "object", "required": ["q", "tags", "n", "deep"], "properties": {
                "q": {"type": "string"}, "n": {"type": "integer"},
                "tags": {"type": "array", "items": {"type": "string"}, "minItems": 2},
                "deep": {"type": "object", "required": ["a/b"], "properties": {"a/b": {"type": "string"}}}}}"#,
            r#"{"q": "x", "n": 1, "tags": ["a", "b"], "deep": {"a/b": "c"}}"#,
        );
        assert_eq!(shown(&found), ["/q Text", "/tags/0 Text", "/deep/a~1b Text", "/n Scalar"]);
        assert!(found.iter().all(|p| p.twin == "benign"));
    }

    #[test]
    fn what_the_arguments_leave_out_gets_arguments_of_its_own() {
        let (_, found) = places_of(
            r#"{"type": "object", "required": ["q"], "properties": {"q": {"type": "string"},
                "zone": {"type": "string"}, "more": {"type": "object", "properties": {}, "additionalProperties": {"type": "string"}},
                "ids": {"type": "array", "items": {"type": "string"}}}}"#,
            r#"{"q": "x", "ids": [], "more": {}}"#,
        );
        let zone = found.iter().find(|p| p.pointer == "/zone").unwrap();
        assert!(zone.arguments.get("zone").is_some() && zone.arguments.get("q").is_some());
        let all = shown(&found).join(", ");
        assert!(all.contains("/ids/0 Text"), "{all}");
        assert!(all.contains("/more/sample0 Text") && all.contains("/more/sample0 Key"), "{all}");
    }

    #[test]
    fn a_branch_that_is_a_text_is_a_place() {
        let (_, found) = places_of(
            r#"{"type": "object", "properties": {"id": {"anyOf": [{"type": "integer"}, {"type": "string"}]}}}"#,
            r#"{"id": 7}"#,
        );
        assert_eq!(shown(&found), ["/id Text", "/id Scalar"]);
        assert_eq!(found[0].arguments, json!({"id": "sample"}));
    }

    #[test]
    fn a_key_is_put_in_place_of_the_name_of_its_member() {
        let (evidence, found) = places_of(
            r#"{"type": "object", "properties": {"env": {"type": "object", "additionalProperties": {"type": "string"}}}}"#,
            r#"{"env": {"A": "1"}}"#,
        );
        let key = found.iter().find(|p| p.slot == Slot::Key).unwrap();
        let with = key.with(&evidence.inventory.tools[0], "x y");
        assert_eq!(with, Some(json!({"env": {"x y": "1"}})));
    }

    #[test]
    fn a_text_that_the_schema_forbids_is_known_to_be_forbidden() {
        let (evidence, found) = places_of(
            r#"{"type": "object", "required": ["mode"], "properties": {"mode": {"enum": ["a", "b"]}}}"#,
            r#"{"mode": "a"}"#,
        );
        let tool = &evidence.inventory.tools[0];
        assert_eq!(found[0].with(tool, "a;echo"), None);
        assert!(!found[0].filled(tool, &json!("a;echo")).unwrap().1);
        assert!(found[0].with(tool, "b").is_some());
    }
}
