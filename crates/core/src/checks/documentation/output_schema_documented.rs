//! Structured results that the README keeps quiet about.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject, Tool};
use crate::readme::{Item, Kind, Readme, holds_word};
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
/// What a line about the answer begins with.
const LEADS: &[&str] = &["return", "output", "response", "result"];
const FIX: &str =
    "describe the fields that each tool with an `outputSchema` returns, with an example";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let wanted = |t: &&Tool| t.output_schema.is_some() && !t.wraps_output() && !t.is_deprecated();
    let tools: Vec<&Tool> = evidence.tools().filter(wanted).collect();
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
    let other = |i: &Item| i.head != name && evidence.tool(&i.head).is_some();
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
    if regions.any(|text| text.lines().any(is_about_answer) || names_fields(tool, text))
        || outputs.any(|text| holds_word(text, name))
    {
        return 1.0;
    }
    let passing = readme.text.lines().any(|l| holds_word(l, name) && is_about_answer(l));
    if passing { 0.5 } else { 0.0 }
}

/// "Returns: …", "… and returns …", "-> Answer"; but not "`outputId`: which one to read".
fn is_about_answer(line: &str) -> bool {
    let lower = line.to_lowercase();
    let begins = lower.trim_start_matches(|c: char| !c.is_alphanumeric());
    let first = begins.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let leads = LEADS.iter().any(|w| first.strip_prefix(w).is_some_and(|rest| rest.len() <= 1));
    leads || ["return", "returns", "->", "→"].iter().any(|w| holds_word(&lower, w))
}

/// At least half of what it returns, by name. What is a parameter as well may be told as that.
fn names_fields(tool: &Tool, text: &str) -> bool {
    let properties = tool.output_schema.as_ref().and_then(|s| s.get("properties")?.as_object());
    let given = |field: &str| tool.parameters().any(|(name, _)| name == field);
    let fields = properties.into_iter().flatten().map(|(name, _)| name.as_str());
    let own: Vec<&str> = fields.filter(|field| !given(field)).collect();
    let named = own.iter().filter(|field| holds_word(text, field)).count();
    named > 0 && named * 2 >= own.len()
}
