//! The report as SARIF 2.1.0: failures as results, suspicions for review, what was not seen as
//! notifications of the run.

mod shape;

use std::collections::{BTreeMap, BTreeSet};

use self::shape::{
    Artifact, Automation, Configuration, Driver, Invocation, Location, Log, Logical, Message,
    Notification, Outcome, Physical, Properties, Region, Rule, RuleProperties, RuleReference, Run,
    Suppression, Tool,
};
use super::escape;
use super::text::clean;
use crate::check::{self, Severity, Standing, Topic};
use crate::evidence::{Startup, Subject};
use crate::report::{FindingReport, Report};
use crate::sieve::Novelty;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

pub fn sarif(report: &Report) -> Result<String, serde_json::Error> {
    let failed: Vec<&FindingReport> =
        report.findings.iter().filter(|f| f.outcome == check::Outcome::Fail).collect();
    let mut first: BTreeMap<&str, &FindingReport> = BTreeMap::new();
    for finding in failed.iter().copied().chain(report.unseen()) {
        first.entry(finding.check).or_insert(finding);
    }
    let places: BTreeMap<&str, usize> =
        first.keys().enumerate().map(|(n, check)| (*check, n)).collect();
    let results = failed.iter().map(|f| result(f, places.get(f.check).copied().unwrap_or(0)));
    let log = Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "Proofmark",
                    version: &report.proofmark,
                    semantic_version: &report.proofmark,
                    rules: first.values().map(|f| rule(f)).collect(),
                },
            },
            automation_details: Automation { id: run_id(report) },
            invocations: [invocation(report)],
            results: results.collect(),
            column_kind: "unicodeCodePoints",
        }],
    };
    Ok(serde_json::to_string_pretty(&log)? + "\n")
}

/// Forges tell runs of several servers in one repository apart by it.
fn run_id(report: &Report) -> String {
    format!("proofmark/{}/", escape::uri(&clean(&report.server_name())))
}

fn rule(finding: &FindingReport) -> Rule {
    let known = finding.owasp.into_iter().flatten().map(|id| (*id).to_owned());
    let weakness = finding.cwe.map(|cwe| format!("external/cwe/{}", cwe.to_lowercase()));
    let own = [finding.topic.as_str(), finding.facet.as_str()].map(str::to_owned);
    // A facet may be called like its topic; the standard wants each tag once.
    let tags: BTreeSet<String> = own.into_iter().chain(weakness).chain(known).collect();
    let security = finding.topic == Topic::Security;
    Rule {
        id: finding.check,
        name: pascal(finding.check),
        short_description: message(finding.title),
        help: message(&format!(
            "`proofmark explain {}` tells why and how to fix it",
            finding.check
        )),
        default_configuration: Configuration { level: level(finding.severity) },
        properties: RuleProperties {
            tags,
            security_severity: security.then(|| points(finding.severity)),
        },
    }
}

fn result(finding: &FindingReport, rule_index: usize) -> Outcome<'_> {
    let suspected = finding.standing == Standing::Suspected;
    let mut text = clean(&format!("{}: {}", finding.subject, finding.says));
    if let Some(fix) = &finding.fix {
        text.push_str(&format!("\nFix: {}", clean(fix)));
    }
    let reason = finding.settled.suppressed.as_ref();
    Outcome {
        rule_id: finding.check,
        rule_index,
        // What is only suspected is no failure, and has no level by the standard.
        kind: if suspected { "review" } else { "fail" },
        level: if suspected { "none" } else { level(finding.severity) },
        message: message(&text),
        locations: [location(&finding.subject)],
        partial_fingerprints: BTreeMap::from([("proofmarkFinding/v1", finding.id.as_str())]),
        baseline_state: finding.settled.baseline.map(|novelty| match novelty {
            Novelty::Known => "unchanged",
            Novelty::New => "new",
        }),
        suppressions: reason
            .map(|r| Suppression { kind: "external", justification: clean(r) })
            .into_iter()
            .collect(),
        properties: Properties {
            severity: finding.severity.as_str(),
            standing: finding.standing.as_str(),
            confidence: finding.confidence.as_str(),
            fix: finding.fix.as_deref().map(clean),
            reproduce: finding.reproduce.as_deref().map(clean),
        },
    }
}

fn invocation(report: &Report) -> Invocation {
    let down = match &report.startup {
        Startup::Down { says, .. } => Some(Notification {
            level: "error",
            message: message(&clean(&format!("the server did not come up: {says}"))),
            associated_rule: None,
        }),
        Startup::Up { .. } | Startup::NotTried => None,
    };
    let unseen = report.unseen().map(|f| Notification {
        level: "note",
        message: message(&clean(&format!("not seen: {}: {}", f.subject, f.says))),
        associated_rule: Some(RuleReference { id: f.check }),
    });
    Invocation {
        execution_successful: down.is_none() && report.score.is_some(),
        tool_execution_notifications: down.into_iter().chain(unseen).collect(),
    }
}

fn location(subject: &Subject) -> Location {
    let logical = |kind, name: &str, path: String| Location {
        physical_location: None,
        logical_locations: vec![Logical {
            name: clean(name),
            fully_qualified_name: clean(&path),
            kind,
        }],
    };
    match subject {
        Subject::Server => logical("module", "server", "server".to_owned()),
        Subject::Tool { tool } => logical("function", tool, format!("tools/{tool}")),
        Subject::Param { tool, pointer } => {
            logical("parameter", pointer, format!("tools/{tool}{pointer}"))
        }
        Subject::Resource { uri } => logical("resource", uri, format!("resources/{uri}")),
        Subject::Prompt { prompt } => logical("function", prompt, format!("prompts/{prompt}")),
        Subject::File { file, line } => Location {
            physical_location: Some(Physical {
                artifact_location: Artifact {
                    uri: escape::uri(&clean(file)),
                    uri_base_id: "%SRCROOT%",
                },
                region: line.filter(|l| *l > 0).map(|start_line| Region { start_line }),
            }),
            logical_locations: Vec::new(),
        },
    }
}

/// In messages of SARIF brackets make links and braces make placeholders, unless told otherwise.
fn message(clean: &str) -> Message {
    let mut out = String::with_capacity(clean.len());
    for c in clean.chars() {
        match c {
            '[' | ']' | '\\' => out.extend(['\\', c]),
            '{' | '}' => out.extend([c, c]),
            c => out.push(c),
        }
    }
    Message { text: out }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical | Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low | Severity::Info => "note",
    }
}

fn points(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "9.5",
        Severity::High => "8.0",
        Severity::Medium => "5.5",
        Severity::Low => "3.0",
        Severity::Info => "0.0",
    }
}

/// `errors/unknown-tool` as a name for programs.
fn pascal(id: &str) -> String {
    let words = id.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty());
    words.map(|w| w[..1].to_uppercase() + &w[1..]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{golden, hostile};
    use serde_json::Value;

    fn read(report: &Report) -> Value {
        serde_json::from_str(&sarif(report).unwrap()).unwrap()
    }

    #[test]
    fn the_golden_report_as_sarif() {
        insta::assert_snapshot!(sarif(&golden::report()).unwrap());
    }

    #[test]
    fn files_have_places_and_everything_else_has_a_name() {
        let file = location(&Subject::File { file: "src/a b.py".to_owned(), line: Some(7) });
        let place = file.physical_location.unwrap();
        assert_eq!(place.artifact_location.uri, "src/a%20b.py");
        assert_eq!(place.region.unwrap().start_line, 7);
        let param = location(&Subject::param("move", "/from"));
        assert_eq!(param.logical_locations[0].fully_qualified_name, "tools/move/from");
    }

    #[test]
    fn a_server_that_stayed_away_is_no_successful_run() {
        let log = read(&golden::down());
        let invocation = &log["runs"][0]["invocations"][0];
        assert_eq!(invocation["executionSuccessful"], false);
        assert_eq!(invocation["toolExecutionNotifications"][0]["level"], "error");
    }

    #[test]
    fn hostile_text_makes_no_link_and_no_placeholder() {
        let text = sarif(&hostile::report()).unwrap();
        hostile::assert_no_controls(&text.replace('\n', ""));
        let log = read(&hostile::report());
        let message = log["runs"][0]["results"][0]["message"]["text"].as_str().unwrap();
        assert!(message.contains("\\[see\\](1) {{0}}"), "{message}");
        assert!(message.lines().all(|l| !l.starts_with('#')), "{message}");
    }
}
