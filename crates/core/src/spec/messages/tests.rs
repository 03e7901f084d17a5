//! Good and bad messages in each revision.

use serde_json::{Value, json};

use super::vocabulary::Vocabulary;
use super::{Kind, distinct, violations};
use crate::revision::Revision::{self, *};

/// Pointer and sentence of every violation.
fn faults(revision: Revision, answers: &str, message: &Value) -> Vec<String> {
    let answers = Some(answers).filter(|method| !method.is_empty());
    let found = violations(revision, answers, message);
    found.iter().map(|v| format!("{} {}", v.pointer, v.says)).collect()
}

fn result(result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "result": result})
}

/// A result of `tools/call` with one block of content, as the revision wants it.
fn called(revision: Revision, block: Value) -> Value {
    let mut called = json!({"content": [block]});
    if revision.is_stateless() {
        called["resultType"] = json!("complete");
    }
    result(called)
}

#[test]
fn every_file_reads_without_fault() {
    for revision in Revision::ALL {
        let read = Vocabulary::read(revision).map(|v| v.types.len());
        assert!(matches!(read, Ok(40..)), "{revision}: {read:?}");
    }
}

#[test]
fn a_message_is_told_by_its_members() {
    let kinds = [
        (json!({"id": 1, "result": {}}), Kind::Result),
        (json!({"id": 1, "result": {}, "error": null}), Kind::Result),
        (json!({"id": null, "error": {}}), Kind::Error),
        (json!({"id": 1, "method": "ping"}), Kind::Request),
        (json!({"method": "notifications/message"}), Kind::Notification),
        (json!([]), Kind::Batch),
        (json!({"id": 1}), Kind::Nothing),
        (json!("hello"), Kind::Nothing),
    ];
    for (message, kind) in kinds {
        assert_eq!(Kind::of(&message), kind, "{message}");
    }
}

#[test]
fn a_text_block_is_good_in_every_revision() {
    for revision in Revision::ALL {
        let message = called(revision, json!({"type": "text", "text": "hi", "extra": 1}));
        assert_eq!(faults(revision, "tools/call", &message), Vec::<String>::new());
    }
}

#[test]
fn a_block_of_a_later_revision_is_unknown_before() {
    let audio = json!({"type": "audio", "data": "", "mimeType": "audio/wav"});
    let link = json!({"type": "resource_link", "uri": "file:///a", "name": "a"});
    for (block, since) in [(audio, V2025_03_26), (link, V2025_06_18)] {
        for revision in Revision::ALL {
            let found = faults(revision, "tools/call", &called(revision, block.clone()));
            if revision >= since {
                assert_eq!(found, Vec::<String>::new(), "{revision}");
            } else {
                let named = found[0].starts_with("/result/content/0/type is ");
                assert!(named && found.len() == 1, "{revision}: {found:?}");
            }
        }
    }
}

#[test]
fn the_alternative_that_was_meant_tells_what_is_wrong() {
    let message = result(json!({"content": [
        {"type": "image", "data": "AA=="},
        {"type": "text", "text": 7},
        {"type": "resource", "resource": {"uri": "a:b", "blob": null}},
        {"text": "no type"},
        "bare",
    ]}));
    assert_eq!(
        faults(V2025_11_25, "tools/call", &message),
        [
            "/result/content/0/mimeType is missing, expected a string",
            "/result/content/1/text is 7, expected a string",
            "/result/content/2/resource/blob is null, expected a string",
            "/result/content/3/type is missing, expected \"text\" or \"image\" or \"audio\" or \
             \"resource_link\" or \"resource\"",
            "/result/content/4 is \"bare\", expected an object",
        ]
    );
}

#[test]
fn structured_content_is_an_object_until_it_may_be_anything() {
    for (revision, allowed) in [(V2025_06_18, false), (V2025_11_25, false), (V2026_07_28, true)] {
        let message = result(json!({
            "content": [], "structuredContent": [1, 2], "resultType": "complete",
        }));
        let found = faults(revision, "tools/call", &message);
        assert_eq!(found.is_empty(), allowed, "{revision}: {found:?}");
    }
}

#[test]
fn a_result_of_2026_says_its_type() {
    let message = result(json!({"content": []}));
    assert_eq!(
        faults(V2026_07_28, "tools/call", &message),
        ["/result/resultType is missing, expected a string"]
    );
    assert_eq!(faults(V2025_11_25, "tools/call", &message), Vec::<String>::new());
}

#[test]
fn a_result_that_asks_for_input_is_judged_as_such() {
    let message = result(json!({"resultType": "input_required", "inputRequests": {
        "name": {"method": "elicitation/create", "params": {"message": "Who?", "mode": "form",
            "requestedSchema": {"type": "object", "properties": {"n": {"type": "text"}}}}},
        "roots": {"method": "roots/list"},
        "odd": {"method": "tools/call"},
    }}));
    let found = violations(V2026_07_28, Some("tools/call"), &message);
    let places: Vec<&str> = found.iter().map(|v| v.place.as_str()).collect();
    assert_eq!(
        places,
        [
            "/result/inputRequests/*/params/requestedSchema/properties/*/type",
            "/result/inputRequests/*/method",
        ]
    );
}

#[test]
fn a_tool_without_a_schema_does_not_hide_the_next_one() {
    let tools = json!([{"name": "a"}, {"inputSchema": {"type": "array"}}]);
    for revision in Revision::ALL {
        let message = result(json!({
            "tools": tools, "resultType": "complete", "ttlMs": 0, "cacheScope": "private",
        }));
        assert_eq!(
            faults(revision, "tools/list", &message),
            [
                "/result/tools/0/inputSchema is missing, expected an object",
                "/result/tools/1/inputSchema/type is \"array\", expected \"object\"",
                "/result/tools/1/name is missing, expected a string",
            ],
            "{revision}"
        );
    }
}

#[test]
fn an_error_may_lack_its_id_from_2025_11_25_but_never_has_null() {
    let error = json!({"code": -32700, "message": "no JSON"});
    let without = json!({"jsonrpc": "2.0", "error": error});
    let null = json!({"jsonrpc": "2.0", "id": null, "error": error});
    for revision in Revision::ALL {
        let found = faults(revision, "", &without);
        assert_eq!(found.is_empty(), revision >= V2025_11_25, "{revision}: {found:?}");
        assert_eq!(faults(revision, "", &null), ["/id is null, expected a string or an integer"]);
    }
}

#[test]
fn an_error_with_a_code_of_the_protocol_carries_its_data() {
    let error = |code| json!({"jsonrpc": "2.0", "id": 1, "error": {"code": code, "message": ""}});
    let missing = ["/error/data is missing, expected an object"];
    assert_eq!(faults(V2025_11_25, "tools/call", &error(-32042)), missing);
    assert_eq!(faults(V2026_07_28, "tools/call", &error(-32022)), missing);
    assert_eq!(faults(V2025_06_18, "tools/call", &error(-32042)), Vec::<String>::new());
}

#[test]
fn a_batch_is_good_in_one_revision_only() {
    let log = json!({"jsonrpc": "2.0", "method": "notifications/message",
        "params": {"level": "loud", "data": 1}});
    for revision in Revision::ALL {
        let found = faults(revision, "", &json!([log]));
        assert_eq!(found.len(), if revision == V2025_03_26 { 1 } else { 2 }, "{found:?}");
        assert!(found[found.len() - 1].starts_with("/0/params/level is \"loud\", expected"));
    }
    let mixed = json!([log, result(json!({}))]);
    assert!(faults(V2025_03_26, "", &mixed)[0].contains("mixes answers"));
    assert_eq!(faults(V2025_03_26, "", &json!([])), [" is an empty batch"]);
}

#[test]
fn a_request_belongs_to_the_revisions_that_have_it() {
    let elicit = json!({"jsonrpc": "2.0", "id": "e", "method": "elicitation/create", "params": {
        "message": "Who?", "requestedSchema": {"type": "object", "properties": {}},
    }});
    for revision in Revision::ALL {
        let found = faults(revision, "", &elicit);
        let has = (V2025_06_18..=V2025_11_25).contains(&revision);
        assert_eq!(found.is_empty(), has, "{revision}: {found:?}");
        assert!(has || found[0].starts_with("/method is `elicitation/create`, which a server"));
    }
}

#[test]
fn a_method_of_no_revision_is_free() {
    let own = json!({"jsonrpc": "2.0", "method": "notifications/acme/moved", "params": {"to": 1}});
    for revision in Revision::ALL {
        assert_eq!(faults(revision, "", &own), Vec::<String>::new());
    }
    let bare = json!({"jsonrpc": "1.0", "method": "notifications/acme/moved", "params": []});
    assert_eq!(faults(V2024_11_05, "", &bare).len(), 2);
}

#[test]
fn tasks_are_known_in_2025_11_25() {
    let task = json!({"taskId": "t", "status": "asleep", "createdAt": "", "lastUpdatedAt": "",
        "ttl": null});
    let status = ["/result/task/status is \"asleep\", expected \"working\" or \"input_required\" \
                   or \"completed\" or \"failed\" or \"cancelled\""];
    assert_eq!(faults(V2025_11_25, "tools/call", &result(json!({"task": task}))), status);
    assert_eq!(faults(V2025_11_25, "tasks/get", &result(task)).len(), 1);
}

#[test]
fn a_result_beside_an_error_is_one_too_many() {
    let both = json!({"jsonrpc": "2.0", "id": 1, "result": {}, "error": null});
    assert_eq!(faults(V2025_06_18, "ping", &both), ["/error stands beside a result"]);
}

#[test]
fn numbers_are_held_to_their_range_and_whole_floats_are_integers() {
    let page = |ttl: Value| {
        result(
            json!({"prompts": [], "resultType": "complete", "ttlMs": ttl, "cacheScope": "public"}),
        )
    };
    assert_eq!(faults(V2026_07_28, "prompts/list", &page(json!(1.0))), Vec::<String>::new());
    for ttl in [json!(-1), json!(1.5), json!("1")] {
        assert_eq!(faults(V2026_07_28, "prompts/list", &page(ttl)).len(), 1);
    }
}

#[test]
fn the_same_fault_at_many_places_is_one_distinct_violation() {
    let tools: Vec<Value> =
        (0..5).map(|n| json!({"name": n, "inputSchema": {"type": "object"}})).collect();
    let message = result(json!({"tools": tools, "nextCursor": 5}));
    let found = violations(V2025_06_18, Some("tools/list"), &message);
    let distinct = distinct(found.clone().into_iter().chain(found));
    let seen: Vec<(&str, usize)> =
        distinct.iter().map(|d| (d.violation.place.as_str(), d.times)).collect();
    assert_eq!(seen, [("/result/nextCursor", 2), ("/result/tools/*/name", 10)]);
    assert_eq!(distinct[1].violation.pointer, "/result/tools/0/name");
}

#[test]
fn pointers_escape_what_pointers_must() {
    let message =
        result(json!({"protocolVersion": "2025-06-18", "serverInfo": {"name": "", "version": ""},
        "capabilities": {"experimental": {"a/b~c": 1}}}));
    assert_eq!(
        faults(V2025_06_18, "initialize", &message),
        ["/result/capabilities/experimental/a~1b~0c is 1, expected an object"]
    );
}
