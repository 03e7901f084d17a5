//! Streamable HTTP with servers that are absent, broken or hostile.

use std::collections::BTreeMap;
use std::time::Duration;

use proofmark_core::evidence::{AnomalyKind, Direction, FrameId};
use proofmark_live::wire::WireError;
use proofmark_live::wire::http::Http;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use super::http::{PING, end, open};
use super::responder::{Responder, Step, answer, json, stream_head, write};
use super::{anomalies, frame, garbage, kinds, message, shared, texts};

async fn unreachable(url: &str) -> String {
    let (http, _inbox) = open(url, &shared(1 << 20));
    match http.send(frame(PING)).await {
        Err(error @ WireError::Unreachable { .. }) => error.to_string(),
        other => panic!("expected no connection: {other:?}"),
    }
}

#[tokio::test]
async fn a_refused_connection_names_the_address_and_the_way_out() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let said = unreachable(&format!("http://127.0.0.1:{port}/mcp?key=hunter2hunter2")).await;
    assert!(said.contains(&format!("127.0.0.1:{port}")), "{said}");
    assert!(said.contains("connection refused; start the server"), "{said}");
    assert!(!said.contains("hunter2"), "{said}");
}

#[tokio::test]
async fn a_server_without_tls_is_told_from_one_that_is_down() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let mut hello = [0; 16];
        socket.read_exact(&mut hello).await.unwrap();
        socket.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
        std::future::pending::<()>().await;
    });
    let said = unreachable(&format!("https://127.0.0.1:{port}/mcp")).await;
    server.abort();
    assert!(said.contains("no TLS connection"), "{said}");
    assert!(said.contains("http://"), "{said}");
}

#[tokio::test]
async fn a_url_that_is_none_is_refused_before_anything_is_sent() {
    for url in ["127.0.0.1:8080/mcp", "ftp://127.0.0.1/", "http://", ""] {
        let (deliver, _inbox) = mpsc::unbounded_channel();
        let opened = Http::open(0, url, &BTreeMap::new(), shared(99), deliver);
        assert!(matches!(opened, Err(WireError::BadUrl(..))), "{url}: {opened:?}");
    }
}

#[tokio::test]
async fn a_redirect_is_noted_and_not_followed() {
    let server =
        Responder::start(|_| answer("307 Temporary Redirect", &["Location: /elsewhere"], "")).await;
    let shared = shared(1 << 20);
    let (http, _inbox) = open(&server.url("/mcp"), &shared);
    let sent = http.send(frame(PING)).await.unwrap();
    let facts = sent.http.as_ref().unwrap();
    assert_eq!((facts.status, facts.headers["location"].as_str()), (307, "/elsewhere"));
    assert_eq!(server.seen().len(), 1);
    assert!(anomalies(&shared)[0].1.contains("/elsewhere"));
}

#[tokio::test]
async fn a_body_over_the_limit_is_cut_and_its_size_is_told() {
    let server = Responder::start(|_| json(&format!("\"{}\"", "x".repeat(2998)))).await;
    let shared = shared(1000);
    let (http, mut inbox) = open(&server.url("/mcp"), &shared);
    end(http.send(frame(PING)).await.unwrap()).await;
    assert_eq!(garbage(&mut inbox).await.len(), 1000);
    assert_eq!(kinds(&shared), [AnomalyKind::Oversized]);
    let frames = shared.record.kept().frames;
    assert_eq!((frames[1].bytes, frames[1].text.len()), (3000, 1000));
}

#[tokio::test]
async fn a_body_without_end_is_left() {
    let server = Responder::start(|_| {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n\"";
        let flood = std::iter::repeat_n(write("x".repeat(4096)), 100);
        [write(head)].into_iter().chain(flood).chain([Step::Hold]).collect()
    })
    .await;
    let shared = shared(10_000);
    let (http, mut inbox) = open(&server.url("/mcp"), &shared);
    end(http.send(frame(PING)).await.unwrap()).await;
    assert_eq!(garbage(&mut inbox).await.len(), 10_000);
    assert_eq!(kinds(&shared), [AnomalyKind::Oversized, AnomalyKind::Transport]);
}

#[tokio::test]
async fn an_event_over_the_limit_is_cut_and_the_next_is_delivered() {
    let server = Responder::start(|_| {
        let events = format!("data: \"{}\"\n\ndata: 2\n\n", "x".repeat(5000));
        vec![stream_head(), write(events)]
    })
    .await;
    let shared = shared(1000);
    let (http, mut inbox) = open(&server.url("/mcp"), &shared);
    http.send(frame(PING)).await.unwrap();
    assert!(garbage(&mut inbox).await.len() <= 1000);
    assert_eq!(message(&mut inbox).await, 2);
    assert_eq!(kinds(&shared), [AnomalyKind::Oversized]);
}

#[tokio::test]
async fn a_reset_in_the_middle_of_a_stream_is_noted_and_the_wait_ends() {
    let server = Responder::start(|_| {
        let reset = [Step::Pause(50), Step::Reset];
        [stream_head(), write("data: 1\n\ndata: 2")].into_iter().chain(reset).collect()
    })
    .await;
    let shared = shared(1 << 20);
    let (http, mut inbox) = open(&server.url("/mcp"), &shared);
    end(http.send(frame(PING)).await.unwrap()).await;
    assert_eq!(message(&mut inbox).await, 1);
    assert_eq!(garbage(&mut inbox).await, "2");
    let noted = anomalies(&shared);
    assert!(noted[0].1.contains("ended inside an event"), "{noted:?}");
    assert!(noted[1].1.contains("broke off"), "{noted:?}");
    let last = shared.record.kept().anomalies.remove(1);
    assert_eq!(last.frame, Some(FrameId(0)), "noted at the request that was being answered");
}

#[tokio::test]
async fn a_body_shorter_than_promised_is_kept_as_far_as_it_came() {
    let server = Responder::start(|_| {
        vec![write(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{\"id\":1}",
        )]
    })
    .await;
    let shared = shared(1 << 20);
    let (http, mut inbox) = open(&server.url("/mcp"), &shared);
    end(http.send(frame(PING)).await.unwrap()).await;
    assert_eq!(garbage(&mut inbox).await, "{\"id\":1}");
    assert_eq!(kinds(&shared), [AnomalyKind::Transport]);
}

#[tokio::test]
async fn no_http_answer_at_all_is_a_closed_connection_with_a_note() {
    for nonsense in ["", "220 smtp ready\r\n", "HTTP/1.1 200"] {
        let server = Responder::start(move |_| vec![write(nonsense)]).await;
        let shared = shared(1 << 20);
        let (http, _inbox) = open(&server.url("/mcp"), &shared);
        let outcome = http.send(frame(PING)).await;
        assert!(matches!(outcome, Err(WireError::Closed)), "{nonsense:?}: {outcome:?}");
        assert_eq!(kinds(&shared), [AnomalyKind::Transport], "{nonsense:?}");
    }
}

#[tokio::test]
async fn what_is_not_json_and_what_clients_ignore_is_noted() {
    let server = Responder::start(|request| match request.line.split(' ').nth(1) {
        Some("/json") => json("<oops>"),
        _ => vec![
            stream_head(),
            write("data: oops\n\nevent: answer\ndata: {}\n\n{\"id\":1}\n\ndata: {\"id\":1}"),
        ],
    })
    .await;
    let shared = shared(1 << 20);
    let (http, mut inbox) = open(&server.url("/json"), &shared);
    end(http.send(frame(PING)).await.unwrap()).await;
    assert_eq!(garbage(&mut inbox).await, "<oops>");
    assert_eq!(kinds(&shared), [AnomalyKind::NotJson]);
    let (http, mut inbox) = open(&server.url("/stream"), &shared);
    end(http.send(frame(PING)).await.unwrap()).await;
    for text in ["oops", "{}", "{\"id\":1}"] {
        assert_eq!(garbage(&mut inbox).await, text);
    }
    assert!(inbox.try_recv().is_err());
    let noted = anomalies(&shared)[1..].to_vec();
    assert_eq!(noted[0].0, AnomalyKind::NotJson);
    for ((kind, detail), part) in noted[1..].iter().zip(["`answer`", "no field", "blank line"]) {
        assert_eq!(*kind, AnomalyKind::Transport);
        assert!(detail.contains(part), "{detail}");
    }
}

#[tokio::test]
async fn a_flood_of_comments_is_kept_within_bounds() {
    let server = Responder::start(|_| {
        let flood = ": x\n\n".repeat(1000);
        let mut steps = vec![stream_head()];
        steps.extend(std::iter::repeat_n(write(flood), 40));
        steps.push(write("data: 1\n\n"));
        steps
    })
    .await;
    let shared = shared(1 << 20);
    let (http, mut inbox) = open(&server.url("/mcp"), &shared);
    end(http.send(frame(PING)).await.unwrap()).await;
    assert_eq!(message(&mut inbox).await, 1);
    assert!(texts(&shared, Direction::Received).len() < 20_000);
    assert_eq!(kinds(&shared).len(), 1);
}

#[tokio::test]
async fn a_server_that_does_not_answer_costs_only_the_callers_patience() {
    let server = Responder::start(|_| vec![Step::Hold]).await;
    let (http, mut inbox) = open(&server.url("/mcp"), &shared(1 << 20));
    let patience = Duration::from_millis(100);
    assert!(tokio::time::timeout(patience, http.send(frame(PING))).await.is_err());
    drop(http);
    assert!(inbox.recv().await.is_none(), "the abandoned request ended with the connection");
}
