//! The findings as CSV: one line each, in the order of the report.

use super::escape;
use crate::report::{FindingReport, Report};

const COLUMNS: [&str; 14] = [
    "id",
    "outcome",
    "standing",
    "severity",
    "confidence",
    "check",
    "subject",
    "class",
    "cwe",
    "requirement",
    "says",
    "fix",
    "settled",
    "seen_in",
];

/// Lines end as RFC 4180 has it.
pub fn csv(report: &Report) -> String {
    let mut out = COLUMNS.join(",") + "\r\n";
    for finding in &report.findings {
        let fields = fields(finding).map(|field| escape::csv(&field));
        out.push_str(&fields.join(","));
        out.push_str("\r\n");
    }
    out
}

fn fields(finding: &FindingReport) -> [String; COLUMNS.len()] {
    let settled = match (&finding.settled.suppressed, finding.settled.hidden) {
        (Some(reason), _) => format!("suppressed: {reason}"),
        (None, true) => "hidden".to_owned(),
        (None, false) => String::new(),
    };
    let seen: Vec<String> = finding.seen_in.iter().map(ToString::to_string).collect();
    [
        finding.id.clone(),
        finding.outcome.as_str().to_owned(),
        finding.standing.as_str().to_owned(),
        finding.severity.as_str().to_owned(),
        finding.confidence.as_str().to_owned(),
        finding.check.to_owned(),
        finding.subject.to_string(),
        finding.class.map(|c| c.as_str().to_owned()).unwrap_or_default(),
        finding.cwe.unwrap_or_default().to_owned(),
        finding.requirement.unwrap_or_default().to_owned(),
        finding.says.clone(),
        finding.fix.clone().unwrap_or_default(),
        settled,
        seen.join(" "),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{golden, hostile};

    #[test]
    fn the_golden_report_as_csv() {
        insta::assert_snapshot!(csv(&golden::report()));
    }

    /// A reader of its own, after RFC 4180.
    fn rows(text: &str) -> Vec<Vec<String>> {
        let lines = text.strip_suffix("\r\n").unwrap().split("\r\n").skip(1);
        let fields = |line: &str| {
            let inner = line.strip_prefix('"').unwrap().strip_suffix('"').unwrap();
            inner.split("\",\"").map(|f| f.replace("\"\"", "\"")).collect()
        };
        lines.map(fields).collect()
    }

    #[test]
    fn hostile_text_stays_in_its_field_and_is_no_formula() {
        let text = csv(&hostile::report());
        let rows = rows(&text);
        assert_eq!(rows.len(), hostile::report().findings.len());
        for row in &rows {
            assert_eq!(row.len(), COLUMNS.len(), "{row:?}");
            assert!(row.iter().all(|f| !f.starts_with(['=', '+', '-', '@', '\t'])), "{row:?}");
        }
        hostile::assert_no_controls(&text.replace("\r\n", ""));
        assert!(rows.iter().flatten().any(|f| f.starts_with("'=HYPERLINK")), "{text}");
    }
}
