//! How a server refused arguments that break its own schema.

use super::{Answer, Trouble, disguised_error, has_stack_trace, quote};
use crate::evidence::{Evidence, Exchange};
use crate::probes::valid_call;

/// What came of arguments that must be refused.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    /// An error in either channel, with its text.
    Clean(String),
    /// An error that shows that the value was used before it was looked at.
    Stumbled(String),
    /// Refused in words, yet sent as a success.
    Disguised(String),
    /// Taken as if it were right; the text of the answer.
    Accepted(String),
    Crashed,
    Broken(String),
    Unseen(String),
}

impl Refusal {
    pub fn of(evidence: &Evidence, exchange: &Exchange) -> Refusal {
        let answer = Answer::of(evidence, exchange);
        if let Some(text) = answer.error_text() {
            return Refusal::by_text(evidence, exchange, text);
        }
        match answer {
            Answer::Accepted => match refused_in_words(exchange) {
                Some(text) if same_as_typical(evidence, exchange, &text) => unexercised(&text),
                Some(text) => Refusal::Disguised(text),
                None => Refusal::Accepted(exchange.reply.text()),
            },
            Answer::Malformed(why) => Refusal::Broken(why),
            Answer::Crashed => Refusal::Crashed,
            Answer::Hung => Refusal::Unseen("no answer in the time allowed".to_owned()),
            Answer::Unseen(why) => Refusal::Unseen(why),
            Answer::ToolError(text) | Answer::Refused { message: text, .. } => Refusal::Clean(text),
        }
    }

    fn by_text(evidence: &Evidence, exchange: &Exchange, text: &str) -> Refusal {
        if same_as_typical(evidence, exchange, text) {
            unexercised(text)
        } else if has_stack_trace(text) || Trouble::of(text) == Trouble::Bug {
            Refusal::Stumbled(text.to_owned())
        } else {
            Refusal::Clean(text.to_owned())
        }
    }

    /// `lenient`: what acceptance is worth, for input that a kind server may put right.
    pub fn grade(&self, lenient: f64) -> Option<f64> {
        match self {
            Refusal::Clean(_) => Some(1.0),
            Refusal::Stumbled(_) | Refusal::Disguised(_) => Some(0.5),
            Refusal::Accepted(_) => Some(lenient),
            Refusal::Crashed | Refusal::Broken(_) => Some(0.0),
            Refusal::Unseen(_) => None,
        }
    }

    /// The words of the refusal, if it was one.
    pub fn message(&self) -> Option<&str> {
        match self {
            Refusal::Clean(text) | Refusal::Stumbled(text) | Refusal::Disguised(text) => Some(text),
            Refusal::Accepted(_) | Refusal::Crashed | Refusal::Broken(_) | Refusal::Unseen(_) => {
                None
            }
        }
    }

    /// What came of `what`, e.g. "42": a clause for a finding.
    pub fn says(&self, what: &str) -> String {
        match self {
            Refusal::Clean(text) => format!("{what} is refused: \"{}\"", quote(text)),
            Refusal::Stumbled(text) => {
                format!("{what} is not checked, the code fails on it: \"{}\"", quote(text))
            }
            Refusal::Disguised(text) => {
                format!("{what} is refused, but sent as a success: \"{}\"", quote(text))
            }
            Refusal::Accepted(text) => format!("{what} is accepted: \"{}\"", quote(text)),
            Refusal::Crashed => format!("the server died of {what}"),
            Refusal::Broken(why) => format!("{what} is answered with a broken message: {why}"),
            Refusal::Unseen(why) => why.clone(),
        }
    }
}

/// A short answer about the shape of the arguments is no result either.
fn refused_in_words(exchange: &Exchange) -> Option<String> {
    const SHORT: usize = 400;
    disguised_error(&exchange.reply).or_else(|| {
        let text = exchange.reply.text();
        (text.len() <= SHORT && Trouble::of(&text) == Trouble::Shape).then_some(text)
    })
}

/// A server without its key answers everything alike; that says nothing about the arguments.
pub(super) fn same_as_typical(evidence: &Evidence, exchange: &Exchange, text: &str) -> bool {
    let typical = exchange.subject.tool().and_then(|tool| valid_call::typical(evidence, tool));
    typical.is_some_and(|x| {
        let failed = x.result().is_none() || x.reply.is_tool_error();
        let disguised = disguised_error(&x.reply).is_some();
        (failed || disguised) && x.reply.text() == text
    })
}

fn unexercised(text: &str) -> Refusal {
    Refusal::Unseen(format!("right arguments get the same answer: \"{}\"", quote(text)))
}
