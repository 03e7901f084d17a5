//! `preflight`, through the binary.

#![expect(clippy::expect_used, reason = "a test may panic")]

mod common;

use std::fs;
use std::path::Path;

use common::{proofmark, run};
use serde_json::Value;

fn golden(name: &str) -> String {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/evidence");
    dir.join(format!("{name}.json.zst")).display().to_string()
}

fn verdict(list: &Value, title: &str) -> String {
    let items = list["items"].as_array().expect("items").iter();
    let item = items.into_iter().find(|i| i["title"].as_str().is_some_and(|t| t.contains(title)));
    item.expect("the item")["verdict"].as_str().expect("a word").to_owned()
}

#[test]
fn a_recorded_run_answers_the_lists_of_every_directory() {
    let evidence = golden("memory");
    for directory in ["registry", "mcpb", "anthropic", "openai", "docker"] {
        let output = run(&["preflight", directory, "--recorded", &evidence, "--format", "json"]);
        let list: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(list["directory"], directory);
        assert_eq!(verdict(&list, "comes up"), "pass", "{list:#}");
        let fails = list["items"].as_array().expect("items").iter().any(|i| i["verdict"] == "fail");
        assert_eq!(output.status.code(), Some(i32::from(fails)), "{list:#}");
    }
}

#[test]
fn the_files_of_the_project_are_read() {
    let dir = tempfile::tempdir().expect("a directory");
    let entry = r#"{"$schema": "https://static.modelcontextprotocol.io/x", "name": "a.b/c",
        "description": "d", "version": "0.0.1", "remotes": [{"type": "streamable-http"}]}"#;
    fs::write(dir.path().join("server.json"), entry).expect("written");
    let project = dir.path().display().to_string();
    let output = run(&[
        "preflight",
        "registry",
        "-q",
        "--only",
        "usability",
        "--source",
        &project,
        "--format",
        "json",
        "--",
        proofmark(),
        "serve",
        "demo",
    ]);
    let list: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(verdict(&list, "reversed domain"), "pass");
    assert_eq!(verdict(&list, "version is the same"), "fail", "{list:#}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_server_that_stays_away_could_not_be_assessed() {
    let output = run(&["preflight", "docker", "-q", "--", proofmark(), "serve", "exits-at-once"]);
    assert_eq!(output.status.code(), Some(3));
}
