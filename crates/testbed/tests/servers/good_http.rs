//! The well-made servers over both HTTP transports.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::client::{HANDSHAKES, STATELESS, call, code, hello, request, stateless, text};
use crate::http_client::Listening;

fn ask(method: &str, params: Value) -> Value {
    request(&json!(1), method, params)
}

/// Shakes hands and returns the session id.
fn open(server: &Listening, revision: &str, capabilities: Value) -> String {
    let response = server.post(&[], &ask("initialize", hello(revision, capabilities)));
    assert_eq!(response.status, 200);
    let session = response.header("mcp-session-id").expect("a session").to_owned();
    assert_eq!(response.message()["result"]["protocolVersion"], revision);
    session
}

#[test]
fn every_handshake_revision_works_with_streams_and_with_json() {
    for (form, kind) in [("", "text/event-stream"), ("--json", "application/json")] {
        let arguments: Vec<&str> =
            ["good", "--http", "0", form].into_iter().filter(|a| !a.is_empty()).collect();
        let server = Listening::start(&arguments);
        for revision in HANDSHAKES {
            let session = open(&server, revision, json!({}));
            let headers = [("Mcp-Session-Id", &*session), ("MCP-Protocol-Version", revision)];
            let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
            let accepted = server.post(&headers, &initialized);
            assert_eq!((accepted.status, accepted.body()), (202, String::new()));
            let response = server.post(&headers, &ask("tools/list", json!({})));
            assert_eq!(response.header("content-type"), Some(kind), "{revision}");
            assert_eq!(response.message()["result"]["tools"].as_array().map(Vec::len), Some(10));
            let counted = call("count_words", json!({ "text": "one two" }));
            let answer = server.post(&headers, &ask("tools/call", counted)).message();
            assert!(text(&answer).contains("\"words\":2"), "{answer}");
        }
    }
}

#[test]
fn the_newest_handshake_revision_opens_its_streams_with_an_id() {
    let server = Listening::start(&["good", "--http", "0"]);
    let session = open(&server, "2025-11-25", json!({}));
    let mut response = server.post(&[("Mcp-Session-Id", &session)], &ask("ping", json!({})));
    assert!(response.next_field("id").is_some());
    assert_eq!(response.next_field("data").as_deref(), Some(""));
    assert_eq!(response.next_message().expect("an answer")["result"], json!({}));
}

#[test]
fn sessions_are_required_distinct_and_can_be_ended() {
    let server = Listening::start(&["good", "--http", "0"]);
    let session = open(&server, "2025-11-25", json!({}));
    assert_ne!(session, open(&server, "2025-11-25", json!({})));
    let ping = ask("ping", json!({}));
    let status = |headers: &[(&str, &str)]| server.post(headers, &ping).status;
    assert_eq!(status(&[]), 400);
    assert_eq!(status(&[("Mcp-Session-Id", "nope")]), 404);
    assert_eq!(status(&[("Mcp-Session-Id", &session)]), 200);
    let ended = server.send("DELETE", &server.path, &[("Mcp-Session-Id", &session)], "");
    assert_eq!(ended.status, 204);
    assert_eq!(status(&[("Mcp-Session-Id", &session)]), 404);
}

#[test]
fn wrong_headers_and_bodies_are_refused() {
    let server = Listening::start(&["good", "--http", "0"]);
    let session = open(&server, "2025-11-25", json!({}));
    let with = |name, value| [("Mcp-Session-Id", session.as_str()), (name, value)];
    let ping = ask("ping", json!({}));
    for (name, value, status) in [
        ("MCP-Protocol-Version", "1999-01-01", 400),
        ("Origin", "http://evil.example", 403),
        ("Origin", "http://localhost:3000", 200),
        ("Host", "evil.example", 403),
    ] {
        assert_eq!(server.post(&with(name, value), &ping).status, status, "{name}: {value}");
    }
    for verb in ["GET", "DELETE"] {
        let evil = with("Origin", "http://evil.example");
        assert_eq!(server.send(verb, &server.path, &evil, "").status, 403, "{verb}");
    }
    let json = ("Content-Type", "application/json");
    let everything = ("Accept", "application/json, text/event-stream");
    let post = |headers: &[(&str, &str)], body: &str| server.send("POST", "/mcp", headers, body);
    assert_eq!(post(&[everything, ("Content-Type", "text/plain")], "{}").status, 415);
    assert_eq!(post(&[json, ("Accept", "text/html")], "{}").status, 406);
    let broken = post(&[json, everything], "{\"jsonrpc\":");
    assert_eq!(broken.status, 400);
    assert_eq!(code(&broken.message()), -32700);
}

#[test]
fn get_opens_a_stream_or_is_not_allowed() {
    let server = Listening::start(&["good", "--http", "0"]);
    let session = open(&server, "2025-11-25", json!({}));
    let stream = server.get(&[("Mcp-Session-Id", &session)]);
    assert_eq!((stream.status, stream.header("content-type")), (200, Some("text/event-stream")));
    assert_eq!(server.get(&[("MCP-Protocol-Version", STATELESS)]).status, 405);

    let server = Listening::start(&["good", "--http", "0", "--json"]);
    let session = open(&server, "2025-11-25", json!({}));
    assert_eq!(server.get(&[("Mcp-Session-Id", &session)]).status, 405);
}

#[test]
fn a_batch_is_answered_in_its_revision() {
    let server = Listening::start(&["good", "--http", "0"]);
    let session = open(&server, "2025-03-26", json!({}));
    let batch = json!([ask("ping", json!({})), ask("ping", json!({}))]);
    let answer = server.post(&[("Mcp-Session-Id", &session)], &batch).message();
    assert_eq!(answer.as_array().map(Vec::len), Some(2));
}

#[test]
fn a_question_travels_on_the_stream_of_its_call() {
    for form in ["--http 0", "--http 0 --json"] {
        let arguments: Vec<&str> = ["good"].into_iter().chain(form.split(' ')).collect();
        let server = Listening::start(&arguments);
        let session = open(&server, "2025-06-18", json!({ "elicitation": {} }));
        let headers = [("Mcp-Session-Id", session.as_str())];
        let walk = call("find_walk", json!({ "distance_km": 5 }));
        let mut stream = server.post(&headers, &ask("tools/call", walk));
        let question = stream.next_message().expect("a question");
        assert_eq!(question["method"], "elicitation/create");
        let result = json!({ "action": "decline" });
        let reply = json!({ "jsonrpc": "2.0", "id": question["id"], "result": result });
        assert_eq!(server.post(&headers, &reply).status, 202);
        let answer = stream.next_message().expect("an answer");
        assert!(text(&answer).contains("dry lane"), "{answer}");
        assert_eq!(stream.next_message(), None, "the stream ends");
    }
}

#[test]
fn the_stateless_revision_checks_headers_against_the_body() {
    let server = Listening::start(&["good", "--http", "0"]);
    let counted = stateless(call("count_words", json!({ "text": "one two" })), json!({}));
    let counted = ask("tools/call", counted);
    let plain = server.post_stateless(&[("Mcp-Session-Id", "ignored")], &counted);
    assert_eq!((plain.status, plain.header("mcp-session-id")), (200, None));
    assert!(text(&plain.message()).contains("\"words\":2"));
    let encoded = format!("=?base64?{}?=", STANDARD.encode("count_words"));
    assert_eq!(server.post_stateless(&[("Mcp-Name", &encoded)], &counted).status, 200);
    for (name, value) in [
        ("MCP-Protocol-Version", ""),
        ("MCP-Protocol-Version", "2025-11-25"),
        ("Mcp-Method", ""),
        ("Mcp-Method", "Tools/Call"),
        ("Mcp-Name", ""),
        ("Mcp-Name", "list_notes"),
    ] {
        let refused = server.post_stateless(&[(name, value)], &counted);
        assert_eq!(refused.status, 400, "{name}: {value}");
        let answer = refused.message();
        assert_eq!((code(&answer), &answer["id"]), (-32020, &json!(1)), "{name}: {value}");
    }
}

#[test]
fn the_stateless_revision_ties_statuses_to_errors() {
    let server = Listening::start(&["good-rich", "--http", "0"]);
    let private = call("read_private_note", json!({}));
    let mut foreign = stateless(json!({}), json!({}));
    foreign["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("1900-01-01");
    for (method, params, extra, status, expected) in [
        ("foo/bar", stateless(json!({}), json!({})), None, 404, -32601),
        ("ping", stateless(json!({}), json!({})), None, 404, -32601),
        ("tools/list", json!({}), None, 400, -32602),
        ("tools/list", foreign, Some(("MCP-Protocol-Version", "1900-01-01")), 400, -32022),
        ("tools/call", stateless(private, json!({})), None, 400, -32021),
        ("tools/call", stateless(call("nope", json!({})), json!({})), None, 200, -32602),
    ] {
        let extra: Vec<(&str, &str)> = extra.into_iter().collect();
        let response = server.post_stateless(&extra, &ask(method, params));
        assert_eq!(response.status, status, "{method}");
        assert_eq!(code(&response.message()), expected, "{method}");
    }
    let listen = json!({ "notifications": { "toolsListChanged": true } });
    let body = ask("subscriptions/listen", stateless(listen, json!({})));
    let said = server.post_stateless(&[], &body).next_message().expect("an acknowledgement");
    assert_eq!(said["method"], "notifications/subscriptions/acknowledged");
}

#[test]
fn the_legacy_transport_names_its_endpoint_and_answers_on_the_stream() {
    let server = Listening::start(&["good", "--sse", "0"]);
    let mut stream = server.get(&[]);
    assert_eq!(stream.next_field("event").as_deref(), Some("endpoint"));
    let endpoint = stream.next_field("data").expect("a path");
    let hello = ask("initialize", hello("2024-11-05", json!({})));
    let json = [("Content-Type", "application/json")];
    let accepted = server.send("POST", &endpoint, &json, &hello.to_string());
    assert_eq!(accepted.status, 202);
    let answer = stream.next_message().expect("an answer");
    assert_eq!(answer["result"]["protocolVersion"], "2024-11-05");

    let evil = [("Origin", "http://evil.example")];
    assert_eq!(server.get(&evil).status, 403);
    assert_eq!(server.send("POST", &endpoint, &evil, "{}").status, 403);
    assert_eq!(server.send("POST", "/messages?session=nope", &json, "{}").status, 404);
}
