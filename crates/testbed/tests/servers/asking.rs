//! Tools that ask the client: what they may ask, and what they make of the answer.

use serde_json::{Value, json};

use crate::client::{Server, call, code, request, stateless, text};

fn walk() -> Value {
    call("find_walk", json!({ "distance_km": 5 }))
}

/// Calls a tool that asks, and returns the question.
fn asked(server: &mut Server, params: Value) -> Value {
    server.send(&request(&json!("call"), "tools/call", params));
    server.next()
}

fn open(revision: &str, capabilities: Value) -> Server {
    let mut server = Server::start(&["good"]);
    server.shake_hands(revision, capabilities);
    server
}

#[test]
fn every_way_to_answer_a_form_ends_the_call() {
    for (reply, expected) in [
        (json!({ "result": { "action": "accept", "content": { "mud": "any" } } }), "ford"),
        (json!({ "result": { "action": "decline" } }), "dry lane"),
        (json!({ "result": { "action": "cancel" } }), "dry lane"),
        (json!({ "result": { "action": "accept", "content": { "mud": "lots" } } }), "schema"),
        (json!({ "result": { "action": "accept", "content": {} } }), "schema"),
        (json!({ "result": { "action": "shrug" } }), "not a result"),
        (json!({ "error": { "code": -32603, "message": "no user" } }), "no user"),
    ] {
        let mut server = open("2025-11-25", json!({ "elicitation": {} }));
        let question = asked(&mut server, walk());
        assert_eq!(question["params"]["mode"], "form");
        let mut answer = reply.clone();
        answer["jsonrpc"] = json!("2.0");
        answer["id"] = question["id"].clone();
        server.send(&answer);
        let done = server.next();
        assert_eq!(done["id"], "call");
        assert!(text(&done).contains(expected), "{reply}: {done}");
    }
}

#[test]
fn only_declared_modes_are_asked_in() {
    let page = || call("show_almanac", json!({}));
    for (elicitation, form, url) in [
        (json!({}), true, false),
        (json!({ "form": {} }), true, false),
        (json!({ "url": {} }), false, true),
        (json!({ "form": {}, "url": {} }), true, true),
    ] {
        let declared = json!({ "elicitation": elicitation });
        for (params, may) in [(walk(), form), (page(), url)] {
            let mut server = open("2025-11-25", declared.clone());
            let said = asked(&mut server, params.clone());
            assert_eq!(said["method"] == "elicitation/create", may, "{elicitation}: {params}");
            let params = stateless(params, declared.clone());
            let answer = Server::start(&["good"]).ask(1, "tools/call", params);
            let kind = if may { "input_required" } else { "complete" };
            assert_eq!(answer["result"]["resultType"], kind, "{elicitation}");
        }
    }
    let mut server = open("2025-11-25", json!({ "elicitation": { "url": {} } }));
    let question = asked(&mut server, page());
    assert!(question["params"]["url"].as_str().is_some_and(|u| u.starts_with("https://")));
    assert!(question["params"]["elicitationId"].is_string());
}

#[test]
fn a_call_that_waits_for_an_answer_can_be_cancelled() {
    let mut server = open("2025-06-18", json!({ "elicitation": {} }));
    let question = asked(&mut server, walk());
    let params = json!({ "requestId": "call" });
    server
        .send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }));
    let result = json!({ "action": "decline" });
    server.send(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": result }));
    assert!(server.says_nothing());
    server.ask(1, "ping", json!({}));
}

#[test]
fn nothing_is_asked_of_a_client_that_declared_nothing() {
    for (tool, arguments) in [
        ("find_walk", json!({ "distance_km": 5 })),
        ("summarize_note", json!({ "id": "note-1" })),
        ("list_roots", json!({})),
        ("show_almanac", json!({})),
        ("read_private_note", json!({})),
    ] {
        let mut server = open("2025-11-25", json!({}));
        let answer = server.ask(1, "tools/call", call(tool, arguments));
        let fails = tool == "read_private_note";
        assert_eq!(answer["result"]["isError"] == true, fails, "{answer}");
    }
}

#[test]
fn a_round_of_asking_holds_together() {
    let can = json!({ "elicitation": {} });
    let first = Server::start(&["good"]).ask(1, "tools/call", stateless(walk(), can.clone()));
    let state = &first["result"]["requestState"];
    assert!(first["result"].get("ttlMs").is_none());
    let reply = json!({ "question": { "action": "accept", "content": { "mud": "any" } } });
    let retry = |params: Value, state: &Value, responses: &Value| {
        let mut params = stateless(params, can.clone());
        params["requestState"] = state.clone();
        params["inputResponses"] = responses.clone();
        Server::start(&["good"]).ask(2, "tools/call", params)
    };
    let mut more = reply.clone();
    more["extra"] = json!({ "action": "accept" });
    assert_eq!(retry(walk(), state, &more)["result"]["resultType"], "complete");
    assert_eq!(retry(walk(), state, &json!({}))["result"]["resultType"], "input_required");
    let other = call("find_walk", json!({ "distance_km": 6 }));
    let tool = call("read_private_note", json!({}));
    let mut flipped = state.as_str().expect("a string").to_owned();
    flipped.replace_range(flipped.len() - 1.., if flipped.ends_with('0') { "1" } else { "0" });
    let odd = json!({ "question": { "action": "accept", "content": { "mud": 5 } } });
    for refused in [
        retry(other, state, &reply),
        retry(tool, state, &reply),
        retry(walk(), &json!(flipped), &reply),
        retry(walk(), &json!(flipped[..20]), &reply),
        retry(walk(), &json!(5), &reply),
        retry(walk(), state, &json!("x")),
        retry(walk(), state, &odd),
    ] {
        assert_eq!(code(&refused), -32602, "{refused}");
    }
}
