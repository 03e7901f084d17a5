//! Servers behind a bearer token, with and without one.

#![expect(clippy::expect_used, reason = "a test may panic")]

mod common;

use std::collections::BTreeMap;
use std::process::Command;
use std::time::Duration;

use proofmark_testbed::{HttpForm, HttpServer};
use serde_json::Value;

const KINDS: [&str; 5] = ["low-scope", "broad-scope", "foreign-audience", "expired", "other-user"];

/// The rows of authorization that one run came to, worst verdict first among the revisions.
type Rows = BTreeMap<String, Vec<String>>;

struct Run {
    report: Value,
    rows: Rows,
    evidence: String,
    tokens: Vec<String>,
}

/// A guarded mode as a server of this process, assessed by the binary with all its tokens or none.
fn assess(mode: &str, with_tokens: bool) -> Run {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let addr = "127.0.0.1:0".parse().expect("an address");
    let server = HttpServer::bind(mode, addr, HttpForm::Streams, None);
    let server = runtime.block_on(server).expect("the mode has this transport");
    let (url, tokens) = (server.url().to_owned(), server.tokens());
    runtime.spawn(server.run());
    let dir = tempfile::tempdir().expect("a directory");
    let kept = dir.path().join("run.json");
    let mut command = Command::new(common::proofmark());
    command.args(["assess", "--format", "json", "--quiet", "--disposable", "--url", &url]);
    command.args(["--only", "protocol", "--evidence"]).arg(&kept);
    if with_tokens {
        for (kind, token) in &tokens {
            command.env(format!("TOKEN_{}", kind.replace('-', "_")), token);
        }
        command.args(["--bearer-env", "TOKEN_full"]);
        for kind in KINDS {
            command.args(["--token", &format!("{kind}=TOKEN_{}", kind.replace('-', "_"))]);
        }
    }
    let output = command.output().expect("the binary starts");
    runtime.shutdown_timeout(Duration::from_millis(100));
    let report: Value = serde_json::from_slice(&output.stdout).expect("a JSON report");
    let mut rows = Rows::new();
    for row in report["requirements"].as_array().expect("the rows") {
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        let verdict = match row["partial"] == true {
            true => "partial".to_owned(),
            false => text("verdict"),
        };
        rows.entry(text("id")).or_default().push(verdict);
    }
    let evidence = std::fs::read_to_string(&kept).expect("the evidence");
    let tokens = tokens.into_iter().map(|(_, token)| token).collect();
    Run { report, rows, evidence, tokens }
}

impl Run {
    fn all(&self, id: &str, verdict: &str) -> bool {
        let found = self.rows.get(id).map(Vec::as_slice).unwrap_or_default();
        !found.is_empty() && found.iter().all(|v| v == verdict)
    }

    /// The rows of authorization with a verdict that is neither a plain pass nor a silence.
    fn blemishes(&self) -> Vec<&str> {
        let ours = |id: &str| id.starts_with("AUTH-") || id.starts_with("SEC-");
        let bad = |v: &String| v == "fail" || v == "partial";
        let rows = self.rows.iter().filter(|(id, v)| ours(id) && v.iter().any(bad));
        rows.map(|(id, _)| id.as_str()).collect()
    }
}

#[test]
fn a_guarded_server_passes_every_row_of_authorization() {
    let run = assess("guarded", true);
    assert_eq!(run.report["startup"]["kind"], "up");
    for n in (1..=16).chain([19]) {
        let id = format!("AUTH-{n:02}");
        assert!(run.all(&id, "pass"), "{id}: {:?}", run.rows.get(&id));
    }
    for id in ["SEC-01", "SEC-04", "SEC-05", "SEC-06"] {
        assert!(run.all(id, "pass"), "{id}: {:?}", run.rows.get(id));
    }
    assert_eq!(run.rows["SEC-03"], ["pass", "pass", "pass", "not_applicable"]);
    assert_eq!(run.blemishes(), Vec::<&str>::new());
    for token in &run.tokens {
        assert!(!run.evidence.contains(token.as_str()), "a token is in the evidence");
    }
}

#[test]
fn a_server_that_turns_us_away_is_judged_at_the_door() {
    let run = assess("guarded", false);
    assert_eq!(run.report["startup"]["cause"], "unauthorized");
    for n in [1, 3, 4, 5, 9, 10, 11, 14, 15] {
        let id = format!("AUTH-{n:02}");
        assert!(run.all(&id, "pass"), "{id}: {:?}", run.rows.get(&id));
    }
    for id in ["AUTH-07", "AUTH-12", "AUTH-13", "SEC-01"] {
        assert!(run.all(id, "not_testable"), "{id}: {:?}", run.rows.get(id));
    }
    assert_eq!(run.blemishes(), Vec::<&str>::new());
}

#[test]
fn each_weakness_fails_its_own_rows() {
    let lax = assess("guarded-takes-any-token", true);
    assert!(lax.all("AUTH-01", "fail") && lax.all("AUTH-12", "fail"), "{:?}", lax.rows);
    let query = assess("guarded-takes-query-token", true);
    assert!(query.all("AUTH-13", "fail"), "{:?}", query.rows);
    assert_eq!(query.blemishes(), ["AUTH-13"]);
    let mute = assess("guarded-tells-nothing", true);
    assert!(mute.all("AUTH-02", "fail") && mute.all("AUTH-03", "fail"), "{:?}", mute.rows);
    assert!(mute.all("AUTH-01", "pass"), "{:?}", mute.rows);
}

#[test]
fn a_token_that_is_not_there_is_refused_with_the_way_out() {
    let url = ["assess", "--url", "http://127.0.0.1:9/mcp", "--token"];
    for (word, told) in [("low-scope=PROOFMARK_NO_SUCH", "is not set"), ("odd=X", "kinds are")] {
        let output = common::run(&[&url[..], &[word]].concat());
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(told), "{stderr}");
    }
}
