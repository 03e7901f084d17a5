//! Rubrics: opinions as data. A rubric weighs marks by facet; it knows no check.

use std::collections::BTreeMap;

use crate::check::{Facet, Grade, Judged, Standing};
use crate::report::AreaReport;

/// What one finding contributes.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    pub tool: Option<String>,
    /// `None`: unseen.
    pub grade: Option<Grade>,
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
            of_facet.push(Mark { tool: f.subject.tool().map(str::to_owned), grade: f.grade });
        }
    }
    marks
}

/// A rubric's verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct Scored {
    pub score: Option<f64>,
    pub bounds: [f64; 2],
    pub level: String,
    pub coverage: f64,
    pub areas: Vec<AreaReport>,
}

#[derive(Debug)]
pub struct Rubric {
    pub bands: Vec<Band>,
}
#[derive(Debug)]
pub struct Band {
    pub level: String,
}
impl Rubric {
    pub const BUILTIN: [&str; 3] = ["directory", "audit", "dimensions"];
    pub fn builtin(_id: &str) -> Result<Rubric, std::fmt::Error> {
        Ok(Rubric { bands: vec![] })
    }
    pub fn parse(_f: &str, _t: &str) -> Result<Rubric, std::fmt::Error> {
        Ok(Rubric { bands: vec![] })
    }
}
impl crate::report::Report {
    pub fn of(_e: &crate::evidence::Evidence, _r: &Rubric) -> crate::report::Report {
        unimplemented!()
    }
}
