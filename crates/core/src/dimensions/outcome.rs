//! What a reply comes to, whatever channel it came in: half of all failures call themselves results.

use schemars::JsonSchema;
use serde::Serialize;

use super::case::{Case, Said};
use super::words;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// An answer with something in it.
    Answered,
    /// An answer with nothing in it.
    Empty,
    /// It says that it failed, in either channel.
    Failed,
    TimedOut,
    /// There was no server to answer.
    Lost,
}

/// The beginning of a reply says whether it failed; the rest is data.
const HEAD: usize = 600;

impl Outcome {
    pub fn of(case: &Case) -> Outcome {
        let text = head(case.said.text());
        match &case.said {
            Said::Error(_) if words::LOST.are_in(text) => Outcome::Lost,
            Said::Error(_) if words::TIMED_OUT.are_in(text) => Outcome::TimedOut,
            Said::Error(_) => Outcome::Failed,
            Said::Result(_) => {
                let bare = words::FRAMEWORK.stripped(text).unwrap_or(text);
                if matches!(bare.trim(), "" | "[]" | "{}" | "null" | "\"\"" | "None") {
                    Outcome::Empty
                } else if words::OPENS_WITH_FAILURE.are_in(bare)
                    || words::TELLS_FAILURE.are_in(text)
                {
                    Outcome::Failed
                } else {
                    Outcome::Answered
                }
            }
        }
    }

    pub fn is_answer(self) -> bool {
        match self {
            Outcome::Answered | Outcome::Empty => true,
            Outcome::Failed | Outcome::TimedOut | Outcome::Lost => false,
        }
    }
}

fn head(text: &str) -> &str {
    match text.char_indices().nth(HEAD) {
        Some((end, _)) => text.get(..end).unwrap_or(text),
        None => text,
    }
}
