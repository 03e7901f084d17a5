//! Holds what a server sent against the message schemas of a revision, which are data in `spec/messages/`.

mod conform;
mod kind;
mod notation;
#[cfg(test)]
mod tests;
mod violation;
mod vocabulary;

pub use kind::Kind;
pub use violation::{Distinct, Violation, distinct};

use serde_json::Value;

use crate::revision::Revision;
use conform::Place;
use vocabulary::{Rule, Vocabulary};

/// Everything in a received message that the revision does not allow, in order of its place.
///
/// `answers` is the method of the request that the message answers; without it a result is only
/// held against what all results have in common. The messages of a batch are each judged so:
/// callers who know what the ids stand for ask about each message alone.
pub fn violations(revision: Revision, answers: Option<&str>, message: &Value) -> Vec<Violation> {
    let vocabulary = Vocabulary::of(revision);
    let mut found = Vec::new();
    Judgement { revision, vocabulary, answers }.judge(message, &Place::ROOT, &mut found);
    found.sort();
    found.dedup();
    found
}

/// As [`violations`], for a result that was taken out of its message already.
pub fn result_violations(revision: Revision, method: &str, result: &Value) -> Vec<Violation> {
    let mut found = Vec::new();
    Vocabulary::of(revision).check_result(method, result, &mut found);
    found.sort();
    found.dedup();
    found
}

struct Judgement<'a> {
    revision: Revision,
    vocabulary: &'a Vocabulary,
    answers: Option<&'a str>,
}

impl Judgement<'_> {
    fn judge(&self, message: &Value, at: &Place<'_>, found: &mut Vec<Violation>) {
        let words = self.vocabulary;
        match Kind::of(message) {
            Kind::Result => {
                words.check("Response", message, at, found);
                let rule = self.answers.and_then(|method| words.results.get(method));
                words.check_field(rule, message, "result", at, found);
                if message.get("error").is_some() {
                    let at = at.field("error");
                    found.push(at.violation("beside a result", "stands beside a result"));
                }
            }
            Kind::Error => {
                words.check("Failure", message, at, found);
                let code = message.pointer("/error/code").map(ToString::to_string);
                let rule = code.and_then(|code| words.errors.get(&code));
                words.check_field(rule, message, "error", at, found);
            }
            Kind::Request => {
                words.check("Request", message, at, found);
                self.check_params(words.requests.get(method(message)), message, at, found);
            }
            Kind::Notification => {
                words.check("Notification", message, at, found);
                self.check_params(words.notifications.get(method(message)), message, at, found);
            }
            Kind::Batch => self.judge_batch(message, at, found),
            Kind::Nothing => found.push(at.violation(
                "no message",
                "is no JSON-RPC message: it has neither `method` nor `result` nor `error`",
            )),
        }
    }

    fn check_params(
        &self,
        rule: Option<&Rule>,
        message: &Value,
        at: &Place<'_>,
        found: &mut Vec<Violation>,
    ) {
        let name = method(message);
        let foreign = match rule {
            Some(Rule::Forbidden) => true,
            Some(Rule::Type(_)) => false,
            // Other names are free for extensions; those of the protocol keep their meaning.
            None => Revision::ALL.iter().any(|&r| Vocabulary::of(r).names_method(name)),
        };
        if foreign {
            found.push(at.field("method").violation(
                &format!("a server sends no {name}"),
                &format!("is `{name}`, which a server does not send in {}", self.revision),
            ));
        } else {
            self.vocabulary.check_field(rule, message, "params", at, found);
        }
    }

    fn judge_batch(&self, message: &Value, at: &Place<'_>, found: &mut Vec<Violation>) {
        let messages = message.as_array().map_or(&[][..], Vec::as_slice);
        let answers = messages.iter().filter(|m| Kind::of(m).is_answer()).count();
        if !self.vocabulary.batches {
            let says = format!("is a batch, which {} does not have", self.revision);
            found.push(at.violation("no batches", &says));
        } else if messages.is_empty() {
            found.push(at.violation("empty batch", "is an empty batch"));
        } else if answers != 0 && answers != messages.len() {
            found.push(at.violation("mixed batch", "mixes answers with requests or notifications"));
        }
        for (index, message) in messages.iter().enumerate() {
            let at = at.item(index);
            match Kind::of(message) {
                Kind::Batch => found.push(at.violation("nested batch", "is a batch in a batch")),
                Kind::Result | Kind::Error | Kind::Request | Kind::Notification | Kind::Nothing => {
                    self.judge(message, &at, found)
                }
            }
        }
    }
}

fn method(message: &Value) -> &str {
    message.get("method").and_then(Value::as_str).unwrap_or_default()
}
