//! What a result carries inside its envelope: data, items, substance.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::Answer;
use crate::evidence::{Anomaly, AnomalyKind, Evidence, Exchange, Reply};
use crate::pattern;

/// A result that calls itself no error, and came under the id of its question: another client
/// would not have taken it for the answer.
pub fn is_accepted(evidence: &Evidence, exchange: &Exchange) -> bool {
    is_addressed(evidence, exchange) && Answer::of(evidence, exchange) == Answer::Accepted
}

pub fn is_addressed(evidence: &Evidence, exchange: &Exchange) -> bool {
    let mistaken =
        |a: &Anomaly| a.kind == AnomalyKind::UnknownId && a.exchange == Some(exchange.id);
    !evidence.anomalies.iter().any(mistaken)
}

/// The result without what is meant for the protocol: two answers are the same when this is.
pub fn substance(reply: &Reply) -> Option<String> {
    let result = reply.result()?;
    let parts = ["content", "structuredContent"].map(|key| result.get(key));
    serde_json::to_string(&parts).ok()
}

/// The structured content, or the JSON that the text consists of.
pub fn data(reply: &Reply) -> Option<Value> {
    let compound = |v: &Value| v.is_object() || v.is_array();
    let parsed = |text: &str| serde_json::from_str::<Value>(text.trim()).ok().filter(compound);
    let structured = reply.result()?.get("structuredContent").filter(|v| compound(v));
    let bare = |v: &&Value| {
        // SDKs wrap a plain text as `{"result": "…"}`; that is no data.
        v.as_object().is_some_and(|o| o.len() == 1 && o.values().all(Value::is_string))
    };
    structured.filter(|v| !bare(v)).cloned().or_else(|| parsed(&reply.text()))
}

/// How many things the answer lists, where that can be told.
pub fn item_count(reply: &Reply) -> Option<usize> {
    let blocks = reply.result()?.get("content").and_then(Value::as_array)?;
    let linked = |b: &&Value| {
        matches!(b.get("type").and_then(Value::as_str), Some("resource_link" | "resource"))
    };
    let links = blocks.iter().filter(linked).count();
    if links > 0 {
        return Some(links);
    }
    if let Some(data) = data(reply) {
        return items_in(&data, 0);
    }
    let texts: Vec<&str> =
        blocks.iter().filter_map(|b| b.get("text").and_then(Value::as_str)).collect();
    let is_object = |t: &&str| serde_json::from_str::<Value>(t).is_ok_and(|v| v.is_object());
    if texts.len() > 1 && texts.iter().all(is_object) {
        return Some(texts.len());
    }
    listed_lines(&texts.join("\n"))
}

fn items_in(data: &Value, depth: usize) -> Option<usize> {
    if let Value::Array(items) = data {
        return Some(items.len());
    }
    let fields = data.as_object().filter(|_| depth < 2)?;
    let mut arrays = fields.values().filter_map(Value::as_array);
    match (arrays.next(), arrays.next()) {
        (Some(only), None) => Some(only.len()),
        (Some(_), Some(_)) => None,
        (None, _) => {
            let mut inner = fields.values().filter(|v| v.is_object());
            match (inner.next(), inner.next()) {
                (Some(only), None) => items_in(only, depth + 1),
                (_, _) => None,
            }
        }
    }
}

/// Numbered or bulleted lines, or records that begin with the same label.
fn listed_lines(text: &str) -> Option<usize> {
    static BULLET: LazyLock<Option<Regex>> =
        LazyLock::new(|| pattern::ascii(r"^(?:[-*•]\s+\S|\d{1,4}[.)]\s+\S)").ok());
    static LABEL: LazyLock<Option<Regex>> =
        LazyLock::new(|| pattern::ascii(r"^([A-Z][A-Za-z ]{0,30}):\s+\S").ok());
    let bullets = text.lines().filter(|l| BULLET.as_ref().is_some_and(|b| b.is_match(l))).count();
    if bullets > 0 {
        return Some(bullets);
    }
    let labels: Vec<&str> = text
        .lines()
        .filter_map(|l| LABEL.as_ref()?.captures(l)?.get(1).map(|m| m.as_str()))
        .collect();
    let first = labels.first()?;
    Some(labels.iter().filter(|l| *l == first).count())
}

/// Nothing but "it went well": `OK`, `Operation completed successfully`, `{"success": true}`.
pub fn is_bare_success(reply: &Reply) -> bool {
    static WELL: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern::ascii(
            r"(?i)^\W*(?:(?:the )?(?:operation|request|call|task|command|action|tool)\s+)?(?:(?:was|is|has been)\s+)?(?:ok(?:ay)?|done|success(?:ful|fully)?|succeeded|complete[d]?(?: successfully)?|finished|executed successfully|processed(?: successfully)?|successfully (?:completed|executed|processed))\W*$",
        )
        .ok()
    });
    let says_so = |text: &str| WELL.as_ref().is_some_and(|w| w.is_match(text.trim()));
    match data(reply) {
        Some(Value::Object(fields)) => {
            let well = |(key, value): (&String, &Value)| match value {
                Value::Bool(good) => *good,
                Value::String(text) => says_so(text),
                Value::Null | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
                    key == "code" && [0, 200].iter().any(|c| value.as_i64() == Some(*c))
                }
            };
            let named = |key: &String| {
                ["success", "ok", "status", "message", "result", "code", "done"]
                    .contains(&key.as_str())
            };
            !fields.is_empty() && fields.keys().all(named) && fields.iter().all(well)
        }
        Some(_) => false,
        None => only_text(reply) && says_so(&reply.text()),
    }
}

/// Whether all blocks are text.
pub fn only_text(reply: &Reply) -> bool {
    let blocks = reply.result().and_then(|r| r.get("content")).and_then(Value::as_array);
    blocks.is_some_and(|all| all.iter().all(|b| b.get("type").is_some_and(|t| t == "text")))
}

/// An answer that many inputs may share: nothing found, yes or no, a bare number, a few letters.
pub fn is_slight(reply: &Reply) -> bool {
    static NOTHING: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern::ascii(
            r"(?i)\b(?:no|none|zero|0|not|nothing|never|cannot|could ?n[o']t|unable|unknown|empty|missing|unavailable|invalid|valid|already|failed)\b|n't\b|不存在|未找到|没有",
        )
        .ok()
    });
    if !only_text(reply) || is_bare_success(reply) {
        return true;
    }
    if let Some(data) = data(reply) {
        return !holds_text(&data);
    }
    let text = reply.text();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let short = letters < 12 || text.split_whitespace().count() < 3;
    let head: String = text.chars().take(200).collect();
    short || NOTHING.as_ref().is_some_and(|n| n.is_match(&head))
}

/// Some words somewhere; numbers and flags alone may well be the same for other inputs.
fn holds_text(data: &Value) -> bool {
    match data {
        Value::String(text) => text.chars().filter(|c| c.is_alphabetic()).count() >= 12,
        Value::Array(items) => items.iter().any(holds_text),
        Value::Object(fields) => {
            let short: usize = fields.values().filter_map(Value::as_str).map(str::len).sum();
            short >= 12 || fields.values().any(holds_text)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(text: &str) -> Reply {
        Reply::Result { value: json!({"content": [{"type": "text", "text": text}]}) }
    }

    #[test]
    fn items_are_counted_in_data_links_and_lines() {
        let cases = [
            (r#"{"notes": [{"id": 1}, {"id": 2}], "total": 9}"#, Some(2)),
            (r#"{"page": {"hits": ["a", "b", "c"]}}"#, Some(3)),
            (r#"{"nodes": [1], "edges": [2, 3]}"#, None),
            ("Found:\n1. heron\n2. owl", Some(2)),
            ("Commit history:\nCommit: a1\nAuthor: x\n\nCommit: b2\nAuthor: y", Some(2)),
            ("A sentence about herons", None),
        ];
        for (answer, count) in cases {
            assert_eq!(item_count(&text(answer)), count, "{answer}");
        }
        let links = json!({"content": [{"type": "text", "text": "Two:"},
            {"type": "resource_link", "uri": "a:b", "name": "b"}, {"type": "resource_link", "uri": "a:c", "name": "c"}]});
        assert_eq!(item_count(&Reply::Result { value: links }), Some(2));
    }

    #[test]
    fn a_bare_success_says_nothing_else() {
        for bare in ["OK", "Success!", "Operation completed successfully.", "{\"success\": true}"] {
            assert!(is_bare_success(&text(bare)), "{bare}");
        }
        for told in
            ["Successfully wrote 3 lines", "{\"success\": true, \"id\": 4}", "21 degrees", ""]
        {
            assert!(!is_bare_success(&text(told)), "{told}");
        }
    }

    #[test]
    fn answers_that_many_inputs_share_are_slight() {
        for slight in ["true", "No matches found", "{\"entities\": []}", "42", "{\"words\": 3}"] {
            assert!(is_slight(&text(slight)), "{slight}");
        }
        for weighty in ["Sunny, 21 degrees in the afternoon", "{\"sky\": \"clear with haze\"}"] {
            assert!(!is_slight(&text(weighty)), "{weighty}");
        }
    }
}
