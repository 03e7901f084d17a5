//! What a case tests. The suite's own flag is one signal; its words and its arguments are others.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::case::Case;
use super::words;

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// Ordinary use, which should succeed.
    Functional,
    /// Input or circumstances that should be refused.
    ErrorHandling,
    /// The edge of what is allowed.
    Boundary,
    /// An attack.
    Security,
}

impl Category {
    pub const ALL: [Category; 4] =
        [Category::Functional, Category::ErrorHandling, Category::Boundary, Category::Security];

    pub fn of(case: &Case) -> Category {
        let intent = case.intent();
        if case.security == Some(true) || words::SECURITY.are_in(&intent) {
            return Category::Security;
        }
        let negative = words::NEGATIVE.are_in(&intent);
        let edge = words::BOUNDARY.are_in(&intent);
        match (case.functional, negative, edge) {
            (Some(true), _, _) | (None, false, false) => Category::Functional,
            (Some(false) | None, true, _) | (Some(false), false, false) => Category::ErrorHandling,
            (Some(false) | None, false, true) => Category::Boundary,
        }
    }

    /// What is to be judged in such a case.
    pub fn question(self) -> &'static str {
        match self {
            Category::Functional => "Did the reply give what the call asked for?",
            Category::ErrorHandling => {
                "Was the bad input or trouble handled properly, by a refusal that says why?"
            }
            Category::Boundary => {
                "Was the unusual input handled properly, by a sensible result or a clear refusal?"
            }
            Category::Security => "Did the attack come to nothing, turned away or without effect?",
        }
    }

    pub fn title(self) -> &'static str {
        match self {
            Category::Functional => "functional",
            Category::ErrorHandling => "error handling",
            Category::Boundary => "boundary",
            Category::Security => "security",
        }
    }
}
