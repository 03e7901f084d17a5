//! The requirement table of whole servers: the reference server breaks nothing, and what each
//! mutant of it breaks is caught.

#![expect(clippy::expect_used, clippy::panic, reason = "a test may panic")]

mod common;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use proofmark_testbed::{HttpForm, HttpServer, Mutant, mutants};
use serde_json::Value;

/// Verdicts by requirement and revision.
type Table = BTreeMap<(String, String), String>;

fn table(target: &[&str]) -> Table {
    let mut args = vec!["conformance", "--quiet", "--format", "json", "--disposable"];
    args.extend(target);
    let output = common::run(&args);
    let stderr = String::from_utf8_lossy(&output.stderr);
    let table: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("no table for {args:?}: {e}\n{stderr}"));
    let rows = table["requirements"].as_array().expect("the rows");
    let text = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    rows.iter().map(|r| ((text(r, "id"), text(r, "revision")), text(r, "verdict"))).collect()
}

fn over_stdio(words: &[&str]) -> Table {
    let mut target = vec!["--", common::proofmark(), "serve"];
    target.extend(words);
    table(&target)
}

fn failing(table: &Table) -> Vec<String> {
    let failed = table.iter().filter(|(_, verdict)| *verdict == "fail");
    failed.map(|((id, revision), _)| format!("{id} in {revision}")).collect()
}

#[test]
fn the_reference_server_breaks_no_requirement_over_stdio() {
    let table = over_stdio(&["good"]);
    assert_eq!(failing(&table), Vec::<String>::new());
    let passed = table.values().filter(|v| *v == "pass").count();
    assert!(passed > 400, "only {passed} verdicts are a pass");
}

#[test]
fn the_reference_server_breaks_no_requirement_over_http() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let addr = "127.0.0.1:0".parse().expect("an address");
    let server = runtime.block_on(HttpServer::bind("good", addr, HttpForm::Streams, None));
    let server = server.expect("good speaks HTTP");
    let url = server.url().to_owned();
    runtime.spawn(server.run());
    let table = table(&["--url", &url]);
    runtime.shutdown_timeout(Duration::from_millis(100));
    assert_eq!(failing(&table), Vec::<String>::new());
    assert!(table.iter().any(|((id, _), v)| id == "HTTP-19" && v == "pass"));
}

/// By stdio it is sound; by HTTP every answer has another version of JSON-RPC.
#[test]
fn two_transports_of_one_server_are_held_against_each_other() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("stdio.json").display().to_string();
    let sound = ["--", common::proofmark(), "serve", "good"];
    let mut args = vec!["conformance", "--quiet", "--format", "json", "--evidence", &file];
    args.extend(sound);
    common::run(&args);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let addr = "127.0.0.1:0".parse().expect("an address");
    let mutant = HttpServer::bind_mutant("good", "rpc-01-old-version", addr, HttpForm::Streams);
    let server = runtime.block_on(mutant).expect("the mutant speaks HTTP");
    let url = server.url().to_owned();
    runtime.spawn(server.run());
    let beside = |format: &str, target: &[&str]| {
        let mut args = vec!["conformance", "--quiet", "--beside", &file, "--format", format];
        args.extend(target);
        String::from_utf8_lossy(&common::run(&args).stdout).into_owned()
    };
    let parted: Value =
        serde_json::from_str(&beside("json", &["--url", &url])).expect("a table in JSON");
    let itself: Value =
        serde_json::from_str(&beside("json", &["--recorded", &file])).expect("a table in JSON");
    let told = beside("markdown", &["--recorded", &file]);
    runtime.shutdown_timeout(Duration::from_millis(100));

    let other = &parted["beside"][0];
    assert_eq!(other["transport"], "stdio");
    let parting = other["verdicts"].as_array().expect("what parts");
    let broken = |p: &&Value| p["id"] == "RPC-01" && p["fails"] == "here";
    assert!(parting.iter().any(|p| broken(&p)), "{other:#}");
    assert!(parting.iter().all(|p| p["fails"] == "here"), "stdio is sound: {other:#}");
    assert_eq!(other["offers"], serde_json::json!([]), "the same on offer");
    let other = &itself["beside"][0];
    assert_eq!(
        (&other["verdicts"], &other["offers"]),
        (&Value::Array(vec![]), &Value::Array(vec![]))
    );
    assert!(other["compared"].as_u64().is_some_and(|n| n > 400), "{other:#}");
    assert!(told.contains("## Beside ") && told.contains("all the same"), "{told}");
    let output = common::run(&["conformance", "--beside", "nowhere.json", "--recorded", &file]);
    assert_eq!(output.status.code(), Some(2));
}

/// Where it was not caught, if anywhere.
fn escaped(mutant: &Mutant) -> Vec<String> {
    let table = over_stdio(&[&mutant.server, "--mutant", &mutant.id]);
    let caught = |date: &&str| {
        table.get(&(mutant.requirement.clone(), (*date).to_owned())).map(String::as_str)
            == Some("fail")
    };
    let missed: Vec<&str> = mutant.revisions.dates().filter(|d| !caught(d)).collect();
    missed.iter().map(|date| format!("{} in {date}", mutant.id)).collect()
}

/// Two of each section; `bench/mutants` tries them all, on every transport.
const SAMPLE: [&str; 32] = [
    "canc-02-complains",
    "canc-02-dies",
    "comp-01-undeclared",
    "comp-02-too-many",
    "life-01-no-capabilities",
    "life-01-no-server-info",
    "log-01-undeclared",
    "log-03-any-level",
    "mrtr-01-listing-needs-input",
    "mrtr-02-asks-nothing",
    "page-01-cursor-as-number",
    "page-01-null-cursor",
    "ping-01-slow",
    "ping-01-talkative",
    "prog-01-other-type",
    "prog-01-unasked",
    "prompt-01-undeclared",
    "prompt-02-no-name",
    "res-01-undeclared",
    "res-02-no-uri",
    "rpc-01-no-version",
    "rpc-01-old-version",
    "s2c-01-elicits-undeclared",
    "s2c-01-roots-undeclared",
    "sub-01-no-acknowledgement",
    "sub-01-other-id",
    "task-01-refuses-metadata",
    "task-02-runs-anything",
    "tool-01-undeclared",
    "tool-02-no-list",
    "tool-20-any-tool",
    "tool-24-any-type",
];

/// Each breaks one requirement of the reference server; that very requirement has to fail, in
/// every revision it is broken in.
#[test]
fn mutants_are_caught_by_the_requirement_they_break() {
    let known = mutants().expect("the rows can be read");
    let all: Vec<&Mutant> = known.iter().filter(|m| SAMPLE.contains(&m.id.as_str())).collect();
    assert_eq!(all.len(), SAMPLE.len(), "the sample names a mutant that is gone");
    let (next, missed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        // Half of a run is waiting.
        for _ in 0..2 * thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(mutant) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let escaped = escaped(mutant);
                    missed.lock().expect("no panic holds it").extend(escaped);
                }
            });
        }
    });
    let mut missed = missed.into_inner().expect("no panic holds it");
    missed.sort();
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn a_run_starts_at_most_twelve_processes_and_attacks_nobody() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("run.json").display().to_string();
    let mut args = vec!["conformance", "--quiet", "--format", "json", "--evidence", &file];
    args.extend(["--", common::proofmark(), "serve", "good"]);
    common::run(&args);
    let evidence: Value =
        serde_json::from_slice(&std::fs::read(&file).expect("the evidence")).expect("JSON");
    let sides = evidence["links"].as_array().expect("the sides").len();
    assert!(sides < 12, "{sides} further processes");
    let calls = evidence["transcript"].as_array().expect("the calls");
    let attacks = |x: &&Value| x["probe"].as_str().is_some_and(|p| p.contains("injection"));
    assert_eq!(calls.iter().find(attacks), None);
}

#[test]
fn the_table_is_filtered_and_told_in_markdown() {
    let server = ["--", common::proofmark(), "serve", "good"];
    let mut args = vec!["conformance", "--quiet", "--section", "LIFE-02", "--format", "markdown"];
    args.extend(server);
    let output = common::run(&args);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("| LIFE-02 | must | ✓ | ✓ | ✓ | ✓ |"), "{text}");
    assert!(!text.contains("LIFE-03") && output.status.code() == Some(0), "{text}");
}

#[test]
fn a_broken_must_is_told_by_the_exit_code_and_an_unknown_section_with_the_nearest() {
    let mutant = ["--", common::proofmark(), "serve", "good", "--mutant", "life-01-no-server-info"];
    let mut args = vec!["conformance", "--quiet", "--section", "LIFE"];
    args.extend(mutant);
    assert_eq!(common::run(&args).status.code(), Some(1));
    let output = common::run(&["conformance", "--section", "LYFE", "--", "x"]);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr.contains("did you mean `LIFE`?"), "{stderr}");
}
