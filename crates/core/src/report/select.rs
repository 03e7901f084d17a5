//! The findings of a report by what they mean to a reader.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{FindingReport, Report};
use crate::check::{Outcome, Standing};

impl Report {
    /// What the server calls itself, or else how it is reached.
    pub fn server_name(&self) -> String {
        self.server.name.clone().unwrap_or_else(|| self.target.line())
    }

    /// Failures that count.
    pub fn failures(&self) -> impl Iterator<Item = &FindingReport> {
        self.findings.iter().filter(|f| f.is_counted())
    }

    /// Failures that are shown to people: those that count, at the confidence asked for.
    pub fn shown_failures(&self) -> impl Iterator<Item = &FindingReport> {
        self.failures().filter(|f| !f.settled.hidden)
    }

    /// For review, never scored.
    pub fn suspicions(&self) -> impl Iterator<Item = &FindingReport> {
        self.findings.iter().filter(|f| {
            f.outcome == Outcome::Fail
                && f.standing == Standing::Suspected
                && f.settled.suppressed.is_none()
                && !f.settled.hidden
        })
    }

    /// What could not be looked at.
    pub fn unseen(&self) -> impl Iterator<Item = &FindingReport> {
        self.findings.iter().filter(|f| f.outcome == Outcome::Unseen)
    }

    pub fn passed(&self) -> usize {
        self.findings.iter().filter(|f| f.outcome == Outcome::Pass).count()
    }

    /// About where the first `n` recommendations would lead.
    pub fn reach(&self, n: usize) -> Option<f64> {
        let gain: f64 = self.recommendations.iter().take(n).map(|r| r.gain).sum();
        self.score.filter(|_| gain >= 0.05).map(|score| (score + gain).min(100.0))
    }
}

impl FindingReport {
    /// Failed, more than a suspicion, and nobody has settled it.
    pub fn is_counted(&self) -> bool {
        self.outcome == Outcome::Fail
            && self.standing != Standing::Suspected
            && self.settled.suppressed.is_none()
    }
}

/// By check, the gravest first.
pub fn by_check<'a>(
    findings: impl Iterator<Item = &'a FindingReport>,
) -> Vec<Vec<&'a FindingReport>> {
    let mut groups: BTreeMap<_, Vec<&FindingReport>> = BTreeMap::new();
    for finding in findings {
        groups.entry((Reverse(finding.severity), finding.check)).or_default().push(finding);
    }
    groups.into_values().collect()
}
