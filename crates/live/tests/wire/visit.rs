//! Requests beside the session.

use std::time::Duration;

use proofmark_live::wire::Outgoing;

use super::http::{PING, PONG, open};
use super::responder::{Responder, Step, json as json_answer, stream_head, write};
use super::{anomalies, shared};

fn visit(verb: &str, text: &str, headers: &[(&str, &str)]) -> Outgoing {
    let headers = headers.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    Outgoing { text: text.to_owned(), headers, verb: Some(verb.to_owned()) }
}

#[tokio::test]
async fn a_foreign_host_goes_out_as_written_and_the_answer_is_delivered_to_nobody() {
    let server = Responder::start(|_| json_answer(PONG)).await;
    let shared = shared(1 << 20);
    let (http, mut inbox) = open(&server.url("/mcp"), &shared);
    let seen = http.visit(visit("POST", PING, &[("Host", "evil.example")])).await.unwrap();
    assert_eq!(server.seen()[0].headers["host"], "evil.example");
    assert_eq!(seen.http.body.as_deref(), Some(PONG));
    assert_eq!(seen.response.unwrap()["id"], 1);
    assert!(inbox.try_recv().is_err());
    assert_eq!(anomalies(&shared), []);
}

#[tokio::test]
async fn a_stream_that_never_ends_is_left_with_all_its_events() {
    let server = Responder::start(|_| {
        let events = "id: 1\nretry: 500\ndata:\n\n: still here\n\nevent: endpoint\ndata: /post\n\n";
        vec![stream_head(), write(events), Step::Hold]
    })
    .await;
    let shared = shared(1 << 20);
    let (http, _inbox) = open(&server.url("/mcp"), &shared);
    let asked = http.visit(visit("GET", "", &[("Accept", "text/event-stream")]));
    let seen = tokio::time::timeout(Duration::from_secs(10), asked).await.unwrap().unwrap();
    let stream = seen.http.stream.unwrap();
    assert!(!stream.ended);
    let [primer, endpoint] = stream.events.as_slice() else { panic!("{:?}", stream.events) };
    assert_eq!((primer.id.as_deref(), primer.retry.as_deref()), (Some("1"), Some("500")));
    assert_eq!((endpoint.name.as_str(), endpoint.data.as_deref()), ("endpoint", Some("/post")));
}
