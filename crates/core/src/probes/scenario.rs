//! Scenarios: what sort of situation each probe puts a tool in.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::evidence::Exchange;

/// The four categories of scenarios.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// What a caller would send; must succeed.
    HappyPath,
    /// Legal but unusual; may be refused in words.
    EdgeCase,
    /// At a bound of the schema; may be refused in words.
    Boundary,
    /// Against the schema; must be refused.
    ErrorCase,
}

impl Category {
    pub const ALL: &'static [Category] =
        &[Category::HappyPath, Category::EdgeCase, Category::Boundary, Category::ErrorCase];

    /// `None` for a call that is no scenario: it repeats one, or attacks.
    pub fn of(exchange: &Exchange) -> Option<Category> {
        let hostile = exchange.oracle.is_some() || exchange.control.is_some();
        category(&exchange.probe).filter(|_| !hostile)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Category::HappyPath => "happy path",
            Category::EdgeCase => "edge case",
            Category::Boundary => "boundary",
            Category::ErrorCase => "error case",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A probe and the situation it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scenario {
    pub probe: &'static str,
    pub category: Category,
}

pub const SCENARIOS: &[Scenario] = &[
    Scenario { probe: super::valid_call::PROBE.id, category: Category::HappyPath },
    Scenario { probe: super::resource_read::PROBE.id, category: Category::HappyPath },
    Scenario { probe: super::template_read::PROBE.id, category: Category::HappyPath },
    Scenario { probe: super::prompt_get::PROBE.id, category: Category::HappyPath },
    Scenario { probe: super::edge_values::PROBE.id, category: Category::EdgeCase },
    Scenario { probe: super::boundary::PROBE.id, category: Category::Boundary },
    Scenario { probe: super::wrong_input::MISSING_REQUIRED.id, category: Category::ErrorCase },
    Scenario { probe: super::wrong_input::WRONG_TYPE.id, category: Category::ErrorCase },
    Scenario { probe: super::unknown_tool::PROBE.id, category: Category::ErrorCase },
];

/// The category of a probe's calls; `None` when they are no scenario (repetitions, attacks).
pub fn category(probe: &str) -> Option<Category> {
    SCENARIOS.iter().find(|s| s.probe == probe).map(|s| s.category)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_category_has_a_probe_and_an_attack_has_none() {
        for wanted in Category::ALL {
            assert!(SCENARIOS.iter().any(|s| s.category == *wanted), "{wanted}");
        }
        assert_eq!(category("valid-call"), Some(Category::HappyPath));
        assert_eq!(category("command-injection"), None);
    }
}
