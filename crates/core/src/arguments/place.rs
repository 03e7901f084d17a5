//! Places: where in a tool's arguments something of our choice can stand.

use serde_json::Value;

use super::choice::{chosen, described};
use super::growth::{Growth, MOST};
use super::schema::pointer_to;
use super::wrap::{Wrap, wraps};
use super::{Context, validator};
use crate::evidence::{Evidence, Tool};
use crate::seed::Seed;

/// Names ordinary arguments.
pub const BENIGN: &str = "benign";
/// Stands before a choice in the name of a place.
pub(super) const WHERE: &str = " where ";

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
        let inner = self.wrap.inner().unwrap_or_default();
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
            (Some(inner), _) => Wrap::within(&inner),
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
                self.make_room(&mut arguments, with);
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

    /// What looks like an option stands before the item of a list, not instead of it: programs do nothing
    /// without anything to do it to.
    fn make_room(&self, arguments: &mut Value, with: &Value) {
        let option = with.as_str().is_some_and(|text| text.starts_with("--"));
        let Some((list, nth)) = self.pointer.rsplit_once('/').filter(|_| option) else { return };
        let items = arguments.pointer_mut(list).and_then(Value::as_array_mut);
        if let (Some(items), Ok(nth)) = (items, nth.parse::<usize>())
            && let Some(item) = items.get(nth).cloned()
        {
            items.insert(nth, item);
        }
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
            let inner = |wrap: Wrap| match wrap.inner() {
                None => pointer.clone(),
                Some(inner) => format!("{pointer}#{inner}"),
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
    found.extend(chosen(tool, base, &growth.found));
    found
}

/// Where texts, numbers and switches stand.
pub fn places_of(arguments: &Value) -> Vec<String> {
    slots(arguments, "", &[]).into_iter().map(|(pointer, _)| pointer).collect()
}

/// The arguments with a value put where there was none.
pub(super) fn put(base: &Value, pointer: &str, value: &Value) -> Option<Value> {
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
pub(super) fn slots(value: &Value, pointer: &str, keys: &[String]) -> Vec<(String, Slot)> {
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
    use serde_json::json;

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
    fn an_optional_object_is_grown_in_full() {
        let (_, found) = places_of(
            r#"{"type": "object", "required": ["q"], "properties": {"q": {"type": "string"},
                "options": {"type": "object", "properties": {"filter": {"type": "string"}}}}}"#,
            r#"{"q": "x"}"#,
        );
        let all = shown(&found).join(", ");
        assert!(all.contains("/options/filter Text"), "{all}");
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
