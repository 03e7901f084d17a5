//! Cases of two runs, written as changes of one report.

use super::*;
use crate::check::{Outcome, Topic};
use crate::evidence::{Profile, Scope};
use crate::pages;
use crate::render::golden;

fn run() -> Snapshot {
    Snapshot::of(&golden::report()).unwrap()
}

fn pinned(tools: &str) -> Snapshot {
    let evidence = pages::evidence(&format!(r#"{{"tools": [{tools}]}}"#)).unwrap();
    Snapshot { pin: Some(crate::pin::Pin::of(&evidence)), ..run() }
}

#[test]
fn a_run_is_the_same_as_itself() {
    let diff = Diff::between(&run(), &run());
    assert_eq!((diff.verdict, diff.because.len()), (Change::Same, 0));
    assert_eq!(diff.moves.persisting, 7);
    assert_eq!(diff.caveats.len(), 1, "{:?}", diff.caveats);
    assert_eq!(diff.score.map(|d| d.change), Some(0.0));
}

#[test]
fn a_pass_that_fails_is_new_and_a_failure_that_passes_is_fixed() {
    let (bad, mut good) = (run(), run());
    good.findings[0].outcome = Outcome::Pass;
    let worse = Diff::between(&good, &bad);
    assert_eq!((worse.verdict, worse.moves.new[0].id.as_str()), (Change::Worse, "000000000000"));
    assert_eq!(worse.because, ["1 new failure"]);
    let better = Diff::between(&bad, &good);
    assert_eq!((better.verdict, better.moves.fixed.len()), (Change::Better, 1));
}

#[test]
fn what_was_not_seen_is_neither_new_nor_fixed() {
    let (whole, mut blind) = (run(), run());
    blind.findings[0].outcome = Outcome::Unseen;
    let found = Diff::between(&blind, &whole);
    assert_eq!((found.verdict, found.moves.newly_seen.len()), (Change::Same, 1));
    let lost = Diff::between(&whole, &blind);
    assert_eq!((lost.verdict, lost.moves.no_longer_seen.len()), (Change::Same, 1));
    assert!(lost.moves.fixed.is_empty());
}

#[test]
fn a_check_that_the_earlier_version_did_not_know_finds_nothing_new() {
    let (after, mut before) = (run(), run());
    before.findings.retain(|f| f.check != "errors/unknown-tool");
    let diff = Diff::between(&before, &after);
    assert!(diff.moves.new.is_empty(), "{:?}", diff.moves);
    assert_eq!(diff.moves.newly_seen[0].check, "errors/unknown-tool");
}

#[test]
fn a_deeper_look_invents_no_regression() {
    let (mut quick, deep) = (run(), run());
    quick.conditions.profile = Profile::Quick;
    quick.findings[0].outcome = Outcome::Pass;
    quick.score = Some(99.0);
    let diff = Diff::between(&quick, &deep);
    assert_eq!(diff.verdict, Change::Incomparable);
    assert!(diff.moves.new.is_empty() && diff.score.is_none());
    assert!(diff.caveats.iter().any(|c| c.starts_with("profile: quick before, standard after")));
}

#[test]
fn another_revision_leaves_the_protocol_uncompared_and_all_else_compared() {
    let (mut old, new) = (run(), run());
    old.conditions.revision = Some("2025-06-18".to_owned());
    let passed = |f: &mut snapshot::Found| f.outcome = Outcome::Pass;
    old.findings.iter_mut().filter(|f| f.topic == Topic::Errors).for_each(passed);
    old.score = Some(99.0);
    let diff = Diff::between(&old, &new);
    assert_eq!((diff.verdict, diff.moves.newly_seen.len()), (Change::Same, 1));
    old.findings.iter_mut().filter(|f| f.topic == Topic::Usability).for_each(passed);
    assert_eq!(Diff::between(&old, &new).verdict, Change::Worse);
}

#[test]
fn another_selection_is_told_and_only_what_both_saw_is_compared() {
    let (mut part, whole) = (run(), run());
    part.conditions.scope = Scope { only: vec!["errors".to_owned()], ..Scope::default() };
    part.findings.retain(|f| f.topic == Topic::Errors);
    let diff = Diff::between(&part, &whole);
    assert_eq!((diff.verdict, diff.score), (Change::Same, None));
    assert_eq!(diff.moves.newly_seen.len(), 6);
    assert!(diff.caveats.iter().any(|c| c.starts_with("selection: only errors before")));
}

#[test]
fn a_score_that_falls_by_more_than_noise_is_worse() {
    let (old, mut new) = (run(), run());
    new.score = old.score.map(|s| s - 0.4);
    assert_eq!(Diff::between(&old, &new).verdict, Change::Same);
    new.score = old.score.map(|s| s - 3.0);
    let diff = Diff::between(&old, &new);
    assert_eq!(diff.because, ["the score fell from 71.4 to 68.4"]);
    new.rubric.version = "2.0".to_owned();
    assert_eq!(Diff::between(&old, &new).verdict, Change::Same);
}

#[test]
fn a_server_that_no_longer_comes_up_is_worse_and_one_that_never_did_is_no_measure() {
    let (up, mut down) = (run(), run());
    down.startup = Started::Down;
    assert_eq!(Diff::between(&up, &down).because, ["the server no longer comes up"]);
    assert_eq!(Diff::between(&down, &up).verdict, Change::Incomparable);
}

#[test]
fn a_tool_that_is_gone_or_broken_is_worse() {
    let (old, mut new) = (run(), run());
    new.tools[0].verdict = crate::report::ToolVerdict::Broken;
    new.tools.pop();
    let diff = Diff::between(&old, &new);
    assert_eq!(diff.because, ["2 tools gone or no longer working"]);
}

#[test]
fn a_new_required_parameter_breaks_callers_and_an_optional_one_does_not() {
    let tool = |schema: &str| pinned(&format!(r#"{{"name": "t", "inputSchema": {schema}}}"#));
    let old = tool(r#"{"type": "object", "properties": {"a": {"type": "string"}}}"#);
    let optional = tool(
        r#"{"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}"#,
    );
    let required =
        tool(r#"{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}"#);
    let diff = Diff::between(&old, &optional);
    assert_eq!(diff.verdict, Change::Same);
    assert!(diff.definitions.unwrap().iter().all(|d| d.grave && !d.breaking));
    let diff = Diff::between(&old, &required);
    assert_eq!(diff.because, ["callers break on 1 changed definition"]);
}

#[test]
fn a_file_that_is_no_report_is_refused_with_the_way_out() {
    let text =
        Snapshot::from_value(serde_json::json!({"schema": "other"})).unwrap_err().to_string();
    assert!(text.contains("expected `proofmark.report/1.0`") && text.contains("-o FILE.json"));
    let text = Snapshot::from_value(serde_json::json!({"schema": "proofmark.report/1.0"}));
    assert!(text.unwrap_err().to_string().contains("missing field"));
}
