//! Responses, read by their meaning: what a reply comes to, and what kind of trouble its text tells of.

mod agreement;
mod basis;
mod blame;
mod block;
mod business;
mod channel;
mod classify;
mod confidence;
mod contents;
mod flaw;
mod internals;
mod items;
mod message;
mod metadata;
mod payload;
mod record;
mod refusal;
mod refusals;
mod shape;
mod told;
mod trip;
mod trouble;

pub use crate::probes::Category;
pub use agreement::Agreement;
pub use basis::Basis;
pub use blame::Blame;
pub use block::block_flaw;
pub use business::{Business, Factor, Family};
pub use channel::{Channel, Mistake, place as channel_of, protocol_refusals};
pub use classify::{Classification, Context, Issue, Layer, Validation, validate};
pub use confidence::{Looked, overall_confidence};
pub use contents::contents_flaw;
pub use flaw::Flaw;
pub use internals::{disclosed, telling, trace};
pub use items::{field, records};
pub use message::{Fault, Quality, Virtue};
pub use metadata::{Metadata, SchemaResult, StructureSource, json_in_text};
pub use payload::{
    data, is_accepted, is_addressed, is_bare_success, is_slight, item_count, only_text, substance,
};
pub use record::Record;
pub use refusal::Refusal;
pub use refusals::{place, refusals};
pub use shape::Shape;
pub use trip::Trip;
pub use trouble::{Trouble, has_stack_trace};

use serde_json::Value;

use crate::evidence::{Evidence, Exchange, Reply, steady};

/// What a call came to.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// A result that does not call itself an error.
    Accepted,
    /// A tool result with `isError: true`, and its text.
    ToolError(String),
    /// A JSON-RPC error.
    Refused { code: i64, message: String },
    /// An answer that is not a proper response, and why.
    Malformed(String),
    /// The server died while this call was under way.
    Crashed,
    /// No answer in the time allowed.
    Hung,
    /// Nothing can be concluded, and why.
    Unseen(String),
}

impl Answer {
    pub fn of(evidence: &Evidence, exchange: &Exchange) -> Answer {
        match &*exchange.reply {
            Reply::Result { .. } if exchange.reply.is_tool_error() => {
                Answer::ToolError(exchange.reply.text())
            }
            Reply::Result { .. } => Answer::Accepted,
            Reply::Error { code, message, .. } => {
                Answer::Refused { code: *code, message: message.clone() }
            }
            Reply::Malformed { why, .. } => Answer::Malformed(why.clone()),
            Reply::Silence | Reply::TimedOut { .. } => Answer::Hung,
            Reply::Disconnected if died_during(evidence, exchange) => Answer::Crashed,
            Reply::Disconnected => {
                Answer::Unseen("the connection ended during another call".to_owned())
            }
            Reply::Skipped { why } => Answer::Unseen(why.to_string()),
        }
    }

    /// The words of an error in either channel.
    pub fn error_text(&self) -> Option<&str> {
        match self {
            Answer::ToolError(text) => Some(text),
            Answer::Refused { message, .. } => Some(message),
            Answer::Accepted
            | Answer::Malformed(_)
            | Answer::Crashed
            | Answer::Hung
            | Answer::Unseen(_) => None,
        }
    }
}

/// Several calls may be in flight when a server dies; the departure names the one to blame. Where
/// it names none, every call that lost its answer counts.
fn died_during(evidence: &Evidence, exchange: &Exchange) -> bool {
    let mut unexpected = evidence.departures.iter().filter(|d| d.unexpected).peekable();
    unexpected.peek().is_none()
        || unexpected.any(|d| d.during.is_none_or(|during| during == exchange.id))
}

/// The text of a result that calls itself a success and is an error all the same: `Error: …`,
/// `{"error": …}`, `{"status": "error"}`, `{"success": false}`.
pub fn disguised_error(reply: &Reply) -> Option<String> {
    if reply.result().is_none() || reply.is_tool_error() {
        return None;
    }
    let text = reply.text();
    let start = text.trim_start();
    let opening = start.get(..7).unwrap_or(start).to_lowercase();
    let says_so = opening.starts_with("error:") || opening.starts_with("error ");
    let object = || serde_json::from_str::<Value>(start).ok();
    let carries_one = start.starts_with('{')
        && object().is_some_and(|o| {
            let told = |v: &Value| matches!(v, Value::String(_) | Value::Object(_));
            let status = o.get("status").and_then(Value::as_str).unwrap_or_default();
            o.get("error").is_some_and(told)
                || o.get("success") == Some(&Value::Bool(false))
                || status.get(..5).is_some_and(|s| s.eq_ignore_ascii_case("error"))
        });
    (says_so || carries_one).then_some(text)
}

/// A reply's text for a finding: one line, at most 160 characters. Clock readings and fresh
/// identifiers stand as `~`, so that two runs with the same answers say the same.
pub fn quote(text: &str) -> String {
    const MOST: usize = 160;
    let head: String = text.chars().take(20 * MOST).collect();
    let line = steady(&head).split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST) {
        None => line,
        Some(_) => {
            let cut: String = line.chars().take(MOST - 1).collect();
            format!("{}…", cut.trim_end())
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_error_is_seen_through_the_disguise_of_a_success() {
        let reply = |text: &str| Reply::Result {
            value: json!({"content": [{"type": "text", "text": text}]}),
        };
        assert!(disguised_error(&reply("Error: no such table")).is_some());
        assert!(disguised_error(&reply("{\"error\": \"unknown tool\"}")).is_some());
        assert!(disguised_error(&reply("{\"success\": false}")).is_some());
        assert!(disguised_error(&reply("{\"status\": \"Error: file exists\"}")).is_some());
        assert!(disguised_error(&reply("{\"error\": null, \"rows\": []}")).is_none());
        assert!(disguised_error(&reply("Errors are listed below")).is_none());
    }

    #[test]
    fn a_quote_is_one_short_line() {
        assert_eq!(quote("a\n  b\tc"), "a b c");
        assert_eq!(quote("at 2024-05-15T12:00:00Z: no"), "at ~: no");
        let long = quote(&"wörter ".repeat(60));
        assert!(long.chars().count() <= 160 && long.ends_with('…'), "{long}");
    }
}
