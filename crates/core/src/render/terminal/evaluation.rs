//! The calls judged case by case in five dimensions, and who judged them.

use super::Detail;
use super::sheet::{Sheet, faint, plain, strong};
use crate::render::text::{count, points};
use crate::report::{DimensionReport, Report};

/// In full, or where a model had a say.
pub(super) fn draw(sheet: &mut Sheet, report: &Report) {
    let (Some(told), Some(timed)) = (&report.evaluation, &report.timings.evaluation) else {
        return;
    };
    if sheet.style.detail != Detail::Full && told.judged_by.model.is_none() {
        return;
    }
    let total = timed.total.map_or("no score".to_owned(), |t| format!("{} of 100", points(t)));
    let cases = count(told.verdicts.values().sum(), "call");
    sheet.heading("CALLS IN FIVE DIMENSIONS", &format!("{total}, {}, {cases}", timed.level));
    let mut dimensions: Vec<&DimensionReport> = told.dimensions.iter().collect();
    dimensions.push(&timed.performance);
    dimensions.sort_by_key(|d| d.dimension);
    for score in dimensions {
        let got = score.points.map_or("–".to_owned(), points);
        let head = format!("{} {got} of {}", score.dimension.title(), points(score.max));
        sheet.flow(2, 4, &[strong(head), faint(format!(" · {}", score.rationale))]);
    }
    sheet.flow(2, 4, &[plain(told.judged_by.says())]);
    for doubt in told.judged_by.doubts() {
        sheet.flow(4, 6, &[faint(format!("unsure of {doubt}"))]);
    }
}
