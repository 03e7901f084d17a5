//! Reading test reports: whole or not at all.

use proofmark_core::dimensions::{Evaluation, Profile, Recording, RecordingError, Said};
use serde_json::{Value, json};

use crate::suite::{good, recording};

fn report() -> Value {
    json!({
        "server_name": "notes",
        "tools": [{"name": "list", "description": "Lists", "args_schema": {}}],
        "test_results": {"list": [
            {"case_name": "first", "purpose": "", "args": {}, "response": {"result": "3 notes"}, "execution_time": 0.5, "is_functional_test": true},
            {"case_name": "second", "purpose": "", "args": {}, "response": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "execution_time": 1},
        ]},
        "total_cases": 2,
    })
}

fn parse(report: &Value) -> Result<Recording, RecordingError> {
    Recording::parse(report.to_string().as_bytes())
}

fn refused(report: &Value, says: &[&str]) {
    let error = parse(report).unwrap_err().to_string();
    for part in says {
        assert!(error.contains(part), "`{part}` is missing in: {error}");
    }
}

#[test]
fn a_report_is_read_with_all_its_shapes_of_answers() {
    let read = parse(&report()).unwrap();
    assert_eq!(read.cases.len(), 2);
    assert_eq!(read.cases[1].said, Said::Result("a\nb".to_owned()));
    assert_eq!(read.cases[0].functional, Some(true));
    assert!(!read.aborted);
}

#[test]
fn a_damaged_case_is_named_and_nothing_is_scored() {
    let mut damaged = report();
    damaged["test_results"]["list"][1]["response"] = json!({"results": "x"});
    refused(&damaged, &["test_results.list[1] (second)", "`response`", "no score"]);
    damaged = report();
    damaged["test_results"]["list"][0]["execution_time"] = json!("fast");
    refused(&damaged, &["test_results.list[0] (first)", "`execution_time`"]);
    damaged = report();
    damaged["test_results"]["list"][0]["execution_time"] = json!(-1);
    refused(&damaged, &["not a time"]);
    damaged = report();
    damaged["total_cases"] = json!(3);
    refused(&damaged, &["total_cases", "says 3", "2 cases"]);
    damaged = report();
    damaged["test_results"]["other"] = json!([]);
    refused(&damaged, &["test_results.other", "`tools` does not name"]);
    damaged = report();
    damaged["test_results"] = json!({});
    refused(&damaged, &["no cases"]);
}

#[test]
fn a_file_that_is_no_report_is_told_apart_from_one_cut_short() {
    refused(&json!({"a": 1}), &["not a test report", "test_report_SERVER.json"]);
    let text = report().to_string();
    let cut = Recording::parse(&text.as_bytes()[..text.len() - 9]).unwrap_err();
    assert!(matches!(cut, RecordingError::Truncated { .. }), "{cut}");
    let noise = Recording::parse(b"{\"server_name\": NaN}").unwrap_err();
    assert!(matches!(noise, RecordingError::NotJson { .. }), "{noise}");
}

#[test]
fn what_is_exported_reads_back_to_the_same_score() {
    let mut suite = recording(good());
    suite.tools = serde_json::from_value(json!([{"name": "list_notes"}])).unwrap();
    let back = parse(&suite.to_json("notes", "")).unwrap();
    let score = |r: &Recording| Evaluation::of(r, Profile::Seed).unwrap();
    assert_eq!(score(&back), score(&suite));
}
