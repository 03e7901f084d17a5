//! Tools without a description worth the name.

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Subject, Tool};
use crate::probe::words;
use crate::response::quote;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "usability/description-present",
    title: "Every tool says what it does",
    facet: Facet::Descriptions,
    severity: Severity::Medium,
    class: None,
    requirements: &[served("TOOL-32")],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("description_present.md"),
    judge,
};

const SHORTEST: usize = 20;

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    evidence.tools().map(verdict).collect()
}

fn verdict(tool: &Tool) -> Finding {
    const FIX: &str =
        "say in one or two sentences what the tool does, when to use it and what it returns";
    let subject = Subject::tool_named(&tool.name);
    let text = tool.description.as_deref().unwrap_or_default().trim();
    let length = text.chars().count();
    if text.is_empty() {
        Finding::fail(subject, "has no description", FIX)
    } else if words(text) == words(&tool.name) {
        let says = format!("its description only repeats its name: \"{}\"", quote(text));
        Finding::fail(subject, says, FIX)
    } else if length < SHORTEST {
        let says = format!("its description has {length} characters: \"{}\"", quote(text));
        Finding::fail(subject, says, FIX)
    } else {
        Finding::pass(subject, format!("described in {length} characters"))
    }
}
