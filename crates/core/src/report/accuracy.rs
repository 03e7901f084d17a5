//! How far the findings of a report can be trusted: what was measured of the checks behind them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::accuracy::{Accuracy, Measured};
use crate::check::Judged;

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AccuracyReport {
    /// Below this precision a check speaks only as a hint.
    pub floor: f64,
    /// By the id of the check; those never measured are left out.
    pub checks: BTreeMap<&'static str, CheckAccuracy>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CheckAccuracy {
    /// The share of its failures that are true; `None` when it never failed.
    pub precision: Option<f64>,
    /// The share of true faults that it finds; `None` when there was none to find.
    pub recall: Option<f64>,
    #[serde(flatten)]
    pub counts: Accuracy,
    /// Wrong too often: shown for review, never scored.
    pub hint: bool,
}

impl AccuracyReport {
    /// For people, beside the findings of a check.
    pub fn of(&self, check: &str) -> Option<String> {
        let known = self.checks.get(check)?;
        let hint = if known.hint { ", a hint only" } else { "" };
        Some(format!("{}{hint}", known.counts.says()?))
    }

    pub(super) fn behind(judged: &[Judged]) -> AccuracyReport {
        let measured = Measured::builtin();
        let told = |j: &Judged| {
            let counts = *measured.check.get(j.check.id)?;
            let (precision, recall) = (counts.precision(), counts.recall());
            let hint = measured.is_hint(j.check.id);
            Some((j.check.id, CheckAccuracy { precision, recall, counts, hint }))
        };
        let speaking = judged.iter().filter(|j| !j.findings.is_empty());
        AccuracyReport { floor: measured.floor, checks: speaking.filter_map(told).collect() }
    }
}
