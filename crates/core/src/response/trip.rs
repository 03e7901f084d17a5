//! Whether a legal but unusual call tripped a server: a crash, a silence, an error of its code.

use super::{Answer, Trouble, has_stack_trace, quote};
use crate::evidence::{Evidence, Exchange};

const INTERNAL_ERROR: i64 = -32603;

/// What came of a call that may be answered or refused in words, and nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trip {
    /// Answered; the words when refused.
    Handled(Option<String>),
    Bad(String),
    Unseen(String),
}

impl Trip {
    pub fn of(evidence: &Evidence, exchange: &Exchange) -> Trip {
        match Answer::of(evidence, exchange) {
            Answer::Accepted => Trip::Handled(None),
            Answer::ToolError(text) | Answer::Refused { message: text, .. } if is_bug(&text) => {
                Trip::Bad(format!("the code fails: \"{}\"", quote(&text)))
            }
            Answer::Refused { code: INTERNAL_ERROR, message } => {
                Trip::Bad(format!("internal error -32603: \"{}\"", quote(&message)))
            }
            Answer::ToolError(text) | Answer::Refused { message: text, .. } => {
                Trip::Handled(Some(text))
            }
            Answer::Malformed(why) => Trip::Bad(format!("a broken message ({why})")),
            Answer::Crashed => Trip::Bad("the server died".to_owned()),
            Answer::Hung => Trip::Bad("no answer in the time allowed".to_owned()),
            Answer::Unseen(why) => Trip::Unseen(why),
        }
    }
}

fn is_bug(text: &str) -> bool {
    has_stack_trace(text) || Trouble::of(text) == Trouble::Bug
}
