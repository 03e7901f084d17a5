//! Gates from the settings and from the command line, checked against the rubric before the run.

use anyhow::{Result, anyhow, bail};
use proofmark_core::check::Severity;
use proofmark_core::diff::{Diff, Snapshot};
use proofmark_core::gate::{Demand, Gate, GateReport};
use proofmark_core::report::Report;
use proofmark_core::revision::Revision;
use proofmark_core::rubric::Rubric;

use crate::nearest::did_you_mean;
use crate::screen::Screen;
use crate::settings::Asked;

/// All gates of one run.
#[derive(Debug, Default)]
pub(crate) struct Gates {
    gates: Vec<Gate>,
    before: Option<Snapshot>,
}

impl Gates {
    /// One on the command line takes the place of the same one in the settings.
    pub(crate) fn new(
        settled: Vec<Asked>,
        given: &[String],
        rubric: &Rubric,
        before: Option<Snapshot>,
    ) -> Result<Gates> {
        let mut gates: Vec<Gate> = Vec::new();
        let settled = settled.into_iter().map(|asked| (asked.place, Ok(asked.gate.clone())));
        let given = given.iter().map(|text| (format!("--gate {text}"), parse(text)));
        for (place, gate) in settled.chain(given) {
            let mut gate = gate.map_err(|why| anyhow!("{place}: {why}"))?;
            in_rubric(&mut gate.demand, rubric).map_err(|why| anyhow!("{place}: {why}"))?;
            if gate.demand == Demand::NoRegression && before.is_none() {
                bail!(
                    "{place}: there is nothing to compare with; give --baseline with a JSON report or evidence"
                );
            }
            gates.retain(|other| !same_kind(&other.demand, &gate.demand));
            gates.push(gate);
        }
        Ok(Gates { gates, before })
    }

    pub(crate) fn has_baseline(&self) -> bool {
        self.before.is_some()
    }

    /// Why the run is worse than the baseline; empty where it is not, or can't be told.
    pub(crate) fn worse(&self, report: &Report) -> Vec<String> {
        match (&self.before, Snapshot::of(report)) {
            (Some(before), Ok(after)) => Diff::between(before, &after).because,
            (None, _) | (_, Err(_)) => Vec::new(),
        }
    }

    pub(crate) fn judge(&self, report: &Report) -> Vec<GateReport> {
        self.gates.iter().map(|gate| gate.judge(report, self.before.as_ref())).collect()
    }
}

/// The short list of what missed the bar, on standard error.
pub(crate) fn tell(report: &Report, screen: &Screen) {
    let missed: Vec<&GateReport> = report.gates.iter().filter(|g| !g.met).collect();
    for gate in &missed {
        let note = if gate.required { "" } else { " (not required)" };
        screen.note(&format!("missed: {}: {}{note}", gate.gate, gate.says));
    }
}

fn same_kind(a: &Demand, b: &Demand) -> bool {
    match (a, b) {
        (Demand::Area { area: a, .. }, Demand::Area { area: b, .. }) => a == b,
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}

const FORMS: &str =
    "expected score>=N, coverage>=N, AREA>=N, severity<LEVEL, must, must=REVISION or no-regression";

/// `score>=80`, `security>=90`, `severity<high`, `must`, `must=2025-06-18`, `no-regression`.
fn parse(text: &str) -> Result<Gate, String> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let demand = if let Some((what, number)) = text.split_once(">=") {
        let minimum: f64 =
            number.parse().map_err(|_| format!("`{number}` is no number; {FORMS}"))?;
        if !(0.0..=100.0).contains(&minimum) {
            return Err(format!("{number} is no score; give one from 0 to 100"));
        }
        match what {
            "score" => Demand::Score(minimum),
            "coverage" => Demand::Coverage(minimum),
            area => Demand::Area { area: area.to_owned(), minimum },
        }
    } else if let Some(level) = text.strip_prefix("severity<") {
        let known = || Severity::ALL.iter().map(|s| s.as_str());
        let hint = did_you_mean(level, known());
        let list: Vec<&str> = known().collect();
        Demand::Severity(Severity::parse(level).ok_or_else(|| {
            format!("`{level}` is no severity{hint}; there are {}", list.join(", "))
        })?)
    } else if let Some(revision) = text.strip_prefix("must=") {
        let revision: Revision = revision.parse().map_err(|e| format!("{e}"))?;
        Demand::Must(Some(revision))
    } else {
        match text.as_str() {
            "must" => Demand::Must(None),
            "no-regression" => Demand::NoRegression,
            _ => {
                let hint = did_you_mean(&text, ["must", "no-regression"]);
                return Err(format!("not a gate{hint}; {FORMS}"));
            }
        }
    };
    Ok(Gate::required(demand))
}

/// An area by its id, also in the white paper's spelling.
fn in_rubric(demand: &mut Demand, rubric: &Rubric) -> Result<(), String> {
    let Demand::Area { area, .. } = demand else { return Ok(()) };
    let plain = |text: &str| -> String {
        let letters: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
        match letters.to_lowercase().as_str() {
            "errorhandling" => "errors".to_owned(),
            other => other.to_owned(),
        }
    };
    let ids = || rubric.areas.iter().map(|a| a.id.as_str());
    match ids().find(|id| plain(id) == plain(area)) {
        Some(id) => {
            *area = id.to_owned();
            Ok(())
        }
        None => {
            let hint = did_you_mean(area, ids());
            let list: Vec<&str> = ids().collect();
            Err(format!(
                "the rubric `{}` has no area `{area}`{hint}; it has {}",
                rubric.id,
                list.join(", ")
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gates(settled: &[&str], given: &[&str]) -> Result<Vec<String>> {
        let settled = settled
            .iter()
            .map(|text| Asked { gate: parse(text).unwrap(), place: "proofmark.toml:3".to_owned() })
            .collect();
        let given: Vec<String> = given.iter().map(|g| (*g).to_owned()).collect();
        let rubric = Rubric::builtin("directory")?;
        let gates = Gates::new(settled, &given, &rubric, None)?;
        Ok(gates.gates.iter().map(|g| g.demand.to_string()).collect())
    }

    #[test]
    fn every_form_reads_and_prints_alike() {
        let all = ["score>=80", "coverage>=60.5", "security>=90", "severity<high", "must"];
        assert_eq!(gates(&[], &all).unwrap(), all);
        assert_eq!(gates(&[], &["must=2025-06-18"]).unwrap(), ["must=2025-06-18"]);
        assert_eq!(gates(&[], &["errorHandling >= 75"]).unwrap(), ["errors>=75"]);
    }

    #[test]
    fn the_command_line_replaces_the_same_gate_of_the_settings() {
        let both = gates(&["score>=80", "security>=90"], &["score>=70"]).unwrap();
        assert_eq!(both, ["security>=90", "score>=70"]);
    }

    #[test]
    fn what_is_wrong_is_named_with_the_way_out() {
        for (text, said) in [
            ("score>=high", "`high` is no number; expected score>=N"),
            ("score>=120", "give one from 0 to 100"),
            ("securty>=90", "did you mean `security`?"),
            ("severity<hihg", "did you mean `high`?"),
            ("must=2020-01-01", "2024-11-05"),
            ("nonsense", "not a gate; expected"),
            ("no-regression", "give --baseline"),
        ] {
            let why = format!("{:#}", gates(&[], &[text]).unwrap_err());
            assert!(why.starts_with(&format!("--gate {text}: ")) && why.contains(said), "{why}");
        }
    }
}
