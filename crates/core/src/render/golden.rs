//! One made-up report with something in every section, for the renderers' snapshots.

use std::collections::BTreeMap;

use crate::accuracy::Accuracy;
use crate::check::{Class, Confidence, Facet, Outcome, Severity, Standing, Topic};
use crate::evidence::{
    DownCause, ExchangeId, Exit, Isolation, IsolationLevel, Micros, Profile, Scope, Startup,
    Subject,
};
use crate::report::{
    AccuracyReport, AreaReport, AreaStatus, BudgetSummary, CheckAccuracy, ConditionsSummary,
    FindingReport, PartReport, Recommendation, Report, RubricName, SCHEMA, ScoreSummary,
    SdkSummary, ServerSummary, Timings, ToolReport, ToolVerdict,
};
use crate::seed::Seed;
use crate::sieve::Settled;
use crate::target::{AuditKind, Target, Transport};

pub(crate) fn report() -> Report {
    Report {
        schema: SCHEMA,
        proofmark: "0.1.0".to_owned(),
        rubric: RubricName {
            id: "directory".to_owned(),
            version: "1.0".to_owned(),
            title: "Directory".to_owned(),
        },
        target: Target::Stdio {
            command: "npx".to_owned(),
            args: vec!["-y".to_owned(), "@example/files-server".to_owned(), "my files".to_owned()],
            env: BTreeMap::new(),
            cwd: None,
        },
        server: ServerSummary {
            name: Some("files".to_owned()),
            version: Some("2.1.0".to_owned()),
            sdk: Some(SdkSummary {
                name: "typescript-sdk".to_owned(),
                version: Some("1.20".to_owned()),
                confidence: Confidence::High,
                because: Vec::new(),
            }),
            distribution: Vec::new(),
            code: None,
            tools: 4,
            resources: 1,
            templates: 0,
            prompts: 2,
        },
        conditions: conditions(),
        startup: Startup::Up { took: Micros(412_000) },
        score: Some(71.4),
        bounds: [58.0, 90.2],
        level: "REVIEW".to_owned(),
        held_back: None,
        coverage: 86.0,
        confidence: 87.4,
        scores: scores(),
        areas: areas(),
        evaluation: None,
        modules: Vec::new(),
        tools: tools(),
        capabilities: BTreeMap::new(),
        changes: vec![],
        findings: findings(),
        accuracy: accuracy(),
        requirements: Vec::new(),
        recommendations: recommendations(),
        suggestions: Vec::new(),
        sieve: None,
        gates: Vec::new(),
        dependencies: None,
        reuse: None,
        evidence_digest: "8f2c0d11a6e94b7d8f2c0d11a6e94b7d".to_owned(),
        timings: Timings {
            began: 1_790_000_000,
            wall_ms: 8_240.0,
            startup_ms: Some(412.0),
            timed_calls: 12,
            changes: Vec::new(),
            evaluation: None,
            calls_per_second: None,
        },
    }
}

/// One check is measured to be right, one to be wrong too often.
fn accuracy() -> AccuracyReport {
    let counts = |caught, wrong| Accuracy { caught, missed: 1, wrong, quiet: 20 };
    let told = |counts: Accuracy, hint| CheckAccuracy {
        precision: counts.precision(),
        recall: counts.recall(),
        counts,
        hint,
    };
    let checks = [
        ("errors/unknown-tool", told(counts(9, 0), false)),
        ("usability/naming", told(counts(3, 2), true)),
    ];
    AccuracyReport { floor: 0.9, checks: checks.into_iter().collect() }
}

/// The same run, had the server stayed away.
pub(crate) fn down() -> Report {
    Report {
        server: ServerSummary::default(),
        startup: Startup::Down {
            cause: DownCause::MissingCredential,
            says: "it ended with code 1 and asks for FILES_TOKEN".to_owned(),
            way_out: "set the variable it asks for: --env FILES_TOKEN=…".to_owned(),
            exit: Some(Exit::Code { code: 1 }),
            stderr_tail: vec![
                "files-server 2.1.0".to_owned(),
                "\x1b[31mError\x1b[0m: FILES_TOKEN is not set".to_owned(),
            ],
        },
        score: None,
        level: "UNRATED".to_owned(),
        coverage: 0.0,
        confidence: 0.0,
        areas: Vec::new(),
        tools: Vec::new(),
        findings: vec![FindingReport {
            outcome: Outcome::Unseen,
            grade: None,
            says: "the server did not come up".to_owned(),
            ..finding("errors/unknown-tool", "An unknown tool is refused", Severity::Medium)
        }],
        recommendations: Vec::new(),
        suggestions: Vec::new(),
        ..report()
    }
}

fn conditions() -> ConditionsSummary {
    ConditionsSummary {
        isolation: Isolation {
            level: IsolationLevel::Confined,
            notes: vec!["landlock: writes outside the scratch area are refused".to_owned()],
        },
        revision: Some("2025-11-25".to_owned()),
        transport: Transport::Stdio,
        audit: AuditKind::Local,
        seed: Seed(1),
        profile: Profile::Standard,
        passive: false,
        disposable: false,
        scope: Scope::default(),
        budget: BudgetSummary {
            max_calls: 2000,
            planned: 340,
            made: 311,
            skipped: 29,
            restarts: 1,
        },
    }
}

fn scores() -> BTreeMap<String, ScoreSummary> {
    let of = |score, level: &str| ScoreSummary {
        score: Some(score),
        level: level.to_owned(),
        bounds: [50.0, 90.0],
        coverage: 80.0,
        areas: areas(),
    };
    [
        ("directory".to_owned(), of(71.4, "REVIEW")),
        ("audit".to_owned(), of(64.0, "WARN")),
        ("dimensions".to_owned(), of(78.5, "GOOD")),
    ]
    .into()
}

fn areas() -> Vec<AreaReport> {
    let area = |title: &str, score, weight, coverage, status| AreaReport {
        id: title.to_lowercase(),
        title: title.to_owned(),
        score,
        bounds: [0.0, 100.0],
        weight,
        coverage,
        status,
        level: None,
        parts: vec![PartReport {
            id: "part".to_owned(),
            title: "Tools answer".to_owned(),
            score,
            bounds: [0.0, 100.0],
            weight: 100.0,
            coverage,
            status,
            facets: vec![Facet::ToolSuccess],
            passed: 7,
            failed: 2,
            unseen: 1,
        }],
    };
    vec![
        area("Functionality", Some(82.3), 35.0, 100.0, AreaStatus::Scored),
        area("Security", Some(41.0), 30.0, 70.5, AreaStatus::Scored),
        area("Documentation", None, 20.0, 0.0, AreaStatus::Unobserved),
        area("Deployment", None, 15.0, 0.0, AreaStatus::NotApplicable),
    ]
}

fn tools() -> Vec<ToolReport> {
    let tool = |name: &str, verdict, why: &str| ToolReport {
        name: name.to_owned(),
        verdict,
        why: why.to_owned(),
        calls: 12,
        latency_ms: None,
        tokens: Some(120),
        classification: None,
        metadata: None,
        scenarios: BTreeMap::new(),
    };
    vec![
        tool("read_file", ToolVerdict::Working, "3 of 3 valid calls answered"),
        tool("list_files", ToolVerdict::PartiallyWorking, "2 of 3 valid calls answered"),
        tool("move_file", ToolVerdict::Broken, "every valid call fails: \"ENOENT: no such file\""),
        tool("delete_file", ToolVerdict::Unexercised, "not called: the tool destroys"),
    ]
}

fn finding(check: &'static str, title: &'static str, severity: Severity) -> FindingReport {
    FindingReport {
        id: "0123456789abcdef".to_owned(),
        check,
        title,
        topic: Topic::of(check),
        facet: Facet::Protocol,
        class: None,
        cwe: None,
        owasp: None,
        severity,
        outcome: Outcome::Fail,
        standing: Standing::Observed,
        confidence: Confidence::High,
        grade: Some(0.0),
        subject: Subject::Server,
        requirement: None,
        source: None,
        says: String::new(),
        fix: None,
        proof: None,
        reproduce: None,
        seen_in: Vec::new(),
        measure: None,
        settled: Settled::default(),
    }
}

fn findings() -> Vec<FindingReport> {
    let unknown = finding(
        "errors/unknown-tool",
        "An unknown tool is refused with an error",
        Severity::Medium,
    );
    let injection =
        finding("security/command-injection", "Arguments never reach a shell", Severity::Critical);
    let naming = finding("usability/naming", "Tool names follow one style", Severity::Low);
    let mut all = vec![
        FindingReport {
            says: "answered a call of `no_such_tool` with a result and no error: \"ok\"".to_owned(),
            fix: Some("answer with code -32602 and a message that names the tool".to_owned()),
            seen_in: vec![ExchangeId(17)],
            ..unknown
        },
        FindingReport {
            class: Some(Class::CommandInjection),
            cwe: Some(Class::CommandInjection.cwe()),
            owasp: Some(Class::CommandInjection.owasp()),
            reproduce: Some(
                "proofmark call --tool move_file --arguments '{\"from\":\"a;b\"}' -- ./server"
                    .to_owned(),
            ),
            standing: Standing::Proven,
            subject: Subject::param("move_file", "/from"),
            says: "the shell computed 7919 × 104729 and its product came back".to_owned(),
            fix: Some("start the program with an argument list, without a shell".to_owned()),
            seen_in: vec![ExchangeId(201)],
            ..injection.clone()
        },
        FindingReport {
            standing: Standing::Suspected,
            subject: Subject::tool_named("list_files"),
            says: "an error message quotes a shell: \"sh: 1: Syntax error\"".to_owned(),
            ..injection.clone()
        },
        FindingReport {
            outcome: Outcome::Unseen,
            grade: None,
            subject: Subject::tool_named("delete_file"),
            says: "not called: the tool destroys, this run only allows what reads".to_owned(),
            ..injection
        },
    ];
    all.extend((1..=5).map(|n| FindingReport {
        subject: Subject::tool_named(&format!("tool{n}")),
        says: format!("`tool{n}` is written without separators, most others use snake_case"),
        fix: Some("name all tools in snake_case".to_owned()),
        ..naming.clone()
    }));
    all.push(FindingReport {
        outcome: Outcome::Pass,
        grade: Some(1.0),
        says: "read_file is snake_case".to_owned(),
        ..naming
    });
    for (n, finding) in all.iter_mut().enumerate() {
        finding.id = format!("{n:012x}");
    }
    all
}

fn recommendations() -> Vec<Recommendation> {
    let fix = |check, fix: &str, clears, gain, severity| Recommendation {
        check,
        fix: fix.to_owned(),
        clears,
        gain,
        severity,
    };
    vec![
        fix(
            "security/command-injection",
            "start the program with an argument list, without a shell",
            1,
            11.2,
            Severity::Critical,
        ),
        fix("errors/unknown-tool", "answer with code -32602", 1, 3.4, Severity::Medium),
        fix("usability/naming", "name all tools in snake_case", 5, 2.0, Severity::Low),
    ]
}
