//! The SDK behind a server, from package facts and from habits.

use proofmark_core::check::Confidence::{self, High, Low, Medium};
use proofmark_core::pages;
use proofmark_core::sdk::fingerprint;

fn sdk(evidence: &str) -> Option<(String, Option<String>, Confidence)> {
    let evidence = pages::evidence(evidence).unwrap_or_else(|e| panic!("{e}"));
    fingerprint(&evidence).map(|s| {
        assert!(!s.because.is_empty());
        (s.name, s.version, s.confidence)
    })
}

fn found(
    name: &str,
    version: &str,
    confidence: Confidence,
) -> Option<(String, Option<String>, Confidence)> {
    let version = Some(version.to_owned()).filter(|v| !v.is_empty());
    Some((name.to_owned(), version, confidence))
}

const UNKNOWN_METHOD: &str =
    r#"{"probe": "p", "method": "no/such", "reply": {"error": {"code": -32602, "message": "?"}}}"#;
const NO_OBJECT: &str = r#"{"probe": "p", "tool": "a", "arguments": "text",
    "reply": {"error": {"code": -32603, "message": "?"}}}"#;
const DISCOVER: &str = r#"{"probe": "p", "method": "server/discover",
    "reply": {"result": {"ttlMs": 0, "cacheScope": "private"}}}"#;

#[test]
fn package_facts_come_first_and_give_the_version() {
    let evidence = r#"{"source": {"origin": "npm", "package": {"ecosystem": "npm",
        "sdks": ["@modelcontextprotocol/sdk@1.32.2"]}}}"#;
    assert_eq!(sdk(evidence), found("@modelcontextprotocol/sdk (TypeScript)", "1.32.2", High));
    let evidence = r#"{"source": {"origin": "dir", "package": {"ecosystem": "crate",
        "sdks": ["rmcp"]}}}"#;
    assert_eq!(sdk(evidence), found("rmcp (Rust)", "", High));
}

#[test]
fn habits_alone_say_little_of_a_package_of_npm_that_depends_on_no_sdk() {
    let evidence = format!(
        r#"{{"source": {{"origin": "npm", "package": {{"ecosystem": "npm"}}}}, "exchanges": [{NO_OBJECT}]}}"#
    );
    assert_eq!(sdk(&evidence), found("@modelcontextprotocol/sdk (TypeScript)", "1.x", Low));
}

#[test]
fn of_two_generations_in_one_package_the_one_that_answers_is_named() {
    let source = r#""source": {"origin": "npm", "package": {"ecosystem": "npm",
        "sdks": ["@modelcontextprotocol/sdk@1.32.2", "@modelcontextprotocol/server@2.4.0"]}}"#;
    let first = format!("{{{source}}}");
    assert_eq!(sdk(&first), found("@modelcontextprotocol/sdk (TypeScript)", "1.32.2", High));
    let second = format!(r#"{{{source}, "revision": "2026-07-28", "exchanges": [{DISCOVER}]}}"#);
    assert_eq!(sdk(&second), found("@modelcontextprotocol/server (TypeScript)", "2.4.0", High));
}

#[test]
fn a_framework_is_named_rather_than_the_sdk_below_it() {
    let of = |fast: &str, below: &str| {
        format!(
            r#"{{"source": {{"origin": "pypi", "package": {{"ecosystem": "pypi",
            "sdks": ["fastmcp@{fast}", "mcp@{below}"]}}}},
            "revision": "2026-07-28", "exchanges": [{DISCOVER}]}}"#
        )
    };
    assert_eq!(sdk(&of("4.1.2", "2.3.0")), found("fastmcp (Python)", "4.1.2", High));
}

#[test]
fn invalid_params_for_an_unknown_method_is_python_1() {
    let alone = format!(r#"{{"exchanges": [{UNKNOWN_METHOD}]}}"#);
    assert_eq!(sdk(&alone), found("mcp (Python)", "1.x", Medium));
    let both = format!(
        r#"{{"handshake": {{"capabilities": {{"experimental": {{}}}}}}, "exchanges": [{UNKNOWN_METHOD}]}}"#
    );
    assert_eq!(sdk(&both), found("mcp (Python)", "1.x", High));
}

#[test]
fn an_internal_error_for_arguments_that_are_no_object_is_typescript_1() {
    let alone = format!(r#"{{"exchanges": [{NO_OBJECT}]}}"#);
    assert_eq!(sdk(&alone), found("@modelcontextprotocol/sdk (TypeScript)", "1.x", Medium));
    let npx = format!(
        r#"{{"target": {{"kind": "stdio", "command": "/usr/bin/npx"}}, "exchanges": [{NO_OBJECT}]}}"#
    );
    assert_eq!(sdk(&npx), found("@modelcontextprotocol/sdk (TypeScript)", "1.x", High));
}

#[test]
fn an_internal_error_for_an_object_says_nothing() {
    let ordinary = r#"{"exchanges": [{"probe": "p", "tool": "a", "arguments": {},
        "reply": {"error": {"code": -32603, "message": "?"}}}]}"#;
    assert_eq!(sdk(ordinary), None);
}

#[test]
fn the_defaults_of_the_stateless_revision_are_second_generation() {
    let with =
        |more: &str| format!(r#"{{{more}"revision": "2026-07-28", "exchanges": [{DISCOVER}]}}"#);
    let either = "mcp (Python) or @modelcontextprotocol/server (TypeScript)";
    assert_eq!(sdk(&with("")), found(either, "2.x", Low));
    let python = with(r#""target": {"kind": "stdio", "command": "python3.12"}, "#);
    assert_eq!(sdk(&python), found("mcp (Python)", "2.x", Medium));
    let node = with(r#""target": {"kind": "stdio", "command": "node"}, "#);
    assert_eq!(sdk(&node), found("@modelcontextprotocol/server (TypeScript)", "2.x", Medium));
}

#[test]
fn a_server_that_speaks_both_eras_over_a_handshake_is_second_generation_too() {
    let both = format!(
        r#"{{"handshake": {{"supported": ["2025-11-25", "2026-07-28"]}}, "exchanges": [{DISCOVER}]}}"#
    );
    assert_eq!(sdk(&both).and_then(|s| s.1).as_deref(), Some("2.x"));
}

#[test]
fn code_0_and_an_empty_experimental_capability_point_to_python() {
    let code_0 = r#"{"exchanges": [{"probe": "p", "prompt": "none",
        "reply": {"error": {"code": 0, "message": "?"}}}]}"#;
    assert_eq!(sdk(code_0), found("mcp (Python)", "", Low));
    let empty = r#"{"handshake": {"capabilities": {"experimental": {}, "tools": {}}}}"#;
    assert_eq!(sdk(empty), found("mcp (Python)", "", Low));
    let used = r#"{"handshake": {"capabilities": {"experimental": {"x": {}}}}}"#;
    assert_eq!(sdk(used), None);
}

#[test]
fn a_server_named_like_its_sdk_is_taken_at_its_word() {
    let fast = r#"{"handshake": {"name": "FastMCP-3f2a"}}"#;
    assert_eq!(sdk(fast), found("fastmcp (Python)", "", Medium));
    assert_eq!(sdk(r#"{"handshake": {"name": "rmcp"}}"#), found("rmcp (Rust)", "", Medium));
}

#[test]
fn nothing_or_contradictory_habits_give_no_name() {
    assert_eq!(sdk("{}"), None);
    assert_eq!(sdk(r#"{"not_started": true}"#), None);
    let torn = format!(r#"{{"exchanges": [{UNKNOWN_METHOD}, {NO_OBJECT}]}}"#);
    assert_eq!(sdk(&torn), None);
}
