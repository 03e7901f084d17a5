//! Where an error belongs: into the result of the tool, or into the protocol. What each place is
//! worth, by revision, stands here and nowhere else.

use super::{Answer, quote};
use crate::check::{Finding, Grade};
use crate::evidence::{Evidence, Exchange, Subject};
use crate::revision::Revision;

const INVALID_PARAMS: i64 = -32602;
const INTERNAL_ERROR: i64 = -32603;

/// What was wrong with a `tools/call`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mistake {
    /// No tool has this name (TOOL-20).
    UnknownTool,
    /// Arguments against the schema of the tool (TOOL-22, from 2025-11-25 on TOOL-21).
    BadArguments,
    /// No `tools/call` at all: without a name, or with arguments that are no object (TOOL-25).
    MalformedCall,
}

/// What a revision wants, as the grade of each kind of error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Channel {
    mistake: Mistake,
    from: Revision,
    tool_error: f64,
    invalid_params: f64,
    internal_error: f64,
    other_code: f64,
    /// Where the error belongs, in words.
    pub wanted: &'static str,
}

/// The last row that applies counts.
const TABLE: &[Channel] = &[
    Channel {
        mistake: Mistake::UnknownTool,
        from: Revision::V2024_11_05,
        tool_error: 0.75,
        invalid_params: 1.0,
        internal_error: 0.5,
        other_code: 0.75,
        wanted: "the protocol error -32602",
    },
    Channel {
        mistake: Mistake::MalformedCall,
        from: Revision::V2024_11_05,
        tool_error: 0.5,
        invalid_params: 1.0,
        internal_error: 0.5,
        other_code: 0.75,
        wanted: "the protocol error -32602",
    },
    Channel {
        mistake: Mistake::BadArguments,
        from: Revision::V2024_11_05,
        tool_error: 1.0,
        invalid_params: 1.0,
        internal_error: 0.5,
        other_code: 0.75,
        wanted: "a result with `isError: true`, or the protocol error -32602",
    },
    Channel {
        mistake: Mistake::BadArguments,
        from: Revision::V2025_11_25,
        tool_error: 1.0,
        invalid_params: 0.5,
        internal_error: 0.25,
        other_code: 0.25,
        wanted: "a result with `isError: true`, which the model gets to read",
    },
];

impl Channel {
    /// Without a handshake the oldest revision counts, which asks for least.
    pub fn of(mistake: Mistake, revision: Option<Revision>) -> Option<&'static Channel> {
        let revision = revision.unwrap_or(Revision::V2024_11_05);
        TABLE.iter().rev().find(|row| row.mistake == mistake && row.from <= revision)
    }

    /// What an error is worth; `None` when the answer is none.
    pub fn grade(&self, answer: &Answer) -> Option<f64> {
        match answer {
            Answer::ToolError(_) => Some(self.tool_error),
            Answer::Refused { code: INVALID_PARAMS, .. } => Some(self.invalid_params),
            Answer::Refused { code: INTERNAL_ERROR, .. } => Some(self.internal_error),
            Answer::Refused { .. } => Some(self.other_code),
            Answer::Accepted
            | Answer::Malformed(_)
            | Answer::Crashed
            | Answer::Hung
            | Answer::Unseen(_) => None,
        }
    }
}

/// The place of an error, for a finding.
pub fn place(answer: &Answer) -> String {
    match answer {
        Answer::ToolError(_) => "a tool result with `isError`".to_owned(),
        Answer::Refused { code, .. } => format!("the protocol error {code}"),
        Answer::Accepted => "a success".to_owned(),
        Answer::Malformed(_) => "a broken message".to_owned(),
        Answer::Crashed => "the end of the server".to_owned(),
        Answer::Hung | Answer::Unseen(_) => "nothing".to_owned(),
    }
}

/// How the calls of a probe, which reach no tool, were refused: one finding, whose grade is the
/// mean, since one place in the server answers them all.
pub fn protocol_refusals(
    evidence: &Evidence,
    probe: &str,
    mistake: Mistake,
    fix: &str,
) -> Vec<Finding> {
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let Some(channel) = Channel::of(mistake, evidence.revision()) else { return Vec::new() };
    let (mut seen, mut unseen) = (Vec::new(), Vec::new());
    for x in evidence.of(probe) {
        match channel.verdict(evidence, x) {
            Ok((grade, says)) => seen.push((grade, says, x.id)),
            Err(why) => unseen.push(Finding::unseen(Subject::Server, why).seen_in(x.id)),
        }
    }
    let Some((worst, says, id)) = seen.iter().min_by(|a, b| a.0.total_cmp(&b.0)) else {
        return unseen.into_iter().take(1).collect();
    };
    let mean = seen.iter().map(|s| s.0).sum::<f64>() / seen.len() as f64;
    let finding = if *worst >= 1.0 {
        Finding::pass(Subject::Server, says)
    } else {
        let says = format!("{says}; wanted is {}", channel.wanted);
        Finding::partial(Subject::Server, Grade::new(mean), says, fix)
    };
    vec![finding.seen_in(*id)]
}

impl Channel {
    /// The grade and what happened, or why nothing was seen.
    fn verdict(&self, evidence: &Evidence, x: &Exchange) -> Result<(f64, String), String> {
        let answer = Answer::of(evidence, x);
        let (label, found) = (&x.label, place(&answer));
        let text = quote(answer.error_text().unwrap_or(&x.reply.text()));
        if let Some(grade) = self.grade(&answer) {
            return Ok((grade, format!("{label}: refused with {found}: \"{text}\"")));
        }
        match answer {
            Answer::Unseen(why) => Err(why),
            // Other calls may have held it up.
            Answer::Hung => Err("no answer in the time allowed".to_owned()),
            Answer::Malformed(why) => Ok((0.0, format!("{label}: answered with {found}: {why}"))),
            Answer::Crashed => Ok((0.0, format!("{label}: the server died of it"))),
            Answer::Accepted | Answer::ToolError(_) | Answer::Refused { .. } => {
                Ok((0.0, format!("{label}: answered with {found}: \"{text}\"")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_arguments_belong_into_the_result_since_2025_11_25_and_anywhere_before() {
        let refused = Answer::Refused { code: INVALID_PARAMS, message: String::new() };
        let flagged = Answer::ToolError(String::new());
        let worth = |revision, answer| {
            Channel::of(Mistake::BadArguments, revision).and_then(|row| row.grade(answer))
        };
        for revision in Revision::ALL {
            let new = revision >= Revision::V2025_11_25;
            let expected = if new { 0.5 } else { 1.0 };
            assert_eq!(worth(Some(revision), &refused), Some(expected), "{revision}");
            assert_eq!(worth(Some(revision), &flagged), Some(1.0), "{revision}");
        }
        assert_eq!(worth(None, &refused), Some(1.0));
        assert_eq!(worth(None, &Answer::Crashed), None);
    }
}
