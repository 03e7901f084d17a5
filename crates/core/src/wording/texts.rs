//! Every text that a server said in its answers, and where.

#![expect(clippy::disallowed_types, reason = "asked for every word and text, never walked")]

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use foldhash::fast::FixedState;
use serde_json::Value;

use crate::check::Finding;
use crate::evidence::{Evidence, Exchange, Reply, Subject};
use crate::probe::Send;
use crate::proof;
use crate::spec::calls::tool_of;

/// A text from an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Said<'a> {
    pub exchange: &'a Exchange,
    /// The tool, resource or prompt that said it.
    pub subject: Subject,
    pub text: String,
}

/// What a check of answers reads, or why there is nothing to read.
pub fn heard<'a>(
    evidence: &'a Evidence,
    said: fn(&'a Evidence) -> Vec<Said<'a>>,
) -> Result<Vec<Said<'a>>, Vec<Finding>> {
    if let Some(why) = evidence.why_unseen() {
        return Err(vec![Finding::unseen(Subject::Server, why)]);
    }
    let texts = said(evidence);
    match texts.is_empty() {
        true => Err(vec![Finding::unseen(Subject::Server, "nothing was answered")]),
        false => Ok(texts),
    }
}

/// The texts of results and errors, each once per subject. Data inside JSON is read piece by piece.
pub fn said(evidence: &Evidence) -> Vec<Said<'_>> {
    let mut told: BTreeMap<Subject, Told<'_>> = BTreeMap::new();
    let mut found = Vec::new();
    for exchange in &evidence.transcript {
        let Some(subject) = speaker(evidence, exchange) else { continue };
        let told = told.entry(subject.clone()).or_default();
        // Most answers are repetitions: what was read once is not taken apart again.
        if !told.replies.insert(exchange.reply.key()) {
            continue;
        }
        let mut texts = Vec::new();
        let wholes = strings(&exchange.reply).into_iter().filter(|whole| told.wholes.insert(whole));
        wholes.for_each(|whole| pieces(whole, 0, &mut texts));
        for text in texts {
            if told.pieces.insert(text.clone()) {
                found.push(Said { exchange, subject: subject.clone(), text });
            }
        }
    }
    found
}

/// What a subject has said already, as it came and taken apart.
#[derive(Default)]
struct Told<'a> {
    replies: HashSet<*const Reply, FixedState>,
    wholes: HashSet<&'a str, FixedState>,
    pieces: HashSet<String, FixedState>,
}

/// The same, each answer as one text: what stands beside each other stays so.
pub fn said_whole<'a>(evidence: &'a Evidence) -> Vec<Said<'a>> {
    let mut seen: BTreeSet<(Subject, String)> = BTreeSet::new();
    let mut known: BTreeSet<(Subject, *const Reply)> = BTreeSet::new();
    let whole = |exchange: &'a Exchange| -> Option<Said<'a>> {
        let subject = speaker(evidence, exchange)?;
        if !known.insert((subject.clone(), exchange.reply.key())) {
            return None;
        }
        let text = match exchange.reply.text() {
            text if text.is_empty() => exchange.result()?.to_string(),
            text => text,
        };
        Some(Said { exchange, subject, text })
    };
    let said = evidence.transcript.iter().filter_map(whole);
    said.filter(|s| seen.insert((s.subject.clone(), s.text.clone()))).collect()
}

/// Who answers calls, reads and gets; listings are definitions. What was asked for the sake of the
/// server still lets the tool, resource or prompt speak that it names.
pub fn speaker(evidence: &Evidence, x: &Exchange) -> Option<Subject> {
    match x.send.method()? {
        "tools/call" => {
            // A look at one tool may be made for the sake of another.
            let named = evidence.tool(tool_of(x)).map(|tool| tool.name.as_str());
            let tool = named.or(x.subject.tool());
            Some(tool.map_or(Subject::Server, Subject::tool_named))
        }
        "resources/read" => Some(match named(x, "uri") {
            Some(uri) if x.subject == Subject::Server => Subject::Resource { uri },
            Some(_) | None => x.subject.clone(),
        }),
        "prompts/get" => Some(match named(x, "name") {
            Some(prompt) if x.subject == Subject::Server => Subject::Prompt { prompt },
            Some(_) | None => x.subject.clone(),
        }),
        _ => None,
    }
}

fn named(x: &Exchange, member: &str) -> Option<String> {
    Some(x.send.params()?.get(member)?.as_str()?.to_owned())
}

/// Every text of an answer, as it came.
fn strings(reply: &Reply) -> Vec<&str> {
    let mut found = Vec::new();
    match reply {
        Reply::Result { value } => collect(value, 0, &mut found),
        Reply::Error { message, data, .. } => {
            found.push(message.as_str());
            data.iter().for_each(|d| collect(d, 0, &mut found));
        }
        Reply::Malformed { .. }
        | Reply::Silence
        | Reply::TimedOut { .. }
        | Reply::Disconnected
        | Reply::Skipped { .. } => {}
    }
    found
}

fn collect<'a>(value: &'a Value, depth: usize, found: &mut Vec<&'a str>) {
    match value {
        Value::String(text) if text.len() >= 2 => found.push(text),
        Value::Array(items) => items.iter().for_each(|v| collect(v, depth + 1, found)),
        Value::Object(map) => {
            let carried = map
                .iter()
                .filter(|(key, _)| !["blob", "data"].contains(&key.as_str()) || depth > 3);
            carried.for_each(|(_, v)| collect(v, depth + 1, found));
        }
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A text, or the texts in the JSON that it is.
fn pieces(text: &str, depth: usize, found: &mut Vec<String>) {
    let inner = text.trim_start().starts_with(['{', '[']) && depth < 20;
    match inner.then(|| serde_json::from_str::<Value>(text).ok()).flatten() {
        Some(data) => {
            let mut inside = Vec::new();
            // What is packed is data by any name.
            collect(&data, PACKED, &mut inside);
            inside.iter().for_each(|t| pieces(t, depth + 1, found));
        }
        None => found.push(text.to_owned()),
    }
}

/// Below this depth `blob` and `data` are names like others.
const PACKED: usize = 4;

/// What we sent at any time and what definitions say, which may be repeated: an error that lists
/// what is allowed repeats the definition.
#[derive(Debug)]
pub struct Ours {
    /// Lower case, the longest first.
    texts: Vec<String>,
}

impl Ours {
    pub fn of(evidence: &Evidence) -> Ours {
        const LEAST: usize = 12;
        let mut sent = Vec::new();
        for params in evidence.transcript.iter().filter_map(|x| x.send.params()) {
            let mut strings = Vec::new();
            collect(params, 0, &mut strings);
            strings.iter().for_each(|text| pieces(text, 0, &mut sent));
        }
        sent.extend(evidence.definitions().iter().map(|d| d.text.to_owned()));
        let long = sent.iter().filter(|s| s.len() >= LEAST).map(|s| s.trim().to_ascii_lowercase());
        let texts: BTreeSet<(Reverse<usize>, String)> =
            long.filter(|s| !s.is_empty()).map(|s| (Reverse(s.len()), s)).collect();
        Ours { texts: texts.into_iter().map(|(_, text)| text).collect() }
    }

    /// The text without it, whatever its letters' case.
    pub fn taken_from(&self, text: &str) -> String {
        let mut left = text.to_owned();
        let mut lower = left.to_ascii_lowercase();
        for ours in self.texts.iter().filter(|t| t.len() <= text.len()) {
            while let Some(at) = lower.find(ours) {
                left.replace_range(at..at + ours.len(), "…");
                lower.replace_range(at..at + ours.len(), "…");
            }
        }
        left
    }
}

impl Said<'_> {
    /// Whether this part of it stems from us: what we ask for may be repeated, by any tool and at
    /// any time.
    pub fn is_ours(&self, evidence: &Evidence, part: &str) -> bool {
        let planted = evidence.conditions.canaries.iter().any(|c| part.contains(&c.value));
        planted || evidence.transcript.iter().any(|x| sends(x, part))
    }
}

fn sends(x: &Exchange, part: &str) -> bool {
    match &x.send {
        Send::Request { .. } | Send::Notification { .. } | Send::Raw { .. } => proof::asks(x, part),
        Send::Http { .. } | Send::Aside { .. } | Send::Listen { .. } => false,
    }
}
