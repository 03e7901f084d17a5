//! Levels, bounds and coverage: thin evidence never passes.

use crate::common::{area, builtin, graded, mark, marks, perfect, rate, unseen};
use proofmark_core::check::Facet;
use proofmark_core::report::AreaStatus;
use proofmark_core::rubric::{Marks, Rubric};
use proofmark_core::target::AuditKind::{Http, Local};

/// All that a running server must be asked for.
const NEED_A_SERVER: [Facet; 12] = [
    Facet::ToolSuccess,
    Facet::ResponseValidity,
    Facet::ScenarioCoverage,
    Facet::Stability,
    Facet::Injection,
    Facet::InputValidation,
    Facet::ErrorDisclosure,
    Facet::Protocol,
    Facet::ErrorQuality,
    Facet::ModernProtocol,
    Facet::Robustness,
    Facet::Latency,
];

fn silent(replace: impl Fn() -> Option<Vec<proofmark_core::rubric::Mark>>) -> Marks {
    let mut all = perfect();
    for facet in NEED_A_SERVER {
        match replace() {
            Some(marks) => all.insert(facet, marks),
            None => all.remove(&facet),
        };
    }
    all
}

#[test]
fn a_server_that_was_never_called_passes_no_rubric() {
    for id in Rubric::BUILTIN {
        for marks in [silent(|| Some(unseen(3))), silent(|| Some(Vec::new())), silent(|| None)] {
            let scored = builtin(id).score(&marks, Local);
            assert_ne!(scored.level, "PASS", "{id}: {scored:?}");
        }
    }
}

#[test]
fn tools_unseen_alone_are_enough_to_withhold_the_top_level_and_the_reason_is_given() {
    for (facet_marks, share) in [(unseen(9), "0 %"), (Vec::new(), "0 %")] {
        let mut all = perfect();
        all.insert(Facet::ToolSuccess, facet_marks);
        let scored = builtin("directory").score(&all, Local);
        assert_eq!((scored.score, scored.level.as_str()), (Some(100.0), "REVIEW"));
        let why = scored.held_back.expect("a reason");
        assert!(why.starts_with(share) && why.contains("tools that work"), "{why}");
    }
}

#[test]
fn coverage_below_the_floor_gives_the_next_level_and_says_so() {
    let thin = marks([(Facet::ToolSuccess, rate(10, 10)), (Facet::Readme, graded(1.0))]);
    let scored = builtin("directory").score(&thin, Local);
    assert_eq!((scored.score, scored.level.as_str()), (Some(100.0), "REVIEW"));
    assert_eq!(scored.coverage, 16.0);
    let why = "only 16 % was seen, the rubric asks for 50 %";
    assert_eq!(scored.held_back.as_deref(), Some(why));
}

#[test]
fn the_next_level_is_kept_when_the_score_only_reaches_that() {
    let thin = marks([(Facet::ToolSuccess, rate(6, 10))]);
    let scored = builtin("directory").score(&thin, Local);
    assert_eq!((scored.level.as_str(), scored.held_back), ("REVIEW", None));
}

#[test]
fn thin_coverage_shows_as_a_wide_interval() {
    let mut all = perfect();
    let full = builtin("directory").score(&all, Local);
    all.insert(Facet::ToolSuccess, [rate(5, 5), unseen_tools(5)].concat());
    let half = builtin("directory").score(&all, Local);
    all.insert(Facet::ToolSuccess, unseen(10));
    let none = builtin("directory").score(&all, Local);

    assert_eq!((full.bounds, full.coverage), ([100.0, 100.0], 100.0));
    assert_eq!((half.bounds, half.coverage), ([95.0, 100.0], 95.0));
    assert_eq!((none.bounds, none.coverage), ([90.0, 100.0], 90.0));
}

fn unseen_tools(number: usize) -> Vec<proofmark_core::rubric::Mark> {
    (0..number).map(|i| mark(Some(&format!("other{i}")), None)).collect()
}

#[test]
fn the_score_is_of_what_was_seen_and_the_bounds_of_what_was_not() {
    let tools = [rate(3, 4), unseen_tools(4)].concat();
    let scored = builtin("directory").score(&marks([(Facet::ToolSuccess, tools)]), Local);
    let part = &area(&scored, "functionality").parts[0];
    assert_eq!((part.score, part.bounds), (Some(75.0), [37.5, 87.5]));
    assert_eq!((part.passed, part.failed, part.unseen), (3, 1, 4));
    assert_eq!(part.coverage, 50.0);
}

#[test]
fn a_tool_seen_in_part_counts_for_its_worst_grade_and_is_half_covered() {
    let tools = vec![
        mark(Some("a"), Some(1.0)),
        mark(Some("a"), None),
        mark(Some("b"), Some(0.0)),
        mark(Some("b"), None),
    ];
    let scored = builtin("directory").score(&marks([(Facet::ToolSuccess, tools)]), Local);
    let part = &area(&scored, "functionality").parts[0];
    assert_eq!((part.score, part.bounds, part.coverage), (Some(50.0), [0.0, 50.0], 50.0));
    assert_eq!((part.passed, part.failed, part.unseen), (0, 1, 1));
}

#[test]
fn a_facet_that_nobody_looked_at_differs_from_one_that_does_not_apply() {
    let looked = marks([(Facet::ToolSuccess, rate(1, 1)), (Facet::Stability, Vec::new())]);
    let scored = builtin("directory").score(&looked, Local);
    let parts = &area(&scored, "functionality").parts;
    let states: Vec<AreaStatus> = parts.iter().map(|p| p.status).collect();
    assert_eq!(
        states,
        [
            AreaStatus::Scored,
            AreaStatus::Unobserved,
            AreaStatus::Unobserved,
            AreaStatus::NotApplicable
        ]
    );
    assert_eq!(area(&scored, "functionality").coverage, 44.4);
}

#[test]
fn one_facet_of_a_part_that_nobody_looked_at_halves_the_coverage_and_widens_the_bounds() {
    let half = marks([(Facet::Injection, rate(4, 4))]);
    let scored = builtin("directory").score(&half, Local);
    let part = &area(&scored, "security").parts[0];
    assert_eq!((part.score, part.bounds, part.coverage), (Some(100.0), [50.0, 100.0], 50.0));
}

#[test]
fn nothing_seen_at_all_is_unrated() {
    for id in Rubric::BUILTIN {
        for audit in [Local, Http] {
            for marks in [Marks::new(), marks([(Facet::Protocol, unseen(5))])] {
                let scored = builtin(id).score(&marks, audit);
                assert_eq!((scored.score, scored.level.as_str()), (None, "UNRATED"));
                assert_eq!(scored.coverage, 0.0);
            }
        }
    }
}
