//! What is said to frames that are odd, huge, deep, many at once or out of turn.

use serde_json::{Value, json};

use crate::client::{HANDSHAKES, Server, call, code, ready, request, stateless};

fn deep(levels: usize) -> String {
    format!("{}{}", "[".repeat(levels), "]".repeat(levels))
}

#[test]
fn deep_nesting_is_refused_with_the_id_it_came_with() {
    let mut server = ready("good");
    let nested = deep(10_000);
    server.send_raw(&format!(
        r#"{{"jsonrpc":"2.0","id":"d","method":"tools/call","params":{{"name":"count_words","arguments":{{"text":{nested}}}}}}}"#
    ));
    let answer = server.next();
    assert_eq!((code(&answer), &answer["id"]), (-32600, &json!("d")));
    server.send_raw(&nested);
    assert_eq!(code(&server.next()), -32700);
    server
        .send_raw(&format!(r#"{{"jsonrpc":"2.0","method":"notifications/x","params":{nested}}}"#));
    assert_eq!(server.ask(2, "ping", json!({}))["result"], json!({}));
}

#[test]
fn a_long_string_is_refused_by_name_and_long_ids_come_back() {
    let mut server = ready("good");
    let text = "x".repeat(1 << 20);
    let answer = server.ask(1, "tools/call", call("count_words", json!({ "text": text })));
    assert_eq!(answer["result"]["isError"], true);
    assert!(answer["result"]["content"][0]["text"].to_string().contains("text"));
    server.ask("i".repeat(1000), "ping", json!({}));
}

#[test]
fn malformed_notifications_are_never_answered() {
    let mut server = ready("good");
    for line in [
        r#"{"jsonrpc":"1.0","method":"notifications/initialized"}"#,
        r#"{"method":"notifications/cancelled","params":{}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99999}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":[1]}"#,
        r#"{"jsonrpc":"2.0","method":"foo/bar","params":"x"}"#,
    ] {
        server.send_raw(line);
    }
    assert!(server.says_nothing());
    server.ask(1, "ping", json!({}));
}

#[test]
fn an_error_without_an_id_has_null_there_until_the_schema_forbids_it() {
    for revision in HANDSHAKES {
        let mut server = Server::start(&["good"]);
        server.shake_hands(revision, json!({}));
        for line in ["{", "{}", "\"x\""] {
            server.send_raw(line);
            let expected = (revision < "2025-11-25").then_some(&Value::Null);
            assert_eq!(server.next().get("id"), expected, "{revision}: {line}");
        }
    }
    let mut server = Server::start(&["good"]);
    server.ask(1, "server/discover", stateless(json!({}), json!({})));
    server.send_raw("{");
    assert_eq!(server.next().get("id"), None);
}

#[test]
fn sixteen_requests_in_flight_are_each_answered_once() {
    let mut server = ready("good");
    for n in 0..16 {
        let slow = call("survey_valley", json!({ "duration_ms": 160 - 10 * n }));
        let quick = call("count_words", json!({ "text": "w ".repeat(n) }));
        let params = if n % 2 == 0 { slow } else { quick };
        server.send(&request(&json!(n), "tools/call", params));
    }
    let mut seen: Vec<u64> = Vec::new();
    for _ in 0..16 {
        let answer = server.next();
        let n = answer["id"].as_u64().expect("an id");
        let words = answer["result"]["structuredContent"].get("words").and_then(Value::as_u64);
        assert_eq!(words, (n % 2 == 1).then_some(n));
        seen.push(n);
    }
    seen.sort_unstable();
    assert_eq!(seen, (0..16).collect::<Vec<_>>());
    assert!(server.says_nothing());
}

#[test]
fn a_second_handshake_is_survived_and_none_is_an_error() {
    let mut server = Server::start(&["good"]);
    assert!(code(&server.ask(1, "tools/list", json!({}))) < 0);
    server.shake_hands("2025-06-18", json!({}));
    let again = server.shake_hands("2025-11-25", json!({}));
    assert_eq!(again["result"]["protocolVersion"], "2025-11-25");
    server.ask(2, "ping", json!({}));
}

#[test]
fn a_batch_with_initialize_is_refused_for_that_part() {
    let mut server = Server::start(&["good"]);
    server.shake_hands("2025-03-26", json!({}));
    let slow = call("survey_valley", json!({ "duration_ms": 50 }));
    server.send(&json!([
        request(&json!(1), "initialize", json!({})),
        request(&json!(2), "tools/call", slow),
    ]));
    let answers = server.next();
    assert_eq!(code(&answers[0]), -32600);
    assert_eq!(answers[1]["result"]["isError"], Value::Null);
    assert_eq!(answers[1]["id"], 2);
}
