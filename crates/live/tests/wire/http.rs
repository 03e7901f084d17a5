//! Streamable HTTP with a server that behaves.

use std::collections::BTreeMap;
use std::time::Duration;

use proofmark_core::evidence::{AnomalyKind, Direction};
use proofmark_live::wire::http::Http;
use proofmark_live::wire::{Inbound, Inbox, Outgoing, Sent, Shared, Wire, WireError};
use serde_json::json;
use tokio::sync::mpsc;

use super::responder::{Responder, Step, answer, json as json_answer, stream_head, write};
use super::{anomalies, frame, garbage, kinds, message, next, shared, texts};

pub(crate) const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
pub(crate) const PONG: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;

pub(crate) fn open_with(url: &str, shared: &Shared, headers: &[(&str, &str)]) -> (Http, Inbox) {
    let (deliver, inbox) = mpsc::unbounded_channel();
    let headers: BTreeMap<String, String> =
        headers.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    (Http::open(0, url, &headers, shared.clone(), deliver).unwrap(), inbox)
}

pub(crate) fn open(url: &str, shared: &Shared) -> (Http, Inbox) {
    open_with(url, shared, &[])
}

pub(crate) async fn end(sent: Sent) {
    let ended = sent.ended.expect("HTTP tells the end of the body");
    tokio::time::timeout(Duration::from_secs(20), ended).await.unwrap().unwrap();
}

fn with_headers(text: &str, headers: &[(&str, &str)]) -> Outgoing {
    let headers = headers.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    Outgoing { text: text.to_owned(), headers, verb: None }
}

#[tokio::test]
async fn a_json_answer_is_one_message_and_both_frames_are_recorded() {
    let server = Responder::start(|_| json_answer(PONG)).await;
    let shared = shared(1 << 20);
    let (http, mut inbox) = open(&server.url("/mcp"), &shared);
    let sent = http.send(frame(PING)).await.unwrap();
    let facts = sent.http.clone().unwrap();
    assert_eq!((facts.status, facts.headers["content-type"].as_str()), (200, "application/json"));
    let frames = shared.record.kept().frames;
    assert_eq!(frames[sent.frame.0 as usize].text, PING);
    end(sent).await;
    assert_eq!(message(&mut inbox).await, json!({"jsonrpc": "2.0", "id": 1, "result": {}}));
    assert_eq!(texts(&shared, Direction::Received), [PONG]);
    assert_eq!(anomalies(&shared), []);
    let seen = &server.seen()[0];
    assert_eq!(seen.line, "POST /mcp HTTP/1.1");
    assert_eq!(seen.body, PING);
    assert_eq!(seen.headers["content-type"], "application/json");
    assert_eq!(seen.headers["accept"], "application/json, text/event-stream");
    assert!(!seen.headers.contains_key("accept-encoding"), "{:?}", seen.headers);
}

#[tokio::test]
async fn an_array_is_delivered_as_one_value() {
    let server = Responder::start(|_| json_answer(&format!("[{PONG},{PONG}]"))).await;
    let shared = shared(1 << 20);
    let (http, mut inbox) = open(&server.url("/mcp"), &shared);
    end(http.send(frame(PING)).await.unwrap()).await;
    assert_eq!(message(&mut inbox).await.as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn events_are_delivered_as_they_come_however_the_bytes_are_split() {
    let server = Responder::start(|_| {
        let events = "id: 1\ndata:\n\n: waiting\n\nevent: message\ndata: {\"n\":\"€\"}\n\n\
                      data: {\"n\":\r\ndata: 2}\r\n\r\ndata: {\"n\":3}\n\n";
        let mut steps = vec![stream_head()];
        for part in events.as_bytes().chunks(7) {
            steps.push(write(part));
            steps.push(Step::Pause(1));
        }
        steps
    })
    .await;
    let shared = shared(1 << 20);
    let (http, mut inbox) = open(&server.url("/mcp"), &shared);
    let sent = http.send(frame(PING)).await.unwrap();
    for n in [json!("€"), json!(2), json!(3)] {
        assert_eq!(message(&mut inbox).await, json!({ "n": n }));
    }
    end(sent).await;
    assert!(inbox.try_recv().is_err(), "a primer and a comment are no messages");
    assert_eq!(anomalies(&shared), []);
    assert_eq!(texts(&shared, Direction::Received).len(), 5);
    assert_eq!(texts(&shared, Direction::Received)[..2], ["id: 1\ndata:", ": waiting"]);
}

#[tokio::test]
async fn an_event_arrives_before_its_stream_has_ended() {
    let server =
        Responder::start(|_| vec![stream_head(), write(format!("data: {PONG}\n\n")), Step::Hold])
            .await;
    let shared = shared(1 << 20);
    let (http, mut inbox) = open(&server.url("/mcp"), &shared);
    let mut sent = http.send(frame(PING)).await.unwrap();
    assert_eq!(message(&mut inbox).await["id"], 1);
    assert!(sent.ended.as_mut().unwrap().try_recv().is_err());
    drop(http);
    assert!(sent.ended.unwrap().await.is_err(), "dropping the connection ends its tasks");
    assert!(inbox.recv().await.is_none());
}

#[tokio::test]
async fn a_session_id_beside_an_error_is_not_kept() {
    let server =
        Responder::start(|_| answer("400 Bad Request", &["Mcp-Session-Id: s-1"], "no")).await;
    let (http, _inbox) = open(&server.url("/mcp"), &shared(1 << 20));
    http.send(frame(PING)).await.unwrap();
    assert_eq!(http.session_id(), None);
}

#[tokio::test]
async fn the_session_id_is_kept_sent_overridden_and_deleted() {
    let server = Responder::start(|request| match request.line.split(' ').next() {
        Some("DELETE") => answer("200 OK", &[], ""),
        _ if request.headers.contains_key("mcp-session-id") => json_answer(PONG),
        _ => answer("200 OK", &["Mcp-Session-Id: s-1", "Content-Type: application/json"], PONG),
    })
    .await;
    let (http, _inbox) = open(&server.url("/mcp"), &shared(1 << 20));
    assert_eq!(http.session_id(), None);
    assert_eq!(http.delete_session().await.unwrap(), None);
    http.send(frame(PING)).await.unwrap();
    assert_eq!(http.session_id().as_deref(), Some("s-1"));
    http.set_header("MCP-Protocol-Version", "2025-06-18").unwrap();
    http.send(frame(PING)).await.unwrap();
    http.send(with_headers(PING, &[("Mcp-Session-Id", "other")])).await.unwrap();
    http.clear_header("mcp-protocol-version");
    http.send(with_headers(PING, &[("mcp-session-id", "")])).await.unwrap();
    assert_eq!(http.session_id().as_deref(), Some("s-1"), "a probe does not change the session");
    assert_eq!(http.delete_session().await.unwrap().map(|f| f.status), Some(200));
    assert_eq!(http.session_id(), None);
    let seen = server.seen();
    let ids: Vec<_> = seen.iter().map(|r| r.headers.get("mcp-session-id").cloned()).collect();
    let id = |text: &str| Some(text.to_owned());
    assert_eq!(ids, [None, id("s-1"), id("other"), None, id("s-1")]);
    assert_eq!(seen[1].headers["mcp-protocol-version"], "2025-06-18");
    assert!(!seen[3].headers.contains_key("mcp-protocol-version"));
    assert_eq!(seen[4].line, "DELETE /mcp HTTP/1.1");
}

#[tokio::test]
async fn headers_replace_and_remove_and_verbs_change() {
    let server = Responder::start(|_| answer("405 Method Not Allowed", &[], "")).await;
    let shared = shared(1 << 20);
    let user = [("Authorization", "Bearer hunter2hunter2"), ("X-Mine", "1")];
    let (http, _inbox) = open_with(&server.url("/mcp?a=hunter2hunter2"), &shared, &user);
    let probe =
        with_headers(PING, &[("accept", "text/html"), ("content-type", ""), ("x-mine", "")]);
    assert_eq!(http.send(probe).await.unwrap().http.unwrap().status, 405);
    let verb = Outgoing { verb: Some("OPTIONS".into()), ..Outgoing::default() };
    http.send(verb).await.unwrap();
    let seen = server.seen();
    assert_eq!(seen[0].headers["accept"], "text/html");
    assert_eq!(seen[0].headers["authorization"], "Bearer hunter2hunter2");
    assert!(!seen[0].headers.contains_key("content-type"));
    assert!(!seen[0].headers.contains_key("x-mine"));
    assert!(seen[1].line.starts_with("OPTIONS /mcp"));
    assert!(!seen[1].headers.contains_key("content-type"), "{:?}", seen[1].headers);
    assert_eq!(texts(&shared, Direction::Sent), [PING, "OPTIONS /mcp?a=[redacted]"]);
}

#[tokio::test]
async fn headers_and_verbs_that_cannot_be_sent_are_refused() {
    let (http, _inbox) = open("http://127.0.0.1:9/mcp", &shared(1 << 20));
    let bad = with_headers(PING, &[("x-a", "1\r\nx-b: 2")]);
    assert!(matches!(http.send(bad).await, Err(WireError::BadHeader(name, _)) if name == "x-a"));
    assert!(matches!(http.set_header("no name", "1"), Err(WireError::BadHeader(..))));
    let verb = Outgoing { verb: Some("NO VERB".into()), ..Outgoing::default() };
    assert!(matches!(http.send(verb).await, Err(WireError::Unsupported)));
}

#[tokio::test]
async fn an_accepted_notification_brings_nothing() {
    let server = Responder::start(|_| answer("202 Accepted", &[], "")).await;
    let shared = shared(1 << 20);
    let (http, mut inbox) = open(&server.url("/mcp"), &shared);
    let sent = http.send(frame(PING)).await.unwrap();
    assert_eq!(sent.http.as_ref().unwrap().status, 202);
    end(sent).await;
    assert!(inbox.try_recv().is_err());
    assert_eq!(anomalies(&shared), []);
}

#[tokio::test]
async fn an_error_page_is_recorded_without_blame_and_a_2xx_page_is_blamed() {
    let server = Responder::start(|request| match request.line.split(' ').nth(1) {
        Some("/401") => answer(
            "401 Unauthorized",
            &["WWW-Authenticate: Bearer", "WWW-Authenticate: Basic", "Content-Type: text/plain"],
            "who are you? hunter2hunter2",
        ),
        Some("/404") => answer("404 Not Found", &["Content-Type: application/json"], PONG),
        _ => answer("200 OK", &["Content-Type: text/html"], "<p>"),
    })
    .await;
    let shared = shared(1 << 20);
    let (http, mut inbox) = open(&server.url("/401"), &shared);
    let facts = http.send(frame(PING)).await.unwrap().http.unwrap();
    assert_eq!((facts.status, facts.headers["www-authenticate"].as_str()), (401, "Bearer, Basic"));
    assert_eq!(garbage(&mut inbox).await, "who are you? hunter2hunter2");
    assert_eq!(texts(&shared, Direction::Received), ["who are you? [redacted]"]);
    let (http, mut inbox) = open(&server.url("/404"), &shared);
    assert_eq!(http.send(frame(PING)).await.unwrap().http.unwrap().status, 404);
    assert_eq!(message(&mut inbox).await["id"], 1);
    assert_eq!(anomalies(&shared), []);
    let (http, mut inbox) = open(&server.url("/page"), &shared);
    http.send(frame(PING)).await.unwrap();
    assert_eq!(garbage(&mut inbox).await, "<p>");
    assert_eq!(kinds(&shared), [AnomalyKind::Transport]);
}

#[tokio::test]
async fn requests_are_independent_and_an_abandoned_one_still_delivers() {
    let server = Responder::start(|request| {
        let mut steps = json_answer(&request.body);
        if request.body.contains("slow") {
            steps.insert(0, Step::Pause(300));
        }
        steps
    })
    .await;
    let shared = shared(1 << 20);
    let (http, mut inbox) = open(&server.url("/mcp"), &shared);
    let slow = http.send(frame("\"slow\""));
    assert!(tokio::time::timeout(Duration::from_millis(50), slow).await.is_err());
    let sends = (0..16).map(|n| http.send(frame(n.to_string())));
    for sent in futures_util::future::join_all(sends).await {
        end(sent.unwrap()).await;
    }
    let mut quick = Vec::new();
    for _ in 0..16 {
        let Inbound::Message { frame, value } = next(&mut inbox).await else { panic!("no JSON") };
        let asked = http.request_of(frame).unwrap();
        let kept = &shared.record.kept().frames[asked.0 as usize];
        assert_eq!(kept.text, value.to_string(), "every answer knows its request");
        quick.push(value.as_u64().unwrap());
    }
    quick.sort_unstable();
    assert_eq!(quick, (0..16).collect::<Vec<_>>());
    assert_eq!(message(&mut inbox).await, "slow");
}

#[tokio::test]
async fn the_get_stream_delivers_and_its_refusal_is_a_fact() {
    let server = Responder::start(|request| match request.line.split(' ').nth(1) {
        Some("/with") => vec![stream_head(), write("data: {\"n\":1}\n\n"), Step::Hold],
        _ => answer("405 Method Not Allowed", &["Content-Type: application/json"], PONG),
    })
    .await;
    let shared = shared(1 << 20);
    let (http, mut inbox) = open(&server.url("/with"), &shared);
    assert_eq!(http.open_stream().await.unwrap().status, 200);
    assert_eq!(message(&mut inbox).await["n"], 1);
    assert_eq!(server.seen()[0].headers["accept"], "text/event-stream");
    let (http, mut inbox) = open(&server.url("/without"), &shared);
    assert_eq!(http.open_stream().await.unwrap().status, 405);
    while texts(&shared, Direction::Received).len() < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(inbox.try_recv().is_err(), "the body of a refusal answers no message");
    assert_eq!(anomalies(&shared), []);
}

#[tokio::test]
async fn closing_ends_the_session_and_refuses_what_follows() {
    let server = Responder::start(|request| match request.line.starts_with("DELETE") {
        true => answer("204 No Content", &[], ""),
        false => answer("202 Accepted", &["Mcp-Session-Id: s-1"], ""),
    })
    .await;
    let (http, mut inbox) = open(&server.url("/mcp"), &shared(1 << 20));
    let wire = Wire::Http(http);
    wire.send(frame(PING)).await.unwrap();
    wire.close().await;
    wire.close().await;
    assert_eq!(wire.http().unwrap().session_id(), None);
    assert!(matches!(wire.send(frame(PING)).await, Err(WireError::Closed)));
    assert_eq!(server.seen().len(), 2);
    drop(wire);
    assert!(inbox.recv().await.is_none());
}

#[tokio::test]
async fn frames_carry_their_connection() {
    let server = Responder::start(|_| json_answer(PONG)).await;
    let shared = shared(1 << 20);
    let (deliver, mut inbox) = mpsc::unbounded_channel();
    let url = server.url("/mcp");
    let http = Http::open(7, &url, &BTreeMap::new(), shared.clone(), deliver).unwrap();
    assert_eq!(http.connection(), 7);
    http.send(frame(PING)).await.unwrap();
    assert!(matches!(next(&mut inbox).await, Inbound::Message { .. }));
    assert!(shared.record.kept().frames.iter().all(|f| f.connection == 7));
}
