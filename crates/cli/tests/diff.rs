//! `diff` and `upgrade`, through the binary.

#![expect(clippy::expect_used, reason = "a test may panic")]

mod common;

use std::path::Path;
use std::process::Output;

use common::{assess_mode, proofmark, run};
use serde_json::Value;

fn recorded(dir: &Path, mode: &str, flags: &[&str]) -> (String, String) {
    let path = |end: &str| dir.join(format!("{mode}{end}")).display().to_string();
    let (evidence, report) = (path(".json.zst"), path(".json"));
    let mut all = vec!["--only", "errors", "--evidence", &evidence, "-o", &report];
    all.extend(flags);
    assess_mode(mode, &all);
    (evidence, report)
}

fn diff(old: &str, new: &str) -> (i32, Value) {
    let output = run(&["diff", old, new, "--format", "json"]);
    let value = serde_json::from_slice(&output.stdout).expect("JSON");
    (code(&output), value)
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

#[test]
fn reports_and_evidence_can_be_compared_in_any_mixture() {
    let dir = tempfile::tempdir().expect("a directory");
    let (good, good_report) = recorded(dir.path(), "good", &[]);
    let (bad, bad_report) = recorded(dir.path(), "vague-errors", &[]);
    for (old, new) in [(&good, &bad), (&good_report, &bad_report), (&good, &bad_report)] {
        let (code, told) = diff(old, new);
        assert_eq!((code, &told["verdict"]), (1, &"worse".into()), "{told:#}");
        assert!(told["new"].as_array().is_some_and(|n| !n.is_empty()), "{told:#}");
        let (code, told) = diff(new, old);
        assert_eq!((code, &told["verdict"]), (0, &"better".into()), "{told:#}");
    }
    let (_, told) = diff(&good, &bad);
    assert!(told["definitions"].is_array());
    assert_eq!(diff(&good, &good).1["verdict"], "same");
    let text = dir.path().join("d.md").display().to_string();
    let output = run(&["diff", &good, &bad, "-o", &text]);
    assert_eq!(code(&output), 1);
    assert!(String::from_utf8_lossy(&output.stdout).contains("WORSE THAN BEFORE"));
    let text = std::fs::read_to_string(text).expect("written");
    assert!(text.contains("### Proofmark: worse than before"), "{text}");
}

#[test]
fn runs_of_another_profile_are_not_compared_and_say_so() {
    let dir = tempfile::tempdir().expect("a directory");
    let (_, good) = recorded(dir.path(), "good", &["--profile", "quick"]);
    let (_, bad) = recorded(dir.path(), "vague-errors", &[]);
    let (code, told) = diff(&good, &bad);
    assert_eq!((code, &told["verdict"]), (3, &"incomparable".into()));
    assert!(told["new"].as_array().is_some_and(Vec::is_empty));
    assert!(told["caveats"][0].as_str().is_some_and(|c| c.contains("profile: quick before")));
}

#[test]
fn a_file_that_is_neither_is_refused() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("x.json");
    std::fs::write(&file, "{}").expect("written");
    let name = file.display().to_string();
    let output = run(&["diff", &name, &name]);
    assert_eq!(code(&output), 2);
    assert!(String::from_utf8_lossy(&output.stderr).contains("not a report"));
}

#[test]
fn an_upgrade_is_judged_by_running_both() {
    let me = proofmark();
    let upgrade = |from: &str, to: &str| {
        let args =
            ["upgrade", "-q", "--only", "errors", "--", me, "serve", from, "--to", me, "serve", to];
        run(&args)
    };
    assert_eq!(code(&upgrade("good", "good")), 0);
    let worse = upgrade("good", "vague-errors");
    assert_eq!(code(&worse), 1, "{}", String::from_utf8_lossy(&worse.stdout));
    let gone = upgrade("good", "exits-at-once");
    assert_eq!(code(&gone), 1);
    assert!(String::from_utf8_lossy(&gone.stdout).contains("no longer comes up"));
    assert_eq!(code(&run(&["upgrade", "--", me, "serve", "good"])), 2);
}
