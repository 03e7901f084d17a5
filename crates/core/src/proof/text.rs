//! Texts in requests and replies: what came back, and what was merely sent there.

use memchr::memmem::Finder;
use serde_json::{Value, json};

use crate::arguments::decoded;
use crate::attack::stand::each_member;
use crate::attack::{TAKEN_UP, door};
use crate::evidence::{Evidence, Exchange, Reply, Subject};
use crate::probe::Send;
use crate::probes::{aftermath, benign};

/// Whether an answer holds a text that its request and its benign twin's answer do not.
pub fn came_back(evidence: &Evidence, exchange: &Exchange, text: &str) -> bool {
    says(&exchange.reply, text)
        && !asks(exchange, text)
        && !twin(evidence, exchange).is_some_and(|t| says(&t.reply, text))
}

/// Whether a tool that was asked nothing of the kind shows the text once the attacks are over.
pub(super) fn is_shown_later(evidence: &Evidence, exchange: &Exchange, text: &str) -> bool {
    let later = |x: &Exchange| x.id > exchange.id && !asks(x, text) && says(&x.reply, text);
    !asks(exchange, text)
        && exchange.reply.why_unseen().is_none()
        && (evidence.of(aftermath::PROBE.id).any(later)
            || evidence.of(&exchange.probe).any(|x| x.label.starts_with(TAKEN_UP) && later(x)))
}

/// Whether the tool that asks for what this very call kept shows the text.
pub(super) fn is_taken_up(evidence: &Evidence, exchange: &Exchange, text: &str) -> bool {
    taken_up(evidence, exchange).any(|x| !asks(x, text) && says(&x.reply, text))
}

/// The calls that ask for what this very call kept.
pub(super) fn taken_up<'a>(
    evidence: &'a Evidence,
    exchange: &'a Exchange,
) -> impl Iterator<Item = &'a Exchange> {
    let name = format!("{TAKEN_UP} {} {}", exchange.subject, exchange.label);
    evidence.of(&exchange.probe).filter(move |x| x.id > exchange.id && x.label == name)
}

/// The benign twin of a hostile call: of the same probe, or one that all attacks share.
pub fn twin<'a>(evidence: &'a Evidence, exchange: &'a Exchange) -> Option<&'a Exchange> {
    let label = exchange.control.as_ref()?;
    let is_twin = |x: &&Exchange| {
        let same = match exchange.subject.tool() {
            Some(tool) => x.subject.tool() == Some(tool),
            None => x.subject == exchange.subject,
        };
        same && x.label == *label
    };
    let own = evidence.of(&exchange.probe).find(is_twin);
    own.or_else(|| evidence.of(benign::PROBE.id).find(is_twin))
}

/// Whether a text stands anywhere in the request.
pub fn asks(exchange: &Exchange, text: &str) -> bool {
    match &exchange.send {
        Send::Request { params, .. } | Send::Notification { params, .. } => {
            params.as_ref().is_some_and(|p| holds(p, &Finder::new(text)))
        }
        Send::Raw { text: sent, .. } => sent.contains(text),
        Send::Http { headers, body, .. } => {
            headers.iter().any(|(_, value)| value.contains(text))
                || body.as_ref().is_some_and(|b| b.contains(text))
        }
        Send::Aside { url, headers, body, .. } => {
            url.contains(text)
                || headers.iter().any(|(_, value)| value.contains(text))
                || body.as_ref().is_some_and(|b| b.contains(text))
        }
        Send::Listen { .. } => false,
    }
}

/// Whether a text stands anywhere in a reply.
pub fn says(reply: &Reply, text: &str) -> bool {
    match reply {
        Reply::Result { value } => holds(value, &Finder::new(text)),
        Reply::Error { message, data, .. } => {
            message.contains(text) || data.as_ref().is_some_and(|d| holds(d, &Finder::new(text)))
        }
        Reply::Malformed { raw, .. } => raw.contains(text),
        Reply::Silence | Reply::TimedOut { .. } | Reply::Disconnected | Reply::Skipped { .. } => {
            false
        }
    }
}

/// With the search prepared once: values have many texts, and evidence has many values.
fn holds(value: &Value, text: &Finder<'_>) -> bool {
    let is_in = |s: &str| text.find(s.as_bytes()).is_some();
    match value {
        Value::String(s) => is_in(s),
        Value::Array(items) => items.iter().any(|v| holds(v, text)),
        Value::Object(map) => map.iter().any(|(k, v)| is_in(k) || holds(v, text)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Whether a reply is JSON, as it stands or within a text, with such a member, or a message with such
/// a header.
pub fn has_member(reply: &Reply, name: &str, value: &str) -> bool {
    match reply {
        Reply::Result { value: result } => member(result, name, value),
        Reply::Error { .. }
        | Reply::Malformed { .. }
        | Reply::Silence
        | Reply::TimedOut { .. }
        | Reply::Disconnected
        | Reply::Skipped { .. } => false,
    }
}

/// Whether a reply is JSON, as it stands or within a text, with a list that has this item.
pub fn lists(reply: &Reply, item: &str) -> bool {
    fn within(value: &Value, item: &str) -> bool {
        match value {
            Value::Array(items) => items.iter().any(|v| {
                v.as_str().is_some_and(|s| s.eq_ignore_ascii_case(item)) || within(v, item)
            }),
            Value::Object(map) => map.values().any(|v| within(v, item)),
            Value::String(text) if text.trim_start().starts_with(['{', '[']) => {
                serde_json::from_str(text).is_ok_and(|inner: Value| within(&inner, item))
            }
            Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
    reply.result().is_some_and(|value| within(value, item))
}

/// What a text tells as `name=value`, one after the other: people write records so, too.
pub(crate) fn pairs_in(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    text.split([',', ';', '\n', '|']).filter_map(move |part| {
        let (before, value) = part.split_once('=')?;
        let name = before.trim().rsplit([' ', ':']).next()?;
        let value = value.trim().trim_end_matches(['.', ')']).trim_matches(['"', '\'']);
        is_name(name).then_some((name, value))
    })
}

/// Names are compared as headers are: in any case.
fn member(within: &Value, name: &str, value: &str) -> bool {
    match within {
        Value::Object(map) => map.iter().any(|(k, v)| {
            let written = v.as_str().map_or_else(|| v.to_string(), str::to_owned);
            let same = written == value;
            (k.eq_ignore_ascii_case(name) && same) || member(v, name, value)
        }),
        Value::Array(items) => {
            let pair = matches!(items.as_slice(), [Value::String(k), Value::String(v)]
                if k.eq_ignore_ascii_case(name) && v == value);
            let lines: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
            pair || headers(lines.unwrap_or_default(), LEAST).any(|h| is_header(h, name, value))
                || items.iter().any(|v| member(v, name, value))
        }
        Value::String(text) => {
            json_in(text).is_some_and(|inner| member(&inner, name, value))
                || head_of(text).any(|h| is_header(h, name, value))
                || pairs_in(text).any(|(n, v)| n == name && v == value)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// The headers of a message as it goes over the wire: lines that end as mail and HTTP end them, each
/// a name and a value, then an empty one. People are not shown texts like that.
fn head_of(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let head = text.split_once("\r\n\r\n").map_or("", |(head, _)| head);
    let mut lines: Vec<&str> = head.split("\r\n").collect();
    // What is said of the message stands on lines of its own before it.
    if let Some(first) = lines.first_mut() {
        *first = first.rsplit('\n').next().unwrap_or_default();
    }
    // With a line like that at its head, nobody takes it for anything else.
    let begins = lines.first().is_some_and(|line| line.contains("HTTP/1."));
    lines.drain(..usize::from(begins));
    headers(lines, if begins { 2 } else { LEAST })
}

/// So many lines of that form are the head of a message.
const LEAST: usize = 4;

/// Names and values, if every line is a header and there are so many.
fn headers(lines: Vec<&str>, least: usize) -> impl Iterator<Item = (&str, &str)> {
    let is_name = |n: &str| n.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let header = move |line| str::split_once(line, ": ").filter(|(name, _)| is_name(name));
    let found: Option<Vec<(&str, &str)>> = lines.into_iter().map(header).collect();
    found.filter(|all| all.len() >= least).into_iter().flatten()
}

/// Names are compared as headers are: in any case.
fn is_header((name, value): (&str, &str), wanted: &str, as_sent: &str) -> bool {
    name.eq_ignore_ascii_case(wanted) && value == as_sent
}

/// The members of the object that a reply is, in JSON, each as an object of its own.
pub fn members_of(reply: &Reply) -> Vec<Value> {
    let inner = json_in(&reply.text());
    let object = inner.as_ref().and_then(Value::as_object);
    let alone = |(name, value): (&String, &Value)| json!({ name: value });
    object.map(|members| members.iter().map(alone).collect()).unwrap_or_default()
}

/// Whether a text stands anywhere in a value.
pub fn has_text(value: &Value, text: &str) -> bool {
    holds(value, &Finder::new(text))
}

/// The JSON that a text is, that begins on one of its lines, or an object within one.
pub(crate) fn json_in(text: &str) -> Option<Value> {
    let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    let within = text.match_indices("{\"").map(|(at, _)| at);
    lines.take(20).chain(within.take(4)).find_map(|at| {
        let rest = text[at..].trim_start_matches(' ');
        let open = rest.starts_with(['{', '[']);
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        open.then(|| values.next()?.ok()).flatten()
    })
}

/// Whether the request itself has a member of this name.
pub fn sends_member(exchange: &Exchange, name: &str) -> bool {
    fn within(value: &Value, name: &str) -> bool {
        match value {
            Value::Object(map) => map.iter().any(|(k, v)| k == name || within(v, name)),
            Value::Array(items) => items.iter().any(|v| within(v, name)),
            Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
    exchange.arguments().is_some_and(|a| within(a, name))
}

/// Whether the answer to the benign twin, which did not send it, has a member of this name with another
/// value in the same place: it is worked out by the server, and no echo beside it.
pub(super) fn overrules(evidence: &Evidence, exchange: &Exchange, name: &str, value: &str) -> bool {
    twin(evidence, exchange)
        .is_some_and(|t| !sends_member(t, name) && becomes(&t.reply, &exchange.reply, name, value))
}

/// Whether a member has this value now, and had another one before in the same place.
pub fn becomes(before: &Reply, now: &Reply, name: &str, value: &str) -> bool {
    let written = |v: &Value| v.as_str().map_or_else(|| v.to_string(), str::to_owned);
    let places = |reply: &Reply, wanted: &dyn Fn(&str) -> bool| {
        let mut found: Vec<String> = Vec::new();
        each_member(reply, &mut |way, own, v| {
            if own == name && wanted(&written(v)) {
                found.push(way.to_owned());
            }
        });
        found
    };
    let there = places(now, &|v| v == value);
    let by_place = places(before, &|v| v != value).iter().any(|way| there.contains(way));
    let (before, now) = (before.text(), now.text());
    by_place
        || pairs_in(&before).any(|(n, v)| n == name && v != value)
            && pairs_in(&now).any(|(n, v)| n == name && v == value)
}

/// The hostile text itself, where the subject points at it.
pub fn payload(exchange: &Exchange) -> String {
    match placed(exchange) {
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
        None => door::payload(exchange)
            .or_else(|| exchange.arguments().map(ToString::to_string))
            .unwrap_or_default(),
    }
}

/// What stands where the subject points.
fn placed(exchange: &Exchange) -> Option<&Value> {
    match &exchange.subject {
        Subject::Param { pointer, .. } => exchange.arguments()?.pointer(pointer),
        Subject::Server
        | Subject::Tool { .. }
        | Subject::Resource { .. }
        | Subject::Prompt { .. }
        | Subject::File { .. } => None,
    }
}

/// The texts within the payload, long ones first: what an answer may repeat.
pub(super) fn sent(exchange: &Exchange) -> Vec<String> {
    fn collect(value: &Value, into: &mut Vec<String>) {
        match value {
            Value::String(text) => {
                into.push(text.clone());
                into.extend(decoded(text));
                if let (true, Ok(inner)) =
                    (text.starts_with(['{', '[']), serde_json::from_str(text))
                {
                    collect(&inner, into);
                }
            }
            Value::Array(items) => items.iter().for_each(|v| collect(v, into)),
            Value::Object(map) => map.iter().for_each(|(key, v)| {
                into.push(key.clone());
                collect(v, into);
            }),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let mut texts = vec![payload(exchange)];
    placed(exchange).iter().for_each(|value| collect(value, &mut texts));
    // What reads a resource names it by its whole address.
    texts.extend(exchange.send.params().and_then(|p| p.get("uri")?.as_str()).map(str::to_owned));
    texts.retain(|text| text.len() >= 3);
    texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
    texts
}
