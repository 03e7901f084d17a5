//! `[gate]`: what a report has to reach, and how it is to be made.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Result, bail};
use proofmark_core::check::Severity;
use proofmark_core::evidence::Profile;
use proofmark_core::gate::{Demand, Gate};
use proofmark_core::revision::Revision;
use serde::Deserialize;
use toml::Spanned;

use super::File;
use crate::nearest::did_you_mean;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawGate {
    rubric: Option<String>,
    profile: Option<Spanned<String>>,
    baseline: Option<PathBuf>,
    score: Option<Spanned<f64>>,
    coverage: Option<Spanned<f64>>,
    fail_on: Option<Spanned<String>>,
    must: Option<Spanned<RawMust>>,
    regression: Option<Spanned<bool>>,
    #[serde(default)]
    areas: BTreeMap<Spanned<String>, RawArea>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawArea {
    minimum: Spanned<f64>,
    #[serde(default = "yes")]
    required: bool,
}

fn yes() -> bool {
    true
}

/// `true`, or the revision that counts.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum RawMust {
    All(bool),
    Revision(String),
}

/// A gate with the place where it is asked for, for messages.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Asked {
    pub(crate) gate: Gate,
    pub(crate) place: String,
}

/// What the section says.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct GateSettings {
    pub(crate) rubric: Option<String>,
    pub(crate) profile: Option<Profile>,
    pub(crate) baseline: Option<PathBuf>,
    pub(crate) gates: Vec<Asked>,
}

impl File<'_> {
    pub(super) fn gate(&self, raw: RawGate) -> Result<GateSettings> {
        let mut gates = Vec::new();
        for (score, demand) in
            [(raw.score, Demand::Score as fn(f64) -> Demand), (raw.coverage, Demand::Coverage)]
        {
            let Some(score) = score else { continue };
            gates.push(self.asked(&score, demand(self.points(&score)?)));
        }
        for (area, bar) in raw.areas {
            let minimum = self.points(&bar.minimum)?;
            let demand = Demand::Area { area: area.get_ref().clone(), minimum };
            let asked = self.asked(&area, demand);
            gates.push(Asked { gate: Gate { required: bar.required, ..asked.gate }, ..asked });
        }
        if let Some(severity) = raw.fail_on {
            gates.push(self.asked(&severity, Demand::Severity(self.severity(&severity)?)));
        }
        if let Some(must) = raw.must
            && let Some(revision) = self.must(&must)?
        {
            gates.push(self.asked(&must, Demand::Must(revision)));
        }
        if let Some(regression) = raw.regression.filter(|r| *r.get_ref()) {
            gates.push(self.asked(&regression, Demand::NoRegression));
        }
        let profile = raw.profile.map(|p| self.profile(&p)).transpose()?;
        Ok(GateSettings { rubric: raw.rubric, profile, baseline: raw.baseline, gates })
    }

    fn asked<T>(&self, at: &Spanned<T>, demand: Demand) -> Asked {
        Asked { gate: Gate::required(demand), place: self.place(at.span()) }
    }

    fn points(&self, raw: &Spanned<f64>) -> Result<f64> {
        let value = *raw.get_ref();
        if !(0.0..=100.0).contains(&value) {
            bail!("{}: {value} is no score; give one from 0 to 100", self.place(raw.span()));
        }
        Ok(value)
    }

    fn severity(&self, raw: &Spanned<String>) -> Result<Severity> {
        let known: Vec<&str> = Severity::ALL.iter().map(|s| s.as_str()).collect();
        self.one_of("fail_on", raw, &known, Severity::parse)
    }

    fn profile(&self, raw: &Spanned<String>) -> Result<Profile> {
        let all = [Profile::Quick, Profile::Standard, Profile::Deep];
        let known = all.map(Profile::as_str);
        self.one_of("profile", raw, &known, |text| all.into_iter().find(|p| p.as_str() == text))
    }

    /// `None` where `false` switches the gate off.
    fn must(&self, raw: &Spanned<RawMust>) -> Result<Option<Option<Revision>>> {
        match raw.get_ref() {
            RawMust::All(wanted) => Ok(wanted.then_some(None)),
            RawMust::Revision(text) => {
                let known = Revision::ALL.map(Revision::as_str);
                let raw = Spanned::new(raw.span(), text.clone());
                let find = |text: &str| Revision::ALL.into_iter().find(|r| r.as_str() == text);
                Ok(Some(Some(self.one_of("must", &raw, &known, find)?)))
            }
        }
    }

    fn one_of<T>(
        &self,
        key: &str,
        raw: &Spanned<String>,
        known: &[&str],
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<T> {
        let text = raw.get_ref();
        match parse(text) {
            Some(value) => Ok(value),
            None => bail!(
                "{}: `{key}`: `{text}` is not known{}; there are {}",
                self.place(raw.span()),
                did_you_mean(text, known.iter().copied()),
                known.join(", ")
            ),
        }
    }
}
