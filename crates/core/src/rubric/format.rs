//! The TOML of a rubric as written, every value with its place in the file.

use serde::Deserialize;
use toml::Spanned;

use super::error::{At, Problem};
use super::{Measure, Missing, Per};
use crate::check::Severity;
use crate::target::AuditKind;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawRubric {
    pub(super) id: Spanned<String>,
    pub(super) version: Spanned<String>,
    pub(super) title: Spanned<String>,
    pub(super) decimals: Spanned<u8>,
    pub(super) unobserved: Missing,
    pub(super) inapplicable: Missing,
    pub(super) coverage_floor: Spanned<f64>,
    #[serde(default)]
    pub(super) blockers: Vec<Spanned<String>>,
    pub(super) band: Spanned<Vec<RawBand>>,
    pub(super) area: Spanned<Vec<RawArea>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawBand {
    pub(super) level: Spanned<String>,
    pub(super) at: Spanned<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawArea {
    pub(super) id: Spanned<String>,
    pub(super) title: Spanned<String>,
    pub(super) weight: Spanned<f64>,
    #[serde(default)]
    pub(super) not_applicable_for: Vec<AuditKind>,
    #[serde(default)]
    pub(super) info_for: Vec<AuditKind>,
    #[serde(default)]
    pub(super) curve: Option<Spanned<RawCurve>>,
    #[serde(default)]
    pub(super) part: Vec<RawPart>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPart {
    pub(super) id: Spanned<String>,
    pub(super) title: Spanned<String>,
    pub(super) weight: Spanned<f64>,
    pub(super) facets: Spanned<Vec<Spanned<String>>>,
    #[serde(default)]
    pub(super) per: Per,
    #[serde(default)]
    pub(super) measure: Measure,
    #[serde(default)]
    pub(super) curve: Option<Spanned<RawCurve>>,
    /// Points of the curve are out of this; 100 unless said.
    #[serde(default)]
    pub(super) out_of: Option<Spanned<f64>>,
    #[serde(default)]
    pub(super) cap: Option<RawCap>,
    #[serde(default)]
    pub(super) required: bool,
    #[serde(default)]
    pub(super) at_least: Option<Spanned<f64>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawCap {
    pub(super) severity: Severity,
    pub(super) curve: Spanned<RawCurve>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RawCurve {
    Linear,
    Steps(Vec<RawStep>),
    Ramp(Vec<RawSlope>),
    Penalty(f64),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawStep {
    pub(super) at: Option<f64>,
    pub(super) above: Option<f64>,
    pub(super) points: Spanned<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSlope {
    pub(super) at: Option<f64>,
    pub(super) above: Option<f64>,
    pub(super) low: Spanned<f64>,
    pub(super) high: Spanned<f64>,
}

pub(super) fn read(text: &str) -> Result<RawRubric, At> {
    toml::from_str(text)
        .map_err(|e| At { span: e.span(), problem: Problem::Format { why: one_line(e.message()) } })
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}
