//! The session against scripted peers over a pipe: what it makes of answers good and bad.

use std::sync::Arc;
use std::time::Duration;

use proofmark_core::evidence::{AnomalyKind, ClientCapabilities, ExchangeId, Reply};
use proofmark_core::probe::{Awaits, Send};
use proofmark_core::revision::Revision;
use proofmark_core::scrub::Scrub;
use proofmark_core::seed::Seed;
use proofmark_live::record::Record;
use proofmark_live::session::{Opened, Policy, Refusal, Session, Wish, negotiate};
use proofmark_live::wire::stdio::Stdio;
use proofmark_live::wire::{Shared, Wire};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, duplex, split};
use tokio::sync::mpsc;

const SHORT: Duration = Duration::from_millis(400);
const LONG: Duration = Duration::from_secs(5);

/// A peer that answers each line with the lines `script` returns; `None` hangs up.
fn peer<F>(script: F) -> (Session, Arc<Record>)
where
    F: FnMut(Value) -> Option<Vec<String>> + std::marker::Send + 'static,
{
    let (ours, theirs) = duplex(1 << 20);
    let (read, write) = split(ours);
    let record = Arc::new(Record::new(Scrub::default()));
    let shared = Shared { record: Arc::clone(&record), max_frame: 1 << 20 };
    let (deliver, inbox) = mpsc::unbounded_channel();
    let wire = Wire::Stdio(Stdio::open(0, write, read, shared.clone(), deliver));
    let policy = Policy {
        client: ClientCapabilities::ALL,
        workspace: "/tmp/workspace".into(),
        given: vec![],
        seed: Seed(1),
    };
    tokio::spawn(play(theirs, script));
    (Session::new(wire, inbox, shared, Arc::new(policy)), record)
}

async fn play<F>(pipe: tokio::io::DuplexStream, mut script: F)
where
    F: FnMut(Value) -> Option<Vec<String>>,
{
    let (read, mut write) = split(pipe);
    let mut lines = BufReader::new(read).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let value = serde_json::from_str(&line).unwrap_or(Value::Null);
        let Some(answers) = script(value) else { return };
        for answer in answers {
            if write.write_all(format!("{answer}\n").as_bytes()).await.is_err() {
                return;
            }
        }
    }
}

fn ok(message: &Value, result: Value) -> String {
    json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string()
}

fn error(message: &Value, code: i64, text: &str) -> String {
    json!({"jsonrpc": "2.0", "id": message["id"], "error": {"code": code, "message": text}})
        .to_string()
}

async fn ask(session: &Session, n: u32, timeout: Duration) -> Reply {
    let send = Send::request("tools/list", None);
    session.call(&send, ExchangeId(n), timeout).await.reply
}

fn kinds(record: &Record) -> Vec<AnomalyKind> {
    record.kept().anomalies.iter().map(|a| a.kind).collect()
}

#[tokio::test]
async fn a_plain_answer_reaches_its_caller_with_both_frames() {
    let (session, record) = peer(|m| Some(vec![ok(&m, json!({"tools": []}))]));
    let answered = session.call(&Send::request("tools/list", None), ExchangeId(0), LONG).await;
    assert_eq!(answered.reply, Reply::Result { value: json!({"tools": []}) });
    assert_eq!(answered.frames.len(), 2);
    assert!(record.kept().anomalies.is_empty());
}

#[tokio::test]
async fn sixteen_calls_in_flight_may_be_answered_in_any_order() {
    let mut held: Vec<Value> = Vec::new();
    let (session, record) = peer(move |m| {
        held.push(m);
        if held.len() < 16 {
            return Some(vec![]);
        }
        Some(held.drain(..).rev().map(|m| ok(&m, json!({"echo": m["params"]["n"]}))).collect())
    });
    let calls = (0..16u32).map(|n| {
        let session = &session;
        async move {
            let send = Send::request("x", Some(json!({"n": n})));
            (n, session.call(&send, ExchangeId(n), LONG).await.reply)
        }
    });
    for (n, reply) in futures_util::future::join_all(calls).await {
        assert_eq!(reply, Reply::Result { value: json!({"echo": n}) });
    }
    assert!(record.kept().anomalies.is_empty());
}

#[tokio::test]
async fn an_id_of_another_type_is_accepted_and_noted() {
    let (session, record) = peer(|m| {
        Some(vec![json!({"jsonrpc": "2.0", "id": m["id"].to_string(), "result": {}}).to_string()])
    });
    assert_eq!(ask(&session, 0, LONG).await, Reply::Result { value: json!({}) });
    assert_eq!(kinds(&record), [AnomalyKind::IdTypeChanged]);
}

#[tokio::test]
async fn a_foreign_id_is_noted_and_taken_only_when_one_call_waits() {
    let (session, record) =
        peer(|_| Some(vec![json!({"jsonrpc": "2.0", "id": 999, "result": {}}).to_string()]));
    assert!(!session.ids_are_unreliable());
    assert_eq!(ask(&session, 3, LONG).await, Reply::Result { value: json!({}) });
    assert_eq!(kinds(&record), [AnomalyKind::UnknownId]);
    assert_eq!(record.kept().anomalies[0].exchange, Some(ExchangeId(3)));
    assert!(session.ids_are_unreliable());
}

#[tokio::test]
async fn second_and_late_answers_are_told_apart() {
    let mut count = 0;
    let (session, record) = peer(move |m| {
        count += 1;
        match count {
            1 => Some(vec![ok(&m, json!({})), ok(&m, json!({}))]),
            2 => Some(vec![]),
            _ => Some(vec![ok(&json!({"id": 2}), json!({})), ok(&m, json!({}))]),
        }
    });
    ask(&session, 0, LONG).await;
    assert!(matches!(ask(&session, 1, SHORT).await, Reply::TimedOut { after_ms: 400 }));
    assert_eq!(ask(&session, 2, LONG).await, Reply::Result { value: json!({}) });
    assert_eq!(kinds(&record), [AnomalyKind::DuplicateAnswer, AnomalyKind::LateAnswer]);
}

#[tokio::test]
async fn ill_formed_responses_become_malformed_replies_that_say_why() {
    let bad = [
        (
            json!({"jsonrpc": "2.0", "id": 1, "result": {}, "error": {}}),
            "both `result` and `error`",
        ),
        (json!({"jsonrpc": "2.0", "id": 1, "error": "no"}), "`error` is not an object"),
        (
            json!({"jsonrpc": "2.0", "id": 1, "error": {"code": "x", "message": "m"}}),
            "`error.code`",
        ),
        (json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1}}), "`error.message`"),
    ];
    for (message, expected) in bad {
        let text = message.to_string();
        let (session, record) = peer(move |_| Some(vec![text.clone()]));
        let reply = ask(&session, 0, LONG).await;
        let says = |r: &Reply| matches!(r, Reply::Malformed { why, .. } if why.contains(expected));
        assert!(says(&reply), "{reply:?}");
        assert_eq!(kinds(&record), [AnomalyKind::IllFormedMessage]);
    }
}

#[tokio::test]
async fn noise_between_answers_is_noted_and_does_not_disturb() {
    let (session, record) =
        peer(|m| Some(vec!["Server ready!".into(), "42".into(), ok(&m, json!({}))]));
    assert_eq!(ask(&session, 0, LONG).await, Reply::Result { value: json!({}) });
    assert_eq!(kinds(&record), [AnomalyKind::NotJson, AnomalyKind::NotAMessage]);
}

#[tokio::test]
async fn requests_of_the_server_are_answered_by_policy_and_recorded() {
    let (sender, mut heard) = mpsc::unbounded_channel();
    let (session, record) = peer(move |m| {
        if m.get("method").is_some() {
            let asks =
                ["ping", "roots/list", "sampling/createMessage", "elicitation/create", "x/y"];
            let mut lines: Vec<String> = asks
                .iter()
                .map(|r| json!({"jsonrpc": "2.0", "id": r, "method": r}).to_string())
                .collect();
            lines.push(json!({"jsonrpc": "2.0", "method": "notifications/message"}).to_string());
            lines.push(ok(&m, json!({})));
            return Some(lines);
        }
        let _ = sender.send(m);
        Some(vec![])
    });
    ask(&session, 0, LONG).await;
    let mut answers = std::collections::BTreeMap::new();
    for _ in 0..5 {
        let answer = heard.recv().await.unwrap();
        answers.insert(answer["id"].as_str().unwrap().to_owned(), answer);
    }
    assert_eq!(answers["ping"]["result"], json!({}));
    assert_eq!(answers["roots/list"]["result"]["roots"][0]["uri"], "file:///tmp/workspace");
    assert_eq!(answers["sampling/createMessage"]["result"]["role"], "assistant");
    assert_eq!(answers["elicitation/create"]["result"]["action"], "decline");
    assert_eq!(answers["x/y"]["error"]["code"], -32601);
    assert_eq!(record.kept().incoming.len(), 6);
}

#[tokio::test]
async fn a_peer_that_hangs_up_ends_every_call_at_once() {
    let (session, _record) = peer(|_| None);
    let begun = std::time::Instant::now();
    assert_eq!(ask(&session, 0, LONG).await, Reply::Disconnected);
    assert_eq!(ask(&session, 1, LONG).await, Reply::Disconnected);
    assert!(session.is_closed());
    assert!(begun.elapsed() < Duration::from_secs(2));
}

#[tokio::test]
async fn raw_frames_go_out_as_written_and_hear_answers_without_an_id() {
    let (session, record) = peer(|_| {
        let parse = json!({"code": -32700, "message": "parse"});
        Some(vec![json!({"jsonrpc": "2.0", "id": null, "error": parse}).to_string()])
    });
    let send = Send::Raw { text: "{\"jsonrpc\":".into(), awaits: Awaits::Stray };
    let reply = session.call(&send, ExchangeId(0), LONG).await.reply;
    assert!(matches!(reply, Reply::Error { code: -32700, .. }), "{reply:?}");
    assert_eq!(record.kept().frames[0].text, "{\"jsonrpc\":");
}

#[tokio::test]
async fn a_notification_is_followed_by_silence() {
    let (session, _record) = peer(|_| Some(vec![]));
    let send = Send::Notification { method: "notifications/x".into(), params: None };
    assert_eq!(session.call(&send, ExchangeId(0), LONG).await.reply, Reply::Silence);
}

fn wish(pinned: Option<Revision>) -> Wish {
    Wish { pinned, discover: true, timeout: LONG, first: ExchangeId(0) }
}

fn initialized(m: &Value) -> String {
    let result = json!({
        "protocolVersion": m["params"]["protocolVersion"],
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "n", "version": "1"}
    });
    ok(m, result)
}

fn discovered(m: &Value) -> String {
    let result = json!({
        "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "resultType": "complete",
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "n", "version": "2"}}
    });
    ok(m, result)
}

#[tokio::test]
async fn a_stateless_server_is_spoken_to_without_a_handshake() {
    let (session, _record) = peer(|m| {
        let meta = &m["params"]["_meta"];
        let dressed = meta["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
            && meta["io.modelcontextprotocol/clientCapabilities"].is_object();
        match m["method"].as_str() {
            _ if !dressed => Some(vec![error(&m, -32602, "no _meta")]),
            Some("server/discover") => Some(vec![discovered(&m)]),
            _ => Some(vec![ok(&m, json!({"tools": []}))]),
        }
    });
    let Opened { session, handshake, said } = negotiate(session, &wish(None)).await.unwrap();
    assert_eq!(handshake.revision, Revision::V2026_07_28);
    assert_eq!(handshake.server.version.as_deref(), Some("2"));
    assert_eq!(said.len(), 1);
    assert_eq!(ask(&session, 1, LONG).await, Reply::Result { value: json!({"tools": []}) });
}

#[tokio::test]
async fn an_older_server_gets_the_handshake_after_refusing_discovery() {
    let (session, _record) = peer(|m| match m["method"].as_str() {
        Some("server/discover") => Some(vec![error(&m, -32601, "Method not found")]),
        Some("initialize") => Some(vec![initialized(&m)]),
        _ => Some(vec![]),
    });
    let opened = negotiate(session, &wish(None)).await.unwrap();
    assert_eq!(opened.handshake.revision, Revision::V2025_11_25);
    assert_eq!(opened.said.iter().map(|s| s.label).collect::<Vec<_>>(), ["discover", "initialize"]);
    assert_eq!(opened.handshake.exchange, ExchangeId(1));
}

#[tokio::test]
async fn a_server_that_ignores_discovery_gets_the_handshake_too() {
    let (session, _record) = peer(|m| match m["method"].as_str() {
        Some("initialize") => Some(vec![initialized(&m)]),
        _ => Some(vec![]),
    });
    let wish = Wish {
        pinned: None,
        discover: true,
        timeout: Duration::from_secs(20),
        first: ExchangeId(0),
    };
    let opened = negotiate(session, &wish).await.unwrap();
    assert_eq!(opened.handshake.revision, Revision::V2025_11_25);
}

#[tokio::test]
async fn a_pinned_revision_is_asked_for_and_nothing_else() {
    let (session, record) = peer(|m| match m["method"].as_str() {
        Some("initialize") => Some(vec![initialized(&m)]),
        _ => Some(vec![]),
    });
    let opened = negotiate(session, &wish(Some(Revision::V2024_11_05))).await.unwrap();
    assert_eq!(opened.handshake.answered, "2024-11-05");
    assert!(record.kept().frames.iter().all(|f| !f.text.contains("server/discover")));
}

#[tokio::test]
async fn a_server_that_dies_of_discovery_is_reported_as_such() {
    let (session, _record) = peer(|_| None);
    let Refusal { died_of_discover, said, .. } = negotiate(session, &wish(None)).await.unwrap_err();
    assert!(died_of_discover);
    assert_eq!(said.len(), 1);
}

#[tokio::test]
async fn an_error_on_initialize_is_a_refusal_with_the_answer_kept() {
    let (session, _record) = peer(|m| Some(vec![error(&m, -32000, "API key missing")]));
    let refusal = negotiate(session, &wish(None)).await.unwrap_err();
    let last = &refusal.said.last().unwrap().answered.reply;
    assert!(matches!(last, Reply::Error { message, .. } if message == "API key missing"));
}

#[tokio::test]
async fn input_that_a_stateless_server_asks_for_is_given_until_the_call_completes() {
    let (session, record) = peer(|m| match m["method"].as_str() {
        Some("server/discover") => Some(vec![discovered(&m)]),
        _ if m["params"]["inputResponses"].is_null() => {
            let result = json!({
                "resultType": "input_required", "requestState": "s1",
                "inputRequests": {"where": {"method": "roots/list"}}
            });
            Some(vec![ok(&m, result)])
        }
        _ => {
            let roots = m["params"]["inputResponses"]["where"]["roots"].as_array().map(Vec::len);
            let state = &m["params"]["requestState"];
            Some(vec![ok(&m, json!({"resultType": "complete", "roots": roots, "state": state}))])
        }
    });
    let Opened { session, .. } = negotiate(session, &wish(None)).await.unwrap();
    let send = Send::request("tools/call", Some(json!({"name": "t", "arguments": {}})));
    let answered = session.call(&send, ExchangeId(1), LONG).await;
    let value = json!({"resultType": "complete", "roots": 1, "state": "s1"});
    assert_eq!(answered.reply, Reply::Result { value });
    assert_eq!(answered.frames.len(), 4);
    assert_eq!(record.kept().incoming.len(), 1);
}
