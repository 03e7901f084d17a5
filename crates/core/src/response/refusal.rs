//! How a server refused arguments that break its own schema.

use super::{Answer, Trouble, disguised_error, has_stack_trace, quote};
use crate::check::{Finding, Grade};
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
            Answer::Accepted => match disguised_error(&exchange.reply) {
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

    /// The finding, for arguments described by `what`, e.g. "42 for `path`".
    pub fn finding(self, exchange: &Exchange, what: &str, fix: &str) -> Finding {
        let subject = exchange.subject.clone();
        let finding = match self {
            Refusal::Clean(text) => {
                Finding::pass(subject, format!("{what} is refused: \"{}\"", quote(&text)))
            }
            Refusal::Stumbled(text) => Finding::partial(
                subject,
                Grade::new(0.5),
                format!("{what} is not checked, the code fails on it: \"{}\"", quote(&text)),
                fix,
            ),
            Refusal::Disguised(text) => Finding::partial(
                subject,
                Grade::new(0.5),
                format!("{what} is refused, but sent as a success: \"{}\"", quote(&text)),
                "set `isError: true` on results that report an error",
            ),
            Refusal::Accepted(text) => {
                Finding::fail(subject, format!("{what} is accepted: \"{}\"", quote(&text)), fix)
            }
            Refusal::Crashed => Finding::fail(subject, format!("the server died of {what}"), fix),
            Refusal::Broken(why) => Finding::fail(
                subject,
                format!("{what} is answered with a broken message: {why}"),
                fix,
            ),
            Refusal::Unseen(why) => Finding::unseen(subject, why),
        };
        finding.seen_in(exchange.id)
    }
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
