//! Gates, settings and `init`, through the binary: every kind clears and misses as documented.

#![expect(clippy::expect_used, reason = "a test may panic")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use common::{assess_mode, proofmark, run};

fn golden(name: &str) -> String {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/evidence");
    dir.join(format!("{name}.json.zst")).display().to_string()
}

/// `score` of the recorded time server.
fn score(flags: &[&str]) -> (i32, String) {
    let evidence = golden("time");
    let mut args = vec!["score", &evidence, "--quiet"];
    args.extend(flags);
    told(&run(&args))
}

fn told(output: &Output) -> (i32, String) {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code().unwrap_or(-1), said)
}

fn write(dir: &Path, name: &str, text: &str) -> PathBuf {
    let path = dir.join(name);
    fs::write(&path, text).expect("can be written");
    path
}

fn with_settings(text: &str, flags: &[&str]) -> (i32, String) {
    let dir = tempfile::tempdir().expect("a directory");
    let file = write(dir.path(), "proofmark.toml", text).display().to_string();
    let mut all = vec!["--settings", &file];
    all.extend(flags);
    score(&all)
}

#[test]
fn each_kind_of_gate_clears_and_misses_with_its_exit_code() {
    let dir = tempfile::tempdir().expect("a directory");
    let kept = dir.path().join("run.json.zst").display().to_string();
    let flags = ["--only", "usability", "--only", "errors", "--evidence", &kept];
    let report = assess_mode("demo", &flags).report;
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    let areas = report["areas"].as_array().expect("areas");
    let area = areas.iter().find(|a| a["id"] == "usability").expect("the area");
    let mut gates = Vec::new();
    for (what, at) in [
        ("score", number(&report["score"])),
        ("coverage", number(&report["coverage"])),
        ("usability", number(&area["score"])),
    ] {
        assert!(at < 99.0, "{what} has to have room above it");
        gates.push((format!("{what}>={}", (at - 0.1).max(0.0)), true));
        gates.push((format!("{what}>={}", at + 0.1), false));
    }
    gates.push(("severity<critical".to_owned(), true));
    gates.push(("severity<info".to_owned(), false));
    for (gate, clears) in gates {
        let (code, said) = told(&run(&["score", &kept, "-q", "--gate", &gate]));
        assert_eq!(code, i32::from(!clears), "{gate}: {said}");
        assert_eq!(said.contains("missed: "), !clears, "{gate}: {said}");
    }
}

#[test]
fn a_broken_must_misses_and_a_good_server_clears() {
    let only = ["--only", "protocol", "--gate", "must"];
    let bad = assess_mode("wrong-error-codes", &only);
    assert_eq!(bad.code, 1, "{}", bad.stderr);
    assert!(
        bad.stderr.contains("missed: must: ") && bad.stderr.contains("broken"),
        "{}",
        bad.stderr
    );
    let good = assess_mode("good", &only);
    assert_eq!(good.code, 0, "{}", good.stderr);
    assert_eq!(good.report["gates"][0]["met"], true);
}

#[test]
fn a_regression_against_the_baseline_misses_and_the_same_run_clears() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (good, bad) = (path("good.json"), path("bad.json"));
    let report = |mode: &str, file: &str| {
        assess_mode(mode, &["--only", "errors", "-o", file]);
    };
    report("good", &good);
    report("vague-errors", &bad);
    let gate = |mode: &str, file: &str| {
        assess_mode(mode, &["--only", "errors", "--baseline", file, "--gate", "no-regression"])
    };
    assert_eq!(gate("good", &good).code, 0);
    assert_eq!(gate("good", &bad).code, 0, "better than before");
    let worse = gate("vague-errors", &good);
    assert_eq!(worse.code, 1);
    assert!(worse.stderr.contains("missed: no-regression: "), "{}", worse.stderr);
    let other = assess_mode(
        "good",
        &["--only", "errors", "--profile", "quick", "--baseline", &good, "--gate", "no-regression"],
    );
    assert_eq!(other.code, 1);
    assert!(other.stderr.contains("can't be compared"), "{}", other.stderr);
}

#[test]
fn the_settings_hold_gates_and_what_is_not_required_only_tells() {
    let areas = "[gate]\nscore = 10\nprofile = \"quick\"\n[gate.areas]\ndocumentation = { minimum = 100, required = false }\n";
    let (code, said) = with_settings(areas, &[]);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("missed: documentation>=100") && said.contains("(not required)"),
        "{said}"
    );
    let (code, said) = with_settings(&areas.replace("false", "true"), &[]);
    assert_eq!(code, 1, "{said}");
    let (code, said) = with_settings("[gate]\nfail_on = \"info\"\n", &[]);
    assert_eq!(code, 1, "{said}");
    let (code, said) = with_settings("[gate]\nscore = 100\n", &["--gate", "score>=1"]);
    assert_eq!(code, 0, "the command line replaces it: {said}");
}

#[test]
fn what_is_wrong_in_the_settings_is_named_with_line_and_suggestion() {
    for (text, parts) in [
        (
            "[gate]\nscor = 80\n",
            &["proofmark.toml:2", "unknown field `scor`", "did you mean `score`"][..],
        ),
        ("[gate]\nscore = 180\n", &["proofmark.toml:2", "give one from 0 to 100"]),
        ("[gate]\nfail_on = \"hihg\"\n", &["proofmark.toml:2", "did you mean `high`"]),
        ("[gate]\nmust = \"2025-06-19\"\n", &["proofmark.toml:2", "2025-06-18"]),
        ("[gate]\nprofile = \"depe\"\n", &["proofmark.toml:2", "did you mean `deep`"]),
        (
            "\n[gate.areas]\nsecurty = { minimum = 85 }\n",
            &["proofmark.toml:3", "did you mean `security`"],
        ),
        ("[gate]\nregression = true\n", &["proofmark.toml:2", "give --baseline"]),
        ("[[target]]\nname = \"a\"\n", &["proofmark.toml:1", "exactly one of `command`"]),
    ] {
        let (code, said) = with_settings(text, &[]);
        assert_eq!(code, 2, "{text}: {said}");
        parts.iter().for_each(|part| assert!(said.contains(part), "{text}: {said}"));
    }
}

#[test]
fn a_server_that_stays_away_clears_no_gate_and_could_not_be_assessed() {
    let down = assess_mode("exits-at-once", &["--gate", "score>=0"]);
    assert_eq!(down.code, 3, "{}", down.stderr);
    assert_eq!(down.report["gates"][0]["met"], false);
}

#[test]
fn the_target_of_the_settings_is_assessed_without_a_command_line() {
    let dir = tempfile::tempdir().expect("a directory");
    let target = |name: &str, mode: &str| {
        format!(
            "[[target]]\nname = \"{name}\"\ncommand = [{:?}, \"serve\", \"{mode}\"]\n",
            proofmark()
        )
    };
    let one = write(dir.path(), "one.toml", &target("notes", "demo")).display().to_string();
    let quick = ["--only", "usability", "--gate", "score>=1"];
    let alone = |flags: &[&str]| {
        let mut args = vec!["assess", "-q"];
        args.extend(quick);
        args.extend(flags);
        told(&run(&args))
    };
    assert_eq!(alone(&["--settings", &one]).0, 0);
    let both = target("notes", "demo") + &target("other", "exits-at-once");
    let two = write(dir.path(), "two.toml", &both).display().to_string();
    let (code, said) = alone(&["--settings", &two]);
    assert!(code == 2 && said.contains("choose one with --target: notes, other"), "{said}");
    assert_eq!(alone(&["--settings", &two, "--target", "notes"]).0, 0);
    let (code, said) = alone(&["--settings", &two, "--target", "note"]);
    assert!(code == 2 && said.contains("did you mean `notes`"), "{said}");
}

#[test]
fn init_writes_settings_that_are_understood_and_replaces_nothing() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = dir.path().display().to_string();
    let (code, said) = told(&run(&["init", "--dir", &place, "--", "node", "my \"server\".js"]));
    assert_eq!(code, 0, "{said}");
    let settings = dir.path().join("proofmark.toml");
    let text = fs::read_to_string(&settings).expect("written");
    assert!(text.contains(r#"command = ["node", "#) && text.contains("[gate]"), "{text}");
    let (code, said) = score(&["--settings", &settings.display().to_string()]);
    assert!(code < 2, "the settings are understood: {said}");
    assert!(dir.path().join(".github/workflows/proofmark.yml").is_file());
    fs::write(&settings, "# mine\n").expect("can be written");
    let (code, said) = told(&run(&["init", "--dir", &place]));
    assert!(code == 2 && said.contains("--force replaces it"), "{said}");
    assert_eq!(fs::read_to_string(&settings).expect("still there"), "# mine\n");
    assert_eq!(told(&run(&["init", "--dir", &place, "--force"])).0, 0);
}
