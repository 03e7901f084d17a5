//! The report for those who buy or admit servers: the directory report, with risks, what bears on
//! regulation, and how fast the server answers.

use serde::Serialize;

use super::directory::{self, DirectoryReport};
use super::text::{clean, count};
use crate::check::{Class, Severity, Topic};
use crate::report::{FindingReport, Report, by_check};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Enterprise {
    #[serde(flatten)]
    directory: DirectoryReport,
    risk_assessment: Risks,
    compliance_matrix: Matrix,
    performance_benchmarks: Benchmarks,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Risks {
    overall_risk: Risk,
    risk_factors: Vec<String>,
    mitigation_strategies: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum Risk {
    Low,
    Medium,
    High,
    /// Nothing was seen: that is not a low risk.
    Unknown,
}

#[derive(Debug, Serialize)]
struct Matrix {
    gdpr: Standing,
    ccpa: Standing,
    hipaa: Standing,
    sox: Standing,
}

/// No assessment of a server shows that somebody complies with a law; it can show that they do not.
#[derive(Debug, Serialize)]
struct Standing {
    status: Status,
    because: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum Status {
    Concerns,
    NotAssessed,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Benchmarks {
    /// Ordinary calls per second in this run; `None`: none was answered.
    throughput: Option<f64>,
    /// Milliseconds: the medians of the tools, by their calls.
    latency: Option<f64>,
    /// Milliseconds: the slowest tool's.
    latency_p95: Option<f64>,
    resource_usage: Resources,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Resources {
    startup_ms: Option<f64>,
}

/// What leaks data about people.
const DISCLOSING: &[Class] = &[
    Class::SecretLeak,
    Class::InfoDisclosure,
    Class::CrossToolExfiltration,
    Class::MissingAuth,
    Class::Cleartext,
    Class::PathTraversal,
    Class::SqlInjection,
    Class::NosqlInjection,
];

/// What lets records be changed unseen.
const TAMPERING: &[Class] = &[
    Class::MissingAuth,
    Class::ExcessivePermissions,
    Class::AnnotationDeception,
    Class::RugPull,
    Class::CommandInjection,
    Class::CodeInjection,
    Class::SqlInjection,
];

pub fn enterprise(report: &Report) -> Result<String, serde_json::Error> {
    let disclosing = || concerns(report, DISCLOSING, &["security/personal-data"]);
    let whole = Enterprise {
        directory: directory::of(report),
        risk_assessment: risks(report),
        compliance_matrix: Matrix {
            gdpr: disclosing(),
            ccpa: disclosing(),
            hipaa: disclosing(),
            sox: concerns(report, TAMPERING, &[]),
        },
        performance_benchmarks: benchmarks(report),
    };
    Ok(serde_json::to_string_pretty(&whole)? + "\n")
}

fn risks(report: &Report) -> Risks {
    let risky = |f: &&FindingReport| match f.topic {
        Topic::Security | Topic::SupplyChain | Topic::Policy => f.severity >= Severity::Medium,
        Topic::Functionality
        | Topic::Protocol
        | Topic::Errors
        | Topic::Documentation
        | Topic::Usability
        | Topic::Performance => f.severity >= Severity::High,
    };
    let groups = by_check(report.failures().filter(risky));
    let worst = groups.iter().flatten().map(|f| f.severity).max();
    let fixes = groups.iter().filter_map(|g| g.iter().find_map(|f| f.fix.as_deref()));
    Risks {
        overall_risk: match (report.score, worst) {
            (None, _) => Risk::Unknown,
            (Some(_), Some(Severity::Critical | Severity::High)) => Risk::High,
            (Some(_), Some(Severity::Medium | Severity::Low | Severity::Info)) => Risk::Medium,
            // Half unseen is not known to be harmless.
            (Some(_), None) if report.coverage < 50.0 => Risk::Medium,
            (Some(_), None) => Risk::Low,
        },
        mitigation_strategies: fixes.map(clean).collect(),
        risk_factors: groups.iter().filter_map(|g| factor(g)).collect(),
    }
}

fn factor(group: &[&FindingReport]) -> Option<String> {
    let first = group.first()?;
    let places = match group.len() {
        1 => String::new(),
        n => format!(" and {}", count(n - 1, "other place")),
    };
    let text =
        format!("{} {}: at {}{places}: {}", first.severity, first.check, first.subject, first.says);
    Some(clean(&text))
}

fn concerns(report: &Report, classes: &[Class], checks: &[&str]) -> Standing {
    let bears = |f: &&FindingReport| {
        f.class.is_some_and(|c| classes.contains(&c)) || checks.contains(&f.check)
    };
    let because: Vec<String> =
        by_check(report.failures().filter(bears)).iter().filter_map(|g| factor(g)).collect();
    let status = if because.is_empty() { Status::NotAssessed } else { Status::Concerns };
    Standing { status, because }
}

fn benchmarks(report: &Report) -> Benchmarks {
    let timed = report.tools.iter().filter_map(|t| Some((t.calls as f64, t.latency_ms?)));
    let calls: f64 = timed.clone().map(|(calls, _)| calls).sum();
    let sum: f64 = timed.clone().map(|(calls, l)| calls * l.p50).sum();
    Benchmarks {
        throughput: report.timings.calls_per_second,
        latency: (calls > 0.0).then(|| (sum / calls * 1000.0).round() / 1000.0),
        latency_p95: timed.map(|(_, l)| l.p95).max_by(f64::total_cmp),
        resource_usage: Resources { startup_ms: report.timings.startup_ms },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{golden, hostile};
    use crate::report::Latency;
    use serde_json::Value;

    fn read(report: &Report) -> Value {
        serde_json::from_str(&enterprise(report).unwrap()).unwrap()
    }

    #[test]
    fn the_golden_report_for_enterprises() {
        insta::assert_snapshot!(enterprise(&golden::report()).unwrap());
    }

    #[test]
    fn nothing_seen_is_no_low_risk_and_no_law_is_ever_called_kept() {
        let down = read(&golden::down());
        assert_eq!(down["riskAssessment"]["overallRisk"], "UNKNOWN");
        assert_eq!(down["complianceMatrix"]["gdpr"]["status"], "NOT_ASSESSED");
        let clean = Report { findings: Vec::new(), ..golden::report() };
        assert_eq!(read(&clean)["riskAssessment"]["overallRisk"], "LOW");
        let unseen = Report { coverage: 20.0, ..clean };
        assert_eq!(read(&unseen)["riskAssessment"]["overallRisk"], "MEDIUM");
    }

    #[test]
    fn latency_is_weighed_by_calls() {
        let mut report = golden::report();
        for (tool, p50) in report.tools.iter_mut().zip([10.0, 40.0]) {
            tool.latency_ms = Some(Latency { p50, p95: p50 * 2.0, max: p50 * 3.0 });
        }
        report.tools[1].calls = 24;
        let marks = &read(&report)["performanceBenchmarks"];
        assert_eq!((&marks["latency"], &marks["latencyP95"]), (&30.0.into(), &80.0.into()));
    }

    #[test]
    fn hostile_text_is_shown_in_visible_characters() {
        let text = enterprise(&hostile::report()).unwrap();
        hostile::assert_no_controls(&text.replace('\n', ""));
        assert!(!text.contains("\\u001b"), "{text}");
    }
}
