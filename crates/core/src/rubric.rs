//! Rubrics: opinions as data. A rubric weighs marks by facet; it knows no check.
//!
//! The algebra: findings → marks → groups (by finding or by tool) → a rate or a count → a curve →
//! the score of a part → the weighted score of an area → the weighted score of the server.
//! `docs/rubrics.md` is the guide for people who write one.

mod curve;
mod error;
mod format;
mod part;
mod score;
mod valid;

pub use curve::{Curve, Edge, Slope, Step};
pub use error::{Problem, RubricError};
pub use score::UNRATED;

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::check::{Facet, Grade, Judged, Severity, Standing};
use crate::report::AreaReport;
use crate::target::AuditKind;

/// What one finding contributes.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    pub tool: Option<String>,
    /// `None`: unseen.
    pub grade: Option<Grade>,
    /// How bad a failure is; only a part with a cap asks.
    pub severity: Severity,
    /// The check it comes from, so that a report can say what a fix is worth.
    pub check: &'static str,
}

/// Marks by facet. A facet that is absent was looked at by nobody; one with no marks does not
/// apply to this server.
pub type Marks = BTreeMap<Facet, Vec<Mark>>;

/// The marks of all findings that count: suspicions do not.
pub fn marks(judged: &[Judged]) -> Marks {
    let mut marks = Marks::new();
    for j in judged {
        let of_facet = marks.entry(j.check.facet).or_default();
        for f in j.findings.iter().filter(|f| f.standing() != Standing::Suspected) {
            of_facet.push(Mark {
                tool: f.subject.tool().map(str::to_owned),
                grade: f.grade,
                severity: j.check.severity,
                check: j.check.id,
            });
        }
    }
    marks
}

/// A rubric's verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct Scored {
    /// Rounded as the rubric shows it; `None` when nothing at all was seen.
    pub score: Option<f64>,
    /// The score before any rounding: what differences are measured with.
    pub exact: Option<f64>,
    pub bounds: [f64; 2],
    pub level: String,
    /// Why the top level was withheld although the score reaches it.
    pub held_back: Option<String>,
    pub coverage: f64,
    pub areas: Vec<AreaReport>,
}

/// A valid rubric. Points are on a scale of 0 to 100 everywhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Rubric {
    pub id: String,
    pub version: String,
    pub title: String,
    /// Digits after the point of shown scores; halves round up.
    pub decimals: u8,
    pub unobserved: Missing,
    pub inapplicable: Missing,
    /// The top level needs at least this coverage, 0 to 100.
    pub coverage_floor: f64,
    /// A failure in one of these facets withholds the top level, whatever the score.
    pub blockers: Vec<Facet>,
    /// Best first; the last one begins at 0.
    pub bands: Vec<Band>,
    pub areas: Vec<Area>,
}

/// What an area that has no score of its own counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Missing {
    /// Its weight goes to the others.
    Drop,
    Zero,
    Full,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Band {
    pub level: String,
    pub at: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Area {
    pub id: String,
    pub title: String,
    /// 0: shown, never counted.
    pub weight: f64,
    pub not_applicable_for: Vec<AuditKind>,
    /// Shown without level and not counted in these audits.
    pub info_for: Vec<AuditKind>,
    /// Over the weighted mean of the parts.
    pub curve: Curve,
    pub parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    pub id: String,
    pub title: String,
    pub weight: f64,
    pub facets: Vec<Facet>,
    pub per: Per,
    pub measure: Measure,
    pub curve: Curve,
    pub cap: Option<Cap>,
    /// The top level needs this part to be seen, to the coverage floor.
    pub required: bool,
    /// The top level needs at least these points here, whatever the total.
    pub at_least: Option<f64>,
}

/// What is counted as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Per {
    #[default]
    Finding,
    /// A tool is as good as its worst finding.
    Tool,
    /// A check is as good as the mean of its findings, however many there are.
    Check,
}

/// What the curve is drawn over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// The mean grade, as a rate of 0 to 100.
    #[default]
    Mean,
    /// How many failed; a partial grade counts for what it lacks.
    Failures,
}

/// With a failure this severe, a part gets at most what this curve gives.
#[derive(Debug, Clone, PartialEq)]
pub struct Cap {
    pub severity: Severity,
    pub curve: Curve,
}

impl Rubric {
    /// The ids of the rubrics that come with Proofmark; the first is the default.
    pub const BUILTIN: [&str; 3] = ["directory", "audit", "dimensions"];

    /// Other bands for one of them; built in as well, and asked for by name.
    pub const VARIANTS: [&str; 1] = ["dimensions-labels"];

    /// One of [`Rubric::BUILTIN`] or [`Rubric::VARIANTS`].
    pub fn builtin(id: &str) -> Result<Rubric, RubricError> {
        let text = match id {
            "directory" => include_str!("../rubrics/directory.toml"),
            "audit" => include_str!("../rubrics/audit.toml"),
            "dimensions" => include_str!("../rubrics/dimensions.toml"),
            "dimensions-labels" => include_str!("../rubrics/dimensions-labels.toml"),
            unknown => return Err(RubricError::no_such_rubric(unknown)),
        };
        Rubric::parse(&format!("rubrics/{id}.toml"), text)
    }

    /// Reads and checks a rubric; `file_name` is only for messages.
    pub fn parse(file_name: &str, text: &str) -> Result<Rubric, RubricError> {
        let raw = format::read(text).map_err(|at| at.into_error(file_name, text))?;
        valid::rubric(raw).map_err(|at| at.into_error(file_name, text))
    }
}
