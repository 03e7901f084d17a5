//! Reading what a model answered: strictly, case by case. What can't be read is a fault, and a fault
//! leaves the case ungraded.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::prompt::Prompt;
use crate::dimensions::opinion::{Answer, Help};

/// Why a case has no answer.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    JsonSchema,
    thiserror::Error,
)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    #[error("the model declined to answer")]
    Refused,
    #[error("the answer is not the JSON that was asked for")]
    Malformed,
    #[error("the answer breaks off")]
    CutShort,
    #[error("the answer leaves this case out")]
    Missing,
    #[error("the model got a case wrong whose answer is known, so it is not believed")]
    Unreliable,
    #[error("no answer in time")]
    TimedOut,
    #[error("the service could not be reached or failed")]
    Unavailable,
    #[error("the service does not take this key")]
    Denied,
    #[error("the service knows no such address or model")]
    NotFound,
    #[error("the budget was spent")]
    Budget,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    answers: Vec<RawAnswer>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAnswer {
    case: usize,
    answer: Answer,
    help: Help,
    #[serde(default)]
    because: String,
}

impl RawAnswer {
    fn reading(&self) -> Reading {
        let because = self.because.chars().filter(|c| !c.is_control()).take(200).collect();
        Reading { answer: self.answer, help: self.help, because }
    }
}

/// What a model said of one case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    pub answer: Answer,
    pub help: Help,
    pub because: String,
}

/// By the id of the question.
pub type Answers = Vec<(String, Result<Reading, Fault>)>;

/// The answers to a prompt, one for each of its questions.
pub fn read(prompt: &Prompt, text: &str) -> Answers {
    let questions = || prompt.cases.iter().flatten().cloned();
    let all = |fault: Fault| questions().map(|id| (id, Err(fault))).collect();
    let raw: Raw = match object(text).map(serde_json::from_value) {
        Ok(Ok(raw)) => raw,
        Ok(Err(_)) => return all(Fault::Malformed),
        Err(fault) => return all(fault),
    };
    let of = |number: usize| {
        let mut found = raw.answers.iter().filter(|a| a.case == number);
        match (found.next(), found.next()) {
            (Some(answer), None) => Ok(answer),
            (None, _) => Err(Fault::Missing),
            // Two answers to one question are none.
            (Some(_), Some(_)) => Err(Fault::Malformed),
        }
    };
    let numbered = || prompt.cases.iter().enumerate().map(|(n, id)| (n + 1, id));
    let [failed, worked] = prompt.known.map(|n| of(n).ok().map(|answer| answer.answer));
    if failed != Some(Answer::No) || worked != Some(Answer::Yes) {
        return all(Fault::Unreliable);
    }
    numbered()
        .filter_map(|(n, id)| Some((id.clone()?, of(n))))
        .map(|(id, found)| (id, found.map(RawAnswer::reading)))
        .collect()
}

/// The JSON of an answer, bare or in a code block.
fn object(text: &str) -> Result<Value, Fault> {
    let text = text.trim();
    let fenced = text.strip_prefix("```json").or_else(|| text.strip_prefix("```"));
    let bare = fenced.map_or(text, |t| t.trim_end().trim_end_matches("```")).trim();
    if !bare.starts_with('{') {
        return Err(if bare.is_empty() { Fault::Malformed } else { Fault::Refused });
    }
    serde_json::from_str(bare)
        .map_err(|e| if e.is_eof() { Fault::CutShort } else { Fault::Malformed })
}
