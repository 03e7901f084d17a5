//! What a failure tells: the words left when wrapping, preamble and echoes are taken away, and what
//! kind of reason they give.

use std::sync::LazyLock;

use regex::Regex;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::case::{Case, unescaped};
use super::words;
use crate::pattern;

/// How a failure explains itself, the most helpful first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Says what is wrong with the input, or what was expected.
    Refused,
    /// Says that something named does not exist.
    Absent,
    /// Says that something beyond the server is missing: a network, a key.
    Outside,
    /// Says something else.
    Other,
    /// The framework's own dump of a schema mismatch.
    Schema,
    /// The code fell over; the text is an exception of the language.
    Bug,
    /// Says that it failed and not why.
    Silent,
}

/// The words of a failure, and what they come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// The message without wrapping and preamble.
    pub text: String,
    pub reason: Reason,
    /// The letters of it, without what the call itself had said: equal for equal messages.
    pub shape: String,
}

impl Told {
    pub fn of(case: &Case) -> Told {
        let text = message(case.said.text());
        let own = without_echo(&text, case);
        let reason = reason(&text, &own);
        Told { reason, shape: shape(&own), text }
    }
}

const KEYS: &[&str] =
    &["error", "message", "detail", "details", "reason", "error_message", "msg", "status"];
const BARE: &[&str] = &["error", "failed", "failure", "fail", "success", "ok"];
/// Wrapped three deep is as far as real servers go.
const LAYERS: usize = 3;

fn message(text: &str) -> String {
    let bare = words::FRAMEWORK.stripped(text).unwrap_or(text).trim();
    let unpacked = if bare.starts_with('{') { unpacked(bare) } else { bare.to_owned() };
    let mut rest = unpacked.as_str();
    for _ in 0..LAYERS {
        let Some(shorter) = words::PREAMBLE.stripped(rest) else { break };
        rest = shorter;
    }
    unescaped(rest.trim())
}

/// The text of a member that tells what went wrong.
static MEMBERS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern::ascii(r#"(?i)"(?:error|message|detail|details|reason|error_message|msg)"\s*:\s*"((?:[^"\\]|\\.)*)""#).ok()
});

/// The texts of an error object; of a cut one, those that are whole.
fn unpacked(text: &str) -> String {
    let texts: Vec<String> = match serde_json::from_str::<Value>(text) {
        Ok(object) => KEYS.iter().filter_map(|key| worded(object.get(key)?)).collect(),
        Err(_) => MEMBERS
            .iter()
            .flat_map(|members| members.captures_iter(text))
            .filter_map(|found| Some(found.get(1)?.as_str()))
            .map(|raw| serde_json::from_str(&format!("\"{raw}\"")).unwrap_or(raw.to_owned()))
            .filter(|text| !text.is_empty())
            .collect(),
    };
    texts.join(": ")
}

fn worded(value: &Value) -> Option<String> {
    let text = match value {
        Value::Object(inner) => inner.get("message").or_else(|| inner.get("detail"))?.as_str()?,
        Value::String(text) => text,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => return None,
    };
    let says_more = !text.is_empty() && !BARE.contains(&text.to_lowercase().as_str());
    says_more.then(|| text.to_owned())
}

/// What the server adds of its own: an echo of the arguments explains nothing.
fn without_echo(text: &str, case: &Case) -> String {
    const TELLING: usize = 4;
    let mut texts = case.texts();
    texts.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    let mut own = text.to_owned();
    for echoed in texts.iter().filter(|t| t.chars().count() >= TELLING) {
        if own.contains(echoed.as_str()) {
            own = own.replace(echoed.as_str(), " ");
        }
    }
    own
}

/// Quoted parts differ from call to call, and so do numbers: letters tell messages apart.
fn shape(own: &str) -> String {
    const ENOUGH: usize = 60;
    let lower: Vec<char> = own.chars().flat_map(char::to_lowercase).collect();
    let mut shape = String::new();
    let mut at = 0;
    // With the blank before it and room for letters of several bytes; the rest is cut off anyway.
    while let Some(&c) = lower.get(at).filter(|_| shape.len() <= 4 * ENOUGH + 1) {
        at += 1;
        let quoted = |rest: &[char]| rest.iter().position(|&other| other == c);
        match c {
            // An apostrophe that nothing closes is a letter's neighbour, not a quote.
            '\'' | '"' => at += lower.get(at..).and_then(quoted).map_or(0, |length| length + 1),
            c if c.is_alphabetic() => {
                shape.push(c);
                continue;
            }
            _ => {}
        }
        if !shape.ends_with(' ') {
            shape.push(' ');
        }
    }
    shape.trim().chars().take(ENOUGH).collect()
}

fn reason(text: &str, own: &str) -> Reason {
    if is_silent(own) {
        Reason::Silent
    } else if words::SCHEMA.are_in(text) {
        Reason::Schema
    } else if words::BUG.are_in(text) {
        Reason::Bug
    } else if words::REFUSAL.are_in(own) {
        Reason::Refused
    } else if words::ABSENT.are_in(own) {
        Reason::Absent
    } else if words::OUTSIDE.are_in(text) {
        Reason::Outside
    } else {
        Reason::Other
    }
}

fn is_silent(own: &str) -> bool {
    // A Chinese character says about as much as a short word.
    let said: usize = own
        .chars()
        .filter(|c| c.is_alphabetic())
        .map(|c| if c >= '\u{2e80}' { 2 } else { 1 })
        .sum();
    said < 4 || words::HOLLOW.are_in(own)
}
