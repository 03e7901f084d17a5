//! The five dimensions: which cases count in each, for how much, and what they come to.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::category::Category;
use super::credit::{Credit, Sum};
use super::opinion::{Answer, Help};
use super::outcome::Outcome;
use super::verdict::{Standing, Verdict, Word, worth};
use super::words;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Dimension {
    Functionality,
    Robustness,
    Security,
    Performance,
    Transparency,
}

/// The points of one dimension, and all that is behind them.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DimensionScore {
    pub dimension: Dimension,
    pub title: &'static str,
    /// `None` when no case tells of it.
    pub points: Option<f64>,
    pub max: f64,
    /// The rate behind the points, 0 to 100.
    pub rate: Option<f64>,
    /// Where the points could lie, had more cases been seen (95 %).
    pub interval: Option<[f64; 2]>,
    /// Cases that count here.
    pub cases: u64,
    pub rationale: String,
    /// Why the points are held below what the rate gives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<String>,
    pub examples: Vec<Example>,
    pub recommendations: Vec<String>,
}

/// A case that shows what the rate is made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Example {
    pub tool: String,
    pub case: String,
    pub standing: Standing,
    pub said: String,
}

impl Dimension {
    pub const ALL: [Dimension; 5] = [
        Dimension::Functionality,
        Dimension::Robustness,
        Dimension::Security,
        Dimension::Performance,
        Dimension::Transparency,
    ];

    pub fn title(self) -> &'static str {
        match self {
            Dimension::Functionality => "Functionality",
            Dimension::Robustness => "Robustness",
            Dimension::Security => "Security",
            Dimension::Performance => "Performance",
            Dimension::Transparency => "Transparency",
        }
    }

    /// The area of the rubric it is.
    pub fn id(self) -> &'static str {
        match self {
            Dimension::Functionality => "functionality",
            Dimension::Robustness => "robustness",
            Dimension::Security => "security",
            Dimension::Performance => "performance",
            Dimension::Transparency => "transparency",
        }
    }

    /// What a case is worth here, and how much it weighs; `None` when it tells nothing of it.
    pub(super) fn credit(self, verdict: &Verdict, seconds: f64) -> Option<(Credit, u32)> {
        if verdict.outcome == Outcome::Lost {
            return None;
        }
        let by_model = match &verdict.word {
            Word::Rules => None,
            Word::Model { answer, help } => self.opined(verdict, *answer, *help),
            Word::Ungraded(_) if self != Dimension::Performance => return None,
            Word::Ungraded(_) => None,
        };
        by_model.unwrap_or_else(|| self.ruled(verdict, seconds))
    }

    /// What the word of a model comes to; `None` where it was not asked, `Some(None)` where it
    /// could not tell.
    fn opined(
        self,
        verdict: &Verdict,
        answer: Answer,
        help: Help,
    ) -> Option<Option<(Credit, u32)>> {
        let functional = verdict.category == Category::Functional;
        match self {
            Dimension::Functionality if functional => Some(answer.credit().map(|c| (c, 1))),
            Dimension::Robustness if !functional => Some(answer.credit().map(|c| (c, 1))),
            Dimension::Security if !functional => Some(answer.credit().map(|c| (c, 2))),
            Dimension::Transparency => Some(help.credit().map(|c| (c, 1))),
            Dimension::Functionality
            | Dimension::Robustness
            | Dimension::Security
            | Dimension::Performance => None,
        }
    }

    fn ruled(self, verdict: &Verdict, seconds: f64) -> Option<(Credit, u32)> {
        match self {
            Dimension::Functionality => functionality(verdict).map(|credit| (credit, 1)),
            Dimension::Robustness => robustness(verdict).map(|credit| (credit, 1)),
            Dimension::Security => security(verdict),
            Dimension::Performance => Some((performance(verdict, seconds), 1)),
            Dimension::Transparency => told(verdict, USUAL).map(|credit| (credit, 1)),
        }
    }

    /// The rate of all cases, 0 to 1.
    pub(super) fn rate(self, sum: Sum, verdicts: &[(&str, &Verdict)]) -> Option<f64> {
        match self {
            Dimension::Functionality | Dimension::Performance => sum.mean(),
            // A session that was lost is a case that was not handled; it is added by the caller.
            Dimension::Robustness => sum.tempered(Credit::HALF, 1),
            Dimension::Security => sum.tempered(unproven(verdicts), UNPROVEN),
            Dimension::Transparency => {
                sum.mean().map(|mean| (2.0 * mean + variety(verdicts)) / 3.0)
            }
        }
    }
}

/// A refusal that ordinary calls get as well is worth no more than this.
const USUAL: Credit = Credit(750);
/// Where it stands against an attack: nothing happened, that much is shown.
const USUAL_AGAINST_ATTACK: Credit = Credit(850);
/// Bad input taken as if it were right: often harmless, never shown to be.
const TAKEN: Credit = Credit(750);
const TAKEN_UNCHECKED: Credit = Credit(650);
/// Attacks nobody made count as this many: few cases prove little.
const UNPROVEN: u32 = 8;

fn functionality(verdict: &Verdict) -> Option<Credit> {
    if verdict.category != Category::Functional {
        return None;
    }
    Some(match verdict.outcome {
        Outcome::Answered => Credit::FULL,
        Outcome::Empty => Credit::HALF,
        Outcome::Failed if verdict.standing == Standing::Unmet => Credit(300),
        Outcome::Failed | Outcome::TimedOut | Outcome::Lost => Credit::NONE,
    })
}

/// Every call that failed shows how trouble is handled, whatever it was to test.
fn robustness(verdict: &Verdict) -> Option<Credit> {
    handled(verdict, TAKEN, USUAL)
}

/// Attacks count, and so does whether bad input is looked at; how ordinary calls fail tells less.
fn security(verdict: &Verdict) -> Option<(Credit, u32)> {
    let weight = if verdict.category == Category::Functional { 1 } else { 2 };
    handled(verdict, TAKEN_UNCHECKED, USUAL_AGAINST_ATTACK).map(|credit| (credit, weight))
}

fn handled(verdict: &Verdict, taken: Credit, usual: Credit) -> Option<Credit> {
    match verdict.standing {
        Standing::Accepted => Some(taken),
        Standing::Harmless => Some(Credit::FULL),
        Standing::LetThrough => Some(Credit::HALF),
        Standing::Breach => Some(Credit::NONE),
        Standing::TimedOut => verdict.hostile.then_some(Credit::NONE),
        Standing::Fulfilled
        | Standing::Empty
        | Standing::Unmet
        | Standing::Failed
        | Standing::Handled
        | Standing::Clumsy
        | Standing::Undemonstrated
        | Standing::Blocked
        | Standing::Lost => told(verdict, usual),
    }
}

/// What the message of a failure is worth.
fn told(verdict: &Verdict, usual: Credit) -> Option<Credit> {
    let credit = worth(verdict.told.as_ref()?.reason);
    Some(if verdict.usual { credit.min(usual) } else { credit })
}

/// A failure comes quickly; it does not show how fast the work is.
fn performance(verdict: &Verdict, seconds: f64) -> Credit {
    let quick = verdict.kind.credit(seconds).0;
    match verdict.outcome {
        Outcome::Answered | Outcome::Empty => Credit(quick),
        Outcome::Failed | Outcome::Lost => Credit(Credit::HALF.0 + quick.saturating_sub(500) / 2),
        Outcome::TimedOut => Credit::NONE,
    }
}

/// How attacks that nobody made are taken to end: half well, and worse the more tools change things.
fn unproven(verdicts: &[(&str, &Verdict)]) -> Credit {
    const WORSE: usize = 300;
    let tools: BTreeSet<&str> = verdicts.iter().map(|(tool, _)| *tool).collect();
    let writing = tools.iter().filter(|tool| words::WRITING.are_in(tool)).count();
    let worse = WORSE * writing / tools.len().max(1);
    Credit(Credit::HALF.0.saturating_sub(u32::try_from(worse).unwrap_or_default()))
}

/// Whether different troubles get different messages: half for one message to everything.
fn variety(verdicts: &[(&str, &Verdict)]) -> f64 {
    let told: Vec<(&str, &str)> = verdicts
        .iter()
        .filter_map(|(tool, v)| v.told.as_ref().map(|t| (*tool, t.shape.as_str())))
        .collect();
    let distinct: BTreeSet<&(&str, &str)> = told.iter().collect();
    0.5 + 0.5 * distinct.len() as f64 / told.len().max(1) as f64
}
