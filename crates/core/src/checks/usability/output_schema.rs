//! Tools that do not say what they return.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::revision::Revision;

pub(super) const CHECK: Check = Check {
    id: "usability/output-schema",
    title: "Every tool declares the shape of what it returns",
    facet: Facet::ModernFeatures,
    severity: Severity::Info,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("output_schema.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    if evidence.tools().next().is_none() {
        return Vec::new();
    }
    if let Some(old) = evidence.revision().filter(|r| *r < Revision::V2025_06_18) {
        let says = format!("speaks {old}, which has no `outputSchema`");
        let fix = "speak 2025-06-18 or newer and declare what each tool returns";
        return vec![Finding::fail(Subject::Server, says, fix)];
    }
    let verdicts = evidence.tools().map(|tool| {
        let subject = Subject::tool_named(&tool.name);
        match &tool.output_schema {
            Some(_) if tool.wraps_output() => Finding::partial(
                subject,
                // Half would reach what rubrics ask of most tools, without a word about the data.
                Grade::new(0.25),
                "`outputSchema` only wraps a value in `result` and names no field of it, as SDKs do by themselves",
                "return an object with named fields and declare them",
            ),
            Some(schema) if schema.is_object() => Finding::pass(subject, "declares `outputSchema`"),
            Some(_) => Finding::fail(
                subject,
                "`outputSchema` is not an object",
                "make `outputSchema` a JSON Schema object, or leave it out",
            ),
            None => Finding::fail(
                subject,
                "declares no `outputSchema`",
                "declare `outputSchema` and return the same data in `structuredContent`",
            ),
        }
    });
    verdicts.collect()
}
