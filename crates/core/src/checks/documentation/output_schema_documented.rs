//! Structured results that the README keeps quiet about.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::readme::Readme;

pub(super) const CHECK: Check = Check {
    id: "documentation/output-schema-documented",
    title: "The README says what the tools return",
    facet: Facet::ModernDocs,
    severity: Severity::Info,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("output_schema_documented.md"),
    judge,
};

const HEADINGS: &[&str] = &["output", "return", "response", "result", "structured"];
const WORDS: &[&str] = &[
    "outputschema",
    "output schema",
    "structured content",
    "structuredcontent",
    "structured output",
];
const HINTS: &[&str] = &["returns", "return value", "response format", "output:"];

fn judge(evidence: &Evidence) -> Vec<Finding> {
    const FIX: &str =
        "describe the fields that each tool with an `outputSchema` returns, with an example";
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let with_schema =
        evidence.tools().filter(|t| t.output_schema.is_some() && !t.wraps_output()).count();
    if with_schema == 0 {
        return Vec::new();
    }
    let readme = match Readme::of(evidence) {
        Ok(readme) => readme,
        Err(why) => return vec![Finding::unseen(Subject::Server, why)],
    };
    let prose = readme.prose.to_lowercase();
    let mentions = |words: &[&str]| words.iter().any(|w| prose.contains(w));
    vec![if readme.has_heading(HEADINGS) || mentions(WORDS) {
        Finding::pass(Subject::Server, "the README describes what tools return")
    } else if mentions(HINTS) {
        let says = "the README mentions returned values in passing";
        Finding::partial(Subject::Server, Grade::new(0.5), says, FIX)
    } else {
        let says = format!(
            "tools with an output schema: {with_schema}; the README says nothing of what they return"
        );
        Finding::fail(Subject::Server, says, FIX)
    }]
}
