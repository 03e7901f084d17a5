//! What only shows with a token in hand, or over several transports.

#![expect(clippy::expect_used, reason = "a test may panic")]

mod common;

use std::process::Command;
use std::time::Duration;

use proofmark_testbed::{HttpForm, HttpServer};
use serde_json::Value;

/// The findings of one check on a guarded mode, with its token.
fn guarded(mode: &str, check: &str) -> Vec<Value> {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let addr = "127.0.0.1:0".parse().expect("an address");
    let server = HttpServer::bind(mode, addr, HttpForm::Streams, None);
    let server = runtime.block_on(server).expect("the mode has this transport");
    let (url, tokens) = (server.url().to_owned(), server.tokens());
    runtime.spawn(server.run());
    let full = tokens.iter().find(|(kind, _)| *kind == "full").map(|(_, token)| token);
    let output = Command::new(common::proofmark())
        .args(["assess", "--format", "json", "--quiet", "--only", check, "--url", &url])
        .args(["--bearer-env", "TOKEN_full"])
        .env("TOKEN_full", full.expect("a token"))
        .output()
        .expect("the binary starts");
    runtime.shutdown_timeout(Duration::from_millis(100));
    let report: Value = serde_json::from_slice(&output.stdout).expect("a JSON report");
    report["findings"].as_array().expect("findings").clone()
}

#[test]
fn a_session_that_stands_in_for_the_token_is_proven() {
    const CHECK: &str = "security/session-as-authentication";
    let found = guarded("guarded-by-session", CHECK);
    assert_eq!((&found[0]["outcome"], &found[0]["standing"]), (&"fail".into(), &"proven".into()));
    let sound = guarded("guarded", CHECK);
    assert_eq!(sound[0]["outcome"], "pass", "{sound:?}");
}

#[test]
fn a_guarded_server_that_shows_nothing_else_is_clean() {
    for check in [
        "security/cross-origin",
        "security/hidden-places",
        "security/error-pages",
        "security/session-fixation",
    ] {
        let found = guarded("guarded", check);
        assert!(found.iter().all(|f| f["outcome"] == "pass"), "{check}: {found:?}");
    }
}
