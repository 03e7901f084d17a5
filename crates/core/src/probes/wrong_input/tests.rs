//! What is broken, and what is left alone.

use super::*;
use crate::pages;

fn planned(kind: Kind, schema: &str, arguments: &str, more: &str) -> Vec<String> {
    let snippet = format!(
        r#"{{"tools": [{{"name": "find_it", "inputSchema": {schema}}}], "exchanges": [
            {{"probe": "valid-call", "tool": "find_it", "label": "typical", "arguments": {arguments}, "reply": {{"text": "hi"}}}}]{more}}}"#
    );
    let calls = (kind.probe().plan)(&pages::evidence(&snippet).unwrap(), Seed(1));
    let sent = |c: &Call| c.send.params().unwrap()["arguments"].to_string();
    calls.iter().map(|c| format!("{} {} {}", c.subject, c.label, sent(c))).collect()
}

fn of(kind: Kind, properties: &str, required: &str, arguments: &str) -> Vec<String> {
    let schema = format!(
        r#"{{"type": "object", "properties": {properties}, "required": {required}, "additionalProperties": false}}"#
    );
    planned(kind, &schema, arguments, "")
}

#[test]
fn each_typed_parameter_gets_a_wrong_type_the_required_first() {
    let properties = r#"{"head": {"type": "integer"}, "path": {"type": "string"}, "any": {}}"#;
    assert_eq!(
        of(Kind::WrongType, properties, r#"["path"]"#, r#"{"path": "a"}"#),
        [
            r#"find_it /path wrong type {"path":42}"#,
            r#"find_it /head wrong type {"path":"a","head":"not of this type"}"#
        ]
    );
}

#[test]
fn a_number_that_is_only_too_large_is_not_of_the_wrong_type() {
    let few = r#"{"n": {"type": "number", "maximum": 9}}"#;
    let tried = of(Kind::WrongType, few, "[]", r#"{"n": 1}"#);
    assert_eq!(tried, [r#"find_it /n wrong type {"n":"not of this type"}"#]);
}

#[test]
fn each_required_parameter_is_left_out_also_inside_of_others() {
    let properties = r##"{"items": {"type": "array", "items": {"$ref": "#/properties/one"}}, "one":
        {"type": "object", "properties": {"id": {"type": "string"}, "n": {"type": "integer"}}, "required": ["id"]}}"##;
    assert_eq!(
        of(
            Kind::MissingRequired,
            properties,
            r#"["items"]"#,
            r#"{"items": [{"id": "a", "n": 1}]}"#
        ),
        [r#"find_it /items missing {}"#, r#"find_it /items/0/id missing {"items":[{"n":1}]}"#]
    );
}

#[test]
fn an_extra_parameter_is_sent_only_where_the_schema_forbids_it() {
    let closed = of(Kind::ExtraParameter, "{}", "[]", "{}");
    assert_eq!(
        closed,
        [r#"find_it /unexpected_parameter extra {"unexpected_parameter":"surplus"}"#]
    );
    let open = r#"{"type": "object", "properties": {"a": {"type": "string"}}}"#;
    assert!(planned(Kind::ExtraParameter, open, "{}", "").is_empty());
}

#[test]
fn options_bounds_patterns_null_and_emptiness_are_tried_where_they_are_forbidden() {
    let one = |kind, schema: &str, sent: &str| {
        let all = of(kind, &format!(r#"{{"p": {schema}}}"#), "[]", &format!(r#"{{"p": {sent}}}"#));
        all.iter().map(|c| c.replace("find_it /p ", "")).collect::<Vec<_>>()
    };
    assert_eq!(
        one(Kind::OutOfEnum, r#"{"enum": ["a", "b"]}"#, r#""a""#),
        [r#"not an option {"p":"no_such_option"}"#]
    );
    assert_eq!(
        one(Kind::OutOfRange, r#"{"type": "integer", "minimum": 1, "exclusiveMaximum": 9}"#, "3"),
        [r#"too small {"p":0}"#, r#"too large {"p":9}"#]
    );
    assert_eq!(
        one(Kind::OutOfRange, r#"{"type": "string", "minLength": 2, "maxLength": 4}"#, r#""ab""#),
        [r#"too long {"p":"ababa"}"#, r#"too short {"p":"a"}"#]
    );
    assert_eq!(
        one(Kind::OutOfRange, r#"{"type": "array", "maxItems": 1}"#, "[7]"),
        [r#"too many {"p":[7,7]}"#]
    );
    assert_eq!(
        one(Kind::PatternViolated, r#"{"type": "string", "pattern": "^[a-z]+$"}"#, r#""ab""#),
        [r#"against the pattern {"p":"?! does not match !?"}"#]
    );
    assert_eq!(one(Kind::Null, r#"{"type": "string"}"#, r#""ab""#), [r#"null {"p":null}"#]);
    assert!(one(Kind::Null, r#"{"type": ["string", "null"]}"#, r#""ab""#).is_empty());
    assert_eq!(
        one(Kind::Empty, r#"{"type": "string", "minLength": 1}"#, r#""ab""#),
        [r#"empty {"p":""}"#]
    );
    assert!(one(Kind::Empty, r#"{"type": "string"}"#, r#""ab""#).is_empty());
    assert_eq!(one(Kind::AsText, r#"{"type": "integer"}"#, "3"), [r#"as text {"p":"3"}"#]);
}

#[test]
fn a_format_alone_forbids_nothing_and_is_tried_as_a_kind_of_its_own() {
    let date = r#"{"p": {"type": "string", "format": "date"}}"#;
    assert!(of(Kind::Empty, date, "[]", r#"{"p": "2024-05-15"}"#).is_empty());
    let tried = of(Kind::InvalidFormat, date, "[]", r#"{"p": "2024-05-15"}"#);
    assert_eq!(tried, [r#"find_it /p another format {"p":"?! not like that !?"}"#]);
}

#[test]
fn sixty_four_kibibytes_go_to_tools_that_read_alone() {
    let text = r#"{"p": {"type": "string"}}"#;
    let sent = of(Kind::Oversized, text, "[]", r#"{"p": "a"}"#);
    assert_eq!(sent.len(), 1);
    assert!(sent[0].len() > 16 * 1024);
    let snippet = r#"{"tools": [{"name": "save_it", "inputSchema": {"type": "object", "properties": {"p": {"type": "string"}}}}],
        "exchanges": [{"probe": "valid-call", "tool": "save_it", "label": "typical", "arguments": {"p": "a"}, "reply": {"text": "ok"}}]}"#;
    assert!((OVERSIZED.plan)(&pages::evidence(snippet).unwrap(), Seed(1)).is_empty());
}

#[test]
fn no_tool_gets_more_than_twenty_calls_in_a_standard_run_and_the_choice_is_drawn_by_lot() {
    let sum = |profile| Kind::ALL.iter().map(|kind| kind.most(profile)).sum::<usize>();
    assert_eq!((sum(Profile::Quick), sum(Profile::Standard)), (2, 20));
    let names: Vec<String> = (0..9).map(|n| format!(r#""p{n}": {{"type": "string"}}"#)).collect();
    let schema = format!(r#"{{"type": "object", "properties": {{{}}}}}"#, names.join(","));
    let some = planned(Kind::WrongType, &schema, "{}", "");
    assert_eq!(some.len(), 4);
    assert!(some[0].starts_with("find_it /p0"), "{some:?}");
    assert_eq!(some, planned(Kind::WrongType, &schema, "{}", ""));
    assert_ne!(some, planned(Kind::WrongType, &schema, "{}", r#", "seed": 2"#));
    assert_eq!(planned(Kind::WrongType, &schema, "{}", r#", "profile": "quick""#).len(), 1);
}

#[test]
fn nothing_is_broken_before_the_call_that_shows_what_is_right() {
    let snippet = r#"{"tools": [{"name": "find_it", "inputSchema": {"type": "object",
        "properties": {"p": {"type": "string"}}, "required": ["p"]}}]}"#;
    for kind in Kind::ALL {
        assert!((kind.probe().plan)(&pages::evidence(snippet).unwrap(), Seed(1)).is_empty());
    }
}

#[test]
fn every_kind_is_found_by_the_id_of_its_probe() {
    assert!(Kind::ALL.iter().all(|kind| Kind::of(kind.probe().id) == Some(*kind)));
    assert_eq!(Kind::of("valid-call"), None);
}
