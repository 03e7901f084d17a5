//! The report as directories of servers read it: four sections, few words.

use std::collections::BTreeMap;

use serde::Serialize;

use super::text::clean;
use crate::check::{Facet, Outcome};
use crate::report::{AreaReport, AreaStatus, Report, RequirementReport};
use crate::spec::{Level, Verdict};

/// Keys are those of the five-point assessment's directory report.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DirectoryReport {
    pub overall_assessment: Overall,
    /// By the areas of the rubric.
    pub category_breakdown: BTreeMap<String, Category>,
    pub compliance_status: Compliance,
    pub recommendations: Vec<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Overall {
    pub server: String,
    pub score: Option<f64>,
    pub status: String,
    /// Whether the directory rubric's top level is reached, whichever rubric the report is by.
    pub directory_ready: bool,
    pub confidence: f64,
    pub coverage: f64,
}

#[derive(Debug, Serialize)]
pub struct Category {
    pub score: Option<f64>,
    pub status: String,
}

#[derive(Debug, Serialize)]
pub struct Compliance {
    /// `mcp_2025_06_18` and so on, for each revision the server speaks.
    #[serde(flatten)]
    pub revisions: BTreeMap<String, Conformity>,
    /// `None`: could not be told.
    pub jsonrpc_compliance: Option<bool>,
    pub batch_rejection_tested: bool,
    pub structured_output_supported: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Conformity {
    FullyCompliant,
    /// Only what is recommended, or what is tolerated.
    PartiallyCompliant,
    NonCompliant,
    NotTested,
}

const RECOMMENDED: usize = 10;
const OUTPUT_SCHEMA: &str = "usability/output-schema";

pub fn directory(report: &Report) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string_pretty(&of(report))? + "\n")
}

pub(super) fn of(report: &Report) -> DirectoryReport {
    let ready = report.scores.get("directory").is_some_and(|s| s.level == "PASS");
    let areas = report.areas.iter().filter(|a| a.status != AreaStatus::Info);
    DirectoryReport {
        overall_assessment: Overall {
            server: clean(&report.server_name()),
            score: report.score,
            status: report.level.clone(),
            directory_ready: ready,
            confidence: report.confidence,
            coverage: report.coverage,
        },
        category_breakdown: areas.map(|a| (key(&a.id), category(a))).collect(),
        compliance_status: compliance(report),
        recommendations: report
            .recommendations
            .iter()
            .take(RECOMMENDED)
            .map(|r| clean(&r.fix))
            .collect(),
    }
}

/// The names of the white paper, in its spelling.
fn key(area: &str) -> String {
    if area == "errors" {
        return "errorHandling".to_owned();
    }
    let mut words = area.split('-');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |key, word| {
        let (head, tail) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        key + &head.to_uppercase() + tail
    })
}

fn category(area: &AreaReport) -> Category {
    let status = match (area.status, area.score) {
        (AreaStatus::NotApplicable, _) => "NOT_APPLICABLE".to_owned(),
        (AreaStatus::Unobserved | AreaStatus::Info, _) | (AreaStatus::Scored, None) => {
            "NOT_ASSESSED".to_owned()
        }
        (AreaStatus::Scored, Some(score)) => {
            area.level.clone().unwrap_or_else(|| banded(score).to_owned())
        }
    };
    Category { score: area.score, status }
}

/// The bands of the white paper.
fn banded(score: f64) -> &'static str {
    match score {
        s if s >= 75.0 => "PASS",
        s if s >= 50.0 => "REVIEW",
        _ => "FAIL",
    }
}

fn compliance(report: &Report) -> Compliance {
    let mut by_revision: BTreeMap<String, Vec<&RequirementReport>> = BTreeMap::new();
    for row in &report.requirements {
        let name = format!("mcp_{}", row.revision.as_str().replace('-', "_"));
        by_revision.entry(name).or_default().push(row);
    }
    let rpc = report.requirements.iter().filter(|r| r.level == Level::JsonRpc);
    let rpc: Vec<Verdict> =
        rpc.map(|r| r.verdict).filter(|v| matches!(v, Verdict::Pass | Verdict::Fail)).collect();
    let seen = |f: &&crate::report::FindingReport| f.outcome != Outcome::Unseen;
    let outputs = report.findings.iter().filter(seen).filter(|f| f.check == OUTPUT_SCHEMA);
    let outputs: Vec<Outcome> = outputs.map(|f| f.outcome).collect();
    Compliance {
        revisions: by_revision.into_iter().map(|(name, rows)| (name, conformity(&rows))).collect(),
        jsonrpc_compliance: (!rpc.is_empty()).then(|| !rpc.contains(&Verdict::Fail)),
        batch_rejection_tested: report
            .findings
            .iter()
            .filter(seen)
            .any(|f| f.facet == Facet::BatchRejection),
        structured_output_supported: (!outputs.is_empty())
            .then(|| outputs.contains(&Outcome::Pass)),
    }
}

fn conformity(rows: &[&RequirementReport]) -> Conformity {
    let failed = rows.iter().filter(|r| r.verdict == Verdict::Fail);
    let binding = |r: &&&RequirementReport| match r.level {
        Level::Must | Level::JsonRpc | Level::Schema => true,
        Level::Should | Level::Information => false,
    };
    if failed.clone().any(|r| binding(&r)) {
        Conformity::NonCompliant
    } else if failed.count() > 0 || rows.iter().any(|r| r.partial) {
        Conformity::PartiallyCompliant
    } else if rows.iter().any(|r| r.verdict == Verdict::Pass) {
        Conformity::FullyCompliant
    } else {
        Conformity::NotTested
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{golden, hostile};

    #[test]
    fn the_golden_report_for_directories() {
        insta::assert_snapshot!(directory(&golden::report()).unwrap());
    }

    #[test]
    fn the_check_of_output_schemas_is_there() {
        assert!(crate::checks::find(OUTPUT_SCHEMA).is_some());
    }

    #[test]
    fn areas_are_called_as_the_white_paper_calls_them() {
        assert_eq!(key("errors"), "errorHandling");
        assert_eq!(key("spec-compliance"), "specCompliance");
    }

    #[test]
    fn a_server_that_stayed_away_is_not_ready_and_not_compliant() {
        let of = of(&Report { scores: BTreeMap::new(), ..golden::down() });
        assert!(!of.overall_assessment.directory_ready && of.overall_assessment.score.is_none());
        assert_eq!(of.compliance_status.jsonrpc_compliance, None);
        assert_eq!(of.compliance_status.structured_output_supported, None);
    }

    #[test]
    fn hostile_text_is_shown_in_visible_characters() {
        let text = directory(&hostile::report()).unwrap();
        hostile::assert_no_controls(&text.replace('\n', ""));
        assert!(!text.contains("\\u001b") && text.contains("\\\\x1b[31m"), "{text}");
    }
}
