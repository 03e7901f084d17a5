//! The directory rubric against the white paper's figures.

use crate::common::{area, builtin, graded, marks, part, perfect, rate};
use proofmark_core::check::Facet;
use proofmark_core::rubric::{Mark, Marks, Rubric, Scored};
use proofmark_core::target::AuditKind::Local;

fn score(marks: &Marks) -> Scored {
    builtin("directory").score(marks, Local)
}

/// Every facet at the same rate, so that the score is that rate.
fn with_total(total: f64) -> Scored {
    let every = Facet::ALL.iter().map(|f| (*f, graded(total / 100.0))).collect();
    linear().score(&every, Local)
}

/// The directory rubric without curves and blockers: every part is its rate.
fn linear() -> Rubric {
    let mut rubric = builtin("directory");
    rubric.blockers.clear();
    for area in &mut rubric.areas {
        for part in &mut area.parts {
            part.curve = proofmark_core::rubric::Curve::Linear;
        }
    }
    rubric
}

#[test]
fn the_functionality_example_scores_86_3() {
    let scored = score(&marks([
        (Facet::ToolSuccess, rate(9, 10)),
        (Facet::ResponseValidity, rate(85, 100)),
        (Facet::ScenarioCoverage, rate(78, 100)),
        (Facet::Stability, graded(0.92)),
    ]));
    let functionality = area(&scored, "functionality");
    assert_eq!(functionality.score.map(|s| s.to_string()).as_deref(), Some("86.3"));
    assert_eq!(functionality.level.as_deref(), Some("PASS"));
    assert_eq!(functionality.coverage, 100.0);
}

#[test]
fn the_areas_weigh_25_25_20_15_15() {
    let areas: Vec<(String, f64)> =
        score(&perfect()).areas.into_iter().map(|a| (a.id, a.weight)).collect();
    let expected = [
        ("functionality", 25.0),
        ("security", 25.0),
        ("documentation", 20.0),
        ("errors", 15.0),
        ("usability", 15.0),
    ];
    assert_eq!(areas, expected.map(|(id, w)| (id.to_owned(), w)));
}

#[test]
fn components_weigh_what_the_white_paper_says() {
    let weights: Vec<Vec<f64>> = builtin("directory")
        .areas
        .iter()
        .map(|a| a.parts.iter().map(|p| p.weight).collect())
        .collect();
    assert_eq!(
        weights,
        [
            vec![40.0, 30.0, 20.0, 10.0],
            vec![40.0, 25.0, 20.0, 15.0],
            vec![30.0, 25.0, 20.0, 15.0, 10.0],
            vec![40.0, 25.0, 20.0, 15.0],
            vec![25.0, 25.0, 25.0, 15.0, 10.0],
        ]
    );
}

#[test]
fn a_perfect_server_passes_with_100() {
    let scored = score(&perfect());
    assert_eq!(scored.score, Some(100.0));
    assert_eq!(scored.bounds, [100.0, 100.0]);
    assert_eq!((scored.level.as_str(), scored.coverage), ("PASS", 100.0));
}

#[test]
fn the_bands_turn_at_75_and_50() {
    for (total, level) in [
        (100.0, "PASS"),
        (75.0, "PASS"),
        (74.9, "REVIEW"),
        (50.0, "REVIEW"),
        (49.9, "FAIL"),
        (0.0, "FAIL"),
    ] {
        let scored = with_total(total);
        assert_eq!(scored.score, Some(total));
        assert_eq!(scored.level, level, "at {total}");
    }
}

#[test]
fn the_sample_report_of_the_white_paper_adds_up_to_84_and_not_to_its_82_5() {
    // Its five figures weighed by its five weights give 83.95; the printed total is a slip.
    let shares = [87.0, 91.0, 78.0, 85.0, 74.0];
    let mut rubric = linear();
    let mut marks = Marks::new();
    let facets =
        [Facet::ToolSuccess, Facet::Injection, Facet::Readme, Facet::Protocol, Facet::Naming];
    for ((area, facet), share) in rubric.areas.iter_mut().zip(facets).zip(shares) {
        area.parts.truncate(1);
        area.parts[0].facets = vec![facet];
        marks.insert(facet, graded(share / 100.0));
    }
    let scored = rubric.score(&marks, Local);
    assert_eq!(scored.score, Some(84.0));
    let levels: Vec<_> = scored.areas.iter().filter_map(|a| a.level.clone()).collect();
    assert_eq!(levels, ["PASS", "PASS", "PASS", "PASS", "REVIEW"]);
}

fn usability(facet: Facet, id: &str, passed: usize) -> Option<f64> {
    part(&score(&marks([(facet, rate(passed, 100))])), "usability", id)
}

#[test]
fn naming_gets_25_20_15_or_10_of_25_by_its_steps() {
    for (passed, points) in [
        (100, 25.0),
        (90, 25.0),
        (89, 20.0),
        (70, 20.0),
        (69, 15.0),
        (50, 15.0),
        (49, 10.0),
        (0, 10.0),
    ] {
        assert_eq!(usability(Facet::Naming, "naming", passed), Some(points * 4.0), "{passed} %");
    }
}

#[test]
fn parameter_documentation_gets_25_20_15_or_0_of_25_by_its_steps() {
    for (passed, points) in [
        (100, 25.0),
        (90, 25.0),
        (89, 20.0),
        (70, 20.0),
        (69, 15.0),
        (50, 15.0),
        (49, 0.0),
        (0, 0.0),
    ] {
        let found = usability(Facet::ParameterDocs, "parameter-docs", passed);
        assert_eq!(found, Some(points * 4.0), "{passed} %");
    }
}

#[test]
fn descriptions_and_schemas_get_all_for_all_and_15_of_25_only_over_80_percent() {
    for (facet, id) in
        [(Facet::Descriptions, "descriptions"), (Facet::SchemaQuality, "schema-quality")]
    {
        for (passed, points) in [(100, 25.0), (99, 15.0), (81, 15.0), (80, 0.0), (0, 0.0)] {
            assert_eq!(usability(facet, id, passed), Some(points * 4.0), "{id} {passed} %");
        }
    }
}

#[test]
fn output_schemas_get_10_from_50_percent_and_5_from_20() {
    for (passed, points) in [(100, 10.0), (50, 10.0), (49, 5.0), (20, 5.0), (19, 0.0), (0, 0.0)] {
        let found = usability(Facet::ModernFeatures, "modern-features", passed);
        assert_eq!(found, Some(points * 10.0), "{passed} %");
    }
}

#[test]
fn a_tool_has_clear_parameters_only_if_all_its_parameters_do() {
    let one_bad = vec![
        crate::common::mark(Some("a"), Some(1.0)),
        crate::common::mark(Some("a"), Some(0.0)),
        crate::common::mark(Some("b"), Some(1.0)),
    ];
    let scored = score(&marks([(Facet::ParameterDocs, one_bad)]));
    assert_eq!(part(&scored, "usability", "parameter-docs"), Some(60.0));
}

#[test]
fn nine_of_ten_reach_the_step_at_90_whatever_the_floating_point_says() {
    for total in 1..=60 {
        let tools = total * 10;
        let found = part(
            &score(&marks([(Facet::Naming, rate(tools / 10 * 9, tools))])),
            "usability",
            "naming",
        );
        assert_eq!(found, Some(100.0), "{tools} tools");
    }
}

#[test]
fn one_crash_withholds_the_top_level_and_says_so() {
    let rubric = builtin("directory");
    let mut every: Marks = Facet::ALL.iter().map(|f| (*f, graded(1.0))).collect();
    assert_eq!(rubric.score(&every, Local).level, "PASS");
    every.insert(Facet::Robustness, graded(0.0));
    let scored = rubric.score(&every, Local);
    assert_eq!((scored.score, scored.level.as_str()), (Some(97.0), "REVIEW"));
    assert!(scored.held_back.is_some_and(|why| why.contains("`robustness`")));
}

#[test]
fn wrong_input_counts_in_quarters_one_for_each_check() {
    let of = |check: &'static str, passed: usize, total: usize| {
        rate(passed, total).into_iter().map(move |mark| Mark { check, ..mark })
    };
    let refused = of("errors/wrong-type", 40, 40)
        .chain(of("errors/invalid-values", 1, 2))
        .chain(of("errors/missing-required", 0, 8));
    let all = marks([
        (Facet::InputValidation, refused.collect()),
        (Facet::BatchRejection, of("errors/batch-rejected", 1, 1).collect()),
    ]);
    let scored = builtin("directory").score(&all, Local);
    // (100 + 50 + 0 + 100) / 4
    assert_eq!(part(&scored, "errors", "input-validation"), Some(62.5));
}
