//! Tools that do not say whether they read, write or destroy.

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Subject, Tool};
use crate::revision::Revision;

pub(super) const CHECK: Check = Check {
    id: "policy/annotations-present",
    title: "Every tool carries behaviour hints",
    facet: Facet::Annotations,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("annotations_present.md"),
    judge,
};

const HINTS: &[&str] = &["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    // The first revision has no annotations; that it is old is judged elsewhere.
    if evidence.revision().is_some_and(|r| r < Revision::V2025_03_26) {
        return Vec::new();
    }
    evidence.tools().map(verdict).collect()
}

fn verdict(tool: &Tool) -> Finding {
    const FIX: &str = "set `annotations` with `readOnlyHint`, and for tools that write `destructiveHint` and `idempotentHint`, as booleans";
    let subject = Subject::tool_named(&tool.name);
    let given = |name: &&&str| tool.annotations.as_ref().is_some_and(|a| a.get(**name).is_some());
    let hints: Vec<&str> = HINTS.iter().filter(given).copied().collect();
    let untyped: Vec<&str> = hints.iter().filter(|h| tool.hint(h).is_none()).copied().collect();
    if hints.is_empty() {
        Finding::fail(subject, "none of the four hints is given", FIX)
    } else if !untyped.is_empty() {
        Finding::fail(subject, format!("not a boolean: {}", untyped.join(", ")), FIX)
    } else {
        Finding::pass(subject, format!("gives {}", hints.join(", ")))
    }
}
