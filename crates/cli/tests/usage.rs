//! Wrong use of the command line: each error names the thing, says what was expected, and exits 2.
#![expect(
    clippy::unwrap_used,
    reason = "tests may panic; clippy only knows their #[test] functions"
)]

use std::fs;

use assert_cmd::Command;

fn proofmark(args: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("proofmark").unwrap();
    let output = command.args(args).env_remove("PROOFMARK_TEST_TOKEN").output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

/// Expects a usage error that says all of this.
fn refused(args: &[&str], says: &[&str]) {
    let (code, stdout, stderr) = proofmark(args);
    assert_eq!(code, 2, "{args:?}: {stderr}");
    assert_eq!(stdout, "", "{args:?}");
    assert!(stderr.starts_with("error: "), "{args:?}: {stderr}");
    for part in says {
        assert!(stderr.contains(part), "{args:?} should say `{part}`, but says: {stderr}");
    }
}

#[test]
fn exactly_one_target_is_wanted() {
    refused(&["assess"], &["nothing to assess", "-- COMMAND", "--url", "proofmark demo"]);
    let two = ["assess", "--url", "http://127.0.0.1:1/mcp", "--", "server"];
    refused(&two, &["-- COMMAND and --url name a target each", "keep one"]);
    let two = ["assess", "--url", "http://127.0.0.1:1/mcp", "--sse", "http://127.0.0.1:1/sse"];
    refused(&two, &["--url and --sse", "keep one"]);
}

#[test]
fn an_address_must_be_an_http_url() {
    refused(&["assess", "--url", "localhost:80"], &["--url localhost:80", "expected http://"]);
    refused(&["assess", "--sse", "ftp://x/"], &["--sse ftp://x/", "e.g. http://127.0.0.1"]);
}

#[test]
fn credentials_must_suit_the_target() {
    let url = "http://127.0.0.1:1/mcp";
    refused(&["assess", "--header", "X-A: b", "--", "server"], &["--header", "with --env"]);
    refused(&["assess", "--env", "A=b", "--url", url], &["--env and --cwd are for a command"]);
    refused(&["assess", "--header", "nonsense", "--url", url], &["expected 'Name: value'"]);
    refused(&["assess", "--env", "nonsense", "--", "x"], &["expected NAME=value"]);
    refused(
        &["assess", "--bearer-env", "PROOFMARK_TEST_TOKEN", "--url", url],
        &["`PROOFMARK_TEST_TOKEN` is not set", "put the token there"],
    );
}

#[test]
fn directories_must_exist() {
    refused(&["assess", "--source", "/no/such"], &["--source /no/such is not a directory"]);
    refused(&["assess", "--cwd", "/no/such", "--", "x"], &["--cwd /no/such is not a directory"]);
}

#[test]
fn checks_topics_and_patterns_are_checked_before_the_run() {
    refused(
        &["assess", "--only", "errors/unkown-tool", "--", "x"],
        &["did you mean `errors/unknown-tool`?", "`proofmark checks` lists them"],
    );
    refused(&["assess", "--skip", "securty", "--", "x"], &["did you mean `security`?"]);
    refused(&["assess", "--tool", "read_[", "--", "x"], &["not a pattern", "e.g. 'read_*'"]);
    refused(&["assess", "--skip-tool", "{a", "--", "x"], &["not a pattern"]);
}

#[test]
fn values_say_what_they_expect() {
    refused(&["assess", "--timeout", "soon", "--", "x"], &["'--timeout <TIME>'", "500ms"]);
    refused(&["assess", "--max-frame", "9", "--", "x"], &["between 1KiB and 4GiB"]);
    refused(&["assess", "--rate", "0", "--", "x"], &["a number above 0"]);
    refused(&["assess", "--concurrency", "0", "--", "x"], &["--concurrency"]);
    refused(&["assess", "--protocol", "2020-01-01", "--", "x"], &["known are 2024-11-05"]);
    refused(&["assess", "--client-capabilities", "tools", "--", "x"], &["roots, sampling"]);
    refused(&["assess", "--events", "xml", "--", "x"], &["jsonl:FILE"]);
    refused(&["assess", "--profile", "huge", "--", "x"], &["quick, standard, deep"]);
    refused(&["assess", "--passive", "--allow", "writes", "--", "x"], &["cannot be used with"]);
}

#[test]
fn output_files_are_checked_before_the_run() {
    refused(
        &["assess", "-o", "a.pdf", "--", "x"],
        &["-o a.pdf", "known are .sarif.json", "FORMAT=FILE"],
    );
    refused(
        &["assess", "-o", "report", "--", "x"],
        &["-o report", "the name of the file says how"],
    );
    refused(
        &["assess", "-o", "/no/such/a.json", "--", "x"],
        &["can't write /no/such/a.json", "there is no directory /no/such", "create it first"],
    );
    refused(&["assess", "-o", "a.json", "-o", "a.json", "--", "x"], &["given twice"]);
    refused(&["assess", "--evidence", "/no/such/e.json", "--", "x"], &["there is no directory"]);
    refused(&["assess", "--evidence", "run.txt", "--", "x"], &["ends in .json or .json.zst"]);
    let both = ["assess", "--evidence", "a.json", "-o", "a.json", "--", "x"];
    refused(&both, &["a.json is to hold two different things"]);
    assert!(!std::path::Path::new("a.json").exists(), "the checking leaves nothing behind");
}

#[test]
fn a_configuration_file_is_read_with_care() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("mcp.json");
    let file = path.to_str().unwrap();
    refused(&["assess", "--config", file], &["can't read", "mcp.json"]);
    fs::write(&path, "{ nope").unwrap();
    refused(&["assess", "--config", file], &["mcp.json: not JSON", "line 1"]);
    fs::write(&path, r#"{"mcpServers": {"files": {"command": "a"}, "web": {"url": "b"}}}"#)
        .unwrap();
    refused(&["assess", "--config", file], &["choose one with --server: files, web"]);
    let wrong = ["assess", "--config", file, "--server", "file"];
    refused(&wrong, &["no server `file` (did you mean `files`?)", "there are: files, web"]);
    fs::write(&path, r#"{"command": "a", "env": {"T": "${env:PROOFMARK_TEST_TOKEN}"}}"#).unwrap();
    refused(&["assess", "--config", file], &["`PROOFMARK_TEST_TOKEN` is not set", "set it"]);
    refused(&["assess", "--server", "x", "--", "y"], &["--config <FILE>"]);
}

#[test]
fn rubrics_are_known_by_name_or_read_from_a_file() {
    refused(
        &["assess", "--rubric", "directry", "--", "x"],
        &["--rubric directry", "did you mean `directory`?", "built in are directory, audit"],
    );
    refused(&["assess", "--rubric", "no/such.toml", "--", "x"], &["can't read the rubric"]);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("ours.toml");
    fs::write(&path, "id = \n").unwrap();
    refused(&["assess", "--rubric", path.to_str().unwrap(), "--", "x"], &["ours.toml:1:"]);
}

#[test]
fn evidence_that_cannot_be_judged_is_told_by_file_and_cause() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run.json");
    let file = path.to_str().unwrap();
    refused(&["score", file], &["can't read", "run.json"]);
    fs::write(&path, r#"{"name": "package"}"#).unwrap();
    refused(&["score", file], &["run.json: not a Proofmark evidence file", "field `schema`"]);
    fs::write(&path, r#"{"schema": "proofmark.evidence/1.0", "target""#).unwrap();
    refused(&["score", file], &["run.json: the file ends at byte 45"]);
    refused(&["score", file, "-o", file], &["would replace the evidence", "name another file"]);
}

#[test]
fn an_unknown_check_or_topic_gets_the_nearest_one() {
    refused(&["explain", "unknown-tol"], &["did you mean `errors/unknown-tool`?"]);
    refused(&["explain", "errors"], &["is a topic", "proofmark checks --topic errors"]);
    refused(&["checks", "--topic", "eror"], &["did you mean `errors`?", "there are functionality"]);
}
