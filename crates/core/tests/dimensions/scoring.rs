//! From verdicts to points.

use proofmark_core::dimensions::{Case, Dimension, Evaluation, Flag, Profile};
use proofmark_core::render::chart::Colors;
use proofmark_core::render::dimensions as render;
use serde_json::json;

use crate::suite::{case, error, evaluate, good, recording, result};

#[test]
fn a_good_server_passes_with_full_functionality() {
    let e = evaluate(good());
    assert_eq!(e.points(Dimension::Functionality), Some(30.0));
    assert_eq!(e.level, "PASS", "{:?}", e.held);
    assert!(e.flags.is_empty());
    assert!(e.total.unwrap() > 85.0, "{:?}", e.total);
}

#[test]
fn the_order_of_cases_and_a_second_look_change_nothing() {
    let forward = evaluate(good());
    let mut cases = good();
    cases.reverse();
    assert_eq!(evaluate(cases), forward);
    assert_eq!(evaluate(good()), forward);
}

#[test]
fn where_nothing_works_the_total_stays_at_the_lowest_level() {
    let refuse = |mut c: Case| {
        c.said = error("limit must be positive");
        c
    };
    let e = evaluate(good().into_iter().map(refuse).collect());
    assert_eq!(e.flags, [Flag::AllFunctionalFailed]);
    assert_eq!(e.points(Dimension::Functionality), Some(0.0));
    assert!(e.total.unwrap() < 50.0 && e.level == "FAIL", "{:?} {}", e.total, e.level);
}

#[test]
fn a_way_out_of_bounds_keeps_security_below_12() {
    let mut cases = good();
    cases.push(case("save", "Path traversal", json!({"to": "../x"}), result("saved to ../x")));
    let e = evaluate(cases);
    assert_eq!(e.flags, [Flag::TraversalSucceeded]);
    assert!(e.points(Dimension::Security).unwrap() < 12.0);
    assert_ne!(e.level, "PASS");
}

#[test]
fn a_lost_server_is_reported_and_its_lost_calls_are_not_judged() {
    let mut cases = good();
    let before = evaluate(cases.clone());
    for n in 0..5 {
        cases.push(case("list_notes", "Lists", json!({"n": n}), error("ClosedResourceError: ")));
    }
    let e = evaluate(cases);
    assert_eq!(e.flags, [Flag::ServerLostMidway]);
    assert_eq!(e.points(Dimension::Functionality), before.points(Dimension::Functionality));
    assert!(e.points(Dimension::Robustness) < before.points(Dimension::Robustness));
}

#[test]
fn the_bands_are_those_of_the_profile() {
    // Seven of nine are fulfilled: 78 %.
    let suite = || {
        let ordinary = |n: usize| {
            let said = if n < 7 { result("ok then") } else { error("bad moon") };
            case("list", "Lists", json!({"n": n}), said)
        };
        recording((0..9).map(ordinary).collect())
    };
    let points =
        |bands| Evaluation::of(&suite(), bands).unwrap().points(Dimension::Functionality).unwrap();
    assert!((20.0..=24.0).contains(&points(Profile::Seed)), "{}", points(Profile::Seed));
    assert!((24.0..=29.0).contains(&points(Profile::Labels)), "{}", points(Profile::Labels));
}

#[test]
fn what_no_case_tells_of_is_not_assessed_and_not_counted() {
    let e = evaluate(vec![case("list", "Lists", json!({}), result("3 notes"))]);
    assert_eq!(e.points(Dimension::Transparency), None);
    assert_eq!(e.points(Dimension::Security), None);
    assert_eq!(e.total, Some(100.0));
}

#[test]
fn slow_answers_cost_more_where_everything_is_at_hand() {
    let slow = |tool: &str| {
        let mut c = case(tool, "Ordinary", json!({}), result("done"));
        c.seconds = 4.0;
        evaluate(vec![c]).points(Dimension::Performance).unwrap()
    };
    assert!(slow("add_note") < slow("web_search"));
}

#[test]
fn texts_of_the_server_can_not_break_the_documents() {
    let evil = "<script>alert(1)</script>|`x`\u{202e}\n# head";
    let mut cases = good();
    cases.push(case(evil, evil, json!({}), error(evil)));
    let mut suite = recording(cases);
    suite.server = format!("=cmd{evil}");
    let e = Evaluation::of(&suite, Profile::Seed).unwrap();
    let svg = render::radar(std::slice::from_ref(&e)).svg(Colors::Fixed);
    let markdown = render::markdown(&e);
    assert!(!svg.contains("<script>") && !svg.contains('\u{202e}'));
    assert!(!markdown.contains("\n# head") && !markdown.contains('\u{202e}'));
    assert!(render::csv(&[e]).contains("\"'=cmd"));
}

#[test]
fn several_servers_are_ranked_and_spread() {
    let mut other = evaluate(vec![case("list", "Lists", json!({}), error("no"))]);
    other.server = "broken".to_owned();
    let all = [other, evaluate(good())];
    let summary = render::summary(&all);
    assert!(summary.find("notes").unwrap() < summary.find("broken").unwrap(), "{summary}");
    assert!(summary.contains("| Total |"));
    assert_eq!(render::csv(&all).lines().count(), 3);
    assert!(render::boxes(&all).title.contains("2 servers"));
    assert_eq!(render::radar(&all).svg(Colors::Fixed).matches("<polygon").count(), 4 + 2);
}
