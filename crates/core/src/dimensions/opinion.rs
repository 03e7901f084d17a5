//! What a language model said of cases, and how its word counts beside the rules.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ask::{Fault, Spent};
use super::category::Category;
use super::credit::Credit;
use crate::render::text::clean;

/// The closed answer to "did the case go as it should".
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    Yes,
    Partly,
    No,
    /// It can't be told from what was recorded.
    Unclear,
}

impl Answer {
    pub const ALL: [Answer; 4] = [Answer::Yes, Answer::Partly, Answer::No, Answer::Unclear];

    pub fn name(self) -> &'static str {
        match self {
            Answer::Yes => "yes",
            Answer::Partly => "partly",
            Answer::No => "no",
            Answer::Unclear => "unclear",
        }
    }
}

impl Answer {
    pub(super) fn credit(self) -> Option<Credit> {
        match self {
            Answer::Yes => Some(Credit::FULL),
            Answer::Partly => Some(Credit::HALF),
            Answer::No => Some(Credit::NONE),
            Answer::Unclear => None,
        }
    }

    /// A plain yes against a plain no; all else is a matter of degree.
    pub(super) fn contradicts(self, other: Answer) -> bool {
        matches!((self, other), (Answer::Yes, Answer::No) | (Answer::No, Answer::Yes))
    }
}

/// The closed answer to "does the message help".
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Help {
    Clear,
    Vague,
    None,
    /// The reply is no error.
    NotApplicable,
}

impl Help {
    pub const ALL: [Help; 4] = [Help::Clear, Help::Vague, Help::None, Help::NotApplicable];

    pub fn name(self) -> &'static str {
        match self {
            Help::Clear => "clear",
            Help::Vague => "vague",
            Help::None => "none",
            Help::NotApplicable => "not_applicable",
        }
    }
}

impl Help {
    pub(super) fn credit(self) -> Option<Credit> {
        match self {
            Help::Clear => Some(Credit::FULL),
            Help::Vague => Some(Credit(650)),
            Help::None => Some(Credit::HALF),
            Help::NotApplicable => None,
        }
    }
}

/// What a model said of one case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Opinion {
    pub answer: Answer,
    pub help: Help,
    pub because: String,
    /// Whether the rules say the same.
    pub agrees: bool,
}

/// Which cases a model sees, and what its word counts.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Only those the rules are unsure of; its word counts there.
    #[default]
    Audit,
    /// All; its word counts.
    Full,
    /// All; the rules count, and where both part is listed.
    SecondOpinion,
}

impl Mode {
    pub fn name(self) -> &'static str {
        match self {
            Mode::Audit => "audit",
            Mode::Full => "full",
            Mode::SecondOpinion => "second-opinion",
        }
    }
}

/// Who judged.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct JudgedBy {
    /// `None` when no model was asked: nothing left the machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// Cases whose verdict comes from the rules, and those among them the rules are unsure of.
    pub by_rules: usize,
    pub unsure: usize,
    /// Cases the model was asked about, and those it gave no usable answer to.
    pub asked: usize,
    pub ungraded: usize,
    /// Why there was no usable answer.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub faults: BTreeMap<Fault, usize>,
    /// Where model and rules part.
    pub parted: usize,
    /// What asking took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spent: Option<Spent>,
    /// The questions whose answer is that of the rules, by tool and by what is asked.
    pub left: BTreeMap<String, BTreeMap<Category, Left>>,
}

/// Questions of one kind that were left to the rules.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Left {
    pub cases: usize,
    /// Those among them the rules are unsure of.
    pub unsure: usize,
}

impl JudgedBy {
    /// What the rules are unsure of, a line for each tool.
    pub fn doubts(&self) -> Vec<String> {
        let of_tool = |(tool, kinds): (&String, &BTreeMap<Category, Left>)| {
            let unsure: Vec<String> = kinds
                .iter()
                .filter(|(_, left)| left.unsure > 0)
                .map(|(kind, left)| format!("{} {}", left.unsure, kind.title()))
                .collect();
            (!unsure.is_empty()).then(|| format!("{}: {}", clean(tool), unsure.join(", ")))
        };
        self.left.iter().filter_map(of_tool).collect()
    }

    fn why_ungraded(&self) -> String {
        let faults: Vec<String> = self.faults.iter().map(|(f, n)| format!("{n}: {f}")).collect();
        if faults.is_empty() { String::new() } else { format!(" ({})", faults.join(", ")) }
    }

    pub fn says(&self) -> String {
        let JudgedBy { by_rules, unsure, asked, ungraded, parted, .. } = self;
        match (&self.model, self.mode) {
            (Some(model), Some(mode)) => format!(
                "judged by {model} ({}): asked about {asked} cases, {ungraded} got no usable answer \
                 and stay ungraded{}; {by_rules} were left to the rules; both part on {parted}",
                mode.name(),
                self.why_ungraded(),
            ),
            (Some(_), None) | (None, _) => format!(
                "judged by the rules alone, no model was asked: all {by_rules} cases were left to \
                 them, and of {unsure} they are unsure"
            ),
        }
    }
}
