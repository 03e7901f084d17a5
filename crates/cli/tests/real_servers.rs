//! Real servers from npm and PyPI, as a user would assess them. `./test` installs them.

#![expect(clippy::expect_used, reason = "a test may panic")]

mod common;

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use common::{Assessed, assess, left_behind, real_servers};

fn npm(name: &str) -> String {
    real_servers().join("npm/node_modules/.bin").join(name).display().to_string()
}

fn pypi(name: &str) -> String {
    real_servers().join("venv/bin").join(name).display().to_string()
}

/// A run starts a dozen processes; several runs beside each other would only measure patience.
static TURN: Mutex<()> = Mutex::new(());

fn turn() -> MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Twice with one seed: the same report, nothing left running, nothing changed outside.
fn twice(name: &str, command: &[&str], flags: &[&str]) -> Assessed {
    let _turn = turn();
    let marker = format!("PROOFMARK_TEST_MARK=real-{name}-{}", std::process::id());
    let kept = tempfile::tempdir().expect("a folder");
    let run = |turn: &str| {
        let evidence = kept.path().join(turn).display().to_string();
        let mut all = vec!["--seed", "5", "--env", &marker, "--evidence", &evidence];
        all.extend(flags);
        (assess(&all, command), evidence)
    };
    let ((first, one), (second, other)) = (run("first.json"), run("second.json"));
    assert_eq!(first.startup(), "up", "{name}: {}", first.report["startup"]);
    let same = first.report["evidence_digest"] == second.report["evidence_digest"];
    assert!(same, "{name}: what was answered differs:\n{}", common::differing(&one, &other));
    common::assert_same(&first.timeless(), &second.timeless(), name);
    assert_eq!(left_behind(&marker), Vec::<String>::new(), "{name}");
    first
}

/// No hole was proven, and no tool that works is called broken.
fn is_clean(name: &str, assessed: &Assessed) {
    has_only(name, assessed, &[]);
}

/// No hole was proven besides those of the checks that are known to be right.
fn has_only(name: &str, assessed: &Assessed, known: &[&str]) {
    for f in assessed.findings() {
        let hole = f["standing"] == "proven" && f["outcome"] == "fail";
        let right = known.contains(&f["check"].as_str().unwrap_or_default());
        assert!(!hole || right, "{name}: false hole: {f}");
    }
    let tools = assessed.report["tools"].as_array().expect("tools are listed");
    let broken: Vec<_> = tools.iter().filter(|t| t["verdict"] == "broken").collect();
    assert!(broken.is_empty(), "{name}: {broken:?}");
}

fn working(assessed: &Assessed) -> usize {
    let tools = assessed.report["tools"].as_array().expect("tools are listed");
    tools.iter().filter(|t| t["verdict"] == "working").count()
}

#[test]
fn real_everything_over_stdio() {
    let report = twice("everything", &[&npm("mcp-server-everything"), "stdio"], &[]);
    // Its `get-env` does show the environment, the planted value with it.
    has_only("everything", &report, &["security/env-leak"]);
    assert_eq!(report.report["server"]["tools"], 16, "capabilities are declared");
    assert_eq!(report.report["conditions"]["revision"], "2025-11-25");
    // The sixteenth runs only as a task.
    assert_eq!(working(&report), 15);
}

#[test]
fn real_everything_shows_fewer_tools_to_a_client_without_capabilities() {
    let flags = ["--client-capabilities", "none", "--only", "usability"];
    let bare = assess(&flags, &[&npm("mcp-server-everything"), "stdio"]);
    assert_eq!(bare.report["server"]["tools"], 13);
}

#[test]
fn real_everything_in_every_handshake_revision() {
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let _turn = turn();
        let flags = ["--protocol", revision, "--only", "protocol", "--profile", "quick"];
        let report = assess(&flags, &[&npm("mcp-server-everything"), "stdio"]);
        assert_eq!(report.report["conditions"]["revision"], revision);
    }
}

#[test]
fn real_memory() {
    let flags = ["--env", "MEMORY_FILE_PATH={workspace}/memory.jsonl"];
    let report = twice("memory", &[&npm("mcp-server-memory")], &flags);
    is_clean("memory", &report);
    assert_eq!(working(&report), 9);
}

#[test]
fn real_filesystem() {
    let report = twice("filesystem", &[&npm("mcp-server-filesystem"), "{workspace}"], &[]);
    is_clean("filesystem", &report);
    assert_eq!(working(&report), 14);
}

#[test]
fn real_time_speaks_the_stateless_revision() {
    let report = twice("time", &[&pypi("mcp-server-time"), "--local-timezone", "UTC"], &[]);
    is_clean("time", &report);
    assert_eq!(report.report["conditions"]["revision"], "2026-07-28");
    assert_eq!(working(&report), 2);
}

#[test]
fn real_git() {
    let report = twice("git", &[&pypi("mcp-server-git"), "--repository", "{repo}"], &[]);
    is_clean("git", &report);
    assert_eq!(working(&report), 12);
}

#[test]
fn real_sqlite() {
    let server = real_servers().join("venv-mcp1/bin/mcp-server-sqlite").display().to_string();
    let _turn = turn();
    // Once: the first Python SDK answers a cancelled request twice, or not, as it happens.
    let report = assess(&["--seed", "5"], &[&server, "--db-path", "{workspace}/store.sqlite"]);
    is_clean("sqlite", &report);
    assert_eq!(working(&report), 6);
}

#[test]
fn real_fetch() {
    let report = twice("fetch", &[&pypi("mcp-server-fetch")], &[]);
    is_clean("fetch", &report);
}

#[test]
fn real_everything_over_http() {
    let _turn = turn();
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = free.local_addr().expect("an address").port();
    drop(free);
    let url = format!("http://127.0.0.1:{port}/mcp");
    let flags = ["--seed", "5", "--disposable", "--url", &url];
    // A server of its own for each run: what one leaves behind, the other would meet.
    let run = || {
        let _server = Server::start(port);
        assess(&flags, &[])
    };
    let (first, second) = (run(), run());
    assert_eq!(first.startup(), "up", "{}", first.report["startup"]);
    assert_eq!(first.report["conditions"]["transport"], "http");
    common::assert_same(&first.timeless(), &second.timeless(), "everything over HTTP");
    // It does answer pages of other origins, lets them read, and listens on every interface.
    let right = ["security/bound-everywhere", "security/cross-origin", "security/dns-rebinding"];
    has_only("everything over HTTP", &first, &right);
}

/// server-everything on this port, ended with the run.
struct Server {
    child: std::process::Child,
}

impl Server {
    fn start(port: u16) -> Server {
        let mut child = Command::new(npm("mcp-server-everything"))
            .arg("streamableHttp")
            .env("PORT", port.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let stderr = child.stderr.take().expect("stderr is piped");
        let mut lines = BufReader::new(stderr).lines().map_while(Result::ok);
        assert!(lines.any(|l| l.contains("listening")), "the server says that it listens");
        // Its log must go on being read, or it would block.
        std::thread::spawn(move || lines.for_each(drop));
        Server { child }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
