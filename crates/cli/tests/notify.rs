//! Notices to a webhook on loopback, through the binary.

#![expect(clippy::expect_used, reason = "a test may panic")]

mod common;

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use common::{Assessed, assess_mode};
use serde_json::Value;

/// Takes every post, answers with this status, and hands on the bodies.
fn listener(status: u16) -> (String, Receiver<Value>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/hook/SECRET", listener.local_addr().expect("an address"));
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            let mut bytes = Vec::new();
            let body = loop {
                let mut part = [0; 4096];
                let n = stream.read(&mut part).expect("readable");
                bytes.extend_from_slice(&part[..n]);
                let text = String::from_utf8_lossy(&bytes).into_owned();
                let body = text.split_once("\r\n\r\n").map(|(_, body)| body.to_owned());
                if let Some(value) = body.and_then(|b| serde_json::from_str(&b).ok()) {
                    break value;
                }
            };
            let answer =
                format!("HTTP/1.1 {status} X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            stream.write_all(answer.as_bytes()).expect("writable");
            if send.send(body).is_err() {
                return;
            }
        }
    });
    (url, receive)
}

fn assess(mode: &str, flags: &[&str]) -> Assessed {
    let mut all = vec!["--only", "errors", "--gate", "score>=1"];
    all.extend(flags);
    assess_mode(mode, &all)
}

#[test]
fn a_finished_run_is_told_with_a_text_for_chats() {
    let (url, told) = listener(200);
    let run = assess("demo", &["--notify", &url]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let notice = told.recv_timeout(Duration::from_secs(5)).expect("a notice");
    assert_eq!(notice["schema"], "proofmark.notice/1.0");
    assert_eq!((&notice["event"], &notice["score"]), (&"finished".into(), &run.report["score"]));
    assert!(notice["text"].as_str().is_some_and(|t| t.starts_with("Proofmark: ")), "{notice}");
}

#[test]
fn a_regression_alone_is_told_when_that_is_asked_for() {
    let dir = tempfile::tempdir().expect("a directory");
    let good = dir.path().join("good.json").display().to_string();
    assess("good", &["-o", &good]);
    let (url, told) = listener(200);
    let flags = ["--baseline", &good, "--notify", &url, "--notify-on", "regression"];
    assess("good", &flags);
    assert!(told.try_recv().is_err(), "nothing got worse");
    assess("vague-errors", &flags);
    let notice = told.recv_timeout(Duration::from_secs(5)).expect("a notice");
    assert_eq!(notice["event"], "regressed");
    assert!(notice["worse"].as_array().is_some_and(|w| !w.is_empty()), "{notice}");
}

#[test]
fn a_hook_that_fails_is_a_warning_without_its_secret_and_no_verdict() {
    let (refusing, _told) = listener(404);
    let gone = "http://127.0.0.1:1/hook/SECRET";
    for url in [refusing.as_str(), gone] {
        let run = assess("demo", &["--notify", url]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stderr.contains("warning: --notify: 127.0.0.1"), "{}", run.stderr);
        assert!(!run.stderr.contains("SECRET"), "{}", run.stderr);
    }
}

#[test]
fn a_wrong_address_is_refused_before_the_run() {
    for flags in [
        ["--notify", "not an address"],
        ["--notify", "env:PROOFMARK_TEST_NOT_SET"],
        ["--notify=http://127.0.0.1:1/", "--notify-on=regression"],
    ] {
        let mut args = vec!["assess"];
        args.extend(flags);
        args.extend(["--", "x"]);
        assert_eq!(common::run(&args).status.code(), Some(2), "{flags:?}");
    }
}
