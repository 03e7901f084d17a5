//! The words of an error, out of whatever they were wrapped in.

use serde_json::Value;

/// Many servers send errors as JSON, with every letter outside ASCII and every line break escaped:
/// then its texts, else the text itself. The prefix that FastMCP puts before every error goes.
pub(super) fn told(text: &str) -> String {
    let trimmed = text.trim();
    let object = trimmed.starts_with('{').then(|| serde_json::from_str::<Value>(trimmed).ok());
    let words = match object.flatten() {
        Some(object) => {
            let mut texts = Vec::new();
            collect(&object, &mut texts);
            texts.join("\n")
        }
        None => trimmed.to_owned(),
    };
    match words.strip_prefix("Error executing tool ").and_then(|rest| rest.split_once(": ")) {
        Some((_, rest)) => rest.to_owned(),
        None => words,
    }
}

fn collect<'a>(value: &'a Value, into: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => into.push(text),
        Value::Array(items) => items.iter().for_each(|item| collect(item, into)),
        Value::Object(map) => map.values().for_each(|item| collect(item, into)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapped_errors_are_unwrapped_and_others_stay() {
        let json = r#"{"status": "error", "message": "\u8def\u5f84\nC:\\a"}"#;
        assert_eq!(told(json), "error\n路径\nC:\\a");
        assert_eq!(told("Error executing tool read: Table t not found"), "Table t not found");
        assert_eq!(told("{braces} are no JSON"), "{braces} are no JSON");
        assert_eq!(told(" plain\n"), "plain");
    }
}
