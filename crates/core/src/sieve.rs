//! What the user has settled about findings: suppressions, a floor of confidence, what is known.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::check::{Check, Confidence, Finding, Outcome};
use crate::evidence::{Scope, Subject};

/// Goes over the findings before they are weighed. The default lets everything through.
#[derive(Debug, Clone, Default)]
pub struct Sieve {
    pub suppressions: Vec<Suppression>,
    /// When it is; the core has no clock.
    pub today: Option<Day>,
    /// Weaker failures are not shown; they count all the same.
    pub least: Option<Confidence>,
    /// Fingerprints of the failures of an earlier run.
    pub known: Option<BTreeSet<String>>,
}

/// One thing that somebody looked at and decided to live with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Suppression {
    /// The id of a check, or a topic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
    /// A tool by name or glob.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// A parameter, by JSON pointer or bare name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub param: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    pub reason: String,
    /// The last day on which it applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires: Option<Day>,
    /// Where it stands, for people.
    pub place: String,
}

/// A day of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day {
    year: u16,
    month: u8,
    day: u8,
}

/// What the sieve says of one finding.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Settled {
    /// The reason of the suppression; the finding is shown and does not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppressed: Option<String>,
    /// Below the floor of confidence; not shown to people.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Novelty>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Novelty {
    Known,
    New,
}

/// What came of the sieve in one report.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SieveReport {
    pub suppressed: usize,
    pub hidden: usize,
    /// Failures that the baseline had, and that it had not.
    pub known: usize,
    pub new: usize,
    /// Failures of the baseline that are no more, by fingerprint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suppressions: Vec<SuppressionReport>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SuppressionReport {
    #[serde(flatten)]
    pub suppression: Suppression,
    pub state: SuppressionState,
    pub findings: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SuppressionState {
    Applied,
    /// Nothing failed that it speaks of.
    Unused,
    /// No longer applies.
    Expired,
}

/// A sieve at work: counts what each suppression caught.
#[derive(Debug)]
pub struct Sifting<'a> {
    sieve: &'a Sieve,
    caught: Vec<Cell<usize>>,
}

impl Sieve {
    pub fn is_idle(&self) -> bool {
        self.suppressions.is_empty() && self.least.is_none() && self.known.is_none()
    }

    pub fn begin(&self) -> Sifting<'_> {
        Sifting { sieve: self, caught: vec![Cell::new(0); self.suppressions.len()] }
    }

    fn is_expired(&self, suppression: &Suppression) -> bool {
        matches!((suppression.expires, self.today), (Some(last), Some(today)) if today > last)
    }
}

impl Sifting<'_> {
    /// Only failures are sifted: nobody is in the way of a pass, or of what was not seen.
    pub fn settle(&self, check: &Check, id: &str, finding: &Finding) -> Settled {
        if finding.outcome() != Outcome::Fail {
            return Settled::default();
        }
        let sieve = self.sieve;
        let hit = sieve
            .suppressions
            .iter()
            .zip(&self.caught)
            .find(|(s, _)| s.covers(check.id, id, &finding.subject) && !sieve.is_expired(s));
        if let Some((_, caught)) = hit {
            caught.set(caught.get() + 1);
        }
        let novelty = |known: &BTreeSet<String>| match known.contains(id) {
            true => Novelty::Known,
            false => Novelty::New,
        };
        Settled {
            suppressed: hit.map(|(s, _)| s.reason.clone()),
            hidden: sieve.least.is_some_and(|least| finding.confidence < least),
            baseline: sieve.known.as_ref().map(novelty),
        }
    }

    /// What came of it. `all`: every finding's fingerprint, whether it failed, and what was settled.
    pub fn report<'f>(
        &self,
        all: impl Iterator<Item = (&'f str, Outcome, &'f Settled)>,
    ) -> Option<SieveReport> {
        if self.sieve.is_idle() {
            return None;
        }
        let mut report = SieveReport::default();
        let mut gone = self.sieve.known.clone().unwrap_or_default();
        for (id, outcome, settled) in all {
            report.suppressed += usize::from(settled.suppressed.is_some());
            report.hidden += usize::from(settled.hidden && settled.suppressed.is_none());
            report.known += usize::from(settled.baseline == Some(Novelty::Known));
            report.new += usize::from(settled.baseline == Some(Novelty::New));
            // What was not seen this time may still be there.
            if outcome != Outcome::Pass {
                gone.remove(id);
            }
        }
        report.gone = gone.into_iter().collect();
        let state = |s: &Suppression, findings: usize| match findings {
            _ if self.sieve.is_expired(s) => SuppressionState::Expired,
            0 => SuppressionState::Unused,
            _ => SuppressionState::Applied,
        };
        let told = self.sieve.suppressions.iter().zip(&self.caught).map(|(s, caught)| {
            let findings = caught.get();
            SuppressionReport { suppression: s.clone(), state: state(s, findings), findings }
        });
        report.suppressions = told.collect();
        Some(report)
    }
}

impl Suppression {
    /// Everything that it names must fit.
    fn covers(&self, check: &str, id: &str, subject: &Subject) -> bool {
        let only = |what: &Option<String>, scope: fn(String) -> Scope| what.clone().map(scope);
        let checks = only(&self.check, |c| Scope { only: vec![c], ..Scope::default() });
        let tools = only(&self.tool, |t| Scope { tools: vec![t], ..Scope::default() });
        let param = |wanted: &String| match subject {
            Subject::Param { pointer, .. } => {
                pointer.trim_start_matches('/') == wanted.trim_start_matches('/')
            }
            Subject::Server
            | Subject::Tool { .. }
            | Subject::Resource { .. }
            | Subject::Prompt { .. }
            | Subject::File { .. } => false,
        };
        checks.is_none_or(|s| s.includes_check(check))
            && tools.is_none_or(|s| subject.tool().is_some_and(|t| s.includes_tool(t)))
            && self.param.as_ref().is_none_or(param)
            && self.fingerprint.as_ref().is_none_or(|f| f == id)
    }
}

impl FromStr for Day {
    type Err = String;

    fn from_str(text: &str) -> Result<Day, String> {
        let expected = || format!("`{text}` is no date; expected one such as 2027-03-31");
        let mut parts = text.splitn(3, '-');
        let mut part = |digits: usize| -> Option<u16> {
            let part = parts.next().filter(|p| p.len() == digits)?;
            part.bytes().all(|b| b.is_ascii_digit()).then(|| part.parse().ok())?
        };
        let (year, month, day) = (part(4), part(2), part(2));
        let (Some(year), Some(month), Some(day)) = (year, month, day) else {
            return Err(expected());
        };
        let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        let days = match month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            0 | 13.. => 0,
        };
        match (1..=days).contains(&day) {
            true => Ok(Day { year, month: month as u8, day: day as u8 }),
            false => Err(expected()),
        }
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl Serialize for Day {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Day, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for Day {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Day".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "format": "date" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Day {
        text.parse().unwrap()
    }

    #[test]
    fn days_are_ordered_and_must_be_in_the_calendar() {
        assert!(day("2026-12-31") < day("2027-01-01"));
        assert_eq!(day("2028-02-29").to_string(), "2028-02-29");
        for wrong in ["2027-02-29", "2027-13-01", "27-01-01", "2027-1-1", "2027-01-00", "soon", ""]
        {
            assert!(wrong.parse::<Day>().unwrap_err().contains("2027-03-31"), "{wrong}");
        }
    }

    #[test]
    fn all_that_a_suppression_names_must_fit() {
        let subject = Subject::param("read_file", "/path");
        let fits = |s: Suppression| s.covers("security/path-traversal", "abc", &subject);
        let some = |text: &str| Some(text.to_owned());
        assert!(fits(Suppression { check: some("security/path-traversal"), ..Default::default() }));
        assert!(fits(Suppression { check: some("security"), ..Default::default() }));
        assert!(fits(Suppression {
            tool: some("read_*"),
            param: some("path"),
            ..Default::default()
        }));
        assert!(fits(Suppression { fingerprint: some("abc"), ..Default::default() }));
        assert!(!fits(Suppression {
            check: some("security"),
            param: some("/other"),
            ..Default::default()
        }));
        assert!(!fits(Suppression {
            check: some("errors"),
            tool: some("read_*"),
            ..Default::default()
        }));
    }

    #[test]
    fn a_suppression_applies_through_its_last_day() {
        let last = Suppression { expires: Some(day("2026-11-16")), ..Default::default() };
        let on =
            |today: &str| Sieve { today: Some(day(today)), ..Default::default() }.is_expired(&last);
        assert!(!on("2026-11-16"));
        assert!(on("2026-11-17"));
    }
}
