//! How often each check is right: measured by `proofmark accuracy` on servers of which the truth is
//! known, and kept in `accuracy.toml`. A check below the floor speaks only as a hint.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Every figure, and how right a check has to be to count.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// The least share of a check's failures that are true.
    pub floor: f64,
    /// On which the servers were asked.
    pub transports: Vec<String>,
    /// By the id of the check; those that nothing was seen of are left out.
    #[serde(default)]
    pub check: BTreeMap<String, Accuracy>,
}

/// How one check did on labelled servers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Accuracy {
    /// It failed as it should.
    pub caught: u32,
    /// It should have failed and did not.
    pub missed: u32,
    /// It failed where nothing is wrong.
    pub wrong: u32,
    /// It passed where nothing is wrong.
    pub quiet: u32,
}

const FILE: &str = include_str!("../accuracy.toml");
static BUILTIN: LazyLock<Measured> = LazyLock::new(|| Measured::parse(FILE).unwrap_or_default());

impl Measured {
    pub fn builtin() -> &'static Measured {
        &BUILTIN
    }

    pub fn parse(text: &str) -> Result<Measured, toml::de::Error> {
        toml::from_str(text)
    }

    /// Whether the check is wrong too often to be believed.
    pub fn is_hint(&self, check: &str) -> bool {
        let precision = self.check.get(check).and_then(|a| a.precision());
        precision.is_some_and(|p| p < self.floor)
    }

    /// As the file is written.
    pub fn to_toml(&self) -> String {
        let mut out = format!(
            "# How often each check is right on labelled servers, written by `proofmark accuracy --write`.\n\
             # caught and missed: it should fail; wrong and quiet: it should not. A check whose failures are\n\
             # true less often than `floor` speaks only as a hint: shown for review, never scored.\n\
             floor = {:.2}\ntransports = {:?}\n\n[check]\n",
            self.floor, self.transports
        );
        for (id, a) in &self.check {
            let Accuracy { caught, missed, wrong, quiet } = a;
            let _ = writeln!(
                out,
                "\"{id}\" = {{ caught = {caught}, missed = {missed}, wrong = {wrong}, quiet = {quiet} }}"
            );
        }
        out
    }
}

impl Accuracy {
    /// The share of its failures that are true; `None` when it never failed.
    pub fn precision(self) -> Option<f64> {
        share(self.caught, self.wrong)
    }

    /// The share of true faults that it finds; `None` when there was none to find.
    pub fn recall(self) -> Option<f64> {
        share(self.caught, self.missed)
    }

    /// In a few words; `None` when it never failed.
    pub fn says(self) -> Option<String> {
        let precision = self.precision()?;
        let failures = self.caught + self.wrong;
        Some(format!("precision {precision:.2} in {failures} measured"))
    }
}

fn share(good: u32, bad: u32) -> Option<f64> {
    let all = good + bad;
    (all > 0).then(|| (1000.0 * f64::from(good) / f64::from(all)).round() / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::{Accuracy, FILE, Measured};

    #[test]
    fn the_file_is_as_it_is_written() {
        let measured = Measured::parse(FILE).expect("accuracy.toml parses");
        assert_eq!(measured.to_toml(), FILE, "write it anew with `proofmark accuracy --write`");
        assert!((0.5..=1.0).contains(&measured.floor));
    }

    #[test]
    fn it_names_only_checks_that_there_are() {
        for id in Measured::builtin().check.keys() {
            assert!(crate::checks::find(id).is_some(), "{id}: there is no such check");
        }
    }

    #[test]
    fn a_check_that_is_wrong_too_often_is_a_hint_and_an_unmeasured_one_is_not() {
        let text = "floor = 0.90\ntransports = []\n[check]\n\
                    \"a/good\" = { caught = 9, missed = 4, wrong = 1, quiet = 3 }\n\
                    \"a/poor\" = { caught = 8, missed = 0, wrong = 1, quiet = 0 }\n\
                    \"a/silent\" = { caught = 0, missed = 2, wrong = 0, quiet = 7 }\n";
        let measured = Measured::parse(text).expect("it parses");
        assert!(!measured.is_hint("a/good") && measured.is_hint("a/poor"));
        assert!(!measured.is_hint("a/silent") && !measured.is_hint("a/unmeasured"));
        let silent = Accuracy { missed: 2, ..Accuracy::default() };
        assert_eq!((silent.precision(), silent.recall()), (None, Some(0.0)));
    }
}
