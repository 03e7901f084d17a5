//! The report as JUnit XML: a suite for each topic, a case for each finding.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::escape::xml;
use crate::check::{Outcome, Standing, Topic};
use crate::evidence::Startup;
use crate::report::{FindingReport, Report};

/// What a case comes to.
enum Case<'a> {
    Passed,
    /// The element that tells how.
    Failed(String),
    /// The reason why it is no verdict.
    Skipped(String),
    Error(&'a str),
}

/// What stands in one suite.
#[derive(Default)]
struct Suite {
    cases: String,
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
}

pub fn junit(report: &Report) -> String {
    let mut suites: BTreeMap<&str, Suite> = BTreeMap::new();
    let start = started(&report.startup);
    suites.entry("startup").or_default().add("proofmark.startup", "The server comes up", &start);
    for gate in &report.gates {
        let case = match (gate.met, gate.required) {
            (true, _) => Case::Passed,
            (false, true) => Case::Failed(missed(&gate.says)),
            (false, false) => Case::Skipped(format!("missed, not required: {}", gate.says)),
        };
        suites.entry("gates").or_default().add("proofmark.gates", &gate.gate, &case);
    }
    for topic in Topic::ALL {
        for finding in report.findings.iter().filter(|f| f.topic == *topic) {
            let class = format!("proofmark.{}", finding.check.replace('/', "."));
            let name = format!("{}: {} [{}]", finding.title, finding.subject, finding.id);
            let suite = suites.entry(topic.as_str()).or_default();
            suite.add(&class, &name, &case(finding));
        }
    }
    let all = |of: fn(&Suite) -> usize| suites.values().map(of).sum::<usize>();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        out,
        "<testsuites name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">",
        xml(&format!("proofmark: {}", report.server_name())),
        all(|s| s.tests),
        all(|s| s.failures),
        all(|s| s.errors),
    );
    for (name, suite) in &suites {
        let _ = writeln!(
            out,
            "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">",
            suite.tests, suite.failures, suite.errors, suite.skipped
        );
        out.push_str(&suite.cases);
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

impl Suite {
    fn add(&mut self, class: &str, name: &str, case: &Case<'_>) {
        self.tests += 1;
        let (class, name) = (xml(class), xml(name));
        let _ = write!(self.cases, "    <testcase classname=\"{class}\" name=\"{name}\"");
        match case {
            Case::Passed => self.cases.push_str("/>\n"),
            Case::Skipped(why) => {
                self.skipped += 1;
                let _ = writeln!(
                    self.cases,
                    ">\n      <skipped message=\"{}\"/>\n    </testcase>",
                    xml(why)
                );
            }
            Case::Error(why) => {
                self.errors += 1;
                let why = xml(why);
                let _ = writeln!(
                    self.cases,
                    ">\n      <error type=\"startup\" message=\"{why}\"/>\n    </testcase>"
                );
            }
            Case::Failed(how) => {
                self.failures += 1;
                let _ = writeln!(self.cases, ">\n      {how}\n    </testcase>");
            }
        }
    }
}

fn missed(says: &str) -> String {
    format!("<failure type=\"gate\" message=\"{}\"/>", xml(says))
}

fn failure(finding: &FindingReport) -> String {
    let (says, severity) = (xml(&finding.says), finding.severity);
    let lines = [
        ("fix", finding.fix.as_deref()),
        ("standing", Some(finding.standing.as_str())),
        ("weakness", finding.cwe),
        ("requirement", finding.requirement),
        ("again", finding.reproduce.as_deref()),
    ];
    let told = lines.into_iter().filter_map(|(key, value)| Some(format!("{key}: {}", xml(value?))));
    let told = told.collect::<Vec<_>>().join("\n");
    format!("<failure type=\"{severity}\" message=\"{says}\">{told}</failure>")
}

fn case(finding: &FindingReport) -> Case<'static> {
    match (finding.outcome, &finding.settled.suppressed, finding.standing) {
        (Outcome::Pass, ..) => Case::Passed,
        (Outcome::Unseen, ..) => Case::Skipped(format!("not seen: {}", finding.says)),
        (Outcome::Fail, Some(reason), _) => Case::Skipped(format!("suppressed: {reason}")),
        (Outcome::Fail, None, Standing::Suspected) => {
            Case::Skipped(format!("for review, not scored: {}", finding.says))
        }
        (Outcome::Fail, None, Standing::Observed | Standing::Proven) => {
            Case::Failed(failure(finding))
        }
    }
}

fn started(startup: &Startup) -> Case<'_> {
    match startup {
        Startup::Up { .. } => Case::Passed,
        Startup::NotTried => Case::Skipped("not started: only the source was read".to_owned()),
        Startup::Down { says, .. } => Case::Error(says),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{golden, hostile};

    #[test]
    fn the_golden_report_as_junit() {
        insta::assert_snapshot!(junit(&golden::report()));
    }

    #[test]
    fn a_server_that_stayed_away_is_an_error_and_nothing_passes() {
        let text = junit(&golden::down());
        assert!(text.contains("<error type=\"startup\" message=\"it ended with code 1"), "{text}");
        assert!(!text.contains("\"/>\n  </testsuite>") || text.contains("skipped"), "{text}");
    }

    #[test]
    fn hostile_text_adds_no_element() {
        let names = |text: &str| {
            let parts = text.split('<').skip(1);
            parts.map(|p| p.split([' ', '>', '/']).next().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let text = junit(&hostile::report());
        let known = ["?xml", "", "testsuites", "testsuite", "testcase", "failure", "skipped"];
        for name in names(&text) {
            assert!(known.contains(&name.as_str()), "{name}");
        }
        hostile::assert_no_controls(&text.replace('\n', ""));
        assert!(text.contains("&lt;script&gt;alert(1)"), "{text}");
    }
}
