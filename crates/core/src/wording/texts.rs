//! Every text that a server said in its answers, and where.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::check::Finding;
use crate::evidence::{Evidence, Exchange, Reply, Subject};
use crate::probe::Send;
use crate::proof;

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
    let mut seen: BTreeSet<(Subject, String)> = BTreeSet::new();
    let mut found = Vec::new();
    for exchange in &evidence.transcript {
        let Some(subject) = speaker(exchange) else { continue };
        for text in texts(&exchange.reply) {
            if seen.insert((subject.clone(), text.clone())) {
                found.push(Said { exchange, subject: subject.clone(), text });
            }
        }
    }
    found
}

/// The same, each answer as one text: what stands beside each other stays so.
pub fn said_whole(evidence: &Evidence) -> Vec<Said<'_>> {
    let mut seen: BTreeSet<(Subject, String)> = BTreeSet::new();
    let whole = |exchange| -> Option<Said<'_>> {
        let subject = speaker(exchange)?;
        let text = match exchange.reply.text() {
            text if text.is_empty() => exchange.result()?.to_string(),
            text => text,
        };
        Some(Said { exchange, subject, text })
    };
    let said = evidence.transcript.iter().filter_map(whole);
    said.filter(|s| seen.insert((s.subject.clone(), s.text.clone()))).collect()
}

/// Answers to calls, reads and gets; listings are definitions.
fn speaker(x: &Exchange) -> Option<Subject> {
    match x.send.method()? {
        "tools/call" => Some(x.subject.tool().map_or(Subject::Server, Subject::tool_named)),
        "resources/read" | "prompts/get" => Some(x.subject.clone()),
        _ => None,
    }
}

fn texts(reply: &Reply) -> Vec<String> {
    let mut found = Vec::new();
    match reply {
        Reply::Result { value } => collect(value, 0, &mut found),
        Reply::Error { message, data, .. } => {
            found.push(message.clone());
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

fn collect(value: &Value, depth: usize, found: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            let inner = text.trim_start().starts_with(['{', '[']) && depth < 20;
            match inner.then(|| serde_json::from_str::<Value>(text).ok()).flatten() {
                Some(data) => collect(&data, depth + 1, found),
                None if text.len() >= 2 => found.push(text.clone()),
                None => {}
            }
        }
        Value::Array(items) => items.iter().for_each(|v| collect(v, depth + 1, found)),
        Value::Object(map) => {
            let carried = map
                .iter()
                .filter(|(key, _)| !["blob", "data"].contains(&key.as_str()) || depth > 3);
            carried.for_each(|(_, v)| collect(v, depth + 1, found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

impl Said<'_> {
    /// The text without what we sent at any time and what definitions say, whatever its letters' case.
    pub fn without_ours(&self, evidence: &Evidence) -> String {
        const LEAST: usize = 12;
        let mut sent = Vec::new();
        evidence
            .transcript
            .iter()
            .filter_map(|x| x.send.params())
            .for_each(|p| collect(p, 0, &mut sent));
        // An error that lists what is allowed repeats the definition.
        sent.extend(evidence.definitions().iter().map(|d| d.text.to_owned()));
        sent.retain(|s| s.len() >= LEAST && s.len() <= self.text.len());
        sent.sort_by_key(|s| std::cmp::Reverse(s.len()));
        sent.dedup();
        let mut left = self.text.clone();
        for ours in sent {
            let ours = ours.trim().to_ascii_lowercase();
            while let Some(at) = left.to_ascii_lowercase().find(&ours).filter(|_| !ours.is_empty())
            {
                left.replace_range(at..at + ours.len(), "…");
            }
        }
        left
    }

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
