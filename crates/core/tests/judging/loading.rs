//! Loading a rubric: what is wrong, in which line, and the way out.

use crate::common::{builtin, marks, rate};
use proofmark_core::check::Facet;
use proofmark_core::rubric::Rubric;
use proofmark_core::target::AuditKind::Local;

const SMALL: &str = r#"id = "mine"
version = "1"
title = "My own"
decimals = 1
unobserved = "drop"
inapplicable = "drop"
coverage_floor = 60

[[band]]
level = "GOOD"
at = 80

[[band]]
level = "BAD"
at = 0

[[area]]
id = "work"
title = "It works"
weight = 70

[[area.part]]
id = "tools"
title = "Tools"
weight = 100
facets = ["tool-success"]
curve = { steps = [{ at = 90, points = 100 }, { at = 0, points = 20 }] }

[[area]]
id = "words"
title = "It is described"
weight = 30

[[area.part]]
id = "readme"
title = "README"
weight = 40
facets = ["readme"]
curve = { ramp = [{ above = 50, low = 60, high = 100 }, { at = 0, low = 0, high = 50 }] }

[[area.part]]
id = "names"
title = "Names"
weight = 60
facets = ["naming"]
measure = "failures"
curve = { penalty = 10 }
"#;

/// The message for the small rubric with one text replaced.
fn wrong(from: &str, to: &str) -> String {
    assert!(SMALL.contains(from), "{from} is not in the text");
    match Rubric::parse("mine.toml", &SMALL.replacen(from, to, 1)) {
        Ok(_) => panic!("{to} was accepted"),
        Err(e) => e.to_string(),
    }
}

#[test]
fn the_built_in_rubrics_load() {
    for id in Rubric::BUILTIN {
        assert_eq!(builtin(id).id, id);
    }
}

#[test]
fn an_unknown_built_in_names_the_known_ones() {
    assert_eq!(
        Rubric::builtin("best").expect_err("unknown").to_string(),
        "--rubric: no rubric is called `best`; use `directory`, `audit`, `dimensions`, or a file with --rubric FILE"
    );
}

#[test]
fn a_rubric_of_ones_own_loads_and_scores() {
    let rubric = Rubric::parse("mine.toml", SMALL).expect("a good rubric");
    let marks = marks([
        (Facet::ToolSuccess, rate(9, 10)),
        (Facet::Readme, rate(3, 4)),
        (Facet::Naming, rate(8, 10)),
    ]);
    // 0.7 · 100 + 0.3 · (0.4 · 80 + 0.6 · 80)
    assert_eq!(rubric.score(&marks, Local).score, Some(94.0));
    assert_eq!(rubric.score(&marks, Local).level, "GOOD");
}

#[test]
fn weights_of_areas_must_sum_to_100() {
    assert_eq!(
        wrong("weight = 70", "weight = 60"),
        "mine.toml:32: the weights of the areas sum to 90, expected 100; change `weight` of `work`, `words` by +10 in all"
    );
}

#[test]
fn weights_of_parts_must_sum_to_100() {
    assert_eq!(
        wrong("weight = 60", "weight = 60.5"),
        "mine.toml:44: the weights of the parts of area `words` sum to 100.5, expected 100; change `weight` of `readme`, `names` by -0.5 in all"
    );
}

#[test]
fn weights_must_be_positive_numbers() {
    for weight in ["-70", "nan", "inf", "101"] {
        let message = wrong("weight = 70", &format!("weight = {weight}"));
        assert!(message.starts_with("mine.toml:20: `weight` is "), "{message}");
    }
    let message = wrong("weight = 100\n", "weight = 0\n");
    assert!(
        message.starts_with("mine.toml:25: `weight` is 0, expected a number over 0"),
        "{message}"
    );
}

#[test]
fn an_unknown_facet_names_the_nearest_one() {
    assert_eq!(
        wrong("\"readme\"]", "\"read-me\"]"),
        "mine.toml:38: unknown facet `read-me`; did you mean `readme`?"
    );
    let message = wrong("\"readme\"]", "\"xyzzy\"]");
    assert!(message.contains("known are `tool-success`, `response-validity`"), "{message}");
}

#[test]
fn a_facet_named_twice_is_an_error() {
    assert_eq!(
        wrong("[\"readme\"]", "[\"readme\", \"readme\"]"),
        "mine.toml:38: facet `readme` stands twice; give each its own `id`"
    );
}

#[test]
fn bad_bands_are_explained() {
    assert_eq!(
        wrong("level = \"BAD\"\nat = 0", "level = \"BAD\"\nat = 90"),
        "mine.toml:15: band `BAD` at 90 does not lie below `GOOD` at 80; list bands from best to worst"
    );
    assert_eq!(
        wrong("at = 80\n", "at = 180\n"),
        "mine.toml:11: `at` is 180, expected 0 to 100; change it"
    );
    assert!(wrong("level = \"BAD\"\nat = 0", "level = \"BAD\"\nat = 5").contains(
        "the last band `BAD` begins at 5, so lower scores have no level; let it begin at 0"
    ));
    assert!(
        wrong("at = 80\n\n[[band]]\nlevel = \"BAD\"\n", "")
            .contains("has no levels to tell apart; add at least two `[[band]]`")
    );
    assert!(wrong("level = \"BAD\"", "level = \"GOOD\"").contains("band `GOOD` stands twice"));
}

#[test]
fn an_unknown_key_is_found_in_its_line_with_the_known_ones() {
    let message = wrong("decimals = 1", "decimal = 1");
    assert!(
        message.starts_with("mine.toml:4: unknown field `decimal`, expected one of `id`, "),
        "{message}"
    );
    let message = wrong("points = 20", "point = 20");
    assert!(message.starts_with("mine.toml:27: unknown field `point`, expected"), "{message}");
    assert!(message.ends_with("docs/rubrics.md lists every key with an example"), "{message}");
}

#[test]
fn a_missing_key_is_named() {
    let message = wrong("weight = 70\n", "");
    assert!(message.contains("missing field `weight`"), "{message}");
    assert!(message.starts_with("mine.toml:17: "), "{message}");
}

#[test]
fn text_that_is_not_toml_is_found_in_its_line() {
    let message = wrong("decimals = 1", "decimals = = 1");
    assert!(message.starts_with("mine.toml:4: "), "{message}");
}

#[test]
fn an_area_without_parts_and_a_part_without_facets_are_errors() {
    let cut = SMALL.find("[[area.part]]\nid = \"readme\"").expect("the part");
    let error = Rubric::parse("mine.toml", &SMALL[..cut]).expect_err("no parts").to_string();
    assert!(
        error.starts_with("mine.toml:30: area `words` has no parts; add at least one"),
        "{error}"
    );
    let error = wrong("[\"readme\"]", "[]");
    assert!(error.starts_with("mine.toml:38: part `readme` has no facets"), "{error}");
}

#[test]
fn ids_must_differ() {
    assert_eq!(
        wrong("id = \"words\"", "id = \"work\""),
        "mine.toml:30: area `work` stands twice; give each its own `id`"
    );
    assert!(wrong("id = \"names\"", "id = \"readme\"").contains("part `readme` stands twice"));
}

#[test]
fn a_ramp_must_not_fall() {
    let fix = "ramp gives more points for a lower rate; list entries from best to worst, and let points fall with them";
    assert_eq!(wrong("low = 0, high = 50", "low = 0, high = 70"), format!("mine.toml:39: {fix}"));
    assert_eq!(
        wrong("low = 60, high = 100", "low = 100, high = 60"),
        format!("mine.toml:39: {fix}")
    );
}

#[test]
fn steps_must_fall_cover_everything_and_give_all_points_for_a_perfect_rate() {
    assert!(wrong("points = 20", "points = 120").contains("gives 120 points, expected 0 to 100"));
    assert!(
        wrong("at = 0, points = 20", "at = 10, points = 20").contains(
            "steps does not say what the lowest rates get; add a last entry with `at = 0`"
        )
    );
    assert!(
        wrong("at = 90, points = 100", "at = 90, points = 90").contains(
            "steps gives 90 of 100 points for a perfect rate; let its first entry give 100"
        )
    );
    assert!(wrong("at = 90", "at = 0").contains("steps has the entry from 0 after the one from 0"));
    assert!(wrong("at = 90", "above = 100").contains("which no rate of 0 to 100 reaches"));
    assert!(wrong("at = 90", "at = 90, above = 90").contains("exactly one of `at` and `above`"));
}

#[test]
fn a_penalty_and_its_measure_belong_together() {
    assert!(wrong("measure = \"failures\"\n", "").contains("add `measure = \"failures\"`"));
    assert!(wrong("curve = { penalty = 10 }", "").contains("linear reads a rate, but the measure"));
    assert!(wrong("penalty = 10", "penalty = 0").contains("takes 0 points"));
    let on_area = wrong("weight = 30\n", "weight = 30\ncurve = { penalty = 5 }\n");
    assert!(on_area.contains("penalty counts failures, but an area has the mean"), "{on_area}");
}

#[test]
fn shown_digits_and_the_floor_have_limits() {
    assert!(wrong("decimals = 1", "decimals = 9").starts_with("mine.toml:4: `decimals` is 9"));
    assert!(wrong("coverage_floor = 60", "coverage_floor = 160").starts_with("mine.toml:7: "));
    assert!(wrong("title = \"My own\"", "title = \" \"").contains("`title` is empty"));
}

#[test]
fn a_rubric_that_weighs_nothing_is_an_error() {
    let nothing = SMALL.replace("weight = 70", "weight = 0").replace("weight = 30", "weight = 0");
    let error = Rubric::parse("mine.toml", &nothing).expect_err("no weight").to_string();
    assert!(error.contains("the rubric has no area with a weight"), "{error}");
}
