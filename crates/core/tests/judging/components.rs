//! From findings and evidence to the component scores of the white paper and the scoring guide,
//! through the report.

use crate::common::builtin;
use proofmark_core::check::{Check, Facet, Finding, Grade, Judged, Revisions, Severity};
use proofmark_core::evidence::{Evidence, Subject};
use proofmark_core::pages;
use proofmark_core::report::{PartReport, Report};
use proofmark_core::response::Classification;
use serde_json::{Value, json};

const fn check(id: &'static str, facet: Facet) -> Check {
    Check {
        id,
        title: "The good case",
        facet,
        severity: Severity::Medium,
        class: None,
        requirements: &[],
        revisions: Revisions::All,
        needs: &[],
        page: "",
        judge: |_| Vec::new(),
    }
}

static SUCCESS: Check = check("functionality/success", Facet::ToolSuccess);
static VALIDITY: Check = check("functionality/validity", Facet::ResponseValidity);
static SCENARIOS: Check = check("functionality/scenarios", Facet::ScenarioCoverage);
static STABILITY: Check = check("functionality/stability", Facet::Stability);

fn tool(n: usize) -> Subject {
    Subject::tool_named(&format!("tool{n}"))
}

/// `passed` of `total` findings pass, spread over the ten tools.
fn rate(check: &'static Check, passed: usize, total: usize) -> Judged {
    let finding = |n: usize| match n < passed {
        true => Finding::pass(tool(n % 10), format!("good {n}")),
        false => Finding::fail(tool(n % 10), format!("bad {n}"), "do better"),
    };
    Judged { check, findings: (0..total).map(finding).collect(), ruled: vec![] }
}

fn ten_tools(exchanges: &[Value]) -> Evidence {
    let tools: Vec<Value> = (0..10).map(|n| json!({"name": format!("tool{n}")})).collect();
    let snippet = json!({"tools": tools, "exchanges": exchanges});
    pages::evidence(&snippet.to_string()).unwrap_or_else(|e| panic!("{e}"))
}

fn example() -> [Judged; 4] {
    let steadiness = Finding::partial(tool(0), Grade::new(0.92), "very consistent", "no need");
    [
        rate(&SUCCESS, 9, 10),
        rate(&VALIDITY, 85, 100),
        rate(&SCENARIOS, 78, 100),
        Judged { check: &STABILITY, findings: vec![steadiness], ruled: vec![] },
    ]
}

#[test]
fn the_functionality_example_comes_to_86_3_from_findings_to_report() {
    let report = Report::build(&ten_tools(&[]), &example(), &builtin("directory"), &[]);
    let area = report.areas.iter().find(|a| a.id == "functionality").expect("functionality");
    assert_eq!(area.score, Some(86.3));
    let parts: Vec<(&str, Option<f64>, f64)> =
        area.parts.iter().map(|p: &PartReport| (p.id.as_str(), p.score, p.weight)).collect();
    let expected = [
        ("tool-success", Some(90.0), 40.0),
        ("response-validity", Some(85.0), 30.0),
        ("scenario-coverage", Some(78.0), 20.0),
        ("stability", Some(92.0), 10.0),
    ];
    assert_eq!(parts, expected);
}

#[test]
fn the_audit_gives_functionality_the_share_of_working_tools() {
    let report = Report::build(&ten_tools(&[]), &example(), &builtin("audit"), &[]);
    let area = report.areas.iter().find(|a| a.id == "functionality").expect("functionality");
    assert_eq!(area.score, Some(90.0));
}

fn calls(probe: &str, count: usize) -> Vec<Value> {
    (0..count)
        .map(|n| {
            let name = format!("tool{}", n % 10);
            json!({"probe": probe, "tool": name, "label": n.to_string(), "reply": {"text": "fine"}})
        })
        .collect()
}

fn confidence(exchanges: &[Value]) -> f64 {
    Report::build(&ten_tools(exchanges), &[], &builtin("directory"), &[]).confidence
}

#[test]
fn the_confidence_of_a_report_grows_with_what_was_looked_at_up_to_its_caps() {
    assert_eq!(confidence(&[]), 0.0);
    // 20 calls of 50, 20 scenarios of 20, 20 responses of 100.
    assert_eq!(confidence(&calls("valid-call", 20)), 53.3);
    // Repetitions are calls and responses, and no scenarios.
    assert_eq!(confidence(&calls("repeat", 50)), 50.0);
    assert_eq!(confidence(&calls("valid-call", 100)), 100.0);
    assert_eq!(confidence(&calls("valid-call", 300)), 100.0);
    let skipped = json!({"probe": "valid-call", "tool": "tool0", "reply": {"skipped": {"because": "passive"}}});
    assert_eq!(confidence(&[skipped]), 0.0);
}

#[test]
fn a_tool_is_reported_with_its_class_its_make_up_and_its_scenarios() {
    let mut exchanges = calls("valid-call", 10);
    exchanges.push(json!({"probe": "edge-values", "tool": "tool0", "label": "empty", "reply": {"tool_error": "must not be empty"}}));
    exchanges.push(
        json!({"probe": "wrong-type", "tool": "tool0", "label": "n", "reply": {"text": "fine"}}),
    );
    let report = Report::build(&ten_tools(&exchanges), &[], &builtin("directory"), &[]);
    let told = serde_json::to_value(&report.tools[0]).expect("serialises");
    assert_eq!(
        told["classification"],
        json!({"ours": "partially_working", "seed": "partially_working", "confidence": 83.0})
    );
    assert_eq!(told["metadata"]["content_types"], json!(["text"]));
    assert_eq!(told["metadata"]["text_blocks"], 3);
    let counts = |passed: u32, failed: u32| json!({"passed": passed, "failed": failed, "unproven": 0, "unseen": 0});
    let expected =
        json!({"happy_path": counts(1, 0), "edge_case": counts(1, 0), "error_case": counts(0, 1)});
    assert_eq!(told["scenarios"], expected);
    assert_eq!(report.tools[1].classification.map(|c| c.ours), Some(Classification::FullyWorking));
}

#[test]
fn what_checks_found_wrong_bounds_the_class_of_a_tool() {
    let exchanges = calls("valid-call", 10);
    let class = |judged: &[Judged]| {
        let report = Report::build(&ten_tools(&exchanges), judged, &builtin("directory"), &[]);
        report.tools[0].classification.map(|c| c.ours)
    };
    assert_eq!(class(&[]), Some(Classification::FullyWorking));
    assert_eq!(
        class(&[rate(&SUCCESS, 10, 10), rate(&VALIDITY, 0, 10)]),
        Some(Classification::PartiallyWorking)
    );
    assert_eq!(class(&[rate(&SUCCESS, 0, 10)]), Some(Classification::Error));
}
