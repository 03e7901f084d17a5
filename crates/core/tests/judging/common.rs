//! Marks and rubrics for tests, written short.

use proofmark_core::check::{Facet, Grade, Severity};
use proofmark_core::report::AreaReport;
use proofmark_core::rubric::{Mark, Marks, Rubric, Scored};

pub(crate) fn mark(tool: Option<&str>, grade: Option<f64>) -> Mark {
    Mark {
        tool: tool.map(str::to_owned),
        grade: grade.map(Grade::new),
        severity: Severity::Medium,
        check: "topic/test",
    }
}

/// `passed` of `total` tools pass, one mark each.
pub(crate) fn rate(passed: usize, total: usize) -> Vec<Mark> {
    (0..total)
        .map(|i| mark(Some(&format!("tool{i:03}")), Some(if i < passed { 1.0 } else { 0.0 })))
        .collect()
}

pub(crate) fn graded(grade: f64) -> Vec<Mark> {
    vec![mark(None, Some(grade))]
}

pub(crate) fn unseen(total: usize) -> Vec<Mark> {
    (0..total).map(|i| mark(Some(&format!("tool{i:03}")), None)).collect()
}

pub(crate) fn marks<const N: usize>(facets: [(Facet, Vec<Mark>); N]) -> Marks {
    facets.into_iter().collect()
}

/// One passing mark for every facet.
pub(crate) fn perfect() -> Marks {
    Facet::ALL.iter().map(|f| (*f, vec![mark(Some("tool"), Some(1.0))])).collect()
}

pub(crate) fn builtin(id: &str) -> Rubric {
    Rubric::builtin(id).unwrap_or_else(|e| panic!("{e}"))
}

pub(crate) fn area<'a>(scored: &'a Scored, id: &str) -> &'a AreaReport {
    scored.areas.iter().find(|a| a.id == id).unwrap_or_else(|| panic!("no area {id}"))
}

/// The score of one part.
pub(crate) fn part(scored: &Scored, area_id: &str, id: &str) -> Option<f64> {
    area(scored, area_id)
        .parts
        .iter()
        .find(|p| p.id == id)
        .unwrap_or_else(|| panic!("no part {id}"))
        .score
}
