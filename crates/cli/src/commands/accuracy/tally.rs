//! What the findings of a run say about each check, by the label of the server.

use std::collections::BTreeMap;

use proofmark_core::accuracy::{Accuracy, Measured};
use proofmark_core::check::{Class, Outcome, Standing};
use proofmark_core::checks;
use proofmark_core::evidence::Subject;
use proofmark_testbed::Label;
use serde::{Deserialize, Serialize};

/// What is read of a report.
#[derive(Debug, Deserialize)]
pub(super) struct Told {
    findings: Vec<Found>,
}

#[derive(Debug, Deserialize)]
struct Found {
    check: String,
    outcome: Outcome,
    standing: Standing,
    class: Option<Class>,
    subject: Subject,
}

impl Found {
    /// Failed, and more than a suspicion; the word of a check that is only a hint is measured all
    /// the same, or it could never recover.
    fn accuses(&self) -> bool {
        let firm = self.standing != Standing::Suspected;
        self.outcome == Outcome::Fail && (firm || Measured::builtin().is_hint(&self.check))
    }
}

/// A check that contradicts a label.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(super) struct Mistake {
    pub(super) check: &'static str,
    pub(super) server: String,
    pub(super) kind: MistakeKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum MistakeKind {
    Missed,
    Wrong,
}

#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) checks: BTreeMap<&'static str, Accuracy>,
    pub(super) mistakes: Vec<Mistake>,
}

impl Tally {
    /// Counts one run; `server` names it for people.
    pub(super) fn add(&mut self, label: &Label, server: &str, told: &Told) {
        for check in checks::all() {
            let findings: Vec<&Found> =
                told.findings.iter().filter(|f| f.check == check.id).collect();
            let failed = findings.iter().any(|f| f.accuses());
            let passed = findings.iter().any(|f| f.outcome == Outcome::Pass);
            let expected = label.expect_fail.iter().any(|id| id == check.id);
            let decoyed = findings.iter().filter(|f| fooled(label, f)).count() as u32;
            let counts = match (expected, failed) {
                (true, true) => Accuracy { caught: 1, wrong: decoyed, ..Accuracy::default() },
                (true, false) => Accuracy { missed: 1, ..Accuracy::default() },
                (false, true) if label.forbids_failure(check.id) => {
                    Accuracy { wrong: 1, ..Accuracy::default() }
                }
                (false, false) if passed && label.forbids_failure(check.id) => {
                    Accuracy { quiet: 1, ..Accuracy::default() }
                }
                (false, _) => continue,
            };
            self.count(check.id, server, counts);
        }
    }

    fn count(&mut self, check: &'static str, server: &str, more: Accuracy) {
        let row = self.checks.entry(check).or_default();
        row.caught += more.caught;
        row.missed += more.missed;
        row.wrong += more.wrong;
        row.quiet += more.quiet;
        for (kind, n) in [(MistakeKind::Missed, more.missed), (MistakeKind::Wrong, more.wrong)] {
            if n > 0 {
                self.mistakes.push(Mistake { check, server: server.to_owned(), kind });
            }
        }
    }
}

/// Proven against a tool that only looks as if.
fn fooled(label: &Label, found: &Found) -> bool {
    found.accuses()
        && found.standing == Standing::Proven
        && label.decoys.iter().any(|decoy| {
            found.subject.tool() == Some(&decoy.tool)
                && found.class.is_some_and(|c| c.as_str() == decoy.class.as_str())
        })
}

#[cfg(test)]
mod tests {
    use super::{Accuracy, Label, MistakeKind, Tally, Told};

    fn label(name: &str) -> Label {
        let modes = proofmark_testbed::modes().expect("the labels are sound");
        modes.into_iter().find(|l| l.name == name).expect("there is such a mode")
    }

    fn told(check: &str, outcome: &str) -> Told {
        let finding = format!(
            r#"{{"check": "{check}", "outcome": "{outcome}", "standing": "observed", "subject": {{"kind": "server"}}}}"#
        );
        serde_json::from_str(&format!(r#"{{"findings": [{finding}]}}"#)).expect("a report")
    }

    #[test]
    fn a_label_says_what_a_failure_and_a_pass_are_worth() {
        let purity = "protocol/stdout-purity";
        let mut tally = Tally::default();
        let (good, noisy) = (label("good"), label("stdout-noise"));
        tally.add(&noisy, "noisy", &told(purity, "fail"));
        tally.add(&noisy, "noisy again", &told(purity, "pass"));
        tally.add(&good, "good", &told(purity, "pass"));
        tally.add(&good, "good again", &told(purity, "fail"));
        tally.add(&good, "unseen", &told(purity, "unseen"));
        let counts = tally.checks[purity];
        assert_eq!(counts, Accuracy { caught: 1, missed: 1, wrong: 1, quiet: 1 });
        let named: Vec<_> = tally.mistakes.iter().map(|m| (m.server.as_str(), m.kind)).collect();
        assert_eq!(
            named,
            [("noisy again", MistakeKind::Missed), ("good again", MistakeKind::Wrong)]
        );
    }
}
