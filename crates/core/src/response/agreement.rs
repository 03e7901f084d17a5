//! Whether the text of a result tells the same as its structured content.

use serde_json::Value;

use super::metadata::texts;

/// How the text blocks stand to `structuredContent`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Agreement {
    /// A text block is the same JSON value, or tells every value of it.
    Same,
    /// Prose that leaves values out.
    Prose,
    /// JSON with another value: where they part.
    Contradicts(String),
    /// No text block at all.
    NoText,
}

impl Agreement {
    /// `None` when there is nothing to compare: no structured content, or only images and the like
    /// beside it.
    pub fn of(result: &Value) -> Option<Agreement> {
        let structured = result.get("structuredContent")?;
        let texts = texts(result);
        let blocks = result.get("content").and_then(Value::as_array).map_or(0, Vec::len);
        if texts.is_empty() && blocks > 0 {
            return None;
        }
        if texts.is_empty() {
            // FastMCP sends an empty list as no block at all.
            let nothing = core(structured).as_array().is_some_and(Vec::is_empty);
            return Some(if nothing { Agreement::Same } else { Agreement::NoText });
        }
        let parsed: Vec<Value> = texts.iter().map(|t| read(t)).collect();
        let inner = core(structured);
        let quoted = inner.as_str().is_some_and(|s| texts.iter().any(|t| t.trim() == s.trim()));
        let whole = parsed.iter().any(|value| same(structured, value) || same(inner, value));
        if quoted || whole || is_split(structured, &parsed) {
            return Some(Agreement::Same);
        }
        let other = parsed.iter().find(|v| v.is_object() || v.is_array());
        Some(match other {
            Some(value) => Agreement::Contradicts(parting(structured, value)),
            None if tells_all(structured, &texts) => Agreement::Same,
            None => Agreement::Prose,
        })
    }
}

/// A text block as JSON, or as the text it is.
fn read(text: &str) -> Value {
    serde_json::from_str(text.trim()).unwrap_or_else(|_| Value::String(text.to_owned()))
}

/// What an SDK wrapped to make an object of it: `{"result": …}`, or any object of one member.
fn core(structured: &Value) -> &Value {
    match structured.as_object() {
        Some(map) if map.len() == 1 => map.values().next().unwrap_or(structured),
        Some(_) | None => structured,
    }
}

/// FastMCP sends the items of a list as one block each.
fn is_split(structured: &Value, blocks: &[Value]) -> bool {
    core(structured).as_array().is_some_and(|items| {
        items.len() == blocks.len() && items.iter().zip(blocks).all(|(a, b)| same(a, b))
    })
}

/// Equal as JSON: 21 and 21.0 are one number, a null member is like an absent one.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => x == y || x.as_f64() == y.as_f64(),
        (Value::Array(x), Value::Array(y)) => {
            x.len() == y.len() && x.iter().zip(y).all(|(a, b)| same(a, b))
        }
        (Value::Object(x), Value::Object(y)) => {
            let member = |key: &str, of: &serde_json::Map<String, Value>| {
                of.get(key).cloned().unwrap_or(Value::Null)
            };
            x.keys().chain(y.keys()).all(|key| same(&member(key, x), &member(key, y)))
        }
        (a, b) => a == b,
    }
}

/// Whether prose carries every value: then a client that knows only text misses nothing.
fn tells_all(structured: &Value, texts: &[&str]) -> bool {
    let prose = texts.join("\n");
    let carries = |leaf: &str| prose.contains(leaf);
    match structured {
        // Prose says yes and no in its own words.
        Value::Null | Value::Bool(_) => true,
        Value::Number(n) => carries(&n.to_string()),
        Value::String(text) => carries(text.trim()),
        Value::Array(items) => items.iter().all(|item| tells_all(item, texts)),
        Value::Object(map) => map.values().all(|item| tells_all(item, texts)),
    }
}

/// A pointer to the first place where two values differ.
fn parting(a: &Value, b: &Value) -> String {
    let deeper = |key: String, x: Option<&Value>, y: Option<&Value>| match (x, y) {
        (Some(x), Some(y)) if same(x, y) => None,
        (Some(x), Some(y)) => Some(format!("/{key}{}", parting(x, y))),
        (None | Some(Value::Null), None | Some(Value::Null)) => None,
        (None, Some(_)) | (Some(_), None) => Some(format!("/{key}")),
    };
    let found = match (a, b) {
        (Value::Object(x), Value::Object(y)) => x
            .keys()
            .chain(y.keys())
            .find_map(|k| deeper(k.replace('~', "~0").replace('/', "~1"), x.get(k), y.get(k))),
        (Value::Array(x), Value::Array(y)) => {
            (0..x.len().max(y.len())).find_map(|i| deeper(i.to_string(), x.get(i), y.get(i)))
        }
        (_, _) => None,
    };
    found.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn agreement(structured: &Value, texts: &[&str]) -> Agreement {
        let blocks: Vec<Value> = texts.iter().map(|t| json!({"type": "text", "text": t})).collect();
        Agreement::of(&json!({"content": blocks, "structuredContent": structured})).unwrap()
    }

    #[test]
    fn the_same_value_in_any_notation_agrees() {
        let weather = json!({"celsius": 21, "city": "Bonn", "wind": null});
        assert_eq!(
            agreement(&weather, &["{ \"city\": \"Bonn\", \"celsius\": 21.0 }"]),
            Agreement::Same
        );
        assert_eq!(agreement(&weather, &["Here:", &weather.to_string()]), Agreement::Same);
    }

    #[test]
    fn what_sdks_wrap_or_split_agrees() {
        assert_eq!(agreement(&json!({"result": 8}), &["8"]), Agreement::Same);
        assert_eq!(agreement(&json!({"result": "a b"}), &["a b\n"]), Agreement::Same);
        assert_eq!(
            agreement(&json!({"result": [{"id": 1}, {"id": 2}]}), &["{\"id\":1}", "{\"id\":2}"]),
            Agreement::Same
        );
        assert_eq!(
            agreement(&json!({"content": "line 1\nline 2"}), &["line 1\nline 2"]),
            Agreement::Same
        );
        assert_eq!(
            agreement(&json!({"content": "[{\"id\": 1}]"}), &["[{\"id\": 1}]"]),
            Agreement::Same
        );
        assert_eq!(agreement(&json!({"result": []}), &[]), Agreement::Same);
        assert_eq!(agreement(&json!({"result": "8"}), &["\"8\""]), Agreement::Same);
    }

    #[test]
    fn prose_that_tells_every_value_agrees_and_other_prose_falls_short() {
        let weather = json!({"celsius": 21, "city": "Bonn"});
        assert_eq!(agreement(&weather, &["It is 21 degrees in Bonn."]), Agreement::Same);
        assert_eq!(agreement(&weather, &["Done."]), Agreement::Prose);
        let done = json!({"success": true, "message": "Entities deleted"});
        assert_eq!(agreement(&done, &["Entities deleted"]), Agreement::Same);
        assert_eq!(agreement(&weather, &[]), Agreement::NoText);
    }

    #[test]
    fn another_value_contradicts_and_the_place_is_named() {
        let parts = |structured: Value, text: &str| match agreement(&structured, &[text]) {
            Agreement::Contradicts(at) => at,
            Agreement::Same | Agreement::Prose | Agreement::NoText => panic!("agrees"),
        };
        assert_eq!(parts(json!({"a": {"b": [1, 2]}}), "{\"a\": {\"b\": [1, 3]}}"), "/a/b/1");
        assert_eq!(parts(json!({"a": 1, "c/d": 2}), "{\"a\": 1, \"c/d\": 3}"), "/c~1d");
        assert_eq!(parts(json!({"a": 1, "b": 2}), "[7]"), "");
    }

    #[test]
    fn without_structured_content_there_is_nothing_to_compare() {
        assert_eq!(Agreement::of(&json!({"content": []})), None);
        let image = json!({"type": "image", "data": "AAAA", "mimeType": "image/png"});
        let shown = json!({"content": [image], "structuredContent": {"width": 3}});
        assert_eq!(Agreement::of(&shown), None);
    }
}
