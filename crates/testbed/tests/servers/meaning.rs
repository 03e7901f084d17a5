//! Modes whose answers are well formed: what they mean is the defect, and only that.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Server, call, ready, text};

fn answer(server: &mut Server, tool: &str, arguments: Value) -> Value {
    server.ask(tool, "tools/call", call(tool, arguments))["result"].take()
}

fn data(server: &mut Server, tool: &str, arguments: Value) -> Value {
    answer(server, tool, arguments)["structuredContent"].take()
}

#[test]
fn canned_says_the_same_of_every_place_and_its_look_alike_does_not() {
    let mut server = ready("canned");
    let mut of = |tool: &str, place: &str| data(&mut server, tool, json!({ "place": place }));
    assert_eq!(of("get_weather", "the weir"), of("get_weather", "the mill"));
    assert_ne!(of("describe_place", "the weir"), of("describe_place", "the mill"));
}

#[test]
fn mock_data_differs_by_input_and_calls_itself_what_it_is() {
    let mut server = ready("mock-data");
    let mut of = |pair: &str| data(&mut server, "get_exchange_rate", json!({ "pair": pair }));
    assert_ne!(of("EUR/USD"), of("EUR/SEK 2"));
    assert_eq!(of("EUR/USD")["source"], "mock data");
}

#[test]
fn ignores_limit_lists_all_notes_for_any_limit() {
    let mut server = ready("ignores-limit");
    let notes = data(&mut server, "list_notes", json!({ "limit": 1 }));
    assert_eq!(notes["notes"].as_array().map(Vec::len), Some(5));
}

#[test]
fn ignores_format_answers_in_json_where_its_neighbour_gives_a_table() {
    let mut server = ready("ignores-format");
    let mut csv = |tool: &str| {
        let said = data(&mut server, tool, json!({ "format": "csv" }));
        said["report"].as_str().unwrap_or_default().to_owned()
    };
    assert!(csv("get_sightings").starts_with('['));
    assert!(csv("get_tides").starts_with("day,metres\n"));
}

#[test]
fn saves_nothing_hands_out_an_id_that_nobody_knows() {
    let mut server = ready("saves-nothing");
    let made = data(&mut server, "create_note", json!({ "title": "Owl", "body": "Heard." }));
    assert_eq!(made["id"], "note-6");
    assert_eq!(answer(&mut server, "read_note", json!({ "id": "note-6" }))["isError"], true);
    let notes = data(&mut server, "list_notes", json!({}));
    assert_eq!(notes["notes"].as_array().map(Vec::len), Some(5));
}

#[test]
fn wrong_structured_breaks_its_own_output_schema() {
    let mut server = ready("wrong-structured");
    let listed = server.ask("list", "tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().cloned().unwrap_or_default();
    let count = tools.iter().find(|t| t["name"] == "count_words").expect("is listed");
    let told = data(&mut server, "count_words", json!({ "text": "one two" }));
    assert_eq!(told["words"], "about 2");
    assert!(!jsonschema::is_valid(&count["outputSchema"], &told), "{told}");
}

#[test]
fn unflagged_error_says_error_in_words_alone() {
    let mut server = ready("unflagged-error");
    let refused = server.ask(1, "tools/call", call("read_note", json!({ "id": 1 })));
    assert!(text(&refused).starts_with("Error: "), "{refused}");
    assert!(refused["result"].get("isError").is_none(), "{refused}");
    let right = server.ask(2, "tools/call", call("read_note", json!({ "id": "note-1" })));
    assert!(text(&right).contains("Heron"), "{right}");
}

#[test]
fn a_store_tells_its_ids_and_forgets_what_is_removed() {
    for (mode, left) in [("stateful-store", 3), ("deletes-nothing", 4)] {
        let mut server = ready(mode);
        let id =
            data(&mut server, "store_item", json!({ "name": "lamp", "text": "Dim." }))["id"].take();
        let item = data(&mut server, "get_item", json!({ "id": id }));
        assert_eq!(item["text"], "Dim.", "{mode}");
        let removed = answer(&mut server, "remove_item", json!({ "id": id }));
        assert_eq!(removed["structuredContent"]["removed"], id, "{mode}");
        let items = data(&mut server, "list_items", json!({}))["items"].take();
        assert_eq!(items.as_array().map(Vec::len), Some(left), "{mode}: {items}");
    }
}

#[test]
fn ids_of_the_store_cannot_be_guessed_and_are_the_same_in_every_run() {
    let listed = || data(&mut ready("stateful-store"), "list_items", json!({}));
    let items = listed();
    assert_eq!(items, listed());
    let mut server = ready("stateful-store");
    for guess in ["1", "it-1", "rope"] {
        assert_eq!(answer(&mut server, "get_item", json!({ "id": guess }))["isError"], true);
    }
    let first = items["items"][0]["id"].clone();
    assert_eq!(data(&mut server, "get_item", json!({ "id": first }))["name"], "rope");
}

#[test]
fn slow_but_right_answers_rightly_after_its_time() {
    let mut server = ready("slow-but-right");
    let since = Instant::now();
    let mile = json!({ "value": 1, "from": "mile", "to": "metre" });
    assert_eq!(data(&mut server, "convert_length", mile)["value"], json!(1609.344));
    assert!(since.elapsed() >= Duration::from_millis(1200));
}
