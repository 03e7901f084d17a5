//! The report: order, fingerprints, verdicts of tools, advice, and that it is a pure function.

use crate::common::builtin;
use proofmark_core::check::{
    Check, Class, Facet, Finding, Grade, Judged, Outcome, Revisions, Severity, Standing,
};
use proofmark_core::evidence::{Effect, Evidence, ExchangeId, Subject};
use proofmark_core::pages;
use proofmark_core::proof::Proof;
use proofmark_core::report::{Latency, Recommendation, Report, ToolReport, ToolVerdict};
use proofmark_core::rubric::Rubric;

const fn check(id: &'static str, facet: Facet, severity: Severity) -> Check {
    Check {
        id,
        title: "The good case",
        facet,
        severity,
        class: None,
        requirements: &[],
        revisions: Revisions::All,
        needs: &[],
        page: "",
        judge: |_| Vec::new(),
    }
}

static ANSWERS: Check = check("functionality/answers", Facet::ToolSuccess, Severity::High);
static VALID: Check = check("functionality/valid", Facet::ResponseValidity, Severity::Medium);
static NAMES: Check = check("usability/names", Facet::Naming, Severity::Low);
static README: Check = check("documentation/readme", Facet::Readme, Severity::Medium);
static HOLE: Check = Check {
    class: Some(Class::CommandInjection),
    requirements: &[proofmark_core::spec::served("SEC-01"), proofmark_core::spec::served("SEC-02")],
    ..check("security/command", Facet::Injection, Severity::Critical)
};

fn evidence() -> Evidence {
    pages::evidence(
        r#"{
          "tools": [{"name": "read"}, {"name": "write"}, {"name": "list"}, {"name": "drop"}],
          "exchanges": [
            {"probe": "valid", "tool": "read", "reply": {"text": "a"}, "took_ms": 4},
            {"probe": "valid", "tool": "read", "reply": {"text": "b"}, "took_ms": 12.3},
            {"probe": "valid", "tool": "read", "reply": {"text": "c"}, "took_ms": 8},
            {"probe": "hostile", "tool": "read", "control": "x", "reply": {"text": "d"}, "took_ms": 900},
            {"probe": "valid", "tool": "write", "reply": "timeout", "took_ms": 10000},
            {"probe": "valid", "tool": "drop", "reply": {"skipped": {"because": "passive"}}}
          ]
        }"#,
    )
    .unwrap_or_else(|e| panic!("{e}"))
}

fn tool(name: &str) -> Subject {
    Subject::tool_named(name)
}

fn judged() -> Vec<Judged> {
    let shell = Proof::Computed { payload: "$((6*7))".to_owned(), expected: "42".to_owned() };
    vec![
        Judged {
            check: &ANSWERS,
            findings: vec![
                Finding::pass(tool("read"), "answers a valid call").seen_in(ExchangeId(1)),
                Finding::fail(tool("write"), "says nothing", "answer every call"),
                Finding::pass(tool("list"), "answers"),
                Finding::unseen(tool("drop"), "not called: --passive"),
            ],
            ruled: vec![],
        },
        Judged {
            check: &VALID,
            findings: vec![
                Finding::pass(tool("read"), "means something"),
                Finding::fail(tool("list"), "an empty list of nothing", "return data"),
            ],
            ruled: vec![],
        },
        Judged {
            check: &NAMES,
            findings: vec![
                Finding::fail(tool("write"), "breaks the style", "rename it"),
                Finding::fail(tool("list"), "breaks the style", "rename it"),
            ],
            ruled: vec![],
        },
        Judged {
            check: &README,
            findings: vec![Finding::fail(Subject::Server, "none", "write one")],
            ruled: vec![],
        },
        Judged {
            check: &HOLE,
            findings: vec![
                Finding::fail(Subject::param("read", "/path"), "runs it", "quote it").proven(shell),
                Finding::fail(Subject::param("list", "/path"), "odd answer", "look").suspected(),
            ],
            ruled: vec![],
        },
    ]
}

fn report() -> Report {
    let others = [builtin("audit"), builtin("dimensions")];
    Report::build(&evidence(), &judged(), &builtin("directory"), &others)
}

#[test]
fn findings_come_failures_first_then_by_severity_check_and_subject() {
    let order: Vec<(Outcome, Severity, &str, String)> = report()
        .findings
        .iter()
        .map(|f| (f.outcome, f.severity, f.check, f.subject.to_string()))
        .collect();
    let expected = [
        (Outcome::Fail, Severity::Critical, "security/command", "list /path"),
        (Outcome::Fail, Severity::Critical, "security/command", "read /path"),
        (Outcome::Fail, Severity::High, "functionality/answers", "write"),
        (Outcome::Fail, Severity::Medium, "documentation/readme", "server"),
        (Outcome::Fail, Severity::Medium, "functionality/valid", "list"),
        (Outcome::Fail, Severity::Low, "usability/names", "list"),
        (Outcome::Fail, Severity::Low, "usability/names", "write"),
        (Outcome::Unseen, Severity::High, "functionality/answers", "drop"),
        (Outcome::Pass, Severity::High, "functionality/answers", "list"),
        (Outcome::Pass, Severity::High, "functionality/answers", "read"),
        (Outcome::Pass, Severity::Medium, "functionality/valid", "read"),
    ];
    assert_eq!(order, expected.map(|(o, s, c, subject)| (o, s, c, subject.to_owned())));
}

#[test]
fn a_fingerprint_depends_on_check_and_subject_and_not_on_wording_or_outcome() {
    let id_of = |finding: Finding| {
        let judged = [Judged { check: &NAMES, findings: vec![finding], ruled: vec![] }];
        Report::build(&evidence(), &judged, &builtin("directory"), &[]).findings[0].id.clone()
    };
    let id = id_of(Finding::fail(tool("write"), "breaks the style", "rename it"));
    assert_eq!(id.len(), 12);
    assert_eq!(id, id_of(Finding::pass(tool("write"), "keeps the style")));
    assert_ne!(id, id_of(Finding::fail(tool("list"), "breaks the style", "rename it")));
    let at = |line| Subject::File { file: "a.py".to_owned(), line: Some(line) };
    assert_eq!(id_of(Finding::pass(at(3), "x")), id_of(Finding::pass(at(9), "x")));
}

#[test]
fn two_findings_of_one_check_about_one_subject_have_different_fingerprints() {
    let findings = vec![Finding::pass(tool("a"), "one"), Finding::pass(tool("a"), "two")];
    let judged = [Judged { check: &NAMES, findings, ruled: vec![] }];
    let report = Report::build(&evidence(), &judged, &builtin("directory"), &[]);
    let (first, second) = (&report.findings[0].id, &report.findings[1].id);
    assert_eq!(&format!("{first}-2"), second);
}

fn verdict_of(name: &str) -> ToolReport {
    report().tools.into_iter().find(|t| t.name == name).unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn a_tool_that_answers_well_works_and_its_latency_leaves_hostile_calls_out() {
    let read = verdict_of("read");
    assert_eq!((read.verdict, read.why.as_str()), (ToolVerdict::Working, "answers a valid call"));
    assert_eq!(read.calls, 4);
    assert_eq!(read.latency_ms, Some(Latency { p50: 8.0, p95: 12.3, max: 12.3 }));
}

#[test]
fn a_tool_that_fails_is_broken() {
    let write = verdict_of("write");
    assert_eq!((write.verdict, write.why.as_str()), (ToolVerdict::Broken, "says nothing"));
    assert_eq!((write.calls, write.latency_ms), (1, None));
}

#[test]
fn a_tool_whose_answers_mean_nothing_works_in_part() {
    let list = verdict_of("list");
    assert_eq!(list.verdict, ToolVerdict::PartiallyWorking);
    assert_eq!((list.why.as_str(), list.calls), ("an empty list of nothing", 0));
}

#[test]
fn a_tool_that_was_not_called_is_unexercised_with_the_reason() {
    let drop = verdict_of("drop");
    assert_eq!(drop.verdict, ToolVerdict::Unexercised);
    assert_eq!((drop.why.as_str(), drop.calls), ("not called: --passive", 0));

    let nobody = Report::build(&evidence(), &[], &builtin("directory"), &[]);
    assert!(nobody.tools.iter().all(|t| t.verdict == ToolVerdict::Unexercised));
    assert_eq!(nobody.tools[0].why, "no check looked at how it answers a valid call");
}

#[test]
fn a_tool_with_good_and_bad_answers_or_a_middling_grade_works_in_part() {
    for findings in [
        vec![Finding::pass(tool("read"), "good"), Finding::fail(tool("read"), "bad", "fix")],
        vec![Finding::partial(tool("read"), Grade::new(0.5), "so so", "fix")],
    ] {
        let judged = [Judged { check: &ANSWERS, findings, ruled: vec![] }];
        let report = Report::build(&evidence(), &judged, &builtin("directory"), &[]);
        assert_eq!(report.tools[0].verdict, ToolVerdict::PartiallyWorking);
    }
}

#[test]
fn tools_outside_the_scope_of_the_run_are_not_reported() {
    let mut narrow = evidence();
    narrow.conditions.scope.tools = vec!["re*".to_owned()];
    let report = Report::build(&narrow, &judged(), &builtin("directory"), &[]);
    let names: Vec<&str> = report.tools.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(names, ["read"]);
}

#[test]
fn suspicions_are_listed_and_never_scored_nor_advised_on() {
    let suspicion = Finding::fail(Subject::param("read", "/p"), "odd", "look").suspected();
    let pass = Finding::pass(tool("list"), "resists");
    let judged = [Judged { check: &HOLE, findings: vec![suspicion, pass], ruled: vec![] }];
    let report = Report::build(&evidence(), &judged, &builtin("directory"), &[]);
    assert_eq!(report.score, Some(100.0));
    assert_eq!(report.findings[0].standing, Standing::Suspected);
    assert_eq!(report.recommendations, []);
}

#[test]
fn advice_is_ranked_by_points_over_effort() {
    let report = report();
    let advice: Vec<(&str, usize)> =
        report.recommendations.iter().map(|r| (r.check, r.clears)).collect();
    assert_eq!(
        advice,
        [
            ("security/command", 1),
            ("documentation/readme", 1),
            ("functionality/valid", 1),
            ("usability/names", 2),
            ("functionality/answers", 1),
        ]
    );
    let gains: Vec<f64> = report.recommendations.iter().map(|r| r.gain).collect();
    let worth: Vec<f64> = report.recommendations.iter().map(Recommendation::worth).collect();
    assert!(worth.is_sorted_by(|a, b| a >= b), "{worth:?}");
    // Five areas of 25, 25, 20, 15 and 15, of which error handling is not seen: injection is all
    // that was seen of security, so it is worth 25 of 85.
    assert_eq!(gains[0], 29.4);
    assert_eq!(report.recommendations[0].fix, "quote it");
}

#[test]
fn the_gain_is_what_the_score_really_gains() {
    let rubric = builtin("directory");
    let before = report();
    for advice in &before.recommendations {
        let mut fixed = judged();
        for j in fixed.iter_mut().filter(|j| j.check.id == advice.check) {
            for f in j.findings.iter_mut().filter(|f| f.outcome() == Outcome::Fail && !f.suspected)
            {
                f.grade = Some(Grade::PASS);
            }
        }
        let after = Report::build(&evidence(), &fixed, &rubric, &[]);
        let gained = after.score.expect("seen") - before.score.expect("seen");
        assert!((gained - advice.gain).abs() < 0.11, "{}: {gained} {}", advice.check, advice.gain);
    }
}

#[test]
fn equal_gains_are_ranked_by_severity() {
    let judged = [
        Judged { check: &NAMES, findings: vec![Finding::pass(tool("a"), "x")], ruled: vec![] },
        Judged {
            check: &PORTABLE,
            findings: vec![Finding::fail(Subject::Server, "x", "low")],
            ruled: vec![],
        },
        Judged {
            check: &SHIPPED,
            findings: vec![Finding::fail(Subject::Server, "x", "high")],
            ruled: vec![],
        },
    ];
    let report = Report::build(&evidence(), &judged, &builtin("directory"), &[]);
    let advice: Vec<(&str, f64)> =
        report.recommendations.iter().map(|r| (r.fix.as_str(), r.gain)).collect();
    assert_eq!(advice, [("high", 0.0), ("low", 0.0)]);
}

static PORTABLE: Check = check("policy/portable", Facet::Portability, Severity::Low);
static SHIPPED: Check = check("supply_chain/shipped", Facet::SupplyChain, Severity::High);

#[test]
fn every_opinion_is_told_including_its_own() {
    let report = report();
    assert_eq!(report.scores.keys().collect::<Vec<_>>(), ["audit", "dimensions", "directory"]);
    let own = &report.scores["directory"];
    assert_eq!((own.score, own.level.as_str()), (report.score, report.level.as_str()));
    assert_eq!((own.bounds, own.coverage), (report.bounds, report.coverage));
}

#[test]
fn a_finding_names_the_first_requirement_its_class_and_its_proof() {
    let report = report();
    let hole = report.findings.iter().find(|f| f.proof.is_some()).expect("the proven hole");
    assert_eq!(hole.requirement, Some("SEC-01"));
    assert_eq!(hole.class, Some(Class::CommandInjection));
    assert_eq!(hole.standing, Standing::Proven);
}

#[test]
fn the_same_evidence_gives_the_same_bytes() {
    let bytes = |report: &Report| serde_json::to_string(report).expect("serialises");
    assert_eq!(bytes(&report()), bytes(&report()));
    let read_back = Evidence::from_slice(&evidence().to_vec().expect("written")).expect("read");
    for id in Rubric::BUILTIN {
        let rubric = builtin(id);
        assert_eq!(
            bytes(&Report::of(&evidence(), &rubric)),
            bytes(&Report::of(&read_back, &rubric))
        );
    }
}

#[test]
fn a_server_that_did_not_come_up_is_no_pass_and_its_tools_are_unexercised() {
    let down = pages::evidence(
        r#"{"tools": [{"name": "read"}],
            "down": {"cause": "silent_hang", "says": "it runs and says nothing"}}"#,
    )
    .unwrap_or_else(|e| panic!("{e}"));
    for id in Rubric::BUILTIN {
        let report = Report::of(&down, &builtin(id));
        assert_ne!(report.level, "PASS");
        assert_eq!(report.tools[0].verdict, ToolVerdict::Unexercised);
        assert!(report.tools[0].why.contains("did not come up"), "{}", report.tools[0].why);
    }
}

#[test]
fn what_calls_left_that_were_made_for_their_timing_is_listed_with_the_times() {
    let run = pages::evidence(
        r#"{
          "tools": [{"name": "branch"}],
          "effects": [
            {"kind": "file_created", "path": "/proofmark/workspace/refs/((((((((((("},
            {"kind": "file_created", "path": "/proofmark/workspace/refs/main"}
          ],
          "exchanges": [
            {"probe": "strain", "tool": "branch", "param": "/name", "label": "brackets 11, hostile 1",
             "arguments": {"name": "((((((((((("}, "reply": {"text": "made"},
             "oracle": {"kind": "timing", "group": "brackets 11", "delay_ms": 100}},
            {"probe": "valid", "tool": "branch", "arguments": {"name": "main"}, "reply": {"text": "made"}}
          ]
        }"#,
    )
    .unwrap_or_else(|e| panic!("{e}"));
    let report = Report::of(&run, &builtin("directory"));
    let paths = |effects: &[Effect]| -> Vec<String> {
        effects.iter().map(|e| e.path().to_owned()).collect()
    };
    assert_eq!(paths(&report.changes), ["/proofmark/workspace/refs/main"]);
    assert_eq!(paths(&report.timings.changes), ["/proofmark/workspace/refs/((((((((((("]);
}
