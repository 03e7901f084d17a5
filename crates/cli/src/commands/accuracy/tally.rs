//! What the findings of a run say about each check, by what is known of the server.

use std::collections::BTreeMap;

use proofmark_core::accuracy::{Accuracy, Measured};
use proofmark_core::check::{Class, Outcome, Standing};
use proofmark_core::checks;
use proofmark_core::evidence::Subject;
use proofmark_testbed::{Label, Truth, Verdict};
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

    fn is_proven(&self) -> bool {
        self.outcome == Outcome::Fail && self.standing == Standing::Proven && self.class.is_some()
    }

    /// Whether it is about the hole of a truth.
    fn fits(&self, truth: &Truth) -> bool {
        let classes = [&truth.class].into_iter().chain(&truth.also);
        let classed =
            self.class.is_some_and(|c| classes.into_iter().any(|name| c.as_str() == name));
        let through =
            self.subject.tool().is_some() && self.subject.tool() == truth.through.as_deref();
        // A finding below the parameter, or about the whole tool, names the same hole.
        let below = match (self.subject.pointer(), &truth.parameter) {
            (Some(place), Some(wanted)) => {
                let rest = place.strip_prefix(wanted.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            }
            (None, _) | (_, None) => true,
        };
        classed && (through || self.names(truth) && below)
    }

    /// Whether it is about the same tool, resource or prompt, or both are about the server.
    fn names(&self, truth: &Truth) -> bool {
        match &self.subject {
            Subject::Tool { tool } | Subject::Param { tool, .. } => {
                truth.tool.as_ref() == Some(tool)
            }
            Subject::Resource { uri } => truth.resource.as_deref().is_some_and(|wanted| {
                let fixed = wanted.split_once('{').map(|(fixed, _)| fixed);
                uri == wanted || fixed.is_some_and(|fixed| uri.starts_with(fixed))
            }),
            Subject::Prompt { prompt } => truth.prompt.as_ref() == Some(prompt),
            Subject::Server | Subject::File { .. } => {
                truth.tool.is_none() && truth.resource.is_none() && truth.prompt.is_none()
            }
        }
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
    /// Counts one run of a sample: each hole once, for the check that has proven it or should have;
    /// each look-alike once, for the checks of its class.
    pub(super) fn add_sample(&mut self, truths: &[Truth], server: &str, told: &Told) {
        let proven: Vec<&Found> = told.findings.iter().filter(|f| f.is_proven()).collect();
        let holes = || truths.iter().filter(|t| t.truth == Verdict::Vulnerable);
        for found in proven.iter().filter(|f| !holes().any(|hole| f.fits(hole))) {
            if let Some(check) = checks::find(&found.check) {
                self.count(check.id, server, Accuracy { wrong: 1, ..Accuracy::default() });
            }
        }
        for truth in truths {
            let of_class = || {
                let named = |c: &Class| c.as_str() == truth.class;
                checks::all().into_iter().filter(move |c| c.class.as_ref().is_some_and(named))
            };
            match truth.truth {
                Verdict::Vulnerable => {
                    let found = proven.iter().find(|f| f.fits(truth));
                    let caught = found.and_then(|f| checks::find(&f.check));
                    let counts = match caught {
                        Some(_) => Accuracy { caught: 1, ..Accuracy::default() },
                        None => Accuracy { missed: 1, ..Accuracy::default() },
                    };
                    // Of several checks of a class the first answers for what none has found.
                    if let Some(check) = caught.or_else(|| of_class().next()) {
                        self.count(check.id, server, counts);
                    }
                }
                Verdict::Safe => {
                    let accused = |id: &str| proven.iter().any(|f| f.check == id && f.names(truth));
                    for check in of_class().filter(|c| !accused(c.id)) {
                        self.count(check.id, server, Accuracy { quiet: 1, ..Accuracy::default() });
                    }
                }
            }
        }
    }

    /// Counts one run of a built-in server; `server` names it for people.
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
    use proofmark_testbed::samples;

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

    #[test]
    fn holes_and_look_alikes_of_a_sample_count_for_the_checks_of_their_class() {
        let samples = samples().expect("the labels are sound");
        let truths: Vec<_> = samples.of("invoice-desk").cloned().collect();
        let proof = |tool: &str, pointer: &str| {
            format!(
                r#"{{"check": "security/sql-injection", "outcome": "fail", "standing": "proven", "class": "sql_injection",
                     "subject": {{"kind": "param", "tool": "{tool}", "pointer": "{pointer}"}}}}"#
            )
        };
        let told = |findings: &[String]| -> Told {
            serde_json::from_str(&format!(r#"{{"findings": [{}]}}"#, findings.join(",")))
                .expect("a report")
        };
        let holes = 6;
        let mut tally = Tally::default();
        tally.add_sample(&truths, "desk", &told(&[proof("find_invoices", "/customer")]));
        let counts = tally.checks["security/sql-injection"];
        assert_eq!((counts.caught, counts.missed, counts.wrong), (1, holes - 1, 0));
        assert!(counts.quiet > 0);
        let mut fooled = Tally::default();
        fooled.add_sample(&truths, "desk", &told(&[proof("search_customers", "/name")]));
        let fooled = fooled.checks["security/sql-injection"];
        assert_eq!((fooled.caught, fooled.missed, fooled.wrong), (0, holes, 1));
        assert_eq!(fooled.quiet, counts.quiet - 1);
    }
}
