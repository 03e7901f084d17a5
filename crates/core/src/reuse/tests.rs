//! Which answers stand for a call, and which do not.

use super::*;
use crate::evidence::{Micros, Visit};
use crate::pages;
use crate::seed::Seed;

const READS: &str = r#""probe": "edge-values", "tool": "get_note""#;

fn run(exchange: &str) -> Evidence {
    let text = format!(
        r#"{{"tools": [{{"name": "get_note"}}, {{"name": "save_note"}}], "exchanges": [
            {{"probe": "valid-call", "label": "typical", "tool": "get_note", "reply": {{"text": "a"}}}},
            {{{exchange}, "label": "x", "reply": {{"text": "answer"}}}}]}}"#
    );
    let mut evidence = pages::evidence(&text).unwrap();
    evidence.reuse = Some(Reuse { program: Some("same".to_owned()), ..Reuse::default() });
    evidence
}

/// Whether the last call of `now` is answered by the one of `earlier`.
fn stands(earlier: &Evidence, now: &Evidence, hostile: bool) -> bool {
    Earlier::new(earlier, now).answer(now, now.transcript.last().unwrap(), hostile).is_some()
}

/// The call of this label.
fn call<'a>(evidence: &'a mut Evidence, label: &str) -> &'a mut Exchange {
    evidence.transcript.iter_mut().find(|x| x.label == label).unwrap()
}

#[test]
fn an_unchanged_call_of_a_reading_tool_is_not_made_again() {
    assert!(stands(&run(READS), &run(READS), false));
    assert!(stands(&run(READS), &run(READS), true), "the program is the same");
}

#[test]
fn what_is_sent_to_a_tool_that_may_write_is_sent_again() {
    let writes = run(r#""probe": "edge-values", "tool": "save_note""#);
    assert!(!stands(&writes, &writes.clone(), false));
}

#[test]
fn attacks_are_taken_over_only_from_the_very_same_program() {
    let mut other = run(READS);
    other.reuse = Some(Reuse { program: Some("built anew".to_owned()), ..Reuse::default() });
    assert!(stands(&run(READS), &other, false));
    assert!(!stands(&run(READS), &other, true));
    let mut unknown = run(READS);
    unknown.reuse = None;
    assert!(!stands(&unknown, &unknown.clone(), true), "not known is not the same");
}

#[test]
fn another_definition_or_another_argument_is_another_call() {
    let mut changed = run(READS);
    changed.inventory.tools[0].raw["description"] = "Anew.".into();
    assert!(!stands(&run(READS), &changed, false));
    let earlier = run(READS);
    let begun = Earlier::new(&earlier, &changed).begin(None);
    assert_eq!(begun.changed.into_iter().collect::<Vec<_>>(), ["get_note"]);
    let argument = run(&format!(r#"{READS}, "arguments": {{"id": 7}}"#));
    assert!(!stands(&run(READS), &argument, false));
}

#[test]
fn a_tool_whose_valid_call_comes_to_something_else_is_asked_anew() {
    let mut now = run(READS);
    call(&mut now, "typical").reply =
        Reply::Error { code: -32603, message: "broken".to_owned(), data: None }.into();
    assert!(!stands(&run(READS), &now, false));
    let earlier = run(READS);
    assert!(Earlier::new(&earlier, &now).differs(&now, "get_note"));
}

#[test]
fn other_conditions_are_named_and_nothing_is_taken_over() {
    let mut now = run(READS);
    now.conditions.seed = Seed(7);
    assert!(!stands(&run(READS), &now, false));
    let earlier = run(READS);
    let unlike = Earlier::new(&earlier, &now).begin(None).unlike;
    assert_eq!(unlike.as_deref(), Some("not as it was: the seed"));
}

#[test]
fn a_call_that_came_to_more_than_its_answer_is_made_again() {
    let callback = format!(r#"{READS}, "oracle": {{"kind": "callback", "token": "t"}}"#);
    assert!(!stands(&run(&callback), &run(&callback), false), "proof would be a visit");
    let computed = format!(r#"{READS}, "oracle": {{"kind": "computed", "expected": "42"}}"#);
    assert!(stands(&run(&computed), &run(&computed), false), "proof would be in the answer");
    let mut visited = run(READS);
    let at = Micros(call(&mut visited, "x").started.0 + 1);
    let (method, path) = ("GET".to_owned(), "/".to_owned());
    visited.visits.push(Visit { method, path, header: None, credential: None, body: None, at });
    assert!(!stands(&visited, &run(READS), false));
    let mut silent = run(READS);
    call(&mut silent, "x").reply = Reply::TimedOut { after_ms: 10 }.into();
    assert!(!stands(&silent, &run(READS), false), "not answered then");
}

#[test]
fn what_is_about_state_timing_or_the_process_is_never_taken_over() {
    use crate::probes::{edge_values, repeat};
    assert!(is_repeatable(&edge_values::PROBE));
    for probe in [&valid_call::PROBE, &round_trip::PROBE, &aftermath::PROBE, &repeat::PROBE] {
        assert!(!is_repeatable(probe), "{}", probe.id);
    }
}
