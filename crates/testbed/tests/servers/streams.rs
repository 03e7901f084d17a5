//! Streamable HTTP beyond one exchange: lost streams, standing streams, cancellation, headers.

use serde_json::{Value, json};

use crate::client::{call, code, hello, request, stateless};
use crate::http_client::{Listening, Response};

fn open(server: &Listening, revision: &str) -> String {
    let params = hello(revision, json!({ "elicitation": {} }));
    let response = server.post(&[], &request(&json!(1), "initialize", params));
    response.header("mcp-session-id").expect("a session").to_owned()
}

fn tool(id: u64, name: &str, arguments: Value) -> Value {
    request(&json!(id), "tools/call", call(name, arguments))
}

fn season(id: u64, season: &str) -> Value {
    tool(id, "set_season", json!({ "season": season }))
}

/// The ids and messages of a stream until its answer.
fn events(stream: &mut Response) -> Vec<(String, Value)> {
    let mut events = Vec::new();
    while let Some(id) = stream.next_field("id") {
        let data = stream.next_field("data").expect("an event has data");
        let message = serde_json::from_str(&data).unwrap_or(Value::Null);
        let done = message.get("id").is_some();
        events.push((id, message));
        if done {
            break;
        }
    }
    events
}

#[test]
fn a_lost_stream_is_taken_up_where_it_broke_off() {
    let server = Listening::start(&["good", "--http", "0"]);
    let session = open(&server, "2025-11-25");
    let mut slow = tool(5, "survey_valley", json!({ "duration_ms": 400 }));
    slow["params"]["_meta"] = json!({ "progressToken": "t" });
    let mut stream = server.post(&[("Mcp-Session-Id", &session)], &slow);
    let primed = stream.next_field("id").expect("an id");
    assert_eq!(stream.next_field("data").as_deref(), Some(""));
    let first = stream.next_field("id").expect("an id");
    assert_ne!(primed, first);
    drop(stream);
    let mut rest = server.get(&[("Mcp-Session-Id", &session), ("Last-Event-ID", &first)]);
    let rest = events(&mut rest);
    let steps: Vec<u64> =
        rest.iter().filter_map(|(_, m)| m["params"]["progress"].as_u64()).collect();
    assert_eq!(steps, [2, 3, 4]);
    assert_eq!(rest.last().map(|(_, m)| &m["id"]), Some(&json!(5)));
    let strange = [("Mcp-Session-Id", session.as_str()), ("Last-Event-ID", "9999-0")];
    assert_eq!(server.get(&strange).status, 400);
}

#[test]
fn event_ids_are_unique_in_a_session() {
    let server = Listening::start(&["good", "--http", "0"]);
    let session = open(&server, "2025-11-25");
    let mut ids = Vec::new();
    for n in 0..5 {
        let ping = request(&json!(n), "ping", json!({}));
        let mut stream = server.post(&[("Mcp-Session-Id", &session)], &ping);
        ids.extend(events(&mut stream).into_iter().map(|(id, _)| id));
    }
    let distinct: std::collections::BTreeSet<&String> = ids.iter().collect();
    assert_eq!((ids.len(), distinct.len()), (10, 10));
}

#[test]
fn a_change_is_told_on_one_standing_stream_of_every_session() {
    let server = Listening::start(&["good", "--http", "0"]);
    let (mine, other) = (open(&server, "2025-06-18"), open(&server, "2025-06-18"));
    let mut old = server.get(&[("Mcp-Session-Id", &mine)]);
    let mut standing = server.get(&[("Mcp-Session-Id", &mine)]);
    let mut others = server.get(&[("Mcp-Session-Id", &other)]);
    let answer = server.post(&[("Mcp-Session-Id", &mine)], &season(2, "winter")).message();
    assert_eq!(answer["id"], 2);
    for stream in [&mut standing, &mut others] {
        let methods = [stream.next_message(), stream.next_message()];
        let methods = methods.map(|m| m.expect("a message")["method"].clone());
        let both = ["notifications/tools/list_changed", "notifications/prompts/list_changed"];
        assert_eq!(methods, both);
    }
    let ended = server.send("DELETE", &server.path, &[("Mcp-Session-Id", &mine)], "");
    assert_eq!(ended.status, 204);
    assert_eq!(old.next_message(), None, "nothing is said twice");
}

#[test]
fn without_a_standing_stream_a_change_comes_with_the_answer() {
    let server = Listening::start(&["good", "--http", "0", "--json"]);
    let session = open(&server, "2025-11-25");
    let mut stream = server.post(&[("Mcp-Session-Id", &session)], &season(2, "winter"));
    let method = &stream.next_message().expect("a message")["method"];
    assert_eq!(method, "notifications/tools/list_changed");
    stream.next_message();
    assert_eq!(stream.next_message().expect("an answer")["id"], 2);
}

#[test]
fn a_cancelled_call_ends_its_stream_without_an_answer() {
    let server = Listening::start(&["good", "--http", "0"]);
    let session = open(&server, "2025-06-18");
    let headers = [("Mcp-Session-Id", session.as_str())];
    for (name, arguments) in [
        ("survey_valley", json!({ "duration_ms": 600 })),
        ("find_walk", json!({ "distance_km": 5 })),
    ] {
        let mut stream = server.post(&headers, &tool(7, name, arguments));
        let params = json!({ "requestId": 7 });
        let cancel =
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
        assert_eq!(server.post(&headers, &cancel).status, 202);
        while let Some(said) = stream.next_message() {
            assert_eq!(said["method"], "elicitation/create", "{said}");
        }
    }
    assert_eq!(server.post(&headers, &request(&json!(8), "ping", json!({}))).status, 200);
}

#[test]
fn malformed_notifications_and_responses_get_an_error_status() {
    let server = Listening::start(&["good", "--http", "0"]);
    let session = open(&server, "2025-03-26");
    for body in [
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized", "params": 5 }),
        json!({ "jsonrpc": "1.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 1 }),
        json!({ "jsonrpc": "2.0", "result": {} }),
        json!({}),
    ] {
        let refused = server.post(&[("Mcp-Session-Id", &session)], &body);
        assert_eq!(refused.status, 400, "{body}");
        assert_eq!(code(&refused.message()), -32600, "{body}");
    }
    let standard = [
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
        ("Mcp-Session-Id", session.as_str()),
    ];
    let broken = server.send("POST", "/mcp", &standard, "{");
    assert_eq!(broken.message().get("id"), Some(&Value::Null));
    let deep = format!(r#"{{"jsonrpc":"2.0","id":3,"method":"x","params":{}"#, "[".repeat(9000));
    let deep = format!("{deep}{}}}", "]".repeat(9000));
    let refused = server.send("POST", "/mcp", &standard, &deep);
    assert_eq!((refused.status, &refused.message()["id"]), (400, &json!(3)));
}

#[test]
fn marked_parameters_are_repeated_as_headers_exactly_when_they_have_a_value() {
    let server = Listening::start(&["good", "--http", "0"]);
    let with = |arguments: Value| {
        request(&json!(1), "tools/call", stateless(call("find_tide", arguments), json!({})))
    };
    let plain = with(json!({ "harbour": "northquay" }));
    let dated = with(json!({ "harbour": "northquay", "day": 2 }));
    for (headers, body, status) in [
        (vec![], &plain, 200),
        (vec![("mcp-param-day", "2")], &dated, 200),
        (vec![("Mcp-Param-Day", "=?base64?Mg==?=")], &dated, 200),
        (vec![("Mcp-Param-Day", "2")], &plain, 400),
        (vec![], &dated, 400),
        (vec![("Mcp-Param-Day", "3")], &dated, 400),
        (vec![("Mcp-Param-Day", "2\u{e9}")], &dated, 400),
    ] {
        let response = server.post_stateless(&headers, body);
        assert_eq!(response.status, status, "{headers:?} {body}");
        if status == 400 {
            assert_eq!(code(&response.message()), -32020);
        }
    }
}

#[test]
fn a_stateless_listener_hears_what_other_connections_change() {
    let server = Listening::start(&["good", "--http", "0"]);
    let filter = json!({ "resourceSubscriptions": ["notes://note-1"] });
    let listen = stateless(json!({ "notifications": filter }), json!({}));
    let listen = request(&json!("s"), "subscriptions/listen", listen);
    let mut stream = server.post_stateless(&[], &listen);
    assert_eq!(stream.header("x-accel-buffering"), Some("no"));
    let said = stream.next_message().expect("an acknowledgement");
    assert_eq!(said["method"], "notifications/subscriptions/acknowledged");
    let change = call("rewrite_note", json!({ "id": "note-1", "body": "new" }));
    let change = request(&json!(2), "tools/call", stateless(change, json!({})));
    assert_eq!(server.post_stateless(&[], &change).message()["id"], 2);
    let heard = stream.next_message().expect("a notification");
    assert_eq!(heard["params"]["uri"], "notes://note-1");
    assert_eq!(heard["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "s");
}

#[test]
fn tasks_are_not_listed_where_clients_cannot_be_told_apart() {
    let server = Listening::start(&["good", "--http", "0", "--json"]);
    let params = hello("2025-11-25", json!({}));
    let response = server.post(&[], &request(&json!(1), "initialize", params));
    let session = response.header("mcp-session-id").expect("a session").to_owned();
    let capabilities = response.message()["result"]["capabilities"].clone();
    assert!(capabilities["tasks"]["cancel"].is_object() && capabilities["tasks"]["list"].is_null());
    let list = request(&json!(2), "tasks/list", json!({}));
    assert_eq!(code(&server.post(&[("Mcp-Session-Id", &session)], &list).message()), -32601);
}
