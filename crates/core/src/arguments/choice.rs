//! Choices: what is done with a text may depend on what is chosen beside it.

use serde_json::Value;

use super::place::{BENIGN, Place, Slot, WHERE, put, slots};
use super::schema::{pointer_to, resolve};
use super::{enumerated, listed_values};
use crate::evidence::Tool;
use crate::probe::words;
use crate::promise::holds;

/// Choices that are made otherwise, for one tool.
const MOST: usize = 6;
/// Further texts beside each.
const GROWN: usize = 3;

/// The texts beside a choice, for each way in which it can be made otherwise: what is done with a
/// text often depends on it.
pub(super) fn chosen(tool: &Tool, base: &Value, grown: &[(String, Value)]) -> Vec<Place> {
    let texts = slots(base, "", &[]);
    let free = |at: &str| options(tool, at).is_empty();
    let mut found = Vec::new();
    for (choice, arguments) in choices(tool, base) {
        let twin = format!("{BENIGN} with {choice}");
        let beside = texts.iter().filter(|(at, slot)| *slot == Slot::Text && free(at));
        found.extend(beside.filter_map(|(at, slot)| {
            Place::at(tool, *slot, &format!("{at}{WHERE}{choice}"), &arguments, &twin)
        }));
        // A text that is only looked at where the choice asks for it is left out of ordinary ones.
        let more = grown.iter().filter(|(at, value)| value.is_string() && free(at)).take(GROWN);
        found.extend(more.filter_map(|(at, value)| {
            let arguments = put(&arguments, at, value)?;
            let twin = format!("{twin} and {at}");
            Place::at(tool, Slot::Text, &format!("{at}{WHERE}{choice}"), &arguments, &twin)
        }));
    }
    found
}

/// The ordinary arguments with each choice in them made otherwise, and that choice in words.
pub fn choices(tool: &Tool, base: &Value) -> Vec<(String, Value)> {
    let of_place = |(pointer, _): (String, Slot)| {
        let mut choices = options(tool, &pointer);
        if choices.is_empty() {
            choices = listed_values(&described(tool, &pointer));
        }
        let usual = base.pointer(&pointer).and_then(Value::as_str).map(str::to_owned);
        // "Name of the service: web, api or worker", and it is `web` that works.
        if let (true, Some(usual)) = (choices.is_empty(), &usual) {
            let named = enumerated(&described(tool, &pointer));
            choices = if named.contains(usual) { named } else { Vec::new() };
        }
        let others = choices.into_iter().filter(|o| Some(o) != usual.as_ref());
        let made = others.filter_map(|option| {
            let choice = format!("{pointer} = {option}");
            Some((choice, put(base, &pointer, &Value::String(option))?))
        });
        let made = made.chain(numbers(tool, base, &pointer));
        made.collect::<Vec<_>>()
    };
    // Also what the ordinary arguments leave out.
    let left_out = tool.parameters().filter(|(name, _)| base.get(name).is_none());
    let left_out = left_out.map(|(name, _)| (pointer_to("", name), Slot::Text));
    slots(base, "", &[]).into_iter().chain(left_out).flat_map(of_place).take(MOST).collect()
}

/// The ordinary arguments with each switch the other way, one at a time; but for those that would have
/// a call wait, or be meant.
pub fn switched(tool: &Tool, base: &Value) -> Vec<(String, Value)> {
    const LEFT: &str = "dry follow interactive preview readonly simulate stream wait watch";
    let is_switch = |(name, schema): &(&str, &Value)| {
        schema.get("type").and_then(Value::as_str) == Some("boolean") && !holds(&words(name), LEFT)
    };
    let turned = tool.parameters().filter(is_switch).filter_map(|(name, _)| {
        let pointer = pointer_to("", name);
        let other = !base.pointer(&pointer).and_then(Value::as_bool).unwrap_or(false);
        Some((format!("{pointer} = {other}"), put(base, &pointer, &other.into())?))
    });
    turned.take(MOST).collect()
}

/// Whole numbers of which there are few: pages, levels.
fn numbers(tool: &Tool, base: &Value, pointer: &str) -> Vec<(String, Value)> {
    const FEW: i64 = 4;
    let bound = |key: &str| schema_at(tool, pointer)?.get(key)?.as_i64();
    let (Some(least), Some(most)) = (bound("minimum"), bound("maximum")) else { return Vec::new() };
    // Some libraries state the bounds of all whole numbers: nobody may walk through those.
    if most.checked_sub(least).is_none_or(|range| range >= FEW) {
        return Vec::new();
    }
    let usual = base.pointer(pointer).and_then(Value::as_i64);
    let others = (least..=most).filter(|n| Some(*n) != usual);
    let made = |n: i64| Some((format!("{pointer} = {n}"), put(base, pointer, &n.into())?));
    others.filter_map(made).collect()
}

/// The texts to choose from at a place, wherever its schema names them.
fn options(tool: &Tool, pointer: &str) -> Vec<String> {
    fn named(root: &Value, schema: &Value, depth: u8) -> Vec<String> {
        let referred = schema.get("$ref").and_then(Value::as_str).and_then(|r| resolve(root, r));
        let branches =
            ["anyOf", "oneOf", "allOf"].iter().filter_map(|key| schema.get(*key)?.as_array());
        let parts = referred.into_iter().chain(branches.flatten());
        let own = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
        let own = own.chain(schema.get("const")).filter_map(Value::as_str).map(str::to_owned);
        match depth {
            0 => own.collect(),
            _ => own.chain(parts.flat_map(|part| named(root, part, depth - 1))).collect(),
        }
    }
    schema_at(tool, pointer).map(|s| named(&tool.input_schema, s, 3)).unwrap_or_default()
}

/// The schema of the place that a pointer leads to, as far as it is told without detours.
fn schema_at<'a>(tool: &'a Tool, pointer: &str) -> Option<&'a Value> {
    let root = &tool.input_schema;
    let named = |s: &'a Value| s.get("$ref").and_then(Value::as_str).and_then(|r| resolve(root, r));
    let inner = |schema: &'a Value, part: &str| {
        let schema = named(schema).unwrap_or(schema);
        let item = || part.parse::<usize>().ok().and_then(|_| schema.get("items"));
        schema.get("properties").and_then(|p| p.get(part)).or_else(item)
    };
    pointer.split('/').skip(1).try_fold(root, |schema, part| {
        let part = part.replace("~1", "/").replace("~0", "~");
        // What may be left out altogether is often one of two branches.
        let branches = ["anyOf", "oneOf", "allOf"].iter().filter_map(|key| schema.get(*key));
        let mut branches = branches.filter_map(Value::as_array).flatten();
        inner(schema, &part).or_else(|| branches.find_map(|branch| inner(branch, &part)))
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn switches_are_turned_one_at_a_time_unless_a_call_would_wait() {
        let switch = json!({"type": "boolean"});
        let named =
            json!({"details": switch, "follow": switch, "brief": switch, "dry_run": switch});
        let schema = json!({"type": "object", "properties": named});
        let tool = Tool::from_raw(&json!({"name": "show", "inputSchema": schema})).unwrap();
        let turned = switched(&tool, &json!({"brief": true}));
        let wanted = [
            ("/details = true", json!({"brief": true, "details": true})),
            ("/brief = false", json!({"brief": false})),
        ];
        assert_eq!(turned, wanted.map(|(choice, arguments)| (choice.to_owned(), arguments)));
    }

    #[test]
    fn only_of_few_whole_numbers_each_is_a_choice() {
        let tool = |least: i64, most: i64| {
            let count = json!({"type": "integer", "minimum": least, "maximum": most});
            let schema = json!({"type": "object", "properties": {"count": count}});
            Tool::from_raw(&json!({"name": "show", "inputSchema": schema})).unwrap()
        };
        let chosen = |least, most| {
            let made = choices(&tool(least, most), &json!({"count": 1}));
            made.into_iter().map(|(choice, _)| choice).collect::<Vec<_>>()
        };
        assert_eq!(chosen(0, 2), ["/count = 0", "/count = 2"]);
        assert!(chosen(0, 4).is_empty());
        assert!(chosen(-9_007_199_254_740_991, 9_007_199_254_740_991).is_empty());
        assert!(chosen(i64::MIN, i64::MAX).is_empty());
    }
}
