//! Laws of sample arguments.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use proofmark_core::arguments::{Context, Fill, sample, violates};
use proofmark_core::pages;
use proofmark_core::seed::Seed;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const FILLS: [Fill; 3] = [Fill::Minimal, Fill::Typical, Fill::Full];

fn context(tool: &str) -> Context {
    let snippet = json!({"tools": [{"name": tool}]}).to_string();
    Context::of(&pages::evidence(&snippet).unwrap(), tool)
}

fn given(schema: &Value, fill: Fill) -> Option<Value> {
    sample(schema, &context("get_thing"), Seed(1), fill)
}

fn names() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "path", "url", "query", "id", "limit", "name", "date", "email", "x", "count", "text",
    ])
    .prop_map(str::to_owned)
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        (0u64..20, 0u64..20)
            .prop_map(|(a, b)| json!({"type": "string", "minLength": a.min(b), "maxLength": a.max(b)})),
        (-50i64..50, 0i64..50, 1i64..4).prop_map(|(low, span, step)| {
            json!({"type": "integer", "minimum": low, "maximum": low + span * step + step, "multipleOf": step})
        }),
        (-50i64..50, 1i64..50).prop_map(|(low, span)| {
            json!({"type": "number", "exclusiveMinimum": low, "exclusiveMaximum": low + span})
        }),
        Just(json!({"type": "boolean"})),
        Just(json!({"type": ["string", "null"], "default": null})),
        Just(json!({"enum": ["a", 1, null]})),
        Just(json!({"const": {"k": [1]}})),
        Just(json!({"anyOf": [{"type": "null"}, {"type": "integer", "minimum": 7}]})),
        Just(json!({"oneOf": [{"type": "string", "pattern": "^[A-Z]{3}$"}, {"type": "number"}]})),
        prop::sample::select(vec!["date", "date-time", "email", "uri", "uuid", "ipv4"])
            .prop_map(|f| json!({"type": "string", "format": f})),
        Just(json!({"$ref": "#/$defs/word"})),
        Just(json!({"$ref": "#/$defs/node"})),
        prop::sample::select(RULES.to_vec()).prop_map(|text| serde_json::from_str(text).unwrap()),
    ]
}

/// One rule of the vocabulary each; all can be met.
const RULES: &[&str] = &[
    r#"{"type": "string", "pattern": "^[A-Z]{2,4}-[0-9]+$", "minLength": 8, "maxLength": 12}"#,
    r#"{"type": "string", "pattern": "^(?!x)[a-z]+(_[a-z]+)*$"}"#,
    r#"{"type": "string", "not": {"enum": ["sample", "notes", "5"]}, "minLength": 1}"#,
    r#"{"type": "number", "multipleOf": 0.05, "exclusiveMinimum": 0, "maximum": 0.2}"#,
    r#"{"type": "integer", "minimum": 9007199254740993}"#,
    r#"{"allOf": [{"type": "integer", "minimum": 3}, {"multipleOf": 4}, {"maximum": 9}]}"#,
    r#"{"allOf": [{"anyOf": [{"type": "string"}, {"type": "integer"}]}, {"anyOf": [{"type": "integer", "minimum": 10}, {"type": "boolean"}]}]}"#,
    r#"{"oneOf": [{"type": "integer"}, {"type": "number", "exclusiveMaximum": 0}]}"#,
    r#"{"type": ["array", "null"], "items": {"type": "boolean"}, "minItems": 2, "maxItems": 2, "uniqueItems": true}"#,
    r#"{"type": "array", "items": {"enum": ["a", "b", "c", "d"]}, "minItems": 4, "uniqueItems": true}"#,
    r#"{"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false}"#,
    r#"{"type": "array", "contains": {"const": 7}, "minContains": 2, "items": {"type": "integer"}}"#,
    r#"{"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 2}"#,
    r#"{"type": "object", "patternProperties": {"^x-[a-z]+$": {"type": "boolean"}}, "additionalProperties": false, "minProperties": 1}"#,
    r#"{"type": "object", "propertyNames": {"pattern": "^[A-Z]+$"}, "additionalProperties": {"type": "string"}, "minProperties": 2, "maxProperties": 3}"#,
    r#"{"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}"#,
    r#"{"type": "object", "properties": {"card": {"type": "string"}, "address": {"type": "string"}}, "dependentRequired": {"card": ["address"]}, "required": ["card"]}"#,
    r#"{"type": "object", "properties": {"kind": {"enum": ["cat", "dog"]}}, "required": ["kind"],
        "if": {"properties": {"kind": {"const": "cat"}}}, "then": {"properties": {"lives": {"type": "integer", "minimum": 9}}, "required": ["lives"]},
        "else": {"properties": {"bark": {"type": "string"}}, "required": ["bark"]}}"#,
    r#"{"type": "object", "properties": {"x": {"type": "string"}, "y": {"type": "string"}}, "not": {"required": ["y"]}}"#,
    r#"{"type": "object", "properties": {"x": {"type": "string"}}, "dependentSchemas": {"x": {"properties": {"z": {"type": "integer"}}, "required": ["z"]}}}"#,
    r#"{"type": "string", "default": 7}"#,
    r#"{"type": "object", "default": {"n": "seven"}, "properties": {"n": {"type": "integer"}}, "required": ["n"]}"#,
    r#"{"type": "string", "nullable": true, "examples": [3, "three"]}"#,
    r##"{"anyOf": [{"type": "object", "properties": {"left": {"$ref": "#/$defs/tree"}, "right": {"$ref": "#/$defs/tree"}}, "required": ["left", "right"]}, {"$ref": "#/$defs/tree"}]}"##,
    r#"true"#,
    r#"{}"#,
];

fn object(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    (prop::collection::btree_map(names(), (inner, any::<bool>()), 0..5), any::<bool>()).prop_map(
        |(fields, closed)| {
            let required: Vec<&String> =
                fields.iter().filter(|(_, (_, must))| *must).map(|(name, _)| name).collect();
            let properties: Map<String, Value> =
                fields.iter().map(|(name, (s, _))| (name.clone(), s.clone())).collect();
            json!({
                "type": "object", "properties": properties, "required": required,
                "additionalProperties": !closed,
            })
        },
    )
}

/// The same in the older dialect, whose words for some things differ.
fn as_draft_07(schema: Value) -> Value {
    let text = schema
        .to_string()
        .replace("dependentRequired", "dependencies")
        .replace("dependentSchemas", "dependencies")
        .replace("prefixItems", "items")
        .replace("\"items\":false", "\"additionalItems\":false")
        .replace("$defs", "definitions");
    let mut older: Value = serde_json::from_str(&text).unwrap();
    older["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    older
}

fn schemas() -> impl Strategy<Value = Value> {
    let nested = leaf().prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            object(inner.clone()),
            (inner.clone(), 0u64..3, 3u64..5).prop_map(|(items, least, most)| {
                json!({"type": "array", "items": items, "minItems": least, "maxItems": most})
            }),
            (inner.clone(), inner).prop_map(|(a, b)| json!({"anyOf": [a, b]})),
        ]
    });
    object(nested).prop_map(|mut schema| {
        schema["$defs"] = json!({
            "word": {"type": "string", "minLength": 1},
            "node": {"type": "object", "properties": {
                "value": {"$ref": "#/$defs/word"},
                "children": {"type": "array", "items": {"$ref": "#/$defs/node"}},
            }, "required": ["value"]},
            "tree": {"anyOf": [
                {"type": "object", "required": ["left", "right"], "properties": {
                    "left": {"$ref": "#/$defs/tree"}, "right": {"$ref": "#/$defs/tree"}}},
                {"type": "integer"},
            ]},
        });
        schema
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn every_sample_keeps_its_schema_and_every_such_schema_has_one(schema in schemas()) {
        for fill in FILLS {
            let value = given(&schema, fill);
            prop_assert!(value.is_some(), "no {fill:?} sample of {schema}");
            let broken = violates(&schema, &value.clone().unwrap());
            prop_assert!(broken.is_none(), "{fill:?} {value:?} of {schema}: {broken:?}");
        }
    }

    #[test]
    fn the_law_holds_in_the_older_dialect(schema in schemas().prop_map(as_draft_07)) {
        for fill in FILLS {
            let value = given(&schema, fill);
            prop_assert!(value.is_some(), "no {fill:?} sample of {schema}");
            let broken = violates(&schema, &value.clone().unwrap());
            prop_assert!(broken.is_none(), "{fill:?} {value:?} of {schema}: {broken:?}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_sample(schema in schemas(), seed in any::<u64>()) {
        let one = sample(&schema, &context("t"), Seed(seed), Fill::Full);
        prop_assert_eq!(one, sample(&schema, &context("t"), Seed(seed), Fill::Full));
    }
}

#[test]
fn every_rule_alone_has_a_sample_of_every_fill() {
    for text in RULES {
        let rule: Value = serde_json::from_str(text).unwrap();
        let schema = json!({"type": "object", "properties": {"x": rule}, "required": ["x"],
            "$defs": {"tree": {"anyOf": [{"type": "object", "required": ["left"],
                "properties": {"left": {"$ref": "#/$defs/tree"}}}, {"type": "integer"}]}}});
        for fill in FILLS {
            let value =
                given(&schema, fill).unwrap_or_else(|| unreachable!("no {fill:?} of {text}"));
            assert_eq!(violates(&schema, &value), None, "{text}: {value}");
        }
    }
}

#[test]
fn what_the_user_supplies_comes_first_where_it_fits() {
    let schema = json!({"type": "object", "required": ["id", "n"], "properties": {
        "id": {"type": "string"}, "n": {"type": "integer"}, "more": {"type": "string"}}});
    let mut context = context("get_thing");
    for (pointer, value) in [("/id", json!("42")), ("/n", json!("no")), ("/more", json!("m"))] {
        context.values.insert(pointer.to_owned(), value);
    }
    let of = |fill| sample(&schema, &context, Seed(1), fill).unwrap();
    assert_eq!(of(Fill::Minimal), json!({"id": "42", "n": 5}));
    assert_eq!(of(Fill::Typical), json!({"id": "42", "n": 5, "more": "m"}));
}

#[test]
fn names_give_values_their_meaning() {
    let schema = json!({"type": "object", "required": ["path", "timezone", "limit"], "properties": {
        "path": {"type": "string"}, "timezone": {"type": "string"}, "limit": {"type": "integer"},
    }});
    assert_eq!(
        sample(&schema, &context("read_file"), Seed(1), Fill::Minimal).unwrap(),
        json!({"path": "/scratch/work/notes.md", "timezone": "Europe/Berlin", "limit": 5})
    );
}

#[test]
fn fills_differ_in_what_is_optional() {
    let schema = json!({"type": "object", "required": ["a"], "properties": {
        "a": {"type": "string"}, "b": {"type": "integer", "default": 10}, "c": {"type": "string"},
    }});
    let keys = |fill| -> Vec<String> {
        given(&schema, fill).unwrap().as_object().unwrap().keys().cloned().collect()
    };
    assert_eq!(keys(Fill::Minimal), ["a"]);
    assert_eq!(keys(Fill::Typical), ["a", "b"]);
    assert_eq!(keys(Fill::Full), ["a", "b", "c"]);
}

#[test]
fn with_nothing_required_a_typical_caller_still_gives_the_first_text() {
    let schema = json!({"type": "object", "properties": {
        "deep": {"type": "boolean"}, "query": {"type": "string"}, "sort": {"type": "string"},
    }});
    assert_eq!(given(&schema, Fill::Minimal).unwrap(), json!({}));
    assert_eq!(given(&schema, Fill::Typical).unwrap(), json!({"query": "notes"}));
}

#[test]
fn a_pattern_beyond_us_gives_up_on_required_and_leaves_out_optional() {
    let odd = json!({"type": "string", "pattern": "^(..)(q)\\1$"});
    let needs = json!({"type": "object", "properties": {"k": odd}, "required": ["k"]});
    assert_eq!(given(&needs, Fill::Minimal), None);
    let may = json!({"type": "object", "properties": {"k": odd}});
    assert_eq!(given(&may, Fill::Full), Some(json!({})));
}

#[test]
fn a_schema_that_does_not_compile_is_met_as_well_as_it_can_be_read() {
    let schema = json!({"$schema": "https://example.com/unknown", "type": "object",
        "properties": {"x": {"type": "integer"}}, "required": ["x"]});
    assert_eq!(given(&schema, Fill::Minimal), Some(json!({"x": 3})));
}

#[test]
fn a_schema_that_requires_itself_ends_without_a_sample() {
    let schema = json!({"type": "object", "required": ["a", "b", "c"], "properties": {
        "a": {"$ref": "#"}, "b": {"$ref": "#"}, "c": {"$ref": "#"},
    }});
    assert_eq!(given(&schema, Fill::Full), None);
}

#[test]
fn unique_items_differ() {
    let schema = json!({"type": "object", "required": ["ids"], "properties": {
        "ids": {"type": "array", "items": {"type": "string"}, "minItems": 3, "uniqueItems": true},
    }});
    assert_eq!(given(&schema, Fill::Minimal).unwrap(), json!({"ids": ["1", "2", "3"]}));
}

#[test]
fn a_waiting_tool_is_asked_to_wait_shortly() {
    let schema = json!({"type": "object", "properties": {
        "duration": {"type": "number", "default": 10}, "steps": {"type": "number", "default": 5},
    }});
    assert_eq!(given(&schema, Fill::Typical).unwrap(), json!({"duration": 0.5, "steps": 5}));
}

#[test]
fn a_remote_default_is_replaced_even_where_it_need_not_be_given() {
    let schema = json!({"type": "object", "properties": {
        "data": {"type": "string", "format": "uri", "default": "https://example.com/file.txt"},
    }});
    for fill in FILLS {
        assert_eq!(given(&schema, fill).unwrap(), json!({"data": "http://127.0.0.1/"}));
    }
}

#[test]
fn an_option_that_asks_for_trouble_is_not_the_first_choice() {
    let schema = json!({"type": "object", "required": ["kind"], "properties": {
        "kind": {"type": "string", "enum": ["error", "success"]},
    }});
    assert_eq!(given(&schema, Fill::Typical).unwrap(), json!({"kind": "success"}));
}
