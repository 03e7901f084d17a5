//! What was asked and answered, kept so that a run can be judged again without the model.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::reply::Fault;
use crate::dimensions::opinion::{Answer, Help, Mode};

/// All answers of a model about one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerBook {
    /// Service and model, e.g. `openai:gpt-4o-mini`.
    pub model: String,
    pub mode: Mode,
    /// Every prompt that was sent.
    pub prompts: Vec<PromptRecord>,
    /// By the id of the question.
    pub answers: BTreeMap<String, Recorded>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PromptRecord {
    /// BLAKE3 of all that was sent.
    pub hash: String,
    /// As the service counted them; 0 when it did not say.
    pub tokens_in: u64,
    pub tokens_out: u64,
    /// In US dollars, by the prices that were given; `None` without prices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Requests it took, repeated ones included.
    pub attempts: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Recorded {
    Answered {
        answer: Answer,
        help: Help,
        because: String,
        /// The hash of the prompt it answers.
        prompt: String,
    },
    Ungraded {
        fault: Fault,
        prompt: String,
    },
}

impl AnswerBook {
    pub fn new(model: String, mode: Mode) -> AnswerBook {
        AnswerBook { model, mode, prompts: Vec::new(), answers: BTreeMap::new() }
    }

    /// What all prompts took together.
    pub fn spent(&self) -> Spent {
        let sum = |of: fn(&PromptRecord) -> u64| self.prompts.iter().map(of).sum();
        let costs: Vec<f64> = self.prompts.iter().filter_map(|p| p.cost).collect();
        Spent {
            requests: sum(|p| u64::from(p.attempts)),
            tokens_in: sum(|p| p.tokens_in),
            tokens_out: sum(|p| p.tokens_out),
            dollars: (!costs.is_empty()).then(|| costs.iter().sum()),
        }
    }
}

/// What asking a model took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, JsonSchema)]
pub struct Spent {
    /// Repeated ones included.
    pub requests: u64,
    pub tokens_in: u64,
    pub tokens_out: u64,
    /// By the prices that were given; `None` without prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dollars: Option<f64>,
}
