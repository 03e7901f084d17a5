//! Laws that hold for every valid rubric and all marks.

use proofmark_core::check::{Facet, Grade, Severity};
use proofmark_core::rubric::{Mark, Marks, Rubric, Scored};
use proofmark_core::target::AuditKind;
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};

const TOOLS: [&str; 4] = ["alpha", "beta", "gamma", "delta"];
/// Few, so that rubrics and marks meet.
const FACETS: [Facet; 5] =
    [Facet::ToolSuccess, Facet::Injection, Facet::Readme, Facet::Protocol, Facet::Naming];

fn a_mark() -> impl Strategy<Value = Mark> {
    let grade = option::weighted(0.7, prop_oneof![Just(0.0), Just(1.0), 0.0..1.0f64]);
    (option::of(select(&TOOLS[..])), grade, select(Severity::ALL)).prop_map(
        |(tool, grade, severity)| Mark {
            tool: tool.map(str::to_owned),
            grade: grade.map(Grade::new),
            severity,
            check: "topic/law",
        },
    )
}

fn some_marks() -> impl Strategy<Value = Marks> {
    btree_map(select(&FACETS[..]), vec(a_mark(), 0..8), 0..6)
}

fn an_audit() -> impl Strategy<Value = AuditKind> {
    select(&[AuditKind::Github, AuditKind::Http, AuditKind::Local][..])
}

/// Whole numbers that sum to 100.
fn weights(number: usize) -> impl Strategy<Value = Vec<u32>> {
    vec(1..20u32, number).prop_map(|parts| {
        let sum: u32 = parts.iter().sum();
        let mut scaled: Vec<u32> = parts.iter().map(|p| (p * 100 / sum).max(1)).collect();
        let rest: u32 = scaled.iter().skip(1).sum();
        scaled[0] = 100 - rest;
        scaled
    })
}

/// Distinct rates over 0, highest first.
fn edges(most: usize) -> impl Strategy<Value = Vec<u32>> {
    proptest::collection::btree_set(1..100u32, 0..most)
        .prop_map(|set| set.into_iter().rev().collect())
}

fn rate_curve(top: u32) -> BoxedStrategy<String> {
    let steps = edges(4).prop_flat_map(move |edges| {
        let points = vec(0..=top, edges.len());
        (Just(edges), points, any::<bool>())
            .prop_map(move |(edges, points, above)| written("steps", top, &edges, points, above))
    });
    let ramp = edges(3).prop_flat_map(move |edges| {
        let points = vec(0..=top, edges.len() * 2 + 1);
        (Just(edges), points, any::<bool>())
            .prop_map(move |(edges, points, above)| written("ramp", top, &edges, points, above))
    });
    prop_oneof![Just("\"linear\"".to_owned()), steps, ramp].boxed()
}

fn written(kind: &str, top: u32, edges: &[u32], mut points: Vec<u32>, above: bool) -> String {
    points.sort_unstable_by(|a, b| b.cmp(a));
    points.insert(0, top);
    let mut points = points.into_iter();
    let mut next = || points.next().unwrap_or(0);
    let key = if above { "above" } else { "at" };
    let froms = edges.iter().map(|e| format!("{key} = {e}")).chain(["at = 0".to_owned()]);
    let entries: Vec<String> = froms
        .map(|from| match kind {
            "steps" => format!("{{ {from}, points = {} }}", next()),
            _ => {
                let high = next();
                format!("{{ {from}, low = {}, high = {high} }}", next())
            }
        })
        .collect();
    format!("{{ {kind} = [{}] }}", entries.join(", "))
}

fn a_part() -> impl Strategy<Value = String> {
    let facets = proptest::sample::subsequence(&FACETS[..], 1..4);
    let curve = prop_oneof![
        3 => rate_curve(100).prop_map(|c| format!("curve = {c}")),
        1 => rate_curve(25).prop_map(|c| format!("out_of = 25\ncurve = {c}")),
        1 => (1..30u32)
            .prop_map(|each| format!("measure = \"failures\"\ncurve = {{ penalty = {each} }}")),
        1 => (rate_curve(100), rate_curve(100)).prop_map(|(curve, cap)| {
            format!("curve = {curve}\ncap = {{ severity = \"high\", curve = {cap} }}")
        }),
    ];
    (facets, select(&["finding", "tool", "check"][..]), curve, any::<bool>()).prop_map(
        |(facets, per, curve, required)| {
            let facets: Vec<String> = facets.iter().map(|f| format!("\"{f}\"")).collect();
            format!(
                "facets = [{}]\nper = \"{per}\"\nrequired = {required}\n{curve}\n",
                facets.join(", ")
            )
        },
    )
}

fn an_area() -> impl Strategy<Value = String> {
    let parts = vec(a_part(), 1..4).prop_flat_map(|parts| {
        let number = parts.len();
        (Just(parts), weights(number))
    });
    (parts, rate_curve(100), select(&["", "\"http\"", "\"github\", \"local\""][..])).prop_map(
        |((parts, weights), curve, not_for)| {
            let mut text = format!("curve = {curve}\nnot_applicable_for = [{not_for}]\n");
            for (i, (part, weight)) in parts.iter().zip(weights).enumerate() {
                text += &format!(
                    "[[area.part]]\nid = \"p{i}\"\ntitle = \"P\"\nweight = {weight}\n{part}"
                );
            }
            text
        },
    )
}

fn a_rubric() -> impl Strategy<Value = Rubric> {
    let missing = || select(&["drop", "zero", "full"][..]);
    let areas = vec(an_area(), 1..5).prop_flat_map(|areas| {
        let number = areas.len();
        (Just(areas), weights(number))
    });
    (areas, 0..3u8, missing(), missing(), 0..=100u32, 1..=100u32).prop_map(
        |((areas, weights), decimals, unobserved, inapplicable, floor, top)| {
            let mut text = format!(
                "id = \"r\"\nversion = \"1\"\ntitle = \"R\"\ndecimals = {decimals}\n\
                 unobserved = \"{unobserved}\"\ninapplicable = \"{inapplicable}\"\n\
                 coverage_floor = {floor}\n[[band]]\nlevel = \"TOP\"\nat = {top}\n\
                 [[band]]\nlevel = \"LOW\"\nat = 0\n"
            );
            for (i, (area, weight)) in areas.iter().zip(weights).enumerate() {
                text +=
                    &format!("[[area]]\nid = \"a{i}\"\ntitle = \"A\"\nweight = {weight}\n{area}");
            }
            Rubric::parse("law.toml", &text).unwrap_or_else(|e| panic!("{e}\n{text}"))
        },
    )
}

fn any_rubric() -> impl Strategy<Value = Rubric> {
    let builtin = select(&Rubric::BUILTIN[..])
        .prop_map(|id| Rubric::builtin(id).unwrap_or_else(|e| panic!("{e}")));
    prop_oneof![1 => builtin, 4 => a_rubric()]
}

/// Changes one mark, if there is one that fits.
fn change(
    marks: &Marks,
    which: Index,
    fits: impl Fn(&Mark) -> bool,
    to: Option<Grade>,
) -> Option<Marks> {
    let mut changed = marks.clone();
    let mut fitting: Vec<&mut Mark> = changed.values_mut().flatten().filter(|m| fits(m)).collect();
    if fitting.is_empty() {
        return None;
    }
    let chosen = which.index(fitting.len());
    fitting[chosen].grade = to;
    Some(changed)
}

fn keeps_its_ranges(scored: &Scored) -> Result<(), TestCaseError> {
    let [low, high] = scored.bounds;
    prop_assert!(0.0 <= low && low <= high && high <= 100.0, "{scored:?}");
    prop_assert!((0.0..=100.0).contains(&scored.coverage), "{scored:?}");
    if let Some(score) = scored.score {
        prop_assert!(low <= score && score <= high, "{scored:?}");
    }
    for area in &scored.areas {
        let ranges = std::iter::once((area.score, area.bounds))
            .chain(area.parts.iter().map(|p| (p.score, p.bounds)));
        for (score, [low, high]) in ranges {
            prop_assert!(0.0 <= low && low <= high && high <= 100.0, "{area:?}");
            prop_assert!(score.is_none_or(|s| (0.0..=100.0).contains(&s)), "{area:?}");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_rubric_scores_any_marks_within_range_and_bounds(
        rubric in any_rubric(), marks in some_marks(), audit in an_audit(),
    ) {
        keeps_its_ranges(&rubric.score(&marks, audit))?;
    }

    #[test]
    fn turning_a_failure_into_a_pass_never_lowers_the_score(
        rubric in any_rubric(), marks in some_marks(), audit in an_audit(), which: Index,
    ) {
        let failing = |m: &Mark| m.grade.is_some_and(|g| !g.is_pass());
        if let Some(better) = change(&marks, which, failing, Some(Grade::PASS)) {
            let (before, after) = (rubric.score(&marks, audit), rubric.score(&better, audit));
            prop_assert!(before.score <= after.score, "{before:?}\n{after:?}");
            prop_assert!(before.bounds[0] <= after.bounds[0]);
            prop_assert!(before.bounds[1] <= after.bounds[1]);
            prop_assert_eq!(before.coverage, after.coverage);
        }
    }

    #[test]
    fn turning_the_unseen_into_a_pass_never_lowers_the_score(
        rubric in any_rubric(), marks in some_marks(), audit in an_audit(), which: Index,
    ) {
        if let Some(better) = change(&marks, which, |m| m.grade.is_none(), Some(Grade::PASS)) {
            let (before, after) = (rubric.score(&marks, audit), rubric.score(&better, audit));
            prop_assert!(before.score <= after.score, "{before:?}\n{after:?}");
            prop_assert!(before.bounds[0] <= after.bounds[0]);
        }
    }

    #[test]
    fn seeing_less_never_raises_coverage_and_never_narrows_the_bounds(
        rubric in any_rubric(), marks in some_marks(), audit in an_audit(), which: Index,
    ) {
        if let Some(less) = change(&marks, which, |m| m.grade.is_some(), None) {
            let (before, after) = (rubric.score(&marks, audit), rubric.score(&less, audit));
            prop_assert!(after.coverage <= before.coverage, "{before:?}\n{after:?}");
            prop_assert!(after.bounds[0] <= before.bounds[0], "{before:?}\n{after:?}");
            prop_assert!(after.bounds[1] >= before.bounds[1], "{before:?}\n{after:?}");
        }
    }

    #[test]
    fn one_more_unseen_finding_never_raises_coverage(
        rubric in any_rubric(), marks in some_marks(), audit in an_audit(),
        facet in select(&FACETS[..]), mark in a_mark(),
    ) {
        let mut more = marks.clone();
        more.entry(facet).or_default().push(Mark { grade: None, ..mark });
        let (before, after) = (rubric.score(&marks, audit), rubric.score(&more, audit));
        // A facet that did not apply and now does is another question asked, not less seen.
        if marks.get(&facet).is_none_or(|of_facet| !of_facet.is_empty()) {
            prop_assert!(after.coverage <= before.coverage, "{before:?}\n{after:?}");
        }
    }

    #[test]
    fn the_top_level_needs_its_score_and_its_coverage(
        rubric in any_rubric(), marks in some_marks(), audit in an_audit(),
    ) {
        let scored = rubric.score(&marks, audit);
        let top = &rubric.bands[0];
        if scored.level == top.level {
            prop_assert!(scored.score >= Some(top.at) && scored.coverage >= rubric.coverage_floor);
        }
    }
}
