//! What to do first: every fix with the points it is worth.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::Recommendation;
use crate::check::{Finding, Grade, Judged, Outcome, Standing};
use crate::rubric::{Mark, Marks, Rubric};
use crate::target::AuditKind;

/// One per check that fails, most points for the effort first. Suspicions are for review, not for advice.
pub(super) fn recommendations(
    judged: &[Judged],
    rubric: &Rubric,
    marks: &mut Marks,
    audit: AuditKind,
    before: Option<f64>,
    fix: &dyn Fn(&Finding) -> Option<String>,
) -> Vec<Recommendation> {
    let mut list: Vec<Recommendation> = judged
        .iter()
        .filter_map(|j| {
            let counts =
                |f: &&Finding| f.outcome() == Outcome::Fail && f.standing() != Standing::Suspected;
            let failing: Vec<&Finding> = j.findings.iter().filter(counts).collect();
            Some(Recommendation {
                check: j.check.id,
                fix: advice(&failing, fix)?.unwrap_or_else(|| j.check.title.to_owned()),
                clears: failing.len(),
                gain: gain(j, rubric, marks, audit, before),
                severity: j.check.severity,
            })
        })
        .collect();
    list.sort_by(|a, b| {
        b.worth()
            .total_cmp(&a.worth())
            .then_with(|| (Reverse(a.severity), a.check).cmp(&(Reverse(b.severity), b.check)))
    });
    list
}

/// The fix of the first place, and at how many others something like it is to be done. The outer
/// `None`: nothing fails.
fn advice(
    failing: &[&Finding],
    fix: &dyn Fn(&Finding) -> Option<String>,
) -> Option<Option<String>> {
    let first = fix(failing.first()?);
    let others: BTreeSet<String> =
        failing.iter().filter_map(|f| fix(f)).filter(|f| Some(f) != first.as_ref()).collect();
    Some(first.map(|first| match others.len() {
        0 => first,
        n => format!("{first}; {n} more like it"),
    }))
}

/// How much the score would rise, had this check not failed.
fn gain(
    judged: &Judged,
    rubric: &Rubric,
    marks: &mut Marks,
    audit: AuditKind,
    before: Option<f64>,
) -> f64 {
    let Some(of_facet) = marks.get_mut(&judged.check.facet) else { return 0.0 };
    let fails = |m: &Mark| m.check == judged.check.id && m.grade.is_some_and(|g| !g.is_pass());
    let places: Vec<(usize, Option<Grade>)> =
        of_facet.iter().enumerate().filter(|(_, m)| fails(m)).map(|(i, m)| (i, m.grade)).collect();
    for (place, _) in &places {
        of_facet[*place].grade = Some(Grade::PASS);
    }
    let after = rubric.score(marks, audit).exact;
    if let Some(of_facet) = marks.get_mut(&judged.check.facet) {
        for (place, grade) in places {
            of_facet[place].grade = grade;
        }
    }
    let gain = after.unwrap_or(0.0) - before.unwrap_or(0.0);
    // Never the negative zero that a difference of equals can leave.
    if gain > 0.0 { (gain * 10.0).round() / 10.0 } else { 0.0 }
}
