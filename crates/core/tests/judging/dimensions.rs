//! The dimensions rubric against the ranges of its document.

use crate::common::{area, builtin, marks, perfect, rate};
use proofmark_core::check::{Facet, Severity};
use proofmark_core::rubric::{Mark, Marks};
use proofmark_core::target::AuditKind::Local;

/// What a dimension gets of its maximum.
fn points(marks: &Marks, dimension: &str) -> f64 {
    let mut rubric = builtin("dimensions");
    rubric.decimals = 3;
    let scored = rubric.score(marks, Local);
    let area = area(&scored, dimension);
    let points = area.score.expect("the dimension is scored") * area.weight / 100.0;
    (points * 100.0).round() / 100.0
}

#[test]
fn the_dimensions_weigh_30_20_20_20_10() {
    let weights: Vec<f64> = builtin("dimensions").areas.iter().map(|a| a.weight).collect();
    assert_eq!(weights, [30.0, 20.0, 20.0, 20.0, 10.0]);
    assert_eq!(builtin("dimensions").score(&perfect(), Local).score, Some(100.0));
}

#[test]
fn functionality_follows_its_ranges() {
    for (passed, expected) in [
        (1000, 30.0),
        (951, 30.0),
        (950, 29.0),
        (900, 27.0),
        (850, 24.0),
        (775, 22.0),
        (700, 19.0),
        (350, 9.5),
        (0, 0.0),
    ] {
        let found = points(&marks([(Facet::ToolSuccess, rate(passed, 1000))]), "functionality");
        assert_eq!(found, expected, "{passed} of 1000");
    }
}

#[test]
fn every_success_rate_gets_points_of_its_range() {
    for passed in 0..=1000 {
        let found = points(&marks([(Facet::ToolSuccess, rate(passed, 1000))]), "functionality");
        let range = match passed {
            951.. => 30.0..=30.0,
            851.. => 25.0..=29.0,
            701.. => 20.0..=24.0,
            _ => 0.0..=19.99,
        };
        assert!(range.contains(&found), "{found} for {passed} of 1000");
    }
}

#[test]
fn robustness_follows_its_ranges() {
    for (passed, expected) in
        [(100, 20.0), (96, 20.0), (95, 19.0), (85, 17.0), (76, 15.2), (75, 14.0), (0, 0.0)]
    {
        let found = points(&marks([(Facet::Robustness, rate(passed, 100))]), "robustness");
        assert_eq!(found, expected, "{passed} %");
    }
}

fn severe(severity: Severity, passed: usize) -> Marks {
    let of_severity = |m: Mark| Mark { severity, ..m };
    marks([(Facet::Injection, rate(passed, 100).into_iter().map(of_severity).collect())])
}

#[test]
fn security_is_full_only_when_all_is_blocked() {
    assert_eq!(points(&severe(Severity::Critical, 100), "security"), 20.0);
    for passed in 0..100 {
        let found = points(&severe(Severity::Medium, passed), "security");
        assert!((12.0..=19.0).contains(&found), "{found} for {passed} %");
    }
}

#[test]
fn a_serious_hole_keeps_security_below_12() {
    for severity in [Severity::High, Severity::Critical] {
        for passed in 0..100 {
            let found = points(&severe(severity, passed), "security");
            assert!((0.0..12.0).contains(&found), "{found} for {passed} %");
        }
    }
    assert_eq!(points(&severe(Severity::High, 99), "security"), 10.89);
}

#[test]
fn an_unseen_serious_threat_lowers_the_lower_bound_only() {
    let mut marks = severe(Severity::High, 100);
    marks.entry(Facet::Injection).or_default().push(Mark {
        tool: None,
        grade: None,
        severity: Severity::Critical,
        check: "topic/test",
    });
    for facet in [Facet::ModelSafety, Facet::ErrorDisclosure, Facet::Authentication] {
        marks.insert(facet, Vec::new());
    }
    let scored = builtin("dimensions").score(&marks, Local);
    let security = area(&scored, "security");
    assert_eq!(security.score, Some(100.0));
    assert_eq!(security.bounds, [54.5, 100.0]);
}

#[test]
fn performance_and_transparency_are_rates() {
    let marks = marks([(Facet::Latency, rate(3, 4)), (Facet::ErrorQuality, rate(1, 4))]);
    assert_eq!(points(&marks, "performance"), 15.0);
    assert_eq!(points(&marks, "transparency"), 2.5);
}

#[test]
fn the_levels_are_those_of_the_directory_rubric() {
    assert_eq!(builtin("dimensions").bands, builtin("directory").bands);
}
