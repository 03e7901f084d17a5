//! Gates: bars that a report has to clear. What was not seen never clears one.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::check::Severity;
use crate::diff::{Change, Diff, Snapshot};
use crate::render::text::{count, points};
use crate::report::{AreaStatus, Report};
use crate::revision::Revision;
use crate::spec::{Level, Verdict};

/// One bar.
#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    pub demand: Demand,
    /// Missing it fails the run; otherwise it is only told.
    pub required: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Demand {
    /// The score of the rubric, at least.
    Score(f64),
    /// The share of what the rubric asks for that was seen, at least.
    Coverage(f64),
    /// The score of one area, at least.
    Area { area: String, minimum: f64 },
    /// No failure that counts is this bad or worse.
    Severity(Severity),
    /// No MUST of the specification is broken, in this revision or in all that were spoken.
    Must(Option<Revision>),
    /// Nothing is worse than in the baseline.
    NoRegression,
}

/// What became of one gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GateReport {
    /// As `--gate` takes it.
    pub gate: String,
    pub required: bool,
    pub met: bool,
    pub says: String,
}

impl GateReport {
    pub fn fails(&self) -> bool {
        self.required && !self.met
    }
}

impl fmt::Display for Demand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Demand::Score(at) => write!(f, "score>={}", points(*at)),
            Demand::Coverage(at) => write!(f, "coverage>={}", points(*at)),
            Demand::Area { area, minimum } => write!(f, "{area}>={}", points(*minimum)),
            Demand::Severity(severity) => write!(f, "severity<{severity}"),
            Demand::Must(None) => f.write_str("must"),
            Demand::Must(Some(revision)) => write!(f, "must={revision}"),
            Demand::NoRegression => f.write_str("no-regression"),
        }
    }
}

impl Gate {
    pub fn required(demand: Demand) -> Gate {
        Gate { demand, required: true }
    }

    /// `before` is the baseline; only a gate against regressions asks for it.
    pub fn judge(&self, report: &Report, before: Option<&Snapshot>) -> GateReport {
        let (met, says) = match &self.demand {
            Demand::Score(at) => least("the score", report.score, *at),
            Demand::Coverage(at) => least("coverage", Some(report.coverage), *at),
            Demand::Area { area, minimum } => in_area(report, area, *minimum),
            Demand::Severity(severity) => below(report, *severity),
            Demand::Must(revision) => must(report, *revision),
            Demand::NoRegression => no_regression(report, before),
        };
        GateReport { gate: self.demand.to_string(), required: self.required, met, says }
    }
}

fn least(what: &str, score: Option<f64>, at: f64) -> (bool, String) {
    match score {
        Some(score) => (score >= at, format!("{what} is {}", points(score))),
        None => (false, format!("{what} is not known: nothing was seen")),
    }
}

fn in_area(report: &Report, area: &str, minimum: f64) -> (bool, String) {
    let Some(found) = report.areas.iter().find(|a| a.id == area) else {
        return (false, format!("{area} was not assessed"));
    };
    match found.status {
        AreaStatus::NotApplicable => (true, format!("{area} does not apply to this server")),
        AreaStatus::Unobserved => (false, format!("{area} was not seen")),
        AreaStatus::Scored | AreaStatus::Info => least(area, found.score, minimum),
    }
}

fn below(report: &Report, severity: Severity) -> (bool, String) {
    let bad: Vec<&str> =
        report.failures().filter(|f| f.severity >= severity).map(|f| f.check).collect();
    if report.score.is_none() {
        return (false, "nothing was seen".to_owned());
    }
    let mut checks = bad.clone();
    checks.dedup();
    let says = match bad.len() {
        0 => format!("no failure is {severity} or worse"),
        n => format!("{} {severity} or worse: {}", count(n, "failure"), listed(&checks)),
    };
    (bad.is_empty(), says)
}

fn must(report: &Report, revision: Option<Revision>) -> (bool, String) {
    let rows: Vec<_> = report
        .requirements
        .iter()
        .filter(|r| r.level == Level::Must && revision.is_none_or(|wanted| wanted == r.revision))
        .collect();
    let mut broken: Vec<&str> =
        rows.iter().filter(|r| r.verdict == Verdict::Fail).map(|r| r.id).collect();
    broken.dedup();
    let tested = rows.iter().any(|r| matches!(r.verdict, Verdict::Pass | Verdict::Fail));
    match (tested, broken.len(), revision) {
        (false, _, Some(revision)) => (false, format!("nothing was tested in {revision}")),
        (false, _, None) => (false, "no requirement was tested".to_owned()),
        (true, 0, _) => (true, "no MUST that was tested is broken".to_owned()),
        (true, n, _) => {
            (false, format!("{} broken: {}", count(n, "MUST requirement"), listed(&broken)))
        }
    }
}

fn no_regression(report: &Report, before: Option<&Snapshot>) -> (bool, String) {
    let after = Snapshot::of(report);
    let (Some(before), Ok(after)) = (before, after) else {
        return (false, "there is no baseline to compare with".to_owned());
    };
    let diff = Diff::between(before, &after);
    match diff.verdict {
        Change::Better | Change::Same => (true, "nothing is worse than in the baseline".to_owned()),
        Change::Worse => (false, diff.because.join("; ")),
        Change::Incomparable => {
            (false, format!("can't be compared with the baseline: {}", diff.caveats.join("; ")))
        }
    }
}

fn listed(ids: &[&str]) -> String {
    const SHOWN: usize = 3;
    let mut text = ids.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    if ids.len() > SHOWN {
        text.push_str(&format!(" and {} more", ids.len() - SHOWN));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::golden;
    use crate::report::RequirementReport;

    fn judged(demand: Demand, report: &Report) -> (bool, String) {
        let before = Snapshot::of(&golden::report()).unwrap();
        let judged = Gate::required(demand).judge(report, Some(&before));
        assert_eq!(judged.fails(), !judged.met);
        (judged.met, judged.says)
    }

    fn area(id: &str, minimum: f64) -> Demand {
        Demand::Area { area: id.to_owned(), minimum }
    }

    #[test]
    fn each_bar_is_cleared_exactly_at_its_height() {
        let report = golden::report();
        for (demand, met) in [
            (Demand::Score(71.4), true),
            (Demand::Score(71.5), false),
            (Demand::Coverage(86.0), true),
            (Demand::Coverage(86.1), false),
            (area("functionality", 82.3), true),
            (area("functionality", 82.4), false),
            (area("deployment", 100.0), true),
            (area("documentation", 0.0), false),
            (area("nowhere", 0.0), false),
            (Demand::Severity(Severity::Critical), false),
            (Demand::NoRegression, true),
            (Demand::Must(None), false),
        ] {
            assert_eq!(judged(demand.clone(), &report).0, met, "{demand}");
        }
    }

    #[test]
    fn suspected_and_suppressed_failures_do_not_miss_the_bar() {
        let mut report = golden::report();
        report.findings.retain(|f| f.severity < Severity::High || !f.is_counted());
        assert!(judged(Demand::Severity(Severity::High), &report).0);
        assert!(!judged(Demand::Severity(Severity::Medium), &report).0);
        report.findings.iter_mut().for_each(|f| f.settled.suppressed = Some("known".to_owned()));
        assert!(judged(Demand::Severity(Severity::Info), &report).0);
    }

    #[test]
    fn a_broken_must_is_named_and_a_broken_should_passes() {
        let row = |id, level, verdict| RequirementReport {
            id,
            revision: Revision::V2025_11_25,
            level,
            verdict,
            partial: false,
            says: String::new(),
            fix: None,
            origin: None,
            seen_in: Vec::new(),
        };
        let mut report = golden::report();
        report.requirements = vec![
            row("LIFE-01", Level::Must, Verdict::Pass),
            row("LIFE-02", Level::Should, Verdict::Fail),
        ];
        assert!(judged(Demand::Must(None), &report).0);
        assert!(!judged(Demand::Must(Some(Revision::V2025_06_18)), &report).0, "not spoken");
        report.requirements.push(row("LIFE-03", Level::Must, Verdict::Fail));
        let (met, says) = judged(Demand::Must(Some(Revision::V2025_11_25)), &report);
        assert!(!met && says.contains("1 MUST requirement broken: LIFE-03"), "{says}");
    }

    #[test]
    fn nothing_seen_clears_no_bar() {
        let down = golden::down();
        for demand in [
            Demand::Score(0.0),
            area("security", 0.0),
            Demand::Severity(Severity::Critical),
            Demand::Must(None),
            Demand::NoRegression,
        ] {
            assert!(!judged(demand.clone(), &down).0, "{demand}");
        }
    }

    #[test]
    fn a_gate_that_is_not_required_fails_nothing() {
        let gate = Gate { demand: Demand::Score(100.0), required: false };
        let judged = gate.judge(&golden::report(), None);
        assert!(!judged.met && !judged.fails());
    }
}
