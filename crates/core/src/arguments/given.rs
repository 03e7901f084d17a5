//! Values that the schema itself names: constants, options, defaults and examples.

use serde_json::{Map, Value};

use super::context::Context;
use super::meaning::{Hint, Meaning};
use super::number;
use crate::probe::words;

/// `const` and `enum`: nothing else will do. Best first.
pub(super) fn options(map: &Map<String, Value>) -> Option<Vec<Value>> {
    if let (Some(only), None) = (map.get("const"), map.get("enum")) {
        return Some(vec![only.clone()]);
    }
    let options = map.get("enum")?.as_array()?;
    let asks_for_trouble = |v: &Value| {
        v.as_str().is_some_and(|s| {
            let bad = ["error", "fail", "failure", "invalid", "delete", "crash", "none"];
            words(s).iter().any(|w| bad.contains(&w.as_str()))
        })
    };
    let preferred = map.get("default");
    let rank = |v: &Value| (v.is_null(), asks_for_trouble(v), Some(v) != preferred);
    let mut ordered = options.clone();
    ordered.sort_by_key(rank);
    Some(ordered)
}

/// Default and examples, where they are worth sending.
pub(super) fn suggestions(
    map: &Map<String, Value>,
    hint: Hint<'_>,
    context: &Context,
) -> Vec<Value> {
    if hint.index > 0 || is_ours_to_choose(hint.name, map) {
        return Vec::new();
    }
    let examples = map.get("examples").and_then(Value::as_array).into_iter().flatten();
    let all = map.get("default").into_iter().chain(examples.take(3)).chain(map.get("example"));
    let ours = all.cloned().map(|value| match value.as_str().and_then(of_nobody) {
        Some(address) => Value::String(address),
        None => value,
    });
    ours.filter(|v| !is_empty(v) && !is_of_another_machine(v, hint, context)).collect()
}

/// The address of somebody as one of nobody.
fn of_nobody(text: &str) -> Option<String> {
    let (name, host) = text.split_once('@').filter(|_| is_remote(text) && !text.contains("://"))?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || ".-_+".contains(c);
    let plain = !name.is_empty() && name.chars().all(is_name);
    (plain && host.contains('.') && host.chars().all(is_name))
        .then(|| format!("{name}@example.com"))
}

/// An empty default says that nothing is meant, so there is nothing to learn from it.
pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

fn is_of_another_machine(value: &Value, hint: Hint<'_>, context: &Context) -> bool {
    match value {
        Value::String(text) => {
            is_remote(text)
                || (is_absolute_path(text)
                    && Meaning::of(hint, context).is_some_and(Meaning::is_planted))
        }
        Value::Array(items) => items.iter().any(|v| is_of_another_machine(v, hint, context)),
        Value::Object(members) => members.values().any(|v| is_of_another_machine(v, hint, context)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// An address beyond this machine: a sample must not send a server there.
pub(super) fn is_remote(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else {
        return text.split_once('@').is_some_and(|(_, host)| !is_reserved(host));
    };
    let host = rest.split(['/', ':', '?']).next().unwrap_or(rest);
    scheme != "file" && !matches!(host, "127.0.0.1" | "localhost" | "[::1]")
}

/// Hosts that belong to nobody and never will.
fn is_reserved(host: &str) -> bool {
    const ENDS: [&str; 4] = [".example", ".test", ".invalid", ".localhost"];
    host.starts_with("example.") || ENDS.iter().any(|end| host.ends_with(end))
}

pub(super) fn is_absolute_path(text: &str) -> bool {
    let drive = text.get(1..3).is_some_and(|s| s == ":\\" || s == ":/");
    drive || text.starts_with('/') || text.starts_with('~') || text.starts_with("file://")
}

/// A default that we replace, even where it need not be given: one that waits long, or that sends
/// the server out to somebody else's machine.
pub(super) fn is_ours_to_choose(name: &str, map: &Map<String, Value>) -> bool {
    match map.get("default") {
        Some(Value::Number(_)) => number::is_wait(name),
        Some(Value::String(text)) => text.contains("://") && is_remote(text),
        _ => false,
    }
}

/// Only the server can say these; an invented one is an error, not a sample.
pub(super) fn is_invented(name: &str) -> bool {
    let words = words(name);
    let joined = words.concat();
    words.iter().any(|w| matches!(w.as_str(), "cursor" | "continuation"))
        || ["pagetoken", "nexttoken", "continuationtoken"].iter().any(|t| joined.ends_with(t))
}

/// Excludes another parameter, so that giving all would be an error of ours.
pub(super) fn is_rival(name: &str, schema: &Value) -> bool {
    const SAYINGS: &[&str] = &[
        "mutually exclusive",
        "cannot be used with",
        "can't be used with",
        "cannot be combined",
        "can't be combined",
        "cannot be used together",
        "instead of `",
    ];
    let about = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let about = about.to_lowercase();
    // First lines or last lines: every server that offers both refuses both at once.
    name == "tail" || SAYINGS.iter().any(|saying| about.contains(saying))
}

/// Most switches are off unless asked for; the careful ones are better on.
pub(super) fn harmless_when_true(name: &str) -> bool {
    let words = words(name);
    words.iter().any(|w| matches!(w.as_str(), "dry" | "preview" | "readonly" | "simulate"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_remote_unless_it_is_this_machine() {
        for remote in ["https://example.com/x", "ftp://host/y", "someone@gmail.com"] {
            assert!(is_remote(remote), "{remote}");
        }
        for ours in
            ["http://127.0.0.1:80/", "http://localhost/", "a@example.com", "a@hub.example", "plain"]
        {
            assert!(!is_remote(ours), "{ours}");
        }
    }

    #[test]
    fn the_address_of_somebody_becomes_one_of_nobody() {
        assert_eq!(of_nobody("i.falk@gmail.com").as_deref(), Some("i.falk@example.com"));
        for kept in ["i@hub.example", "https://u@host.com/", "git@host.com:a/b", "@handle"] {
            assert_eq!(of_nobody(kept), None, "{kept}");
        }
    }

    #[test]
    fn only_the_server_knows_its_cursors() {
        assert!(is_invented("cursor") && is_invented("pageToken") && is_invented("next_token"));
        assert!(!is_invented("page") && !is_invented("token"));
    }
}
