//! The audit rubric against the scoring guide's figures.

use crate::common::{area, builtin, graded, marks, perfect, rate, unseen};
use proofmark_core::check::Facet;
use proofmark_core::report::AreaStatus;
use proofmark_core::rubric::{Curve, Marks, Rubric, Scored};
use proofmark_core::target::AuditKind::{self, Github, Http, Local};

/// The five figures of a guide example: working tools in percent, holes, documentation as a
/// share, compliance in percent, usability as a share.
fn example(
    working: usize,
    holes: usize,
    documentation: f64,
    errors: usize,
    usability: f64,
) -> Marks {
    marks([
        (Facet::ToolSuccess, rate(working, 100)),
        (Facet::Injection, rate(40, 40 + holes)),
        (Facet::Readme, graded(documentation)),
        (Facet::Protocol, rate(errors, 100)),
        (Facet::Naming, graded(usability)),
    ])
}

fn audit(marks: &Marks) -> Scored {
    builtin("audit").score(marks, Local)
}

fn whole(scored: &Scored) -> (Option<f64>, &str) {
    (scored.score, &scored.level)
}

/// The guide's flow diagram gives documentation and usability figures of their own, which its
/// status rule would make 100 each; so here both are read as rates.
fn by_rates() -> Rubric {
    let mut rubric = builtin("audit");
    for area in &mut rubric.areas {
        area.curve = Curve::Linear;
    }
    rubric
}

#[test]
fn example_1_is_100_and_passes() {
    let scored = audit(&example(100, 0, 1.0, 100, 1.0));
    assert_eq!(scored.score, Some(100.0));
    assert_eq!(area(&scored, "functionality").level.as_deref(), Some("PASS"));
}

#[test]
fn example_2_with_three_holes_is_89() {
    assert_eq!(audit(&example(95, 3, 1.0, 85, 1.0)).score, Some(89.0));
}

#[test]
fn example_3_is_24_5_and_rounds_half_up_to_25_and_fails() {
    let scored = audit(&example(40, 6, 0.0, 30, 0.0));
    assert_eq!(scored.exact, Some(24.5));
    assert_eq!(whole(&scored), (Some(25.0), "FAIL"));
}

#[test]
fn the_flow_diagram_is_93_7_and_rounds_to_94() {
    let scored = by_rates().score(&example(100, 0, 0.85, 90, 0.88), Local);
    assert_eq!(scored.exact.map(|s| (s * 1e6).round() / 1e6), Some(93.7));
    assert_eq!(scored.score, Some(94.0));
}

#[test]
fn the_manual_verification_is_90_25_and_so_90_where_the_guide_prints_91() {
    let scored = audit(&example(90, 2, 1.0, 85, 1.0));
    assert_eq!(scored.exact, Some(90.25));
    assert_eq!(scored.score, Some(90.0));
}

#[test]
fn enough_coverage_and_85_points_pass() {
    let mut all = perfect();
    all.insert(Facet::Injection, rate(40, 43));
    let scored = audit(&all);
    assert_eq!(whole(&scored), (Some(93.0), "PASS"));
}

#[test]
fn holes_cost_ten_points_each_down_to_zero() {
    for (holes, score) in
        [(0, 100.0), (1, 90.0), (2, 80.0), (5, 50.0), (9, 10.0), (10, 0.0), (11, 0.0), (43, 0.0)]
    {
        let scored = audit(&marks([(Facet::Injection, rate(5, 5 + holes))]));
        assert_eq!(area(&scored, "security").score, Some(score), "{holes} holes");
    }
}

#[test]
fn policy_violations_cost_ten_points_each_and_never_touch_the_score() {
    let mut all = perfect();
    all.insert(Facet::Policy, rate(1, 4));
    let scored = audit(&all);
    assert_eq!(area(&scored, "policy").score, Some(70.0));
    assert_eq!(area(&scored, "policy").level.as_deref(), Some("VERIFY"));
    assert_eq!(scored.score, Some(100.0));
}

#[test]
fn functionality_is_the_percentage_of_working_tools() {
    for (working, total, score) in [(10, 10, 100.0), (8, 10, 80.0), (5, 10, 50.0), (8, 9, 89.0)] {
        let scored = audit(&marks([(Facet::ToolSuccess, rate(working, total))]));
        assert_eq!(area(&scored, "functionality").score, Some(score));
    }
}

#[test]
fn documentation_is_100_50_or_0_by_80_and_50_percent() {
    for (share, score) in [(1.0, 100.0), (0.8, 100.0), (0.79, 50.0), (0.5, 50.0), (0.49, 0.0)] {
        let scored = audit(&marks([(Facet::Readme, graded(share))]));
        assert_eq!(area(&scored, "documentation").score, Some(score), "{share}");
    }
}

#[test]
fn usability_is_100_50_or_0_by_75_and_50_percent() {
    for (share, score) in [(1.0, 100.0), (0.75, 100.0), (0.74, 50.0), (0.5, 50.0), (0.49, 0.0)] {
        let scored = audit(&marks([(Facet::Naming, graded(share))]));
        assert_eq!(area(&scored, "usability").score, Some(score), "{share}");
    }
}

#[test]
fn the_bands_turn_at_85_and_50_of_the_rounded_score() {
    let mut rubric = by_rates();
    for area in &mut rubric.areas {
        for part in &mut area.parts {
            part.curve = Curve::Linear;
            part.measure = proofmark_core::rubric::Measure::Mean;
        }
    }
    rubric.blockers.clear();
    for (share, score, level) in [
        (1.0, 100.0, "PASS"),
        (0.85, 85.0, "PASS"),
        (0.845, 85.0, "PASS"),
        (0.844, 84.0, "VERIFY"),
        (0.5, 50.0, "VERIFY"),
        (0.49, 49.0, "FAIL"),
        (0.0, 0.0, "FAIL"),
    ] {
        let every: Marks = Facet::ALL.iter().map(|f| (*f, graded(share))).collect();
        assert_eq!(whole(&rubric.score(&every, Local)), (Some(score), level), "{share}");
    }
}

#[test]
fn what_does_not_apply_counts_100_and_what_is_missing_counts_0() {
    let mut remote = perfect();
    remote.remove(&Facet::Readme);
    remote.remove(&Facet::Examples);
    remote.remove(&Facet::ApiDocs);
    let rubric = builtin("audit");

    let scored = rubric.score(&remote, Http);
    assert_eq!(scored.score, Some(100.0));
    assert_eq!(area(&scored, "documentation").status, AreaStatus::NotApplicable);
    assert_eq!(area(&scored, "documentation").score, Some(100.0));

    let scored = rubric.score(&remote, Local);
    assert_eq!(scored.score, Some(80.0));
    assert_eq!(area(&scored, "documentation").status, AreaStatus::Unobserved);
    assert_eq!(area(&scored, "documentation").score, Some(0.0));

    let mut without_tools = perfect();
    without_tools.insert(Facet::ToolSuccess, Vec::new());
    assert_eq!(rubric.score(&without_tools, Local).score, Some(100.0));
}

#[test]
fn a_core_module_at_zero_costs_its_weight() {
    for (facet, score) in
        [(Facet::ToolSuccess, 75.0), (Facet::Protocol, 85.0), (Facet::Naming, 85.0)]
    {
        let mut all = perfect();
        all.remove(&Facet::InputValidation);
        all.remove(&Facet::ErrorQuality);
        for part_of_usability in
            [Facet::ParameterDocs, Facet::Descriptions, Facet::SchemaQuality, Facet::ModernFeatures]
        {
            all.remove(&part_of_usability);
        }
        all.insert(facet, rate(0, 10));
        assert_eq!(audit(&all).score, Some(score), "{facet}");
    }
    let mut holes = perfect();
    holes.insert(Facet::Injection, rate(0, 10));
    assert_eq!(audit(&holes).score, Some(75.0));
}

/// Every module in the order of the guide's table, and where it does not apply.
const APPLICABILITY: [(&str, &[AuditKind]); 15] = [
    ("functionality", &[]),
    ("security", &[]),
    ("documentation", &[Http]),
    ("errors", &[]),
    ("usability", &[]),
    ("spec-compliance", &[]),
    ("policy", &[]),
    ("annotations", &[]),
    ("prohibited-libraries", &[Http]),
    ("manifest", &[Github, Http]),
    ("portability", &[Http]),
    ("temporal", &[Github]),
    ("resources", &[]),
    ("prompts", &[]),
    ("cross-capability", &[]),
];

#[test]
fn modules_apply_by_audit_type_as_in_the_table() {
    for audit in [Github, Http, Local] {
        let scored = builtin("audit").score(&perfect(), audit);
        for (id, not_for) in APPLICABILITY {
            let found = area(&scored, id).status == AreaStatus::NotApplicable;
            assert_eq!(found, not_for.contains(&audit), "{id} in {audit:?}");
        }
        assert_eq!(scored.score, Some(100.0));
    }
}

#[test]
fn portability_is_information_for_a_repository_and_a_verdict_on_this_machine() {
    let mut all = perfect();
    all.insert(Facet::Portability, rate(0, 3));
    let rubric = builtin("audit");

    let github = rubric.score(&all, Github);
    assert_eq!(area(&github, "portability").status, AreaStatus::Info);
    assert_eq!(area(&github, "portability").level, None);
    assert_eq!(area(&github, "portability").score, Some(0.0));

    let local = rubric.score(&all, Local);
    assert_eq!(area(&local, "portability").status, AreaStatus::Scored);
    assert_eq!(area(&local, "portability").level.as_deref(), Some("FAIL"));
    assert_eq!((github.score, local.score), (Some(100.0), Some(100.0)));
}

#[test]
fn nothing_seen_is_no_score_although_missing_counts_zero() {
    let scored = audit(&marks([(Facet::ToolSuccess, unseen(4))]));
    assert_eq!(whole(&scored), (None, "UNRATED"));
    assert_eq!((scored.bounds, scored.coverage), ([0.0, 100.0], 0.0));
}
