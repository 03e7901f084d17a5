//! Places: where in a tool's arguments a text of our choice can stand.

use serde_json::Value;

use super::{Context, Fill, sample, validator};
use crate::evidence::{Evidence, Tool};
use crate::seed::Seed;

/// No tool is asked about more texts than this.
const MOST: usize = 16;

/// One text in otherwise ordinary arguments.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// Into the arguments.
    pub pointer: String,
    /// The ordinary text there.
    pub text: String,
    /// The ordinary arguments; several places of a tool share them.
    pub arguments: Value,
    /// Names the ordinary arguments: equal for places that share them.
    pub twin: String,
}

impl Place {
    /// The arguments with another text in this place; `None` when the schema forbids it, so that
    /// it would never get past validation.
    pub fn with(&self, tool: &Tool, text: &str) -> Option<Value> {
        let mut arguments = self.arguments.clone();
        *arguments.pointer_mut(&self.pointer)? = Value::String(text.to_owned());
        validator(&tool.input_schema).is_none_or(|v| v.is_valid(&arguments)).then_some(arguments)
    }
}

/// The places of a tool: in its typical arguments, and in each parameter that these leave out.
pub fn places(evidence: &Evidence, tool: &Tool, seed: Seed) -> Vec<Place> {
    let context = Context::of(evidence, &tool.name);
    // The same part of the seed as the valid call uses, so that both send the same.
    let seed = seed.part(&tool.name);
    let of = |fill| sample(&tool.input_schema, &context, seed, fill);
    let Some(typical) = of(Fill::Typical) else { return Vec::new() };
    let mut found = Vec::new();
    texts(&typical, String::new(), &mut |pointer, text| {
        let arguments = typical.clone();
        found.push(Place { pointer, text, arguments, twin: "benign".to_owned() });
    });
    let full = of(Fill::Full);
    for (name, value) in full.as_ref().and_then(Value::as_object).into_iter().flatten() {
        if typical.get(name).is_some() {
            continue;
        }
        let mut arguments = typical.clone();
        if let Some(map) = arguments.as_object_mut() {
            map.insert(name.clone(), value.clone());
        }
        texts(value, pointer_to("", name), &mut |pointer, text| {
            let twin = format!("benign with {name}");
            found.push(Place { pointer, text, arguments: arguments.clone(), twin });
        });
    }
    found.truncate(MOST);
    found
}

fn pointer_to(parent: &str, key: &str) -> String {
    format!("{parent}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// Every text of a value; of an array only the first item, the others are treated alike.
fn texts(value: &Value, pointer: String, see: &mut impl FnMut(String, String)) {
    match value {
        Value::String(text) => see(pointer, text.clone()),
        Value::Array(items) => {
            if let Some(first) = items.first() {
                texts(first, format!("{pointer}/0"), see);
            }
        }
        Value::Object(map) => {
            for (key, item) in map {
                texts(item, pointer_to(&pointer, key), see);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    fn places_of(schema: &str) -> (Evidence, Vec<Place>) {
        let snippet = format!(r#"{{"tools": [{{"name": "find", "inputSchema": {schema}}}]}}"#);
        let evidence = pages::evidence(&snippet).unwrap();
        let found = places(&evidence, &evidence.inventory.tools[0], Seed(1));
        (evidence, found)
    }

    #[test]
    fn texts_are_found_wherever_they_stand_and_numbers_are_not() {
        let (_, found) = places_of(
            r#"{"type": "object", "required": ["q", "tags", "n", "deep"], "properties": {
                "q": {"type": "string"}, "n": {"type": "integer"},
                "tags": {"type": "array", "items": {"type": "string"}, "minItems": 2},
                "deep": {"type": "object", "required": ["a/b"], "properties": {"a/b": {"type": "string"}}}}}"#,
        );
        let mut pointers: Vec<&str> = found.iter().map(|p| p.pointer.as_str()).collect();
        pointers.sort_unstable();
        assert_eq!(pointers, ["/deep/a~1b", "/q", "/tags/0"]);
        assert!(found.iter().all(|p| p.twin == "benign"));
    }

    #[test]
    fn an_optional_text_gets_arguments_of_its_own() {
        let (_, found) = places_of(
            r#"{"type": "object", "required": ["q"], "properties": {"q": {"type": "string"}, "zone": {"type": "string"}}}"#,
        );
        let zone = found.iter().find(|p| p.pointer == "/zone").unwrap();
        assert!(zone.arguments.get("zone").is_some() && zone.arguments.get("q").is_some());
    }

    #[test]
    fn a_text_that_the_schema_forbids_has_no_place() {
        let (evidence, found) = places_of(
            r#"{"type": "object", "required": ["mode"], "properties": {"mode": {"enum": ["a", "b"]}}}"#,
        );
        assert_eq!(found[0].with(&evidence.inventory.tools[0], "a;echo"), None);
        assert!(found[0].with(&evidence.inventory.tools[0], "b").is_some());
    }
}
