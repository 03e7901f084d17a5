//! Source files that have grown beyond what anybody reviews.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, FileLines, Subject};

pub(super) const CHECK: Check = Check {
    id: "policy/file-size",
    title: "Source files are short enough to review",
    facet: Facet::Policy,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("file_size.md"),
    judge,
};

/// Beyond these many lines a file counts half, or fails.
const LONG: u32 = 1_000;
const ENDLESS: u32 = 2_000;

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let Some(source) = &evidence.source else {
        let why = "no source was found to read (give it with --source DIR)";
        return vec![Finding::unseen(Subject::Server, why)];
    };
    // What is installed was built; the size of a bundle says nothing about its source.
    let Some(sizes) = &source.sizes else { return Vec::new() };
    let mut findings: Vec<Finding> =
        sizes.long.iter().filter(|file| file.lines > LONG).map(verdict).collect();
    if sizes.files > 0 && findings.is_empty() {
        let says = format!("none of {} source files is longer than {LONG} lines", sizes.files);
        findings.push(Finding::pass(Subject::Server, says));
    }
    findings
}

fn verdict(file: &FileLines) -> Finding {
    let grade = if file.lines > ENDLESS { Grade::FAIL } else { Grade::new(0.5) };
    let subject = Subject::File { file: file.path.clone(), line: None };
    let says = format!("{} lines in one file", file.lines);
    Finding::partial(
        subject,
        grade,
        says,
        "split it by what changes together, such as one file for each tool",
    )
}
