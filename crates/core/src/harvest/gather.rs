//! Gathering values from the evidence.

use serde_json::Value;

use super::sense::{Kind, Sense, Stage, singular};
use super::told::told;
use super::{Found, Harvest, Source};
use crate::evidence::{Evidence, Exchange, Reply};
use crate::probe::{Risk, words};
use crate::probes::valid_call;
use crate::target::Target;

/// No answer gives more values than this, and all together no more than that.
const MOST: usize = 100;
const IN_ALL: usize = 2_000;
/// Names and ids are short; what is longer is content.
const LONGEST: usize = 200;

pub(super) fn all(evidence: &Evidence) -> Harvest {
    let mut basket = Basket { found: Vec::new(), records: 0 };
    started(evidence, &mut basket);
    for resource in &evidence.inventory.resources {
        let at = Place { noun: &["resource".to_owned()], source: Source::Listed, ours: false };
        let record = basket.record();
        basket.put(Value::String(resource.uri.clone()), &["uri"], at, record);
        basket.put(Value::String(resource.name.clone()), &["name"], at, record);
    }
    for exchange in evidence.of(valid_call::PROBE.id).filter(|x| valid_call::took(x)) {
        of_exchange(evidence, exchange, &mut basket);
    }
    completions(evidence, &mut basket);
    let gone = destroyed(evidence);
    basket.found.retain(|f| !gone.contains(&f.value) && !is_canary(evidence, &f.value));
    Harvest { found: basket.found }
}

/// What we planted to see it leak is never sent by ourselves.
fn is_canary(evidence: &Evidence, value: &Value) -> bool {
    let planted = &evidence.conditions.canaries;
    value.as_str().is_some_and(|text| planted.iter().any(|c| text.contains(&c.value)))
}

fn of_exchange(evidence: &Evidence, exchange: &Exchange, basket: &mut Basket) {
    let Some(tool) = exchange.subject.tool().and_then(|name| evidence.tool(name)) else { return };
    let sense = Sense::of(evidence, tool);
    let start = basket.found.len();
    if sense.leaves
        && let Some(arguments) = exchange.arguments()
    {
        let at = Place { noun: &sense.noun, source: Source::Sent(exchange.id), ours: true };
        basket.walk(arguments, &[], at);
        tables(arguments, at, basket);
    }
    if sense.stage != Stage::Delete {
        let ours = sense.leaves;
        let at = Place { noun: &sense.noun, source: Source::Answered(exchange.id), ours };
        answered(&exchange.reply, at, basket);
    }
    basket.found.truncate(start + MOST);
}

/// Structured content first: it says the same as the text, with more certainty.
fn answered(reply: &Reply, at: Place<'_>, basket: &mut Basket) {
    let Some(result) = reply.result() else { return };
    if let Some(structured) = result.get("structuredContent").filter(|s| !is_wrapper(s)) {
        basket.walk(structured, &[], at);
        return;
    }
    for block in result.get("content").and_then(Value::as_array).into_iter().flatten() {
        let link = match block.get("type").and_then(Value::as_str) {
            Some("resource_link") => Some(block),
            Some("resource") => block.get("resource"),
            _ => None,
        };
        if let Some(link) = link {
            let noun = ["resource".to_owned()];
            let record = basket.record();
            for key in ["uri", "name"] {
                if let Some(value) = link.get(key) {
                    basket.put(value.clone(), &[key], Place { noun: &noun, ..at }, record);
                }
            }
        }
        if let Some(text) = block.get("text").and_then(Value::as_str) {
            match json_in(text) {
                Some(value) => basket.walk(&value, &[], at),
                None => text_values(text, at, basket),
            }
        }
    }
}

/// FastMCP and others wrap plain text as `{"result": "…"}`: the text block is easier to read.
pub fn is_wrapper(structured: &Value) -> bool {
    structured.as_object().is_some_and(|map| map.len() == 1)
        && structured.as_object().and_then(|m| m.values().next()).is_some_and(Value::is_string)
}

fn text_values(text: &str, at: Place<'_>, basket: &mut Basket) {
    let record = basket.record();
    for (key, value) in told(text) {
        let key: Vec<&str> = key.iter().map(String::as_str).collect();
        basket.put(Value::String(value), &key, at, record);
    }
}

/// JSON, or the way Python prints lists and dictionaries.
pub(super) fn json_in(text: &str) -> Option<Value> {
    let text = text.trim();
    if !text.starts_with(['{', '[']) {
        return None;
    }
    serde_json::from_str(text).ok().or_else(|| {
        let python = text.replace('\'', "\"").replace("None", "null");
        serde_json::from_str(&python.replace("True", "true").replace("False", "false")).ok()
    })
}

/// A table that our SQL made.
fn tables(arguments: &Value, at: Place<'_>, basket: &mut Basket) {
    for text in arguments.as_object().into_iter().flat_map(|m| m.values()).filter_map(Value::as_str)
    {
        let mut parts = text.split_whitespace().map(|w| w.trim_matches(['"', '`', '(', ';', '[']));
        let made = parts.next().is_some_and(|w| w.eq_ignore_ascii_case("create"))
            && parts.next().is_some_and(|w| w.eq_ignore_ascii_case("table"));
        let fillers = ["if", "not", "exists"];
        let name = parts.find(|w| !fillers.iter().any(|f| w.eq_ignore_ascii_case(f)));
        if let (true, Some(name)) = (made, name) {
            let name = name.split('(').next().unwrap_or(name).to_owned();
            let record = basket.record();
            let noun = ["table".to_owned()];
            basket.put(
                Value::String(name),
                &["name"],
                Place { noun: &noun, ours: true, ..at },
                record,
            );
        }
    }
}

fn started(evidence: &Evidence, basket: &mut Basket) {
    let args: &[String] = match &evidence.target {
        Target::Stdio { args, .. } => args,
        Target::Http { .. } | Target::Sse { .. } | Target::Source { .. } => &[],
    };
    for pair in args.windows(2) {
        let flag: Vec<String> = words(&pair[0]).iter().map(|w| singular(w)).collect();
        if pair[0].starts_with("--") && !pair[1].starts_with('-') {
            let key: Vec<&str> = flag.iter().map(String::as_str).collect();
            let at = Place { noun: &[], source: Source::Started, ours: false };
            let record = basket.record();
            basket.put(Value::String(pair[1].clone()), &key, at, record);
        }
    }
}

/// What the server offered to complete an argument with.
fn completions(evidence: &Evidence, basket: &mut Basket) {
    let asked = |x: &&Exchange| x.send.method() == Some("completion/complete");
    for exchange in evidence.transcript.iter().filter(asked) {
        let name = exchange.send.params().and_then(|p| p.pointer("/argument/name"));
        let values = exchange.result().and_then(|r| r.pointer("/completion/values"));
        let (Some(name), Some(values)) = (name.and_then(Value::as_str), values) else { continue };
        let key = words(name);
        let key: Vec<&str> = key.iter().map(String::as_str).collect();
        let record = basket.record();
        for value in values.as_array().into_iter().flatten() {
            let at = Place { noun: &[], source: Source::Answered(exchange.id), ours: false };
            basket.put(value.clone(), &key, at, record);
        }
    }
}

/// What a destroying tool was given, and took, is gone.
fn destroyed(evidence: &Evidence) -> Vec<Value> {
    let mut gone = Vec::new();
    for exchange in evidence.of(valid_call::PROBE.id).filter(|x| valid_call::took(x)) {
        let destroys = exchange.subject.tool().map(|t| evidence.risk_of(t));
        if let (Some(Risk::Destroys), Some(arguments)) = (destroys, exchange.arguments()) {
            scalars(arguments, &mut gone);
        }
    }
    gone
}

fn scalars(value: &Value, out: &mut Vec<Value>) {
    match value {
        Value::Array(items) => items.iter().for_each(|v| scalars(v, out)),
        Value::Object(map) => map.values().for_each(|v| scalars(v, out)),
        Value::String(_) | Value::Number(_) => out.push(value.clone()),
        Value::Null | Value::Bool(_) => {}
    }
}

#[derive(Clone, Copy)]
struct Place<'a> {
    noun: &'a [String],
    source: Source,
    ours: bool,
}

struct Basket {
    found: Vec<Found>,
    records: usize,
}

impl Basket {
    fn record(&mut self) -> usize {
        self.records += 1;
        self.records
    }

    fn walk(&mut self, value: &Value, key: &[&str], at: Place<'_>) {
        match value {
            Value::Object(map) => {
                let record = self.record();
                for (name, inner) in map {
                    self.member(name, inner, at, record);
                }
            }
            Value::Array(items) => {
                let record = self.record();
                for item in items {
                    match item {
                        Value::Object(_) | Value::Array(_) => self.walk(item, key, at),
                        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                            self.put(item.clone(), key, at, record);
                        }
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                let record = self.record();
                self.put(value.clone(), key, at, record);
            }
        }
    }

    fn member(&mut self, name: &str, inner: &Value, at: Place<'_>, record: usize) {
        let own: Vec<String> = words(name).iter().map(|w| singular(w)).collect();
        let key: Vec<&str> = own.iter().map(String::as_str).collect();
        match inner {
            Value::Array(items) if items.iter().all(|i| !i.is_object() && !i.is_array()) => {
                for item in items {
                    self.put(item.clone(), &key, at, record);
                }
            }
            Value::Object(_) | Value::Array(_) => {
                let vague = ["data", "item", "result", "content", "value", "list", "row", "record"];
                let telling = !key.iter().all(|w| vague.contains(w));
                let noun = if telling { &own } else { at.noun };
                self.walk(inner, &[], Place { noun, ..at });
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                self.put(inner.clone(), &key, at, record);
            }
        }
    }

    fn put(&mut self, value: Value, key: &[&str], at: Place<'_>, record: usize) {
        if !is_handle(&value) || key.iter().any(|w| is_clock(w)) {
            return;
        }
        let key: Vec<String> = key.iter().map(|w| singular(w)).collect();
        // A key of several words names its own thing: `userId` is of a user.
        let told: Vec<String> =
            key.iter().filter(|w| Kind::of_word(w).is_none()).cloned().collect();
        let named = Kind::of(&key).is_some() && !told.is_empty();
        let noun = if named { told } else { at.noun.to_vec() };
        let Place { source, ours, .. } = at;
        let known = |f: &Found| f.value == value && f.key == key && f.noun == noun;
        if self.found.len() < IN_ALL && !self.found.iter().any(known) {
            self.found.push(Found { value, key, noun, source, ours, record });
        }
    }
}

/// Short enough to name something, and not a moment in time, which differs in every run.
fn is_handle(value: &Value) -> bool {
    match value {
        Value::String(text) => {
            let short = !text.trim().is_empty() && text.chars().count() <= LONGEST;
            short && !text.contains('\n') && !is_moment(text)
        }
        Value::Number(n) => n.is_i64() || n.is_u64(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => false,
    }
}

fn is_clock(word: &str) -> bool {
    matches!(
        word,
        "time"
            | "date"
            | "datetime"
            | "timestamp"
            | "created"
            | "updated"
            | "modified"
            | "accessed"
            | "at"
    )
}

fn is_moment(text: &str) -> bool {
    let digits = |range: std::ops::Range<usize>| {
        text.get(range).is_some_and(|s| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit()))
    };
    let dated = digits(0..4) && text.get(4..5) == Some("-") && digits(5..7) && digits(8..10);
    let bytes = text.as_bytes();
    let clock = bytes
        .windows(5)
        .any(|w| w[2] == b':' && [0, 1, 3, 4].iter().all(|i| w[*i].is_ascii_digit()));
    dated || clock
}
