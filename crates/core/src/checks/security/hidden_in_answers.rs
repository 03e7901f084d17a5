//! Answers with characters that a model reads and a person does not see.

use std::cell::LazyCell;
use std::collections::BTreeMap;

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject};
use crate::probes::{prompt_get, resource_read, valid_call};
use crate::proof::Proof;
use crate::response::quote;
use crate::wording::{Context, Ours, Said, heard, hidden, hidden_count, said};

pub(super) const CHECK: Check = Check {
    id: "security/hidden-in-answers",
    title: "Answers hide no characters",
    facet: Facet::ModelSafety,
    severity: Severity::High,
    class: Some(Class::HiddenUnicode),
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &resource_read::PROBE, &prompt_get::PROBE],
    page: include_str!("hidden_in_answers.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let texts = match heard(evidence, said) {
        Ok(texts) => texts,
        Err(unseen) => return unseen,
    };
    // What we send may come back, whole or in part, from any tool.
    let asked = |x: &Exchange| x.send.params().map_or(0, |p| hidden_count(&spelled(p)));
    let ours = evidence.transcript.iter().map(asked).max().unwrap_or(0);
    let mut found: BTreeMap<Subject, Finding> = BTreeMap::new();
    let sent = LazyCell::new(|| Ours::of(evidence));
    // Some tools repeat a text many times.
    let own = |t: &&Said<'_>| hidden_count(&sent.taken_from(&t.text)) > ours;
    let text = |t: &&Said<'_>| hidden_count(&t.text) > ours && !is_garbled(&t.text);
    for text in texts.iter().filter(text).filter(own) {
        if let Some((rule, shown)) = hidden(&text.text, Context::Answer) {
            found.entry(text.subject.clone()).or_insert_with(|| finding(text, rule, &shown));
        }
    }
    if found.is_empty() {
        return vec![Finding::pass(Subject::Server, "every character of the answers is visible")];
    }
    found.into_values().collect()
}

/// Bytes that were taken for a text: of what is no letter, some look like escapes.
fn is_garbled(text: &str) -> bool {
    let lost = text.chars().filter(|c| *c == char::REPLACEMENT_CHARACTER).count();
    lost >= 3 || lost * 10 > text.chars().count()
}

/// All texts of a value, as they are and not as JSON writes them.
fn spelled(value: &serde_json::Value) -> String {
    use serde_json::Value;
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(spelled).collect(),
        Value::Object(map) => map.values().map(spelled).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
    }
}

fn finding(text: &Said<'_>, rule: &str, shown: &str) -> Finding {
    let says = format!("an answer hides {rule}: \"{}\"", quote(shown));
    let fix = "remove invisible characters from what the server answers, whoever wrote it";
    let proof = Proof::Quoted { text: quote(shown), rule: rule.to_owned() };
    Finding::fail(text.subject.clone(), says, fix).proven(proof).seen_in(text.exchange.id)
}
