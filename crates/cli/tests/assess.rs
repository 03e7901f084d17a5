//! Whole runs through the binary, against the built-in servers.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests may panic; clippy only knows their #[test] functions"
)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

/// `proofmark ARGS -- proofmark serve MODE`, in a directory of its own.
fn assess(dir: &Path, mode: &str, args: &[&str]) -> Output {
    command(dir, mode, args).output().unwrap()
}

fn command(dir: &Path, mode: &str, args: &[&str]) -> Command {
    let exe = cargo_bin("proofmark");
    let mut command = Command::new(&exe);
    command.current_dir(dir).arg("assess").args(args);
    command.arg("--").arg(&exe).args(["serve", mode]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn report(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}{}", stdout(output), stderr(output)))
}

/// All that depends on the clock, taken out.
fn steady(mut report: Value) -> Value {
    report["timings"] = Value::Null;
    report["startup"]["took"] = Value::Null;
    for tool in report["tools"].as_array_mut().unwrap() {
        tool["latency_ms"] = Value::Null;
    }
    for finding in report["findings"].as_array_mut().unwrap() {
        finding.as_object_mut().unwrap().remove("measure");
    }
    report
}

#[test]
fn the_demo_prints_a_report_says_where_it_wrote_it_and_exits_0() {
    let dir = tempfile::tempdir().unwrap();
    let mut demo = Command::new(cargo_bin("proofmark"));
    let output = demo.arg("demo").current_dir(dir.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for part in ["AREAS", "TOOLS", "of what the rubric asks", "isolation"] {
        assert!(text.contains(part), "{part} is missing in:\n{text}");
    }
    assert!(stderr(&output).contains("report written to proofmark-demo.json"));
    let written = fs::read(dir.path().join("proofmark-demo.json")).unwrap();
    let report: Value = serde_json::from_slice(&written).unwrap();
    assert_eq!(report["schema"], "proofmark.report/1.0");
}

#[test]
fn judging_again_gives_the_same_bytes_as_the_live_run() {
    let dir = tempfile::tempdir().unwrap();
    let live = assess(dir.path(), "demo", &["-q", "--format", "json", "--evidence", "e.json.zst"]);
    assert_eq!(stderr(&live), "", "quiet means quiet");
    for rubric in ["directory", "audit", "dimensions"] {
        let mut score = Command::new(cargo_bin("proofmark"));
        score.current_dir(dir.path());
        score.args(["score", "e.json.zst", "--format", "json", "--rubric", rubric]);
        let again = score.output().unwrap();
        let value = report(&again);
        assert_eq!(value["rubric"]["id"], rubric);
        if rubric == "directory" {
            assert_eq!(stdout(&again), stdout(&live));
            assert_eq!(again.status.code(), live.status.code());
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_report_apart_from_timing() {
    let dir = tempfile::tempdir().unwrap();
    let run = || report(&assess(dir.path(), "good", &["--seed", "7", "-q", "--format", "json"]));
    let pretty = || serde_json::to_string_pretty(&steady(run())).unwrap();
    let (first, second) = (pretty(), pretty());
    for (a, b) in first.lines().zip(second.lines()) {
        assert_eq!(a, b);
    }
    assert_eq!(first.len(), second.len());
}

#[test]
fn every_file_asked_for_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["-o", "r.json", "-o", "r.txt", "-o", "r.ansi", "--events", "jsonl:events.jsonl"];
    let output = assess(dir.path(), "demo", &args);
    assert!(stderr(&output).contains("report written to r.ansi"), "{}", stderr(&output));
    let read = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap();
    assert!(serde_json::from_str::<Value>(&read("r.json")).is_ok());
    assert!(!read("r.txt").contains('\x1b') && read("r.txt").contains("AREAS"));
    assert!(read("r.ansi").contains('\x1b'));
    for (n, line) in read("events.jsonl").lines().enumerate() {
        let event: Value = serde_json::from_str(line).unwrap();
        assert_eq!(event["seq"], n as u64 + 1);
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 4, "and nothing else");
}

#[test]
fn better_definitions_are_printed_when_asked_for_and_tokens_are_counted_always() {
    let dir = tempfile::tempdir().unwrap();
    let narrow = ["--passive", "--only", "usability"];
    let asked = |more: &[&str]| assess(dir.path(), "demo", &[&narrow[..], more].concat());
    let plain = report(&asked(&["--format", "json"]));
    assert_eq!(plain.get("suggestions"), None);
    let tools = plain["tools"].as_array().unwrap();
    assert!(tools.iter().all(|t| t["tokens"].as_u64().unwrap() > 10), "{tools:?}");
    let better = report(&asked(&["--format", "json", "--suggest"]));
    let first = &better["suggestions"][0];
    assert_eq!(first["definition"]["name"], first["tool"]);
    let text = stdout(&asked(&["--suggest"]));
    assert!(text.contains(", better: ") && text.contains("\"inputSchema\""), "{text}");
}

#[test]
fn a_server_that_does_not_come_up_gets_its_verdict_and_exit_3() {
    let dir = tempfile::tempdir().unwrap();
    let output = assess(dir.path(), "missing-key", &[]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("DID NOT COME UP"), "{text}");
    assert!(text.contains("way out:"), "{text}");
    assert!(text.contains("last words on stderr"), "{text}");
    let output = assess(dir.path(), "missing-key", &["--format", "json"]);
    assert_eq!(report(&output)["startup"]["kind"], "down");
}

#[test]
fn a_command_that_is_not_there_gets_its_verdict_too() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = Command::new(cargo_bin("proofmark"));
    let output = command
        .current_dir(dir.path())
        .args(["assess", "--format", "json", "--", "no-such-command-at-all"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert_eq!(report(&output)["startup"]["cause"], "missing_software");
}

#[test]
fn secrets_given_on_the_command_line_appear_nowhere() {
    let dir = tempfile::tempdir().unwrap();
    let secret = "s3cr3t-v4lue-1234";
    let args =
        ["--env", &format!("API_KEY={secret}"), "--evidence", "e.json", "-o", "r.json", "-v"];
    let output = assess(dir.path(), "env-leak", &args);
    for text in [
        stdout(&output),
        stderr(&output),
        fs::read_to_string(dir.path().join("e.json")).unwrap(),
        fs::read_to_string(dir.path().join("r.json")).unwrap(),
    ] {
        assert!(!text.contains(secret));
    }
}

#[test]
fn one_signal_ends_the_run_early_with_a_partial_report() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["--format", "json", "--timeout", "60", "--events", "jsonl"];
    let child = command(dir.path(), "never-answers", &args).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    let began = Instant::now();
    signal(child.id(), "INT");
    let output = child.wait_with_output().unwrap();
    assert!(began.elapsed() < Duration::from_secs(10), "took {:?}", began.elapsed());
    assert!(stderr(&output).contains("ending the run"), "{}", stderr(&output));
    let report = report(&output);
    let text = report["findings"].to_string();
    assert!(text.contains("interrupted"), "{text}");
    assert_ne!(report["level"], "PASS");
}

#[test]
fn two_signals_end_everything_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["--timeout", "60", "--concurrency", "1"];
    let child = command(dir.path(), "never-answers", &args).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    let began = Instant::now();
    while began.elapsed() < Duration::from_millis(100) {
        signal(child.id(), "INT");
    }
    let output = child.wait_with_output().unwrap();
    // The first may win the race and end the run in order; it never takes long.
    assert!(matches!(output.status.code(), Some(130 | 1 | 3)), "{:?}", output.status);
    assert!(began.elapsed() < Duration::from_secs(10), "took {:?}", began.elapsed());
}

#[test]
fn the_only_server_of_a_configuration_file_is_assessed() {
    let dir = tempfile::tempdir().unwrap();
    let exe = cargo_bin("proofmark");
    let entry = serde_json::json!({"command": exe, "args": ["serve", "${MODE:-demo}"]});
    let text = format!("{{ // ours\n \"mcpServers\": {{ \"only\": {entry}, }} }}");
    fs::write(dir.path().join("mcp.json"), text).unwrap();
    let mut command = Command::new(&exe);
    let output = command
        .current_dir(dir.path())
        .args(["assess", "--config", "mcp.json", "--format", "json", "--passive"])
        .output()
        .unwrap();
    let report = report(&output);
    assert_eq!(report["startup"]["kind"], "up", "{}", stderr(&output));
    assert_eq!(report["conditions"]["passive"], true);
}

fn signal(pid: u32, name: &str) {
    let status = Command::new("kill").args([&format!("-{name}"), &pid.to_string()]).status();
    assert!(status.unwrap().success());
}
