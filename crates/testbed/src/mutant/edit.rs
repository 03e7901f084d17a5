//! Changes inside one JSON message, at JSON pointers in which `*` stands for every entry.

use std::sync::atomic::{AtomicU64, Ordering};

use serde::Deserialize;
use serde_json::{Value, json};

use super::when::Heard;

/// One change. Text that starts with `$/` stands for what was heard at that pointer, `$env` for
/// the environment of the process.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) enum Edit {
    Set {
        at: String,
        to: Value,
    },
    Null(String),
    Remove(String),
    /// Adds to the end of a list or a text.
    Append {
        at: String,
        what: Value,
    },
    /// Repeats the first entry of a list at its end.
    Double(String),
    Reverse(String),
    /// Drops the last entry of a list.
    Shorten(String),
    /// Adds a number to a text, another one each time.
    Number(String),
    /// Numbers become texts; texts become numbers.
    Retype(String),
    /// Puts what is there into a list.
    Wrap(String),
    /// Makes a list this long.
    Fill {
        at: String,
        count: usize,
    },
    /// Texts lose every character that is not ASCII.
    Ascii(String),
}

static NUMBERS: AtomicU64 = AtomicU64::new(1);

impl Edit {
    /// Whether anything changed.
    pub(super) fn apply(&self, message: &mut Value, heard: &Heard) -> bool {
        match self {
            Edit::Set { at, to } => put(message, at, &filled(to, heard)),
            Edit::Null(at) => put(message, at, &Value::Null),
            Edit::Remove(at) => remove(message, at),
            Edit::Append { at, what } => {
                let what = filled(what, heard);
                each(message, at, &mut |value| append(value, &what))
            }
            Edit::Double(at) => each(message, at, &mut |value| {
                value.as_array_mut().is_some_and(|list| {
                    list.extend(list.first().cloned());
                    !list.is_empty()
                })
            }),
            Edit::Reverse(at) => each(message, at, &mut |value| {
                value.as_array_mut().is_some_and(|list| {
                    list.reverse();
                    list.len() > 1
                })
            }),
            Edit::Shorten(at) => {
                each(message, at, &mut |value| value.as_array_mut().and_then(Vec::pop).is_some())
            }
            Edit::Number(at) => {
                let number = json!(format!("_{}", NUMBERS.fetch_add(1, Ordering::Relaxed)));
                each(message, at, &mut |value| append(value, &number))
            }
            Edit::Retype(at) => each(message, at, &mut retype),
            Edit::Wrap(at) => each(message, at, &mut |value| {
                *value = json!([value.take()]);
                true
            }),
            Edit::Fill { at, count } => each(message, at, &mut |value| {
                *value = (0..*count).map(|n| format!("entry {n}")).collect();
                true
            }),
            Edit::Ascii(at) => each(message, at, &mut |value| {
                let text = value.to_string();
                let plain = text.replace(|c: char| !c.is_ascii(), "?");
                *value = serde_json::from_str(&plain).unwrap_or_default();
                plain != text
            }),
        }
    }
}

/// Replaces texts such as `$/id` by what was heard there.
pub(super) fn filled(template: &Value, heard: &Heard) -> Value {
    match template {
        Value::String(text) if text == "$env" => std::env::vars().collect(),
        Value::String(text) => match text.strip_prefix('$').filter(|p| p.starts_with('/')) {
            Some(pointer) => heard.at(pointer).cloned().unwrap_or_default(),
            None => template.clone(),
        },
        Value::Array(list) => list.iter().map(|entry| filled(entry, heard)).collect(),
        Value::Object(map) => {
            Value::Object(map.iter().map(|(key, v)| (key.clone(), filled(v, heard))).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => template.clone(),
    }
}

fn append(value: &mut Value, what: &Value) -> bool {
    match (value, what) {
        (Value::Array(list), what) => list.push(what.clone()),
        (Value::String(text), Value::String(more)) => text.push_str(more),
        (_, _) => return false,
    }
    true
}

fn retype(value: &mut Value) -> bool {
    let other = match &*value {
        Value::Number(number) => json!(number.to_string()),
        Value::String(text) => json!(text.parse::<i64>().unwrap_or(text.len() as i64)),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return false,
    };
    *value = other;
    true
}

/// Visits every value that a pointer with stars leads to; true if one visit was.
fn each(value: &mut Value, pointer: &str, visit: &mut dyn FnMut(&mut Value) -> bool) -> bool {
    let Some(path) = pointer.strip_prefix('/') else { return visit(value) };
    let (key, rest) = split(path);
    match (key.as_str(), value) {
        ("*", Value::Array(list)) => {
            list.iter_mut().fold(false, |hit, entry| each(entry, rest, visit) | hit)
        }
        ("*", Value::Object(map)) => {
            map.values_mut().fold(false, |hit, entry| each(entry, rest, visit) | hit)
        }
        (key, value) => value
            .pointer_mut(&format!("/{}", escaped(key)))
            .is_some_and(|entry| each(entry, rest, visit)),
    }
}

/// Sets a value; the object it goes into must be there, or is made when only one is missing.
fn put(message: &mut Value, pointer: &str, to: &Value) -> bool {
    let Some((parent, key)) = pointer.rsplit_once('/') else {
        let differs = message != to;
        *message = to.clone();
        return differs;
    };
    let key = unescaped(key);
    let mut set = |target: &mut Value| match target {
        Value::Object(map) => map.insert(key.clone(), to.clone()).as_ref() != Some(to),
        Value::Array(list) => {
            let place = key.parse::<usize>().ok().and_then(|at| list.get_mut(at));
            place.is_some_and(|place| std::mem::replace(place, to.clone()) != *to)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    };
    if each(message, parent, &mut set) {
        return true;
    }
    let Some((grandparent, missing)) = parent.rsplit_once('/') else { return false };
    let missing = unescaped(missing);
    each(message, grandparent, &mut |target| match target.as_object_mut() {
        Some(map) if !map.contains_key(&missing) => {
            map.insert(missing.clone(), json!({ key.as_str(): to }));
            true
        }
        Some(_) | None => false,
    })
}

fn remove(message: &mut Value, pointer: &str) -> bool {
    let Some((parent, key)) = pointer.rsplit_once('/') else { return false };
    let key = unescaped(key);
    each(message, parent, &mut |target| match target {
        Value::Object(map) => map.shift_remove(&key).is_some(),
        Value::Array(list) => match key.parse::<usize>() {
            Ok(at) if at < list.len() => {
                list.remove(at);
                true
            }
            Ok(_) | Err(_) => false,
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    })
}

fn split(path: &str) -> (String, &str) {
    let end = path.find('/').unwrap_or(path.len());
    (unescaped(&path[..end]), &path[end..])
}

fn unescaped(key: &str) -> String {
    key.replace("~1", "/").replace("~0", "~")
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Edit;
    use crate::mutant::when::Heard;

    fn edited(edit: &str, mut message: Value) -> (bool, Value) {
        #[derive(serde::Deserialize)]
        struct Row {
            edit: Edit,
        }
        let row: Row = toml::from_str(&format!("edit = {edit}")).expect("the edit parses");
        let heard = Heard::new(Some(&json!({ "id": 7 })), None);
        let changed = row.edit.apply(&mut message, &heard);
        (changed, message)
    }

    #[test]
    fn each_edit_changes_what_its_pointer_leads_to() {
        for (edit, before, after) in [
            ("{ set = { at = '/a', to = '$/id' } }", json!({ "a": 1 }), json!({ "a": 7 })),
            ("{ set = { at = '/m/a~1b', to = 1 } }", json!({}), json!({ "m": { "a/b": 1 } })),
            (
                "{ set = { at = '/*/n', to = 0 } }",
                json!([{ "n": 1 }, {}]),
                json!([{ "n": 0 }, { "n": 0 }]),
            ),
            ("{ null = '/a' }", json!({ "a": 1 }), json!({ "a": null })),
            ("{ remove = '/a/*/b' }", json!({ "a": [{ "b": 1 }] }), json!({ "a": [{}] })),
            ("{ remove = '/0' }", json!([1, 2]), json!([2])),
            ("{ append = { at = '/a', what = 'x' } }", json!({ "a": "y" }), json!({ "a": "yx" })),
            ("{ double = '/a' }", json!({ "a": [1, 2] }), json!({ "a": [1, 2, 1] })),
            ("{ reverse = '/a' }", json!({ "a": [1, 2] }), json!({ "a": [2, 1] })),
            ("{ shorten = '/a' }", json!({ "a": [1, 2] }), json!({ "a": [1] })),
            ("{ retype = '/a' }", json!({ "a": 5 }), json!({ "a": "5" })),
            ("{ fill = { at = '/a', count = 1 } }", json!({ "a": 5 }), json!({ "a": ["entry 0"] })),
            ("{ ascii = '' }", json!({ "a": "bé" }), json!({ "a": "b?" })),
            ("{ wrap = '/a' }", json!({ "a": 5 }), json!({ "a": [5] })),
        ] {
            assert_eq!(edited(edit, before), (true, after), "{edit}");
        }
    }

    #[test]
    fn an_edit_that_finds_nothing_changes_nothing() {
        for edit in [
            "{ remove = '/b' }",
            "{ double = '/a' }",
            "{ retype = '/b' }",
            "{ set = { at = '/a', to = 1 } }",
        ] {
            assert_eq!(edited(edit, json!({ "a": 1 })), (false, json!({ "a": 1 })), "{edit}");
        }
    }
}
