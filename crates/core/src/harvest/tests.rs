use serde_json::json;

use super::*;
use crate::pages;

const GRAPH: &str = r#""tools": [
    {"name": "create_entities", "inputSchema": {"type": "object", "required": ["entities"], "properties": {"entities": {"type": "array", "items": {"type": "object", "properties": {
        "name": {"type": "string", "description": "The name of the entity"}, "kind": {"type": "string"}, "observations": {"type": "array", "items": {"type": "string"}}}}}}}},
    {"name": "add_observations", "inputSchema": {"type": "object", "properties": {"observations": {"type": "array", "items": {"type": "object", "properties": {
        "entityName": {"type": "string", "description": "The name of the entity to add to"}, "contents": {"type": "array", "items": {"type": "string"}}}}}}}},
    {"name": "delete_observations", "inputSchema": {"type": "object", "properties": {"deletions": {"type": "array", "items": {"type": "object", "properties": {
        "entityName": {"type": "string"}, "observations": {"type": "array", "items": {"type": "string"}}}}}}}},
    {"name": "open_nodes", "inputSchema": {"type": "object", "properties": {"names": {"type": "array", "items": {"type": "string"}, "description": "Entity names to retrieve"}}}}]"#;

fn graph() -> Evidence {
    pages::evidence(&format!(
        r#"{{{GRAPH}, "exchanges": [{{"probe": "valid-call", "tool": "create_entities", "label": "typical",
            "arguments": {{"entities": [{{"name": "heron", "kind": "bird", "observations": ["tall"]}}]}}, "reply": {{"text": "done"}}}}]}}"#
    ))
    .unwrap()
}

fn fill(evidence: &Evidence, tool: &str, arguments: Value, aim: Aim<'_>) -> Option<Value> {
    let harvest = Harvest::of(evidence);
    filled(evidence, &harvest, evidence.tool(tool).unwrap(), &arguments, aim)
}

#[test]
fn what_we_made_is_known_to_other_tools_at_any_depth() {
    let evidence = graph();
    let sent = json!({"observations": [{"entityName": "x", "contents": ["A text."]}]});
    let got = fill(&evidence, "add_observations", sent, Aim::Mend("Entity x not found"));
    assert_eq!(
        got,
        Some(json!({"observations": [{"entityName": "heron", "contents": ["A text."]}]}))
    );
    let got = fill(&evidence, "open_nodes", json!({"names": ["x"]}), Aim::Sharpen);
    assert_eq!(got, Some(json!({"names": ["heron"]})));
}

#[test]
fn values_that_belong_together_are_taken_together() {
    let sent = json!({"deletions": [{"entityName": "x", "observations": ["y"]}]});
    let got = fill(&graph(), "delete_observations", sent, Aim::Sharpen);
    assert_eq!(
        got,
        Some(json!({"deletions": [{"entityName": "heron", "observations": ["tall"]}]}))
    );
}

#[test]
fn what_a_creating_tool_names_is_its_own() {
    let sent = json!({"entities": [{"name": "wren", "kind": "bird", "observations": ["small"]}]});
    assert_eq!(fill(&graph(), "create_entities", sent, Aim::Sharpen), None);
}

const STORE: &str = r#""tools": [
    {"name": "list_items"}, {"name": "list_users"},
    {"name": "get_item", "inputSchema": {"type": "object", "properties": {"id": {"type": "integer"}}}},
    {"name": "get_user", "inputSchema": {"type": "object", "properties": {"user_id": {"type": "string"}}}},
    {"name": "assign_item", "inputSchema": {"type": "object", "properties": {"item_id": {"type": "string", "pattern": "^[0-9]+$"}, "user_id": {"type": "string"}, "note": {"type": "string"}}}}]"#;

fn store(items: &str, users: &str) -> Evidence {
    pages::evidence(&format!(
        r#"{{{STORE}, "exchanges": [
            {{"probe": "valid-call", "tool": "list_users", "label": "typical", "reply": {users}}},
            {{"probe": "valid-call", "tool": "list_items", "label": "typical", "reply": {items}}}]}}"#
    ))
    .unwrap()
}

#[test]
fn an_id_goes_where_its_noun_is_asked_for_in_the_type_that_is_asked_for() {
    let users = r#"{"result": {"content": [], "structuredContent": {"users": [{"id": "u-7", "name": "Ada"}]}}}"#;
    let evidence = store(r#"{"text": "[{\"id\": 42, \"title\": \"Saw\"}]"}"#, users);
    let got = fill(&evidence, "get_item", json!({"id": 1}), Aim::Mend("no item 1"));
    assert_eq!(got, Some(json!({"id": 42})));
    let sent = json!({"item_id": "1", "user_id": "1", "note": "A text."});
    let got = fill(&evidence, "assign_item", sent, Aim::Mend("no item 1"));
    assert_eq!(got, Some(json!({"item_id": "42", "user_id": "u-7", "note": "A text."})));
}

#[test]
fn plain_text_gives_values_too() {
    let evidence = store(r#"{"text": "Items:\n- id: 5\n"}"#, r#"{"text": "user id: u-9"}"#);
    let got = fill(&evidence, "get_user", json!({"user_id": "1"}), Aim::Mend("unknown user"));
    assert_eq!(got, Some(json!({"user_id": "u-9"})));
}

#[test]
fn errors_moments_and_deleted_things_are_not_harvested() {
    let evidence = store(
        r#"{"tool_error": "id: 5"}"#,
        r#"{"text": "{\"createdAt\": \"2024-05-05\", \"id\": \"2024-05-05T10:00\"}"}"#,
    );
    assert_eq!(Harvest::of(&evidence).found, []);
}

#[test]
fn the_best_value_for_a_parameter_can_be_asked_for() {
    let evidence = store(r#"{"text": "{\"items\": [{\"id\": 3}]}"}"#, r#"{"text": "nobody"}"#);
    let (harvest, tool) = (Harvest::of(&evidence), evidence.tool("get_item").unwrap());
    let found = harvest.best(&evidence, "id", tool, &json!({"type": "integer"}));
    assert_eq!(found.map(|f| &f.value), Some(&json!(3)));
    assert_eq!(harvest.best(&evidence, "colour", tool, &json!({"type": "string"})), None);
}

#[test]
fn sql_goes_to_the_table_that_we_made() {
    let evidence = pages::evidence(
        r#"{"tools": [{"name": "create_table"}, {"name": "write_query"}, {"name": "read_query"},
             {"name": "describe_table", "inputSchema": {"type": "object", "properties": {"table_name": {"type": "string"}}}}],
            "exchanges": [{"probe": "valid-call", "tool": "create_table", "label": "chained",
                "arguments": {"query": "CREATE TABLE IF NOT EXISTS birds (id INTEGER)"}, "reply": {"text": "done"}}]}"#,
    )
    .unwrap();
    let sent = json!({"query": "SELECT 1"});
    let with = |tool: &str, aim| {
        let filled = fill(&evidence, tool, sent.clone(), aim)?;
        Some(filled["query"].as_str().unwrap_or_default().to_owned())
    };
    let wrong = Aim::Mend("SELECT is not allowed");
    assert_eq!(with("write_query", wrong).unwrap(), "INSERT INTO birds DEFAULT VALUES");
    assert_eq!(with("read_query", Aim::Sharpen).unwrap(), "SELECT * FROM birds LIMIT 5");
    assert!(with("create_table", wrong).unwrap().starts_with("CREATE TABLE "));
    let got = fill(&evidence, "describe_table", json!({"table_name": "x"}), Aim::Sharpen);
    assert_eq!(got, Some(json!({"table_name": "birds"})));
}

#[test]
fn a_new_tie_is_made_between_things_of_another_kind() {
    let end = r#"{"type": "string", "description": "The name of the entity at this end"}"#;
    let evidence = pages::evidence(&format!(
        r#"{{"tools": [{{"name": "create_entity"}}, {{"name": "create_relation", "inputSchema": {{"type": "object", "properties": {{"from": {end}, "to": {end}}}}}}}],
            "exchanges": [
              {{"probe": "valid-call", "tool": "create_entity", "label": "typical", "arguments": {{"name": "heron"}}, "reply": {{"text": "done"}}}},
              {{"probe": "valid-call", "tool": "create_entity", "label": "full", "arguments": {{"name": "weir"}}, "reply": {{"text": "done"}}}},
              {{"probe": "valid-call", "tool": "create_relation", "label": "typical", "arguments": {{"from": "x", "to": "y"}}, "reply": {{"text": "done"}}}}]}}"#
    ))
    .unwrap();
    let got = fill(&evidence, "create_relation", json!({"from": "x", "to": "y"}), Aim::Sharpen);
    assert_eq!(got, Some(json!({"from": "heron", "to": "weir"})));
}
