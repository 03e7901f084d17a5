//! Messages as validators, SDKs and people write them.

use serde_json::{Map, Value, json};

use super::*;

const ZOD: &str = r#"MCP error -32602: Input validation error: Invalid arguments for tool read: [
  {"code": "invalid_type", "expected": "string", "received": "number", "path": ["path"], "message": "Expected string, received number"}
]"#;
const ZOD_4: &str = r#"MCP error -32602: Input validation error: Invalid arguments for tool read: [{"expected":"string","code":"invalid_type","path":["path"],"message":"Invalid input: expected string, received number"}]"#;
const PYDANTIC: &str = "Error executing tool read: 1 validation error for readArguments\npath\n  Input should be a valid string [type=string_type, input_value=42, input_type=int]\n    For further information visit https://errors.pydantic.dev/2.11/v/string_type";
const BARE_ZOD: &str = r#"[{"code": "invalid_type", "expected": "string", "received": "number", "path": ["path"], "message": "Required"}]"#;

fn judged(kind: Kind, schema: &Value, text: &str) -> Quality {
    let schema: Map<String, Value> = schema.as_object().cloned().unwrap_or_default();
    let parameter = if kind == Kind::ExtraParameter { "unexpected_parameter" } else { "path" };
    let sent = json!(42);
    let fault = Fault { kind, parameter, schema: &schema, sent: Some(&sent) };
    Quality::of(text, &fault, crate::response::has_stack_trace(text), true)
}

#[track_caller]
fn lacks(kind: Kind, text: &str, expected: &[Virtue]) {
    let quality = judged(kind, &json!({"type": "string", "enum": ["fast", "slow"]}), text);
    assert_eq!(quality.lacks(), expected, "{text}");
}

#[test]
fn every_pattern_compiles() {
    assert!(wording::every_pattern_compiles());
}

#[test]
fn messages_of_validators_are_good() {
    use Kind::*;
    for (kind, text) in [
        (WrongType, ZOD),
        (WrongType, ZOD_4),
        (WrongType, PYDANTIC),
        (WrongType, "data/path must be string"),
        (
            WrongType,
            "Invalid parameters: 'path' must be a non-empty string, 'limit' must be between 1 and 100",
        ),
        (WrongType, "invalid arguments: argument `path`: the value is not of type \"string\""),
        (WrongType, "Invalid arguments: path: Expected string, got number"),
        (WrongType, "{\"error\": \"path must be a string, got 42\"}"),
        (
            WrongType,
            "failed to deserialize parameters: path: invalid type: integer `42`, expected a string",
        ),
        (MissingRequired, "Input validation error: 'path' is a required property"),
        (
            MissingRequired,
            "1 validation error for call[read]\npath\n  Missing required argument [type=missing_argument, input_value={}, input_type=dict]",
        ),
        (MissingRequired, "Missing required parameter: path"),
        (MissingRequired, "failed to deserialize parameters: missing field `path`"),
        (MissingRequired, "path is required"),
        (
            ExtraParameter,
            "Additional properties are not allowed ('unexpected_parameter' was unexpected)",
        ),
        (ExtraParameter, "Unrecognized key(s) in object: 'unexpected_parameter'"),
        (
            ExtraParameter,
            "1 validation error for read\nunexpected_parameter\n  Unexpected keyword argument",
        ),
        (OutOfEnum, "argument `path`: the value is not one of \"fast\" or \"slow\""),
        (
            OutOfEnum,
            "Invalid enum value for path. Expected 'fast' | 'slow', received 'no_such_option'",
        ),
        (
            OutOfEnum,
            "path\n  Input should be 'fast' or 'slow' [type=literal_error, input_value=42]",
        ),
        (OutOfRange, "path: Number must be greater than or equal to 1"),
        (OutOfRange, "path: the value is longer than 10 characters"),
        (PatternViolated, "argument `path`: the value does not match \"^[a-z]+$\""),
        (Empty, "path: String must contain at least 1 character(s)"),
        (Null, "path: Expected string, received null"),
        (AsText, "path: Expected number, received string"),
        (InvalidFormat, "path: Invalid email, expected name@example.com"),
    ] {
        lacks(kind, text, &[]);
    }
}

#[test]
fn what_is_missing_is_named() {
    use Kind::*;
    use Virtue::*;
    lacks(
        WrongType,
        "Input validation error: 42 is not of type 'string'",
        &[NamesParameter, ShowsWayOut],
    );
    lacks(
        OutOfEnum,
        "path must be equal to one of the allowed values",
        &[SaysExpected, GivesReceived],
    );
    lacks(WrongType, "Could not handle path", &[SaysExpected, GivesReceived, ShowsWayOut]);
    lacks(WrongType, BARE_ZOD, &[Readable, KeepsInternals, RightChannel, ShowsWayOut]);
    let trace = "TypeError: path.trim is not a function\n    at read (/srv/app/index.js:10:5)";
    let quality = judged(WrongType, &json!({"type": "string"}), trace);
    assert!(!quality.has(KeepsInternals) && quality.has(NamesParameter), "{quality:?}");
}

#[test]
fn a_message_that_says_nothing_gets_nothing() {
    for text in [
        "",
        "error",
        "Error",
        "Error: ",
        "Internal error",
        "MCP error -32603: Internal error",
        "An unexpected error occurred.",
        "Something went wrong",
        "Invalid input",
        "Bad request",
        "Error: Invalid arguments",
        "[object Object]",
        "-32602",
        "{\"code\": 400}",
        "null",
    ] {
        assert_eq!(judged(Kind::PatternViolated, &json!({}), text).grade(), 0.0, "{text}");
    }
}

#[test]
fn sentences_are_readable_in_any_language() {
    for text in
        ["Ungültiger Wert", "参数 path 必须是字符串", "Entity not found", "404: no such note"]
    {
        assert!(readable::is_readable(text), "{text}");
    }
}

#[test]
fn names_that_are_common_words_must_stand_apart() {
    for (text, name) in [
        ("Invalid input: expected number, received string at c", "c"),
        ("1 validation error for sum\nb\n  Field required", "b"),
        ("[{\"path\": [\"a\"]}]", "a"),
        ("message must be a string", "message"),
        ("Missing required parameter: name", "name"),
        ("data/text must be string", "text"),
        ("field name is missing", "name"),
        ("'items[0].id' is required", "id"),
    ] {
        assert!(named::is_named(text, name), "{name} in {text}");
    }
    for (text, name) in [
        ("a bad request", "a"),
        ("Invalid input", "input"),
        ("invalid data type", "type"),
        ("the error message was lost", "message"),
    ] {
        assert!(!named::is_named(text, name), "{name} in {text}");
    }
}

#[test]
fn what_makes_up_for_a_loss_cannot_exceed_full_marks() {
    let quality = judged(Kind::WrongType, &json!({}), ZOD);
    assert_eq!(quality.grade(), 1.0);
    let points: u32 = Virtue::ALL.iter().map(|v| v.points()).sum();
    assert_eq!(points, 12);
}
