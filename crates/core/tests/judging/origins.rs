//! Own or inherited, as the requirement table shows it.

use crate::common::builtin;
use proofmark_core::conformance::{Conformance, Filter};
use proofmark_core::pages;
use proofmark_core::render::{conformance as render, terminal};
use proofmark_core::report::{Report, RequirementReport};
use proofmark_core::revision::Revision;
use proofmark_core::spec::{Level, Origin, Verdict};

fn row(id: &'static str, revision: Revision, origin: Origin) -> RequirementReport {
    RequirementReport {
        id,
        revision,
        level: Level::Must,
        verdict: Verdict::Fail,
        partial: false,
        says: "not so".to_owned(),
        fix: None,
        origin: Some(origin),
        seen_in: Vec::new(),
    }
}

fn inherited(fixed_in: Option<&str>) -> Origin {
    Origin::Inherited { sdk: "mcp 1.30.0".to_owned(), fixed_in: fixed_in.map(str::to_owned) }
}

const C: Revision = Revision::V2025_06_18;
const D: Revision = Revision::V2025_11_25;

fn report() -> Report {
    let evidence = pages::evidence("{}").unwrap_or_else(|e| panic!("{e}"));
    let mut report = Report::of(&evidence, &builtin("directory"));
    report.requirements = vec![
        row("LIFE-01", D, Origin::Own),
        row("RPC-07", C, inherited(None)),
        row("RPC-07", D, Origin::Own),
        row("RPC-08", C, inherited(Some("mcp 2.3.0"))),
        row("RPC-08", D, inherited(Some("mcp 2.3.0"))),
        row("RPC-10", D, inherited(None)),
        row("TOOL-01", D, Origin::Unknown),
    ];
    report
}

const LINE: &str = "failing requirements: 2 the author can fix, 2 come with the SDK (1 fixed by an upgrade), 1 of unknown origin";

#[test]
fn the_terminal_tags_every_fault_and_sums_up_who_can_fix_it() {
    let report = report();
    let table = Conformance::of(&report, &Filter::default());
    let wide = terminal::Style { width: 100, ..terminal::Style::PLAIN };
    let text = terminal::conformance(&report, &table, &wide);
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for expected in [
        LINE,
        "2025-11-25 [own]: not so",
        "2025-06-18, 2025-11-25 [inherited from mcp 1.30.0, fixed in mcp 2.3.0]: not so",
        "2025-11-25 [inherited from mcp 1.30.0]: not so",
        "2025-11-25: not so",
    ] {
        assert!(flat.contains(expected), "{expected} is missing in\n{text}");
    }
}

#[test]
fn revisions_are_told_apart_where_the_origin_differs() {
    let report = report();
    let table = Conformance::of(&report, &Filter::default());
    let rows: Vec<_> = table.sections().into_iter().flat_map(|(_, rows)| rows).collect();
    let faults = |id: &str| rows.iter().find(|r| r.requirement.id == id).map(|r| r.faults().len());
    assert_eq!((faults("RPC-07"), faults("RPC-08")), (Some(2), Some(1)));
}

#[test]
fn markdown_and_json_say_the_same() {
    let report = report();
    let table = Conformance::of(&report, &Filter::default());
    let markdown = render::markdown(&table);
    assert!(markdown.contains(LINE), "{markdown}");
    assert!(markdown.contains(r"- **LIFE-01** (2025-11-25) \[own\]: not so"), "{markdown}");
    let json = render::json(&table).unwrap_or_else(|e| panic!("{e}"));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap_or_else(|e| panic!("{e}"));
    let failing = serde_json::json!({"own": 2, "inherited": 2, "upgrade": 1, "unknown": 1});
    assert_eq!(json["failing"], failing);
    let origin = &json["requirements"][3]["origin"];
    assert_eq!((&origin["kind"], &origin["fixed_in"]), (&"inherited".into(), &"mcp 2.3.0".into()));
}

#[test]
fn where_nothing_fails_there_is_no_line() {
    let mut report = report();
    report.requirements.clear();
    assert_eq!(Conformance::of(&report, &Filter::default()).failing.line(), None);
}
