//! Structured results that the README keeps quiet about.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject, Tool};
use crate::readme::{Kind, Readme, holds_word};
use crate::response::quote;

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
const HINTS: &[&str] = &["return", "output", "respon", "result", "yield"];
const FIX: &str =
    "describe the fields that each tool with an `outputSchema` returns, with an example";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let tools: Vec<&Tool> =
        evidence.tools().filter(|t| t.output_schema.is_some() && !t.wraps_output()).collect();
    if tools.is_empty() {
        return Vec::new();
    }
    let readme = match Readme::of(evidence) {
        Ok(readme) => readme,
        Err(why) => return vec![Finding::unseen(Subject::Server, why)],
    };
    let prose = readme.prose.to_lowercase();
    // Who speaks of structured results at all speaks of those of all tools.
    if WORDS.iter().any(|w| prose.contains(w)) {
        return vec![Finding::pass(Subject::Server, "the README speaks of structured results")];
    }
    let grades: Vec<f64> = tools.iter().map(|tool| told(&readme, evidence, tool)).collect();
    let (sum, all) = (grades.iter().sum::<f64>(), tools.len());
    let quiet: Vec<&str> = tools
        .iter()
        .zip(&grades)
        .filter(|(_, g)| **g < 1.0)
        .map(|(t, _)| t.name.as_str())
        .collect();
    vec![if quiet.is_empty() {
        Finding::pass(Subject::Server, "the README describes what tools return")
    } else {
        let says = format!(
            "tools with an output schema: {all}; the README does not describe what comes back from {}",
            quote(&quiet.join(", "))
        );
        Finding::partial(Subject::Server, Grade::new(sum / all as f64), says, FIX)
    }]
}

/// Full where the tool is described, or under a heading about output that names it; half for a
/// mention in passing.
fn told(readme: &Readme, evidence: &Evidence, tool: &Tool) -> f64 {
    let name = tool.name.as_str();
    let other = |head: &str| head != name && evidence.tool(head).is_some();
    let called = [Some(name), readme.misspelt(name)];
    let mut regions = called
        .into_iter()
        .flatten()
        .flat_map(|called| readme.about(called))
        .map(|item| readme.text.get(readme.region(item, &other)).unwrap_or_default());
    let headings = readme.items.iter().filter(|i| matches!(i.kind, Kind::Heading { .. }));
    let mut outputs = headings
        .filter(|h| HEADINGS.iter().any(|w| h.head.to_lowercase().contains(w)))
        .map(|h| readme.text_of(h));
    let hints = |text: &str| HINTS.iter().any(|w| text.to_lowercase().contains(w));
    if regions.any(|text| hints(text) || text.contains("->") || names_fields(tool, text))
        || outputs.any(|text| holds_word(text, name))
    {
        return 1.0;
    }
    let passing = readme.text.lines().any(|line| holds_word(line, name) && hints(line));
    if passing { 0.5 } else { 0.0 }
}

/// At least half of what it returns, by name.
fn names_fields(tool: &Tool, text: &str) -> bool {
    let properties = tool.output_schema.as_ref().and_then(|s| s.get("properties")?.as_object());
    let all = properties.map_or(0, serde_json::Map::len);
    let named = properties.into_iter().flatten().filter(|(field, _)| holds_word(text, field));
    all > 0 && named.count() * 2 >= all
}
