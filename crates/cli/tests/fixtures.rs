//! Values that a user supplies, from the file to the server and into the evidence.
#![expect(
    clippy::unwrap_used,
    reason = "tests may panic; clippy only knows their #[test] functions"
)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn assess(dir: &Path, fixtures: &str) -> Output {
    let exe = env!("CARGO_BIN_EXE_proofmark");
    fs::write(dir.join("values.toml"), fixtures).unwrap();
    Command::new(exe)
        .current_dir(dir)
        .args(["assess", "--fixtures", "values.toml", "--evidence", "run.json"])
        .args(["--only", "functionality", "--profile", "quick", "--", exe, "serve", "good"])
        .output()
        .unwrap()
}

fn evidence(dir: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(dir.join("run.json")).unwrap()).unwrap()
}

/// The arguments of the typical call.
fn sent(evidence: &Value, tool: &str) -> Value {
    let calls = evidence["transcript"].as_array().unwrap();
    let call = calls.iter().find(|x| {
        x["probe"] == "valid-call" && x["send"]["params"]["name"] == tool && x["label"] == "typical"
    });
    call.unwrap()["send"]["params"]["arguments"].clone()
}

#[test]
fn a_value_from_the_file_is_sent_and_kept_and_what_fits_nothing_is_noted() {
    let dir = tempfile::tempdir().unwrap();
    let output = assess(
        dir.path(),
        "[[tool]]\nname = \"convert_*\"\nvalues = { value = 41.5 }\n[[tool]]\nname = \"no_such_*\"\nvalues = {}\n",
    );
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code().is_some_and(|c| c < 2), "{said}");
    let evidence = evidence(dir.path());
    assert_eq!(sent(&evidence, "convert_length")["value"], 41.5);
    assert_eq!(evidence["conditions"]["fixtures"]["tool"][0]["values"]["value"], 41.5);
    assert!(said.contains("values.toml:5: no tool is called `no_such_*`"), "{said}");
}

#[test]
fn a_value_that_the_schema_forbids_ends_the_run_with_the_line() {
    let dir = tempfile::tempdir().unwrap();
    let output =
        assess(dir.path(), "[[tool]]\nname = \"convert_*\"\n[tool.values]\nvalue = \"warm\"\n");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("values.toml:4: `value` does not fit tool `convert_length`"), "{said}");
    assert!(!dir.path().join("run.json").exists());
}
