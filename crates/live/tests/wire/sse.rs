//! Legacy HTTP+SSE.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use proofmark_core::evidence::{AnomalyKind, Direction};
use proofmark_live::wire::sse::Sse;
use proofmark_live::wire::{Inbox, Shared, WireError};
use serde_json::json;
use tokio::sync::mpsc;

use super::responder::{Request, Responder, Step, answer, stream_head, write};
use super::{anomalies, assert_closed, frame, kinds, message, shared, texts};

const WAIT: Duration = Duration::from_secs(5);

async fn open(url: &str, shared: &Shared, wait: Duration) -> (Result<Sse, WireError>, Inbox) {
    let (deliver, inbox) = mpsc::unbounded_channel();
    let headers = BTreeMap::from([("X-Mine".to_owned(), "1".to_owned())]);
    (Sse::open(3, url, &headers, shared.clone(), deliver, wait).await, inbox)
}

/// A server that names `/post` and then says `events`.
fn legacy(events: &'static str, hold: bool) -> impl Fn(&Request) -> Vec<Step> {
    move |request| {
        if request.line.starts_with("POST") {
            return answer("202 Accepted", &[], "Accepted");
        }
        let mut steps = vec![stream_head(), write("event: endpoint\ndata: /post?s=1\n\n")];
        steps.push(Step::Pause(100));
        steps.push(write(events));
        steps.extend(hold.then_some(Step::Hold));
        steps
    }
}

#[tokio::test]
async fn messages_are_posted_to_the_endpoint_and_answered_on_the_stream() {
    let server = Responder::start(legacy("event: message\ndata: {\"id\":1}\n\n", false)).await;
    let shared = shared(1 << 20);
    let (sse, mut inbox) = open(&server.url("/sse"), &shared, WAIT).await;
    let sse = sse.unwrap();
    assert_eq!(sse.connection(), 3);
    let sent = sse.send(frame("{\"id\":1,\"method\":\"ping\"}")).await.unwrap();
    assert_eq!(sent.http.unwrap().status, 202);
    assert!(sent.ended.is_none());
    assert_eq!(message(&mut inbox).await, json!({"id": 1}));
    assert_closed(&mut inbox).await;
    assert!(matches!(sse.send(frame("{}")).await, Err(WireError::Closed)));
    let seen = server.seen();
    assert_eq!(seen[0].line, "GET /sse HTTP/1.1");
    assert_eq!(seen[0].headers["accept"], "text/event-stream");
    assert_eq!(seen[1].line, "POST /post?s=1 HTTP/1.1");
    assert_eq!(seen[1].headers["x-mine"], "1");
    assert_eq!(texts(&shared, Direction::Sent)[0], "GET /sse");
    assert_eq!(anomalies(&shared), []);
}

#[tokio::test]
async fn an_absolute_endpoint_is_fine_on_the_same_origin_only() {
    let port = Arc::new(std::sync::OnceLock::<u16>::new());
    let own = Arc::clone(&port);
    let server = Responder::start(move |request| {
        let event = match request.line.split(' ').nth(1) {
            Some("/own") => format!("data: http://127.0.0.1:{}/post\n", own.get().unwrap()),
            Some("/foreign") => "data: http://127.0.0.2:1/post\n".to_owned(),
            _ => "data: http://[/\n".to_owned(),
        };
        vec![stream_head(), write(format!("event: endpoint\n{event}\n")), Step::Hold]
    })
    .await;
    let url = reqwest::Url::parse(&server.url("/")).unwrap();
    port.set(url.port().unwrap()).unwrap();
    assert!(open(&server.url("/own"), &shared(99), WAIT).await.0.is_ok());
    for (path, part) in [("/foreign", "another origin"), ("/none", "no address")] {
        let shared = shared(1 << 20);
        let refused = open(&server.url(path), &shared, WAIT).await.0.unwrap_err().to_string();
        assert!(refused.contains(part), "{refused}");
        assert_eq!(kinds(&shared), [AnomalyKind::Transport]);
    }
}

#[tokio::test]
async fn a_server_of_another_kind_is_refused_with_the_way_out() {
    let server = Responder::start(|request| match request.line.split(' ').nth(1) {
        Some("/405") => answer("405 Method Not Allowed", &["Content-Type: text/plain"], "no"),
        Some("/html") => answer("200 OK", &["Content-Type: text/html"], "<p>"),
        Some("/short") => vec![stream_head()],
        _ => vec![stream_head(), Step::Hold],
    })
    .await;
    let cases = [
        ("/405", "answered 405 with text/plain"),
        ("/html", "text/html"),
        ("/short", "ended before"),
        ("/silent", "within 0.3 s"),
    ];
    for (path, part) in cases {
        let wait = Duration::from_millis(300);
        let (sse, _inbox) = open(&server.url(path), &shared(1 << 20), wait).await;
        let said = sse.unwrap_err().to_string();
        assert!(said.contains(part), "{path}: {said}");
    }
}

#[tokio::test]
async fn a_refused_post_and_events_out_of_order_are_noted() {
    let server = Responder::start(|request| match request.line.starts_with("POST") {
        true => answer("400 Bad Request", &[], "no session"),
        false => vec![
            stream_head(),
            write("data: {\"early\":1}\n\nevent: endpoint\ndata: /post\n\nevent: endpoint\ndata: /b\n\n"),
            Step::Hold,
        ],
    })
    .await;
    let shared = shared(1 << 20);
    let (sse, mut inbox) = open(&server.url("/sse"), &shared, WAIT).await;
    let sse = sse.unwrap();
    assert_eq!(message(&mut inbox).await["early"], 1);
    assert_eq!(sse.send(frame("{}")).await.unwrap().http.unwrap().status, 400);
    let noted = anomalies(&shared);
    for ((_, detail), part) in noted.iter().zip(["before the `endpoint`", "second", "400"]) {
        assert!(detail.contains(part), "{detail}");
    }
    assert_eq!(noted.len(), 3);
    assert_eq!(server.seen()[1].line, "POST /post HTTP/1.1");
}

#[tokio::test]
async fn leaving_the_stream_ends_everything() {
    let server = Responder::start(legacy("", true)).await;
    let (sse, mut inbox) = open(&server.url("/sse"), &shared(1 << 20), WAIT).await;
    let sse = sse.unwrap();
    sse.close();
    assert!(matches!(sse.send(frame("{}")).await, Err(WireError::Closed)));
    drop(sse);
    assert!(inbox.recv().await.is_none());
}
