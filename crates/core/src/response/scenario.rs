//! What a call was meant to show.

use schemars::JsonSchema;
use serde::Serialize;

use crate::evidence::Exchange;
use crate::probe::Probe;
use crate::probes::{edge_values, missing_required, valid_call, wrong_type};

/// The four kinds of scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
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

/// Calls of other probes are no scenarios: they repeat one, or attack.
const PROBES: &[(&Probe, Category)] = &[
    (&valid_call::PROBE, Category::HappyPath),
    (&edge_values::PROBE, Category::EdgeCase),
    (&missing_required::PROBE, Category::ErrorCase),
    (&wrong_type::PROBE, Category::ErrorCase),
];

impl Category {
    /// `None` for a call that is no scenario.
    pub fn of(exchange: &Exchange) -> Option<Category> {
        let hostile = exchange.oracle.is_some() || exchange.control.is_some();
        let (_, category) = PROBES.iter().find(|(probe, _)| probe.id == exchange.probe)?;
        (!hostile).then_some(*category)
    }
}
