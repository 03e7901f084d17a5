//! The published JSON Schemas and the rubric guide are what the code says.
#![expect(
    clippy::disallowed_methods,
    reason = "the lists keep core itself pure; this test compares files of the repository"
)]

use std::path::PathBuf;

use crate::common::builtin;
use proofmark_core::check::Facet;
use proofmark_core::report::Report;
use proofmark_core::rubric::Rubric;
use proofmark_core::{evidence, pages, report};
use serde_json::Value;

fn docs(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(file)
}

/// Compares, or with `UPDATE_DOCS=1` writes.
pub(crate) fn is_current(file: &str, text: &str) {
    let path = docs(file);
    if std::env::var("UPDATE_DOCS").is_ok_and(|v| v == "1") {
        std::fs::write(&path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
    let published = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        published == text,
        "docs/{file} is stale; write it anew with `UPDATE_DOCS=1 cargo test -p proofmark-core documents`"
    );
}

#[test]
fn the_published_evidence_schema_is_current() {
    is_current("evidence.schema.json", &format!("{:#}\n", evidence::json_schema()));
}

#[test]
fn the_published_report_schema_is_current() {
    is_current("report.schema.json", &format!("{:#}\n", report::json_schema()));
}

const RICH: &str = r#"{
  "tools": [{"name": "a", "description": "Does a."}, {"name": "b", "inputSchema": 3}],
  "exchanges": [
    {"probe": "p", "tool": "a", "reply": {"text": "fine"}},
    {"probe": "p", "tool": "a", "param": "/x", "reply": {"error": {"code": -32602, "message": "no"}}},
    {"probe": "p", "tool": "a", "reply": "timeout"},
    {"probe": "p", "tool": "a", "reply": {"skipped": {"because": "passive"}}}
  ],
  "readme": "text", "stderr": ["line"]
}"#;

#[test]
fn evidence_and_reports_are_valid_by_the_published_schemas() {
    let evidence = pages::evidence(RICH).unwrap_or_else(|e| panic!("{e}"));
    let written: Value =
        serde_json::from_slice(&evidence.to_vec().expect("writes")).expect("is JSON");
    let report = Report::of(&evidence, &builtin("directory"));
    let told = serde_json::to_value(&report).expect("serialises");
    for (schema, value) in [(evidence::json_schema(), written), (report::json_schema(), told)] {
        let validator = jsonschema::validator_for(&schema).unwrap_or_else(|e| panic!("{e}"));
        let errors: Vec<String> = validator.iter_errors(&value).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }
}

#[test]
fn the_rubric_guide_names_every_facet_and_its_example_loads() {
    let guide = std::fs::read_to_string(docs("rubrics.md")).expect("docs/rubrics.md");
    for facet in Facet::ALL {
        assert!(guide.contains(&format!("`{facet}`")), "the guide does not name `{facet}`");
    }
    let example = guide
        .split("```toml\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("an example");
    let rubric = Rubric::parse("docs/rubrics.md", example).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(rubric.id, "house");
}
