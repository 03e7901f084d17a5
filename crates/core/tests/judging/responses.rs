//! The examples of the response validator guide, and where our rule parts from it.

use proofmark_core::evidence::{Evidence, Exchange};
use proofmark_core::pages;
use proofmark_core::response::{
    Blame, Classification, Context, Layer, StructureSource, Validation, validate,
};
use serde_json::{Value, json};

fn evidence(tool: &Value, exchanges: &[Value]) -> Evidence {
    let snippet = json!({"tools": [tool, {"name": "list_users"}], "exchanges": exchanges});
    pages::evidence(&snippet.to_string()).unwrap_or_else(|e| panic!("{e}"))
}

fn of_last(evidence: &Evidence) -> Validation {
    let last: &Exchange = evidence.transcript.last().expect("a call");
    validate(&Context::of(evidence, last).expect("a scenario that can be judged"))
}

/// What is made of a valid call's reply.
fn validation(tool: &str, input: &Value, reply: Value) -> Validation {
    scenario("valid-call", &json!({"name": tool}), input, reply)
}

fn scenario(probe: &str, tool: &Value, input: &Value, reply: Value) -> Validation {
    let call = json!({"probe": probe, "tool": tool["name"], "label": "typical", "arguments": input, "reply": reply});
    of_last(&evidence(tool, &[call]))
}

fn error(tool: &str, input: &Value, text: &str) -> Validation {
    validation(tool, input, json!({"tool_error": text}))
}

fn both(v: &Validation) -> (Classification, Classification) {
    (v.ours, v.seed)
}

use Classification::{Broken, ConnectivityOnly, Error, FullyWorking, PartiallyWorking};

#[test]
fn a_user_that_comes_back_is_fully_working_with_confidence_100() {
    let user = json!({"id": "user-123", "name": "Alice", "email": "alice@example.com"});
    let v =
        validation("get_user", &json!({"userId": "user-123"}), json!({"text": user.to_string()}));
    assert_eq!(both(&v), (FullyWorking, FullyWorking));
    assert_eq!((v.confidence, v.seed_confidence), (100.0, 100.0));
    assert_eq!(v.issues, []);
}

#[test]
fn valid_json_is_fully_working_and_one_text_block() {
    let found =
        json!({"items": [{"id": 1, "name": "Item 1"}, {"id": 2, "name": "Item 2"}], "total": 2});
    let v =
        validation("search_items", &json!({"query": "test"}), json!({"text": found.to_string()}));
    assert_eq!((both(&v), v.confidence), ((FullyWorking, FullyWorking), 100.0));
    let metadata = v.metadata.expect("a result");
    assert_eq!((metadata.content_types, metadata.text_blocks), (vec!["text".to_owned()], 1));
}

#[test]
fn a_response_without_content_is_broken() {
    let v = validation("get_user", &json!({}), json!({"result": {}}));
    assert_eq!((both(&v), v.confidence, v.seed_confidence), ((Broken, Broken), 0.0, 0.0));
    assert_eq!(v.issues[0].layer, Layer::Structure);
}

#[test]
fn empty_content_is_broken_by_the_guide_and_a_mere_connection_by_ours() {
    let v = validation("get_user", &json!({}), json!({"result": {"content": []}}));
    assert_eq!((both(&v), v.confidence), ((ConnectivityOnly, Broken), 30.0));
    assert_eq!(v.issues[0].layer, Layer::Content);
    let structured = json!({"result": {"content": [], "structuredContent": {"result": []}}});
    assert_eq!(validation("get_user", &json!({}), structured).ours, FullyWorking);
}

#[test]
fn a_broken_output_schema_is_partially_working_with_confidence_70() {
    let schema =
        json!({"type": "object", "properties": {"age": {"type": "number"}}, "required": ["age"]});
    let tool = json!({"name": "get_user", "outputSchema": schema});
    let of = |result: Value| scenario("valid-call", &tool, &json!({}), json!({"result": result}));
    let text = |text: &str| json!([{"type": "text", "text": text}]);
    let v = of(json!({"content": text("old"), "structuredContent": {"age": "old"}}));
    assert_eq!((both(&v), v.confidence), ((PartiallyWorking, PartiallyWorking), 70.0));
    assert_eq!(v.issues[0].layer, Layer::ToolSpecific);
    assert!(
        v.issues[0].says.contains("at /age: \"old\" is not of type \"number\""),
        "{:?}",
        v.issues
    );
    let fallback = of(json!({"content": text("{\"age\": 7}")}));
    assert_eq!(both(&fallback), (PartiallyWorking, FullyWorking), "the guide reads JSON in text");
    let schema = fallback.metadata.and_then(|m| m.output_schema).expect("a schema result");
    assert_eq!((schema.source, schema.is_valid()), (StructureSource::Text, true));
}

#[test]
fn a_user_that_is_not_found_works_by_the_guide_and_is_not_shown_to_work_by_ours() {
    for (tool, text) in [("delete_user", "User not found"), ("get_user", "User 404: Not Found")] {
        let v = error(tool, &json!({"userId": "test-id"}), text);
        assert_eq!((both(&v), v.blame), ((ConnectivityOnly, FullyWorking), Some(Blame::Input)));
    }
}

#[test]
fn a_type_error_works_by_the_name_of_its_tool_and_is_broken_by_ours() {
    let text = "TypeError: Cannot read property 'id' of undefined";
    let v = error("delete_user", &json!({"userId": "valid-id"}), text);
    assert_eq!((both(&v), v.blame), ((Broken, FullyWorking), Some(Blame::Code)));
    let v =
        error("calculate_sum", &json!({"values": [1, 2, 3]}), "TypeError: sum is not a function");
    assert_eq!((both(&v), v.blame), ((Broken, Error), Some(Blame::Code)));
}

#[test]
fn any_error_of_a_tool_named_get_add_or_set_works_by_the_guide_and_not_by_ours() {
    for name in ["get_x", "add_x", "reset", "widget"] {
        let v = error(name, &json!({}), "something went wrong");
        assert_eq!(both(&v), (Error, FullyWorking), "{name}");
    }
    assert_eq!(both(&error("frobnicate", &json!({}), "something went wrong")), (Error, Error));
}

#[test]
fn a_lack_of_credits_is_the_surroundings_fault() {
    let text = "Error: Insufficient credits to perform this request";
    let v = error("firecrawl_scrape", &json!({"url": "https://example.com"}), text);
    assert_eq!((both(&v), v.blame), ((ConnectivityOnly, FullyWorking), Some(Blame::Surroundings)));
}

#[test]
fn a_lost_database_is_a_failure_by_the_guide_and_the_surroundings_fault_by_ours() {
    let text = "Connection timeout: failed to connect to database within 5 seconds";
    let v = error("run_report", &json!({}), text);
    assert_eq!((both(&v), v.blame), ((ConnectivityOnly, Error), Some(Blame::Surroundings)));
}

#[test]
fn an_error_on_an_id_that_the_server_listed_is_a_defect() {
    let list = json!({"probe": "valid-call", "tool": "list_users", "reply": {"text": "user-123, user-124"}});
    let get = json!({"probe": "valid-call", "tool": "get_user", "arguments": {"userId": "user-123"},
        "reply": {"tool_error": "user-123 not found"}});
    let v = of_last(&evidence(&json!({"name": "get_user"}), &[list, get.clone()]));
    assert_eq!((both(&v), v.blame), ((Error, FullyWorking), Some(Blame::Tool)));
    let v = of_last(&evidence(&json!({"name": "get_user"}), &[get]));
    assert_eq!((both(&v), v.blame), ((ConnectivityOnly, FullyWorking), Some(Blame::Input)));
}

#[test]
fn a_stack_trace_is_broken_even_with_a_friendly_word_in_it() {
    let text = "User not found\nTraceback (most recent call last):\n  File \"/srv/a.py\", line 3";
    assert_eq!(both(&error("get_user", &json!({}), text)), (Broken, FullyWorking));
}

#[test]
fn an_error_dressed_as_a_success_does_not_fool_ours() {
    let v = validation(
        "get_user",
        &json!({"userId": "x-1"}),
        json!({"text": "Error: user x-1 not found"}),
    );
    assert_eq!(both(&v), (ConnectivityOnly, FullyWorking));
    assert!(v.issues[0].says.starts_with("an error is sent as a success"));
}

#[test]
fn silence_death_and_garbage_are_broken() {
    for reply in [
        json!("timeout"),
        json!("disconnected"),
        json!({"malformed": {"raw": "{", "why": "cut off"}}),
    ] {
        let v = validation("get_user", &json!({}), reply);
        assert_eq!((both(&v), v.confidence), ((Broken, Broken), 0.0));
    }
}

#[test]
fn wrong_arguments_must_be_refused_and_unusual_ones_may_be() {
    let tool = json!({"name": "get_user"});
    let of = |probe: &str, reply: Value| scenario(probe, &tool, &json!({"userId": 42}), reply).ours;
    assert_eq!(of("wrong-type", json!({"tool_error": "userId must be a string"})), FullyWorking);
    assert_eq!(
        of("wrong-type", json!({"error": {"code": -32602, "message": "invalid params"}})),
        FullyWorking
    );
    assert_eq!(of("wrong-type", json!({"text": "user 42"})), PartiallyWorking);
    assert_eq!(of("wrong-type", json!({"text": "Error: userId is wrong"})), PartiallyWorking);
    assert_eq!(
        of("wrong-type", json!({"tool_error": "TypeError: id.trim is not a function"})),
        PartiallyWorking
    );
    assert_eq!(of("edge-values", json!({"tool_error": "userId is too long"})), FullyWorking);
    assert_eq!(
        of("edge-values", json!({"tool_error": "TypeError: id.trim is not a function"})),
        Broken
    );
    assert_eq!(of("edge-values", json!({"tool_error": "API key is missing"})), ConnectivityOnly);
}

#[test]
fn a_refusal_that_right_arguments_get_as_well_shows_nothing() {
    let call = |probe: &str, label: &str| json!({"probe": probe, "tool": "get_user", "label": label, "reply": {"tool_error": "no"}});
    let v = of_last(&evidence(
        &json!({"name": "get_user"}),
        &[call("valid-call", "typical"), call("wrong-type", "wrong")],
    ));
    assert_eq!(v.ours, ConnectivityOnly);
}
