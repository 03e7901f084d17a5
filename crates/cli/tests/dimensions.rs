//! The five-dimension evaluation through the binary: test reports, documents, a model on loopback.
#![expect(
    clippy::unwrap_used,
    reason = "tests may panic; clippy only knows their #[test] functions"
)]

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use proofmark_testbed::{Habit, ModelServer};
use serde_json::{Value, json};

fn proofmark(args: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("proofmark").unwrap();
    let command = command.args(args).env_remove("OPENAI_API_KEY").env_remove("ANTHROPIC_API_KEY");
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

/// A report of a server that works, in a folder of its own.
fn report(dir: &Path, name: &str) -> String {
    let case = |name: String, args: Value, response: Value| json!({"case_name": name, "purpose": "", "args": args, "response": response, "execution_time": 0.02});
    let mut cases: Vec<Value> = (0..8)
        .map(|n| case("Lists notes".to_owned(), json!({"n": n}), json!({"result": "3 notes"})))
        .collect();
    for n in 0..4 {
        let error = json!({"error": format!("limit {n} must be positive")});
        cases.push(case(format!("Negative limit {n}"), json!({"limit": -n}), error));
    }
    cases.push(case("Lists none".to_owned(), json!({"n": 99}), json!({"result": "[]"})));
    let report = json!({
        "server_name": name,
        "tools": [{"name": "list_notes", "description": "", "args_schema": {}}],
        "test_results": {"list_notes": cases},
        "total_cases": 13,
    });
    let path = dir.join(format!("test_report_{name}.json"));
    fs::write(&path, report.to_string()).unwrap();
    path.display().to_string()
}

/// A model that stays until the test ends.
fn model(habit: Habit) -> (tokio::runtime::Runtime, String) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(ModelServer::bind(habit)).unwrap();
    let url = format!("http://{}", server.address().unwrap());
    runtime.spawn(server.run());
    (runtime, url)
}

#[test]
fn a_test_report_is_scored_without_a_server() {
    let dir = tempfile::tempdir().unwrap();
    let report = report(dir.path(), "notes");
    let (code, stdout, _) = proofmark(&["score", &report, "--format", "json"]);
    let judged: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, &judged["level"]), (0, &json!("PASS")), "{stdout}");
    assert_eq!(judged["dimensions"][0]["points"], 28.8, "eight of nine and a half");
    assert_eq!(proofmark(&["score", &report, "--format", "json"]).1, stdout);
    let (_, stdout, _) = proofmark(&["score", &report]);
    assert!(stdout.contains("no model was asked: all 13 cases were left to"), "{stdout}");
    let (code, _, stderr) = proofmark(&["score", &report, "--rubric", "audit"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("only the dimensions rubric"), "{stderr}");
}

#[test]
fn a_damaged_report_gets_an_error_and_no_score() {
    let dir = tempfile::tempdir().unwrap();
    let path = report(dir.path(), "notes");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("\"execution_time\":0.02", "\"execution_time\":\"soon\"", 1))
        .unwrap();
    let (code, stdout, stderr) = proofmark(&["score", &path]);
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert!(
        stderr.contains("test_results.list_notes[0]") && stderr.contains("no score"),
        "{stderr}"
    );
    fs::write(&path, &text[..text.len() / 2]).unwrap();
    let (code, stdout, stderr) = proofmark(&["dimensions", &path]);
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert!(stderr.contains("cut short"), "{stderr}");
}

#[test]
fn documents_are_written_by_their_extension() {
    let dir = tempfile::tempdir().unwrap();
    let (one, two) = (report(dir.path(), "notes"), report(dir.path(), "files"));
    let place = |name: &str| dir.path().join(name).display().to_string();
    let names = ["s.md", "s.csv", "radar.svg", "boxes.svg", "s.json"].map(place);
    let mut args = vec!["dimensions", &one, &two, "-q"];
    names.iter().for_each(|name| args.extend(["-o", name]));
    assert_eq!(proofmark(&args).0, 0);
    let read = |n: usize| fs::read_to_string(&names[n]).unwrap();
    assert!(read(0).starts_with("# 2 servers"));
    assert_eq!(read(1).lines().count(), 3);
    assert!(read(2).contains("<svg") && read(3).contains("per cent of the points"));
    assert_eq!(serde_json::from_str::<Value>(&read(4)).unwrap().as_array().unwrap().len(), 2);
    let (code, _, stderr) = proofmark(&["dimensions", &one, "-o", &place("x.pdf")]);
    assert!(code == 2 && stderr.contains(".svg"), "{stderr}");
}

#[test]
fn a_model_is_asked_and_its_answers_replay_without_it() {
    let dir = tempfile::tempdir().unwrap();
    let report = report(dir.path(), "notes");
    let answers = dir.path().join("answers.json").display().to_string();
    let (runtime, url) = model(Habit::Fair);
    let judge = [
        "--judge",
        "openai:tiny",
        "--judge-mode",
        "full",
        "--judge-url",
        &url,
        "--judge-price",
        "1,2",
    ];
    let mut args = vec!["dimensions", &report, "--format", "json", "--answers", &answers];
    args.extend(judge);
    let (_, first, stderr) = proofmark(&args);
    assert!(
        stderr.contains("asking openai:tiny at 127.0.0.1:") && stderr.contains("about $"),
        "{stderr}"
    );
    drop(runtime);
    let replay = ["dimensions", &report, "--format", "json", "--answers", &answers];
    assert_eq!(proofmark(&replay).1, first, "the same bytes with the model gone");
    let judged: Value = serde_json::from_str(&first).unwrap();
    assert_eq!(judged["judged_by"]["asked"], 13);
    assert_eq!(judged["judged_by"]["ungraded"], 0);
}

#[test]
fn without_a_key_and_an_address_nothing_is_sent() {
    let dir = tempfile::tempdir().unwrap();
    let report = report(dir.path(), "notes");
    let (code, stdout, stderr) = proofmark(&["dimensions", &report, "--judge", "anthropic:any"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("ANTHROPIC_API_KEY is not set"), "{stderr}");
    assert!(stdout.contains("no model was asked"), "{stdout}");
}

#[test]
fn an_assessment_keeps_generated_cases_and_answers_in_its_evidence() {
    let dir = tempfile::tempdir().unwrap();
    let evidence = dir.path().join("run.json").display().to_string();
    let (runtime, url) = model(Habit::Fair);
    let binary = assert_cmd::cargo::cargo_bin("proofmark").display().to_string();
    let (_, _, stderr) = proofmark(&[
        "assess",
        "--only",
        "functionality",
        "--judge",
        "openai:tiny",
        "--judge-url",
        &url,
        "--judge-mode",
        "full",
        "--generate",
        "--evidence",
        &evidence,
        "--",
        &binary,
        "serve",
        "good",
    ]);
    assert!(
        stderr.contains("for test cases of") && stderr.contains("five dimensions:"),
        "{stderr}"
    );
    drop(runtime);
    let kept: Value = serde_json::from_str(&fs::read_to_string(&evidence).unwrap()).unwrap();
    assert!(!kept["generated"].as_array().unwrap().is_empty());
    let made = kept["transcript"].as_array().unwrap().iter().filter(|x| x["probe"] == "generated");
    assert!(made.count() > 0);
    assert_eq!(kept["answers"]["model"], "openai:tiny");
    let (_, stdout, _) = proofmark(&["dimensions", &evidence]);
    assert!(stdout.contains("judged by openai:tiny (full)"), "{stdout}");
}

#[test]
fn evidence_is_judged_again_with_a_model_and_then_without_it() {
    let dir = tempfile::tempdir().unwrap();
    let place = |name: &str| dir.path().join(name).display().to_string();
    let (evidence, answers) = (place("run.json"), place("answers.json"));
    let binary = assert_cmd::cargo::cargo_bin("proofmark").display().to_string();
    let assess = ["assess", "-q", "--only", "functionality", "--evidence", &evidence];
    let (_, stdout, stderr) = proofmark(&[&assess[..], &["--", &binary, "serve", "good"]].concat());
    assert!(!stdout.is_empty(), "{stderr}");
    let score = ["score", &evidence, "--format", "json"];
    let told = |stdout: &str| serde_json::from_str::<Value>(stdout).unwrap();
    let alone = told(&proofmark(&score).1);
    let by = &alone["evaluation"]["judged_by"];
    assert!(by["model"].is_null() && by["by_rules"].as_u64() > Some(0), "{by}");
    assert!(by["left"].as_object().is_some_and(|left| !left.is_empty()), "{by}");
    assert!(alone["timings"]["evaluation"]["total"].is_number());
    let (runtime, url) = model(Habit::Fair);
    let judge =
        ["--judge", "anthropic:tiny", "--judge-url", &url, "--judge-mode", "second-opinion"];
    let kept = ["--judge-price", "1,2", "--answers", &answers];
    let (_, first, stderr) = proofmark(&[&score[..], &judge[..], &kept[..]].concat());
    assert!(stderr.contains("asking anthropic:tiny at 127.0.0.1:"), "{stderr}");
    drop(runtime);
    let asked = told(&first);
    let by = &asked["evaluation"]["judged_by"];
    assert_eq!((&by["mode"], &by["ungraded"]), (&json!("second-opinion"), &json!(0)), "{by}");
    assert!(by["spent"]["dollars"].as_f64() > Some(0.0), "{by}");
    assert!(asked["evaluation"]["opinions"].as_array().is_some_and(|o| !o.is_empty()));
    assert_eq!(asked["evaluation"]["dimensions"], alone["evaluation"]["dimensions"]);
    let replay = [&score[..], &["--answers", &answers]].concat();
    assert_eq!(proofmark(&replay).1, first, "the same bytes with the model gone");
    let other = report(dir.path(), "notes");
    let (code, _, stderr) = proofmark(&["score", &other, "--answers", &answers]);
    assert!(code == 2 && stderr.contains("about other cases"), "{stderr}");
    let (code, _, stderr) = proofmark(&["score", &evidence, "--answers", &evidence]);
    assert!(code == 2 && stderr.contains("what is judged"), "{stderr}");
}
