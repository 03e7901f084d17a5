//! The verdict on one case: what became of it, how sure we are, and why. What it is worth in each
//! dimension follows from that.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::ask::Fault;
use super::case::{Case, Said};
use super::category::Category;
use super::credit::Credit;
use super::latency::ToolKind;
use super::opinion::{Answer, Help, Opinion};
use super::outcome::Outcome;
use super::reason::{Reason, Told};
use super::threat;
use crate::check::Confidence;

/// What became of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// The call did what it was to do.
    Fulfilled,
    /// It was answered, with nothing in the answer.
    Empty,
    /// It failed because the thing it names is not there.
    Unmet,
    /// It failed.
    Failed,
    /// Bad input was refused with a reason.
    Handled,
    /// Bad input was refused, and the answer does not say why.
    Clumsy,
    /// The refusal is the same that ordinary calls get, so it shows nothing.
    Undemonstrated,
    /// Bad input was taken as if it were right.
    Accepted,
    /// An attack was turned away.
    Blocked,
    /// An attack was taken for plain data, where it does no harm.
    Harmless,
    /// An attack was done as asked.
    LetThrough,
    /// An attack got through: by proof, or a path led out of bounds by the answer's own words.
    Breach,
    /// No answer in time.
    TimedOut,
    /// No server to answer: says nothing about this case.
    Lost,
}

/// One case, judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    pub category: Category,
    pub outcome: Outcome,
    pub hostile: bool,
    pub standing: Standing,
    pub confidence: Confidence,
    /// Why, in words.
    pub why: String,
    /// The message of a failure.
    pub told: Option<Told>,
    /// Ordinary calls of the tool fail with the same message.
    pub usual: bool,
    pub kind: ToolKind,
    /// Whose word counts.
    pub word: Word,
    /// What a model says of it, whether that counts or not.
    pub opinion: Option<Opinion>,
}

/// Whose word counts in a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    Rules,
    Model {
        answer: Answer,
        help: Help,
    },
    /// A model was asked and gave no usable answer.
    Ungraded(Fault),
}

/// Judges all cases of one server; a message means what it means beside the others.
pub fn judge(cases: &[Case]) -> Vec<Verdict> {
    // Most answers come again and again, and are read once.
    let mut outcomes: BTreeMap<&Said, Outcome> = BTreeMap::new();
    let seen: Vec<Seen> = cases
        .iter()
        .map(|case| {
            let outcome = outcomes.entry(&case.said).or_insert_with(|| Outcome::of(case));
            Seen::of(case, *outcome)
        })
        .collect();
    let usual: BTreeSet<(&str, &str)> =
        seen.iter().filter(|s| s.category == Category::Functional).filter_map(Seen::key).collect();
    let flags: Vec<bool> =
        seen.iter().map(|s| s.key().is_some_and(|key| usual.contains(&key))).collect();
    seen.into_iter().zip(flags).map(|(seen, usual)| seen.verdict(usual)).collect()
}

/// A case as seen on its own.
struct Seen<'a> {
    case: &'a Case,
    category: Category,
    outcome: Outcome,
    hostile: bool,
    told: Option<Told>,
}

impl<'a> Seen<'a> {
    fn of(case: &'a Case, outcome: Outcome) -> Seen<'a> {
        let category = Category::of(case);
        let told = (outcome == Outcome::Failed).then(|| Told::of(case));
        Seen { case, category, outcome, hostile: threat::is_hostile(case, category), told }
    }

    fn key(&self) -> Option<(&str, &str)> {
        self.told.as_ref().map(|told| (self.case.tool.as_str(), told.shape.as_str()))
    }

    fn verdict(self, usual: bool) -> Verdict {
        let reason = self.told.as_ref().map(|told| told.reason);
        let standing = self.standing(reason, usual);
        Verdict {
            category: self.category,
            outcome: self.outcome,
            hostile: self.hostile,
            standing,
            confidence: confidence(standing, reason),
            why: why(standing, reason).to_owned(),
            kind: ToolKind::of(&self.case.tool),
            told: self.told,
            usual,
            word: Word::Rules,
            opinion: None,
        }
    }

    fn standing(&self, reason: Option<Reason>, usual: bool) -> Standing {
        match (self.outcome, reason) {
            (Outcome::Lost, _) => Standing::Lost,
            (Outcome::TimedOut, _) => Standing::TimedOut,
            (_, _) if threat::got_through(self.case, self.outcome) => Standing::Breach,
            (Outcome::Answered, _) if self.is_attack() => match threat::is_dangerous(self.case) {
                true => Standing::LetThrough,
                false => Standing::Harmless,
            },
            (Outcome::Empty, _) if self.is_attack() => Standing::Harmless,
            (Outcome::Answered | Outcome::Empty, _) => self.answered(),
            (Outcome::Failed, _) if self.is_functional() => match reason {
                Some(Reason::Absent) => Standing::Unmet,
                _ => Standing::Failed,
            },
            (Outcome::Failed, _) if usual => Standing::Undemonstrated,
            (Outcome::Failed, Some(Reason::Silent | Reason::Bug)) => Standing::Clumsy,
            (Outcome::Failed, _) if self.is_attack() => Standing::Blocked,
            (Outcome::Failed, _) => Standing::Handled,
        }
    }

    fn answered(&self) -> Standing {
        match (self.is_functional(), self.outcome) {
            (true, Outcome::Empty) => Standing::Empty,
            (true, _) => Standing::Fulfilled,
            (false, _) => Standing::Accepted,
        }
    }

    fn is_functional(&self) -> bool {
        self.category == Category::Functional
    }

    /// An ordinary call that happens to carry an odd text is still judged by what it was to do.
    fn is_attack(&self) -> bool {
        self.hostile && !self.is_functional()
    }
}

impl Standing {
    /// What the rules would answer to the question a model is asked.
    pub(super) fn answer(self) -> Answer {
        match self {
            Standing::Fulfilled | Standing::Handled | Standing::Blocked | Standing::Harmless => {
                Answer::Yes
            }
            Standing::Empty
            | Standing::Unmet
            | Standing::Clumsy
            | Standing::Undemonstrated
            | Standing::Accepted => Answer::Partly,
            Standing::Failed | Standing::LetThrough | Standing::Breach | Standing::TimedOut => {
                Answer::No
            }
            Standing::Lost => Answer::Unclear,
        }
    }
}

fn confidence(standing: Standing, reason: Option<Reason>) -> Confidence {
    match (standing, reason) {
        (Standing::Lost | Standing::TimedOut | Standing::Breach, _)
        | (Standing::Handled | Standing::Blocked, Some(Reason::Refused))
        | (Standing::Clumsy | Standing::Failed, Some(Reason::Silent | Reason::Bug)) => {
            Confidence::High
        }
        (Standing::Fulfilled | Standing::Failed | Standing::Handled | Standing::Clumsy, _)
        | (Standing::Blocked | Standing::Harmless | Standing::LetThrough, _) => Confidence::Medium,
        (Standing::Empty | Standing::Unmet | Standing::Undemonstrated | Standing::Accepted, _) => {
            Confidence::Low
        }
    }
}

fn why(standing: Standing, reason: Option<Reason>) -> &'static str {
    match standing {
        Standing::Fulfilled => "answered with content and no sign of failure",
        Standing::Empty => "answered with nothing, which may be right or a failure kept quiet",
        Standing::Unmet => "what the call names is not there; the suite may have assumed too much",
        Standing::Failed => match reason {
            Some(Reason::Silent) => "an ordinary call failed without a reason",
            Some(Reason::Bug) => "an ordinary call made the code fall over",
            Some(Reason::Outside) => "an ordinary call failed for want of a network or a key",
            _ => "an ordinary call failed",
        },
        Standing::Handled => match reason {
            Some(Reason::Refused) => "refused, and it says what is wrong",
            Some(Reason::Absent) => "refused, and it says what is not there",
            Some(Reason::Schema) => "refused by the framework with a schema dump",
            _ => "refused",
        },
        Standing::Clumsy => match reason {
            Some(Reason::Bug) => "the code fell over instead of refusing",
            _ => "refused without a reason",
        },
        Standing::Undemonstrated => "the same refusal that ordinary calls get shows nothing",
        Standing::Accepted => "taken as if it were right",
        Standing::Blocked => match reason {
            Some(Reason::Refused) => "turned away, and it says why",
            _ => "came to nothing",
        },
        Standing::Harmless => "taken for plain data, where it does no harm",
        Standing::LetThrough => "done as asked by a tool that changes things",
        Standing::Breach => "the answer shows that the attack got through",
        Standing::TimedOut => "no answer in time",
        Standing::Lost => "there was no server to answer",
    }
}

/// What the explanation of a failure is worth. One table for all dimensions: an answer that says
/// it failed is half of what can be asked for, the rest is what it explains.
pub(super) fn worth(reason: Reason) -> Credit {
    match reason {
        Reason::Refused => Credit::FULL,
        Reason::Absent => Credit(750),
        Reason::Outside => Credit(700),
        Reason::Other => Credit(650),
        Reason::Schema | Reason::Bug => Credit(600),
        Reason::Silent => Credit::HALF,
    }
}
