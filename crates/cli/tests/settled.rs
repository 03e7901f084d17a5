//! Pins, baselines, suppressions and the floor of confidence, through the binary.

#![expect(clippy::expect_used, reason = "a test may panic")]

mod common;

use std::fs;
use std::path::Path;

use common::{Assessed, assess_mode, proofmark, run};
use serde_json::Value;

const CHECK: &str = "usability/parameter-descriptions";

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

/// The demo server, usability alone: quick, and with failures.
fn demo(flags: &[&str]) -> Assessed {
    let mut all = vec!["--only", "usability"];
    all.extend(flags);
    assess_mode("demo", &all)
}

fn with_settings(dir: &Path, settings: &str) -> Assessed {
    let file = dir.join("proofmark.toml");
    fs::write(&file, settings).expect("can be written");
    demo(&["--settings", text(&file)])
}

fn failing<'a>(of: &'a Assessed, check: &str) -> Vec<&'a Value> {
    of.findings().filter(|f| f["check"] == check && f["outcome"] == "fail").collect()
}

fn usability(of: &Assessed) -> f64 {
    let areas = of.report["areas"].as_array().expect("areas");
    let area = areas.iter().find(|a| a["id"] == "usability").expect("the area");
    area["score"].as_f64().expect("a score")
}

#[test]
fn a_suppressed_finding_is_listed_with_its_reason_and_does_not_count() {
    let dir = tempfile::tempdir().expect("a directory");
    let plain = demo(&[]);
    assert!(!failing(&plain, CHECK).is_empty());
    assert!(plain.report.get("sieve").is_none());
    let settled = with_settings(
        dir.path(),
        &format!(
            "[[suppress]]\ncheck = \"{CHECK}\"\nreason = \"drawn up by hand\"\nexpires = 2999-12-31\n"
        ),
    );
    let found = failing(&settled, CHECK);
    assert!(!found.is_empty());
    assert!(found.iter().all(|f| f["suppressed"] == "drawn up by hand"), "{found:?}");
    assert_eq!(settled.report["sieve"]["suppressed"], found.len());
    assert_eq!(settled.report["sieve"]["suppressions"][0]["state"], "applied");
    assert!(usability(&settled) > usability(&plain));
    let advice = settled.report["recommendations"].as_array().expect("advice");
    assert!(advice.iter().all(|r| r["check"] != CHECK));
}

#[test]
fn an_expired_suppression_is_reported_and_no_longer_applies() {
    let dir = tempfile::tempdir().expect("a directory");
    let settings =
        format!("[[suppress]]\ncheck = \"{CHECK}\"\nreason = \"old\"\nexpires = 2020-01-31\n");
    let settled = with_settings(dir.path(), &settings);
    assert!(failing(&settled, CHECK).iter().all(|f| f.get("suppressed").is_none()));
    assert_eq!(settled.report["sieve"]["suppressions"][0]["state"], "expired");
    assert_eq!(usability(&settled), usability(&demo(&[])));
    let file = dir.path().join("proofmark.toml");
    let shown = run(&[
        "assess",
        "--only",
        "usability",
        "--settings",
        text(&file),
        "--",
        proofmark(),
        "serve",
        "demo",
    ]);
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.contains("SETTLED") && shown.contains("expired on 2020-01-31"), "{shown}");
}

#[test]
fn a_fingerprint_suppresses_one_finding_and_an_idle_suppression_is_named() {
    let dir = tempfile::tempdir().expect("a directory");
    let plain = demo(&[]);
    let id = failing(&plain, CHECK)[0]["id"].as_str().expect("an id").to_owned();
    let settings = format!(
        "[[suppress]]\nfingerprint = \"{id}\"\nreason = \"known\"\n[[suppress]]\ntool = \"no_such_*\"\nreason = \"gone\"\n"
    );
    let settled = with_settings(dir.path(), &settings);
    assert_eq!(settled.report["sieve"]["suppressed"], 1);
    assert_eq!(settled.report["sieve"]["suppressions"][1]["state"], "unused");
}

#[test]
fn settings_in_the_current_directory_are_read_and_wrong_ones_are_refused() {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("proofmark.toml"), "[[suppress]]\nchek = \"errors\"\n")
        .expect("written");
    let here = std::process::Command::new(proofmark())
        .args(["assess", "-q", "--", "true"])
        .current_dir(dir.path())
        .output()
        .expect("the binary starts");
    let says = String::from_utf8_lossy(&here.stderr).into_owned();
    assert_eq!(here.status.code(), Some(2), "{says}");
    assert!(says.contains("proofmark.toml:2") && says.contains("did you mean `check`"), "{says}");
    let missing = run(&["assess", "--settings", "/no/such.toml", "--", "true"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("--settings takes a TOML file"));
}

#[test]
fn weaker_failures_are_hidden_and_counted_and_still_weigh() {
    let all = assess_mode("demo", &[]);
    let high = assess_mode("demo", &["--min-confidence", "high"]);
    let weak = |f: &&Value| f["outcome"] == "fail" && f["confidence"] != "high";
    let expected = all.findings().filter(weak).count();
    assert_eq!(high.report["sieve"]["hidden"], expected);
    assert!(high.findings().filter(weak).all(|f| f["hidden"] == true));
    assert_eq!(high.report["score"], all.report["score"]);
    let wrong = run(&["assess", "--min-confidence", "some", "--", "true"]);
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn a_pin_is_written_and_an_unchanged_server_agrees_with_it() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("pins.json");
    let pinned = run(&["pin", "-q", "-o", text(&file), "--", proofmark(), "serve", "good"]);
    assert_eq!(pinned.status.code(), Some(0), "{}", String::from_utf8_lossy(&pinned.stderr));
    let pin: Value = serde_json::from_slice(&fs::read(&file).expect("the pin")).expect("JSON");
    assert_eq!(pin["schema"], "proofmark.pin/1.0");
    let again = run(&["pin", "-q", "--", proofmark(), "serve", "good"]);
    assert_eq!(again.stdout, fs::read(&file).expect("the pin"), "the same server, the same bytes");
    let flags = ["--only", "security/definition-drift", "--baseline", text(&file)];
    let same = assess_mode("good", &flags);
    assert!(same.findings().count() > 10);
    assert!(same.findings().all(|f| f["outcome"] == "pass"), "nothing drifted");
    let other = assess_mode("good-plain", &flags);
    let says =
        |part: &str| other.findings().any(|f| f["says"].as_str().is_some_and(|s| s.contains(part)));
    assert!(says("is gone since the baseline"));
}

#[test]
fn a_changed_definition_is_told_with_what_changed() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("pins.json");
    run(&["pin", "-q", "-o", text(&file), "--", proofmark(), "serve", "good-plain"]);
    let mut pin: Value = serde_json::from_slice(&fs::read(&file).expect("the pin")).expect("JSON");
    let tools = pin["definitions"].as_array_mut().expect("definitions");
    let one = tools.iter_mut().find(|d| d["kind"] == "tool").expect("a tool");
    one["definition"]["description"] = "Something quite different.".into();
    one["hash"] = "0".into();
    fs::write(&file, pin.to_string()).expect("written");
    let flags = ["--only", "security/definition-drift", "--baseline", text(&file)];
    let drifted = assess_mode("good-plain", &flags);
    let found = drifted.failures("security/definition-drift");
    assert_eq!(found.len(), 1);
    assert_eq!((&found[0]["standing"], &found[0]["class"]), (&"proven".into(), &"rug_pull".into()));
    assert!(found[0]["says"].as_str().is_some_and(|s| s.contains("description is now")));
}

#[test]
fn evidence_and_reports_tell_known_failures_from_new_ones() {
    let dir = tempfile::tempdir().expect("a directory");
    let (evidence, report) = (dir.path().join("run.json.zst"), dir.path().join("report.json"));
    let before = demo(&["--evidence", text(&evidence), "-o", text(&report)]);
    let failures = before.findings().filter(|f| f["outcome"] == "fail").count();
    for baseline in [&evidence, &report] {
        let after = demo(&["--baseline", text(baseline)]);
        assert_eq!(after.report["sieve"]["known"], failures, "{}", baseline.display());
        assert_eq!(after.report["sieve"]["new"], 0);
        let more = assess_mode(
            "demo",
            &["--only", "usability", "--only", "errors", "--baseline", text(baseline)],
        );
        assert!(more.report["sieve"]["new"].as_u64().is_some_and(|n| n > 0));
        assert!(more.findings().any(|f| f["baseline"] == "new"));
    }
    let again =
        run(&["score", text(&evidence), "--baseline", text(&report), "--format", "json", "-q"]);
    let again: Value = serde_json::from_slice(&again.stdout).expect("a report");
    assert_eq!(again["sieve"]["known"], failures);
}

#[test]
fn a_baseline_that_is_none_is_refused_with_the_way_out() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("other.json");
    for (content, says) in [
        ("{\"schema\": \"spdx/2\"}", "its `schema` is `spdx/2`"),
        ("{}", "it has no field `schema`"),
        ("no", "not JSON"),
        ("{\"schema\": \"proofmark.pin/1.0\"}", "field"),
    ] {
        fs::write(&file, content).expect("written");
        let refused = run(&["assess", "--baseline", text(&file), "--", "true"]);
        let stderr = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(says) && stderr.contains("other.json"), "{stderr}");
    }
}

#[test]
fn a_server_that_does_not_come_up_is_not_pinned() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("pins.json");
    let down = run(&["pin", "-q", "-o", text(&file), "--", proofmark(), "serve", "exits-at-once"]);
    assert_eq!(down.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&down.stderr).contains("nothing was pinned"));
    assert!(!file.exists());
}
