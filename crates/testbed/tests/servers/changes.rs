//! Who is told of what, and what stays as it is.

use serde_json::{Value, json};

use crate::client::{HANDSHAKES, STATELESS, Server, call, code, ready, request, stateless};

fn rewrite(body: &str) -> Value {
    call("rewrite_note", json!({ "id": "note-1", "body": body }))
}

fn names(answer: &Value, key: &str) -> Vec<String> {
    let entries = answer["result"][key].as_array().expect("a list");
    entries.iter().map(|entry| entry["name"].to_string()).collect()
}

#[test]
fn a_changed_list_is_announced_in_every_handshake_revision() {
    for revision in HANDSHAKES {
        let mut server = Server::start(&["good"]);
        let hello = server.shake_hands(revision, json!({}));
        assert_eq!(hello["result"]["capabilities"]["tools"]["listChanged"], true);
        let before = server.ask(1, "prompts/list", json!({}));
        let winter = call("set_season", json!({ "season": "winter" }));
        server.send(&request(&json!(2), "tools/call", winter.clone()));
        assert_eq!(server.next()["method"], "notifications/tools/list_changed");
        assert_eq!(server.next()["method"], "notifications/prompts/list_changed");
        assert_eq!(server.next()["id"], 2);
        let after = server.ask(3, "prompts/list", json!({}));
        assert_eq!(names(&after, "prompts").len(), names(&before, "prompts").len() + 1);
        server.ask(4, "tools/call", call("count_tracks", json!({})));
        // What is so already is no change.
        server.ask(5, "tools/call", winter);
        let pin = call("pin_note", json!({ "id": "note-2" }));
        server.send(&request(&json!(6), "tools/call", pin));
        assert_eq!(server.next()["method"], "notifications/resources/list_changed");
        assert_eq!(server.next()["id"], 6);
    }
}

#[test]
fn a_subscriber_hears_of_its_resource_until_it_unsubscribes() {
    let mut server = ready("good");
    let uri = json!({ "uri": "notes://note-1" });
    server.ask(1, "tools/call", rewrite("one"));
    assert_eq!(server.ask(2, "resources/subscribe", uri.clone())["result"], json!({}));
    server.send(&request(&json!(3), "tools/call", rewrite("two")));
    let heard = server.next();
    assert_eq!(heard["method"], "notifications/resources/updated");
    assert_eq!(heard["params"], uri);
    assert_eq!(server.next()["id"], 3);
    assert_eq!(server.ask(4, "resources/unsubscribe", uri)["result"], json!({}));
    server.ask(5, "tools/call", rewrite("three"));
    let nope = json!({ "uri": "nope://x" });
    assert_eq!(code(&server.ask(6, "resources/subscribe", nope)), -32002);
    assert_eq!(code(&server.ask(7, "resources/subscribe", json!({}))), -32602);
}

#[test]
fn a_listener_hears_only_what_it_asked_for_and_the_end() {
    let mut server = Server::start(&["good"]);
    let filter = json!({ "toolsListChanged": true, "resourceSubscriptions": ["notes://note-1", "nope://x"] });
    let listen = stateless(json!({ "notifications": filter }), json!({}));
    server.send(&request(&json!("s"), "subscriptions/listen", listen));
    let said = server.next();
    assert_eq!(said["method"], "notifications/subscriptions/acknowledged");
    let honoured = json!({ "resourceSubscriptions": ["notes://note-1"] });
    assert_eq!(said["params"]["notifications"], honoured);
    let other = call("rewrite_note", json!({ "id": "note-2", "body": "x" }));
    server.ask(1, "tools/call", stateless(other, json!({})));
    server.send(&request(&json!(2), "tools/call", stateless(rewrite("two"), json!({}))));
    let heard = server.next();
    assert_eq!(heard["method"], "notifications/resources/updated");
    assert_eq!(heard["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "s");
    assert_eq!(server.next()["id"], 2);
    server.close_stdin();
    let end = server.next();
    assert_eq!((&end["id"], &end["result"]["resultType"]), (&json!("s"), &json!("complete")));
}

#[test]
fn a_bad_filter_is_refused() {
    let mut server = Server::start(&["good"]);
    for filter in
        [json!(5), json!({ "toolsListChanged": 1 }), json!({ "resourceSubscriptions": "x" })]
    {
        let listen = stateless(json!({ "notifications": filter }), json!({}));
        assert_eq!(code(&server.ask(1, "subscriptions/listen", listen)), -32602);
    }
}

#[test]
fn stateless_lists_stay_the_same_whatever_is_called() {
    let mut server = Server::start(&["good"]);
    server.shake_hands("2025-11-25", json!({}));
    let lists = |server: &mut Server| -> Vec<String> {
        ["tools/list", "prompts/list", "resources/list"]
            .map(|method| {
                server.ask(1, method, stateless(json!({}), json!({})))["result"].to_string()
            })
            .to_vec()
    };
    let before = lists(&mut server);
    for params in [
        call("set_season", json!({ "season": "winter" })),
        call("pin_note", json!({ "id": "note-1" })),
    ] {
        server.send(&request(&json!(2), "tools/call", params.clone()));
        while server.next()["id"] != 2 {}
        let refused = server.ask(3, "tools/call", stateless(params, json!({})));
        assert_eq!(code(&refused), -32602, "not offered in {STATELESS}");
    }
    assert_eq!(lists(&mut server), before);
}

#[test]
fn content_has_the_blocks_that_the_revision_knows() {
    let kinds = |answer: &Value| -> Vec<String> {
        let content = answer["result"]["content"].as_array().expect("content");
        content.iter().filter_map(|block| block["type"].as_str()).map(str::to_owned).collect()
    };
    for (revision, expected) in [
        ("2024-11-05", vec!["resource", "image", "text"]),
        ("2025-06-18", vec!["resource", "image", "resource_link", "text"]),
    ] {
        let mut server = Server::start(&["good"]);
        server.shake_hands(revision, json!({}));
        assert_eq!(kinds(&server.ask(1, "tools/call", call("get_leaflet", json!({})))), expected);
        let song = server.ask(2, "tools/call", call("get_birdsong", json!({})));
        if revision == "2024-11-05" {
            assert_eq!(code(&song), -32602, "the first revision has no audio");
        } else {
            assert_eq!(song["result"]["content"][0]["mimeType"], "audio/wav");
        }
    }
}
