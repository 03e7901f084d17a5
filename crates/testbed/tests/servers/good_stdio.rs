//! The well-made servers over stdio, in every revision, with raw JSON.

use std::time::Duration;

use crate::client::{HANDSHAKES, STATELESS, Server, call, code, ready, request, stateless, text};
use serde_json::{Value, json};

#[test]
fn a_known_revision_is_echoed_and_an_unknown_one_answered_with_the_newest() {
    for revision in HANDSHAKES {
        let answer = Server::start(&["good"]).shake_hands(revision, json!({}));
        assert_eq!(answer["result"]["protocolVersion"], revision);
    }
    for revision in ["1999-01-01", "2099-01-01", STATELESS] {
        let answer = Server::start(&["good"]).shake_hands(revision, json!({}));
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
    }
}

#[test]
fn ids_come_back_with_value_and_type() {
    let mut server = ready("good");
    for id in
        [json!(7), json!("abc"), json!("7"), json!(0), json!(-1), json!(9_007_199_254_740_991_u64)]
    {
        assert_eq!(server.ask(id, "ping", json!({}))["result"], json!({}));
    }
}

#[test]
fn what_is_no_request_gets_the_right_error_and_the_server_lives_on() {
    let mut server = ready("good");
    for (line, expected) in [
        (r#"{"jsonrpc":"#, -32700),
        ("{}", -32600),
        ("5", -32600),
        (r#"{"jsonrpc":"2.0","id":1}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":5}"#, -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"foo/bar"}"#, -32601),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tasks/update"}"#, -32601),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope"}}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"%"}}"#, -32602),
    ] {
        server.send_raw(line);
        let answer = server.next();
        assert_eq!(code(&answer), expected, "{line}");
        let echoed = line.contains(r#""id":1"#).then_some(1);
        assert_eq!(answer.get("id").and_then(Value::as_i64), echoed, "{line}");
    }
    assert_eq!(server.ask(2, "ping", json!({}))["result"], json!({}));
}

#[test]
fn notifications_are_never_answered() {
    let mut server = ready("good");
    for method in ["notifications/cancelled", "notifications/roots/list_changed", "x/y", "ping"] {
        server.send(&json!({ "jsonrpc": "2.0", "method": method, "params": 5 }));
    }
    assert!(server.says_nothing());
}

#[test]
fn batches_exist_in_one_revision_only() {
    let ping = |id: i64| request(&json!(id), "ping", json!({}));
    let batch = json!([ping(1), { "jsonrpc": "2.0", "method": "x" }, ping(2)]);
    for revision in HANDSHAKES {
        let mut server = Server::start(&["good"]);
        server.shake_hands(revision, json!({}));
        server.send(&batch);
        let answer = server.next();
        if revision == "2025-03-26" {
            let ids: Vec<&Value> =
                answer.as_array().expect("a batch").iter().map(|a| &a["id"]).collect();
            assert_eq!(ids, [1, 2]);
        } else {
            assert_eq!(code(&answer), -32600, "{revision}");
        }
    }
}

#[test]
fn bad_arguments_are_refused_by_name_in_the_channel_of_the_revision() {
    for revision in HANDSHAKES {
        let mut server = Server::start(&["good"]);
        server.shake_hands(revision, json!({}));
        for (arguments, field) in [
            (json!({ "value": "x", "from": "metre", "to": "foot" }), "value"),
            (json!({ "value": 1, "from": "metre" }), "to"),
            (json!({ "value": 1, "from": "metre", "to": "foot", "extra": 1 }), "extra"),
        ] {
            let answer = server.ask(1, "tools/call", call("convert_length", arguments));
            let said = if revision == "2025-11-25" {
                assert_eq!(answer["result"]["isError"], true);
                text(&answer).to_owned()
            } else {
                assert_eq!(code(&answer), -32602);
                answer["error"]["message"].to_string()
            };
            assert!(said.contains(field), "{revision}: {said}");
        }
    }
}

#[test]
fn a_revision_shows_only_the_fields_it_knows() {
    for (revision, known) in [
        ("2024-11-05", vec!["name", "description", "inputSchema"]),
        ("2025-03-26", vec!["name", "description", "inputSchema", "annotations"]),
        (
            "2025-06-18",
            vec!["name", "title", "description", "inputSchema", "outputSchema", "annotations"],
        ),
    ] {
        let mut server = Server::start(&["good"]);
        server.shake_hands(revision, json!({}));
        let answer = server.ask(1, "tools/list", json!({}));
        let first = answer["result"]["tools"][0].as_object().expect("a tool");
        assert_eq!(first.keys().collect::<Vec<_>>(), known, "{revision}");
        let answer = server.ask(2, "tools/call", call("count_words", json!({ "text": "a b" })));
        let structured = answer["result"].get("structuredContent").is_some();
        assert_eq!(structured, revision == "2025-06-18");
    }
}

#[test]
fn the_stateless_revision_needs_no_handshake_but_its_terms() {
    let mut server = Server::start(&["good"]);
    let found = server.ask(1, "server/discover", stateless(json!({}), json!({})));
    assert_eq!(found["result"]["supportedVersions"], json!([STATELESS]));
    assert_eq!(found["result"]["resultType"], "complete");
    assert!(found["result"]["ttlMs"].is_u64() && found["result"]["cacheScope"].is_string());
    let name = &found["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"];
    assert_eq!(name, "notebook");

    for (meta, expected) in [
        (json!(null), -32602),
        (json!({}), -32602),
        (json!({ "io.modelcontextprotocol/protocolVersion": STATELESS }), -32602),
        (json!({ "io.modelcontextprotocol/clientCapabilities": {} }), -32602),
        (
            json!({
                "io.modelcontextprotocol/protocolVersion": "1900-01-01",
                "io.modelcontextprotocol/clientCapabilities": {},
            }),
            -32022,
        ),
    ] {
        let answer = server.ask(2, "tools/list", json!({ "_meta": meta }));
        assert_eq!(code(&answer), expected, "{meta}");
        if expected == -32022 {
            let data = json!({ "supported": [STATELESS], "requested": "1900-01-01" });
            assert_eq!(answer["error"]["data"], data);
        }
    }
    for method in ["ping", "initialize", "logging/setLevel", "resources/subscribe"] {
        let answer = server.ask(3, method, stateless(json!({}), json!({})));
        assert_eq!(code(&answer), -32601, "{method}");
    }
}

#[test]
fn a_tool_asks_by_request_after_a_handshake_when_the_client_declared_it() {
    let arguments = call("find_walk", json!({ "distance_km": 5 }));
    for revision in HANDSHAKES {
        let mut server = Server::start(&["good"]);
        server.shake_hands(revision, json!({ "elicitation": {} }));
        server.send(&request(&json!(1), "tools/call", arguments.clone()));
        let mut said = server.next();
        if revision >= "2025-06-18" {
            assert_eq!(said["method"], "elicitation/create", "{revision}");
            let result = json!({ "action": "accept", "content": { "mud": "any" } });
            server.send(&json!({ "jsonrpc": "2.0", "id": said["id"], "result": result }));
            said = server.next();
            assert!(text(&said).contains("ford"), "{said}");
        }
        assert_eq!(said["id"], 1);
    }
    let answer = ready("good").ask(1, "tools/call", arguments);
    assert!(text(&answer).contains("dry lane"), "{answer}");
}

#[test]
fn a_tool_asks_by_result_without_a_handshake_and_any_process_can_finish() {
    let can_ask = json!({ "elicitation": {} });
    let arguments = call("find_walk", json!({ "distance_km": 5 }));
    let first = Server::start(&["good"]).ask(
        1,
        "tools/call",
        stateless(arguments.clone(), can_ask.clone()),
    );
    let result = &first["result"];
    assert_eq!(result["resultType"], "input_required");
    assert_eq!(result["inputRequests"]["question"]["method"], "elicitation/create");

    let retry = |state: Value, reply: Value| {
        let mut params = stateless(arguments.clone(), can_ask.clone());
        params["requestState"] = state;
        params["inputResponses"] = json!({ "question": reply });
        Server::start(&["good"]).ask(2, "tools/call", params)
    };
    let reply = json!({ "action": "accept", "content": { "mud": "some" } });
    let done = retry(result["requestState"].clone(), reply.clone());
    assert_eq!(done["result"]["resultType"], "complete");
    assert!(text(&done).contains("ford"), "{done}");
    assert_eq!(code(&retry(json!("v1.tampered"), reply)), -32602);
    assert_eq!(code(&retry(result["requestState"].clone(), json!({ "action": "maybe" }))), -32602);
}

#[test]
fn a_call_that_cannot_do_without_asking_names_the_missing_capability() {
    let mut server = Server::start(&["good-rich"]);
    let params = stateless(call("read_private_note", json!({})), json!({}));
    let answer = server.ask(1, "tools/call", params);
    assert_eq!(code(&answer), -32021);
    assert_eq!(answer["error"]["data"]["requiredCapabilities"], json!({ "elicitation": {} }));
}

#[test]
fn pages_follow_each_other_without_gap_or_repetition_and_end() {
    let mut server = ready("good-rich");
    let (mut names, mut params, mut pages) = (Vec::new(), json!({}), 0);
    loop {
        let answer = server.ask(1, "tools/list", params);
        let tools = answer["result"]["tools"].as_array().expect("tools");
        names.extend(tools.iter().map(|tool| tool["name"].to_string()));
        pages += 1;
        let Some(cursor) = answer["result"].get("nextCursor") else { break };
        params = json!({ "cursor": cursor });
    }
    let distinct: std::collections::BTreeSet<&String> = names.iter().collect();
    assert_eq!((names.len(), distinct.len(), pages), (22, 22, 8));
}

#[test]
fn the_rich_server_has_all_it_declares() {
    let mut server = ready("good-rich");
    let levels = |level: &str| json!({ "level": level });
    assert_eq!(code(&server.ask(1, "logging/setLevel", levels("loud"))), -32602);
    assert_eq!(server.ask(1, "logging/setLevel", levels("info"))["result"], json!({}));
    let mut params = call("check_hedges", json!({ "sections": 2 }));
    params["_meta"] = json!({ "progressToken": "t" });
    server.send(&request(&json!(2), "tools/call", params));
    let said: Vec<Value> = (0..4).map(|_| server.next()).collect();
    assert_eq!(said[0]["params"]["progress"], 1);
    assert_eq!(said[1]["params"]["progress"], 2);
    assert_eq!(said[2]["params"]["level"], "info", "debug is below the level asked for");
    assert_eq!(said[3]["result"]["structuredContent"]["gaps"], 1);

    let read = |uri: &str| json!({ "uri": uri });
    let note = server.ask(3, "resources/read", read("notes://note-1"));
    assert!(note["result"]["contents"][0]["text"].to_string().contains("heron"));
    assert_eq!(code(&server.ask(4, "resources/read", read("file:///etc/passwd"))), -32002);
    let stateless_read = stateless(read("nope://x"), json!({}));
    assert_eq!(code(&server.ask(5, "resources/read", stateless_read)), -32602);

    let prompt = json!({ "name": "describe_bird", "arguments": { "bird": "wren" } });
    let got = server.ask(6, "prompts/get", prompt);
    assert!(got["result"]["messages"][0]["content"]["text"].to_string().contains("wren"));
    assert_eq!(code(&server.ask(7, "prompts/get", json!({ "name": "describe_bird" }))), -32602);
    let about = json!({ "type": "ref/prompt", "name": "describe_bird" });
    let wanted = json!({ "ref": about, "argument": { "name": "bird", "value": "h" } });
    let offered = server.ask(8, "completion/complete", wanted);
    assert_eq!(offered["result"]["completion"]["values"], json!(["heron", "hoopoe"]));
}

#[test]
fn created_notes_are_listed_in_order_and_can_be_read_back() {
    let mut server = ready("good");
    for n in 6..=11 {
        let note = json!({ "title": format!("Owl {n}"), "body": "👩‍🌾 e\u{301}\u{2028}" });
        let made = server.ask(1, "tools/call", call("create_note", note));
        assert_eq!(made["result"]["structuredContent"]["id"], format!("note-{n}"));
    }
    let listed = server.ask(2, "tools/call", call("list_notes", json!({})));
    let notes = listed["result"]["structuredContent"]["notes"].as_array().expect("notes");
    let expected: Vec<String> = (1..=11).map(|n| format!("note-{n}")).collect();
    assert_eq!(notes.iter().map(|n| n["id"].as_str().unwrap_or("")).collect::<Vec<_>>(), expected);
    let read = server.ask(3, "tools/call", call("read_note", json!({ "id": "note-11" })));
    assert_eq!(read["result"]["structuredContent"]["body"], "👩‍🌾 e\u{301}\u{2028}");
}

#[test]
fn a_subscription_is_acknowledged_first_and_stays_quiet() {
    let mut server = Server::start(&["good"]);
    let wanted = json!({ "notifications": { "toolsListChanged": true } });
    server.send(&request(&json!("s"), "subscriptions/listen", stateless(wanted, json!({}))));
    let said = server.next();
    assert_eq!(said["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(said["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "s");
    assert!(server.says_nothing());
}

#[test]
fn the_server_ends_when_stdin_closes() {
    for mode in ["demo", "good", "good-rich", "silent", "never-answers"] {
        let mut server = Server::start(&[mode]);
        server.close_stdin();
        let status = server.exit_within(Duration::from_secs(10)).expect("it ends");
        assert!(status.success(), "{mode}");
    }
}
