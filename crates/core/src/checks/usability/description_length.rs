//! Descriptions so long that they crowd out the others.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "usability/description-length",
    title: "No description is longer than a model needs",
    facet: Facet::Practice,
    severity: Severity::Info,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("description_length.md"),
    judge,
};

/// About 500 tokens of English.
const LONGEST: usize = 2_000;

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let lengths: Vec<(&str, usize)> = evidence
        .tools()
        .map(|t| (t.name.as_str(), t.description.as_deref().unwrap_or_default().chars().count()))
        .collect();
    let long: Vec<String> = lengths
        .iter()
        .filter(|(_, length)| *length > LONGEST)
        .map(|(name, length)| format!("{name} ({length})"))
        .collect();
    if lengths.is_empty() {
        return Vec::new();
    }
    if long.is_empty() {
        let says = format!("all descriptions have {LONGEST} characters or less");
        return vec![Finding::pass(Subject::Server, says)];
    }
    let says = format!("longer than {LONGEST} characters: {}", quote(&long.join(", ")));
    let fix = "keep in the description what decides whether to call the tool; move manuals, tables and examples into a resource or a prompt";
    let share = (lengths.len() - long.len()) as f64 / lengths.len() as f64;
    vec![Finding::partial(Subject::Server, Grade::new(share), says, fix)]
}
