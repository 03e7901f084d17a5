//! stdio: what servers write, and how the connection ends.

use std::process::Stdio as Pipe;
use std::time::Duration;

use proofmark_core::evidence::{AnomalyKind, Direction};
use proofmark_live::wire::stdio::Stdio;
use proofmark_live::wire::{Inbox, Outgoing, Shared, Wire, WireError};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::sync::mpsc;

use super::{anomalies, assert_closed, frame, garbage, kinds, message, shared, texts};

/// Our end, the server's stdin and stdout, and what is delivered.
fn pipes(shared: &Shared, room: usize) -> (Stdio, DuplexStream, DuplexStream, Inbox) {
    let (ours_out, stdin) = duplex(room);
    let (stdout, ours_in) = duplex(room);
    let (deliver, inbox) = mpsc::unbounded_channel();
    (Stdio::open(0, ours_out, ours_in, shared.clone(), deliver), stdin, stdout, inbox)
}

async fn said(shared: &Shared, bytes: &[u8]) -> Inbox {
    let (stdio, _stdin, mut stdout, inbox) = pipes(shared, 4096);
    stdout.write_all(bytes).await.unwrap();
    drop(stdout);
    // The reader must have seen the end before it is dropped with the connection.
    let mut inbox = inbox;
    let mut seen = Vec::new();
    while let Some(inbound) = inbox.recv().await {
        let over = matches!(inbound, proofmark_live::wire::Inbound::Closed);
        seen.push(inbound);
        if over {
            break;
        }
    }
    drop(stdio);
    assert!(inbox.recv().await.is_none(), "the end is told once");
    let (again, inbox) = mpsc::unbounded_channel();
    seen.into_iter().for_each(|inbound| again.send(inbound).unwrap());
    inbox
}

#[tokio::test]
async fn noise_between_messages_is_kept_and_noted() {
    let shared = shared(1 << 20);
    let mut inbox = said(&shared, b"Server ready on stdio\n{\"id\":1}\n\n   \n[1]\n\"s\"\n").await;
    assert_eq!(garbage(&mut inbox).await, "Server ready on stdio");
    assert_eq!(message(&mut inbox).await, json!({"id": 1}));
    assert_eq!(garbage(&mut inbox).await, "   ");
    assert_eq!(message(&mut inbox).await, json!([1]));
    assert_eq!(message(&mut inbox).await, json!("s"));
    assert_closed(&mut inbox).await;
    assert_eq!(kinds(&shared), [AnomalyKind::NotJson, AnomalyKind::NotJson]);
    assert_eq!(texts(&shared, Direction::Received).len(), 5);
}

#[tokio::test]
async fn carriage_returns_and_a_last_line_without_end_are_read() {
    let shared = shared(1 << 20);
    let mut inbox = said(&shared, b"{\"id\":1}\r\n\r\n{\"id\":2}").await;
    assert_eq!(message(&mut inbox).await["id"], 1);
    assert_eq!(message(&mut inbox).await["id"], 2);
    assert_closed(&mut inbox).await;
    assert_eq!(texts(&shared, Direction::Received), ["{\"id\":1}", "{\"id\":2}"]);
    assert_eq!(anomalies(&shared), []);
}

#[tokio::test]
async fn bytes_that_are_not_utf8_are_noted_and_the_json_is_read_all_the_same() {
    let shared = shared(1 << 20);
    let mut inbox = said(&shared, b"{\"a\":\"\xff\"}\n\xff\xfe\n").await;
    assert_eq!(message(&mut inbox).await["a"], "\u{fffd}");
    assert_eq!(garbage(&mut inbox).await, "\u{fffd}\u{fffd}");
    assert_eq!(
        kinds(&shared),
        [AnomalyKind::InvalidUtf8, AnomalyKind::InvalidUtf8, AnomalyKind::NotJson]
    );
}

#[tokio::test]
async fn half_a_surrogate_pair_does_not_cost_the_answer() {
    let shared = shared(1 << 20);
    let mut inbox = said(&shared, b"{\"id\":1,\"text\":\"cut \\ud83d\"}\n").await;
    assert_eq!(message(&mut inbox).await, json!({"id": 1, "text": "cut \u{fffd}"}));
    assert_eq!(kinds(&shared), [AnomalyKind::InvalidUtf8]);
}

#[tokio::test]
async fn deep_nesting_is_refused_with_the_limit_and_the_next_line_is_read() {
    let shared = shared(1 << 20);
    let deep = format!("{}{}\n1\n", "[".repeat(100_000), "]".repeat(100_000));
    let mut inbox = said(&shared, deep.as_bytes()).await;
    assert_eq!(garbage(&mut inbox).await.len(), 200_000);
    assert_eq!(message(&mut inbox).await, 1);
    let (kind, detail) = anomalies(&shared).remove(0);
    assert_eq!(kind, AnomalyKind::NotJson);
    assert!(detail.contains("128"), "{detail}");
}

#[tokio::test]
async fn a_line_over_the_limit_is_cut_and_the_next_one_is_read() {
    let shared = shared(1000);
    let line = format!("\"{}\"\n{{\"id\":1}}\n", "é".repeat(50_000));
    let mut inbox = said(&shared, line.as_bytes()).await;
    assert_eq!(garbage(&mut inbox).await.len(), 999, "one byte less: no half character");
    assert_eq!(message(&mut inbox).await["id"], 1);
    assert_eq!(kinds(&shared), [AnomalyKind::Oversized]);
    let kept = shared.record.kept().frames;
    assert_eq!((kept[0].bytes, kept[0].text.len()), (100_002, 999));
}

#[tokio::test]
async fn frames_go_out_as_lines_in_order_and_secrets_stay_out_of_the_record() {
    let shared = shared(1 << 20);
    let (stdio, mut stdin, _stdout, _inbox) = pipes(&shared, 4096);
    let sent = stdio.send(frame("{\"key\":\"hunter2hunter2\"}")).await.unwrap();
    assert_eq!(sent.frame.0, 0);
    assert!(sent.http.is_none() && sent.ended.is_none());
    stdio.send(frame("not json at all")).await.unwrap();
    stdio.close_input().await;
    let mut all = String::new();
    stdin.read_to_string(&mut all).await.unwrap();
    assert_eq!(all, "{\"key\":\"hunter2hunter2\"}\nnot json at all\n");
    let sent = texts(&shared, Direction::Sent);
    assert_eq!(sent, ["{\"key\":\"[redacted]\"}", "not json at all"]);
    assert!(matches!(stdio.send(frame("{}")).await, Err(WireError::Closed)));
}

#[tokio::test]
async fn a_server_that_closes_its_stdin_is_noted_and_still_heard() {
    let shared = shared(1 << 20);
    let (stdio, stdin, mut stdout, mut inbox) = pipes(&shared, 4096);
    drop(stdin);
    assert!(matches!(stdio.send(frame("{}")).await, Err(WireError::Closed)));
    assert!(matches!(stdio.send(frame("{}")).await, Err(WireError::Closed)));
    assert_eq!(kinds(&shared), [AnomalyKind::Transport]);
    stdout.write_all(b"{\"bye\":1}\n").await.unwrap();
    assert_eq!(message(&mut inbox).await["bye"], 1);
}

#[tokio::test]
async fn only_http_has_verbs() {
    let (stdio, ..) = pipes(&shared(1 << 20), 4096);
    let verb = Outgoing { verb: Some("GET".into()), ..Outgoing::default() };
    assert!(matches!(stdio.send(verb).await, Err(WireError::Unsupported)));
}

#[tokio::test]
async fn a_cancelled_send_leaves_no_half_frame_before_the_next() {
    let shared = shared(1 << 20);
    let (stdio, mut stdin, _stdout, _inbox) = pipes(&shared, 16);
    let patience = Duration::from_millis(50);
    let long = format!("\"{}\"", "x".repeat(1000));
    assert!(tokio::time::timeout(patience, stdio.send(frame(&long))).await.is_err());
    assert!(tokio::time::timeout(patience, stdio.send(frame("2"))).await.is_err());
    let (read, sent) = tokio::join!(
        async {
            let mut all = vec![0; long.len() + 3];
            stdin.read_exact(&mut all).await.unwrap();
            String::from_utf8(all).unwrap()
        },
        stdio.send(frame("3")),
    );
    sent.unwrap();
    assert_eq!(
        read,
        format!("{long}\n3\n"),
        "begun is finished, withdrawn before it began is not sent"
    );
    assert_eq!(texts(&shared, Direction::Sent), [long.as_str(), "3"]);
}

#[tokio::test]
async fn closing_does_not_wait_for_a_server_that_never_reads() {
    let (stdio, mut stdin, _stdout, _inbox) = pipes(&shared(1 << 20), 16);
    let wire = Wire::Stdio(stdio);
    let patience = Duration::from_millis(20);
    let stuck = wire.send(frame("x".repeat(1000)));
    assert!(tokio::time::timeout(patience, stuck).await.is_err());
    tokio::time::timeout(Duration::from_secs(10), wire.close()).await.unwrap();
    let mut rest = Vec::new();
    stdin.read_to_end(&mut rest).await.unwrap();
    assert_eq!(rest.len(), 16);
}

#[tokio::test]
async fn a_real_process_is_spoken_to_and_ends_with_its_input() {
    let mut child = tokio::process::Command::new("cat")
        .stdin(Pipe::piped())
        .stdout(Pipe::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let shared = shared(1 << 20);
    let (deliver, mut inbox) = mpsc::unbounded_channel();
    let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let stdio = Stdio::open(0, stdin, stdout, shared.clone(), deliver);
    stdio.send(frame("{\"id\":1}")).await.unwrap();
    assert_eq!(message(&mut inbox).await["id"], 1);
    stdio.close_input().await;
    assert_closed(&mut inbox).await;
    assert!(child.wait().await.unwrap().success());
    let frames = shared.record.kept().frames;
    assert!(frames[0].at <= frames[1].at);
}
