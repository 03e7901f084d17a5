//! Whether a message is one that a reader can do something with.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use crate::pattern;
use crate::response::told::told;

/// What is left when a message says nothing but that something is wrong.
const VAGUE: &str = r"^(?:(?:an? |the )?(?:internal|unknown|unexpected|unspecified|generic|server|system|tool|request|validation|input|runtime|execution)* ?(?:server )?(?:error|failure|exception|problem)s?(?: has)?(?: (?:occurred|happened|raised))?|(?:some|any)thing went wrong|(?:invalid|bad|wrong|illegal|malformed|incorrect) (?:input|request|params?|parameters?|arguments?|args|data|value|call)s?(?: provided| given)?|(?:request|call|operation|tool|execution|validation)? ?(?:failed|fails|rejected|denied|invalid)|null|undefined|none|nan|true|false|oops|not ok|-?\d+)?$";

pub(super) fn is_readable(text: &str) -> bool {
    static RULE: LazyLock<Option<Regex>> = LazyLock::new(|| pattern::ascii(VAGUE).ok());
    static CODE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern::ascii(r"^(?:mcp error -?\d+:?|error:?|\w*error:|\d{3}:?)\s*").ok()
    });
    if text.contains("[object Object]") || is_dump(text) {
        return false;
    }
    let mut words = told(text).to_lowercase();
    // Prefixes come in layers.
    while let Some(rest) = CODE.as_ref().and_then(|code| code.find(&words)).map(|m| m.end())
        && rest > 0
        && rest < words.len()
    {
        words = words.split_off(rest);
    }
    let words: String =
        words.trim().trim_matches(|c: char| !c.is_alphanumeric() && c != '-').to_owned();
    let several = words.split_whitespace().count() > 1 || !words.is_ascii();
    several && !RULE.as_ref().is_some_and(|rule| rule.is_match(&words))
}

/// A bare list of issues, or an object without a sentence in it: data for a program.
fn is_dump(text: &str) -> bool {
    match serde_json::from_str::<Value>(text.trim()) {
        Ok(Value::Object(map)) => {
            let sentence = |v: &Value| v.as_str().is_some_and(|s| s.trim().contains(' '));
            let inner = |v: &Value| v.as_object().is_some_and(|o| o.values().any(sentence));
            !map.values().any(|v| sentence(v) || inner(v))
        }
        Ok(_) => true,
        Err(_) => false,
    }
}
