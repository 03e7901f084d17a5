//! Small suites, written for these tests.

use proofmark_core::dimensions::{Case, Evaluation, Profile, Recording, Said};
use serde_json::{Value, json};

/// A functional case that is answered.
pub(crate) fn case(tool: &str, name: &str, arguments: Value, said: Said) -> Case {
    Case {
        tool: tool.to_owned(),
        name: name.to_owned(),
        purpose: String::new(),
        arguments,
        said,
        seconds: 0.01,
        functional: None,
        security: None,
        proven: None,
    }
}

pub(crate) fn result(text: &str) -> Said {
    Said::Result(text.to_owned())
}

pub(crate) fn error(text: &str) -> Said {
    Said::Error(format!("ToolException: Error executing tool x: {text}"))
}

pub(crate) fn recording(cases: Vec<Case>) -> Recording {
    Recording { server: "notes".to_owned(), tools: Vec::new(), cases, aborted: false }
}

pub(crate) fn evaluate(cases: Vec<Case>) -> Evaluation {
    Evaluation::of(&recording(cases), Profile::Seed).unwrap()
}

/// A server that works, refuses with reasons and keeps to its folder.
pub(crate) fn good() -> Vec<Case> {
    let list = |n: usize| json!({"folder": format!("f{n}")});
    let mut cases: Vec<Case> =
        (0..6).map(|n| case("list_notes", "Lists a folder", list(n), result("3 notes"))).collect();
    cases.extend([
        case("list_notes", "Missing folder", json!({}), error("folder is required")),
        case(
            "list_notes",
            "Negative limit",
            json!({"limit": -1}),
            error("limit must be positive, got -1"),
        ),
        case(
            "list_notes",
            "Unknown order",
            json!({"order": "zz"}),
            error("order must be one of name, date"),
        ),
        case(
            "list_notes",
            "Path traversal",
            json!({"folder": "../../etc"}),
            error("folder is outside of the notes; only folders below them are allowed"),
        ),
    ]);
    cases
}
