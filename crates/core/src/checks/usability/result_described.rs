//! Tools that keep quiet about what they answer.

use crate::check::{Check, Confidence, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject, Tool};
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "usability/result-described",
    title: "Every tool says what comes back",
    facet: Facet::Practice,
    severity: Severity::Info,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("result_described.md"),
    judge,
};

/// Words that tell of an answer. The verbs do so by their object: `lists all files`.
const TELLING: &[&str] = &[
    "return",
    "result",
    "respon",
    "output",
    "yield",
    "gives",
    "list",
    "get",
    "fetch",
    "retriev",
    "read",
    "search",
    "find",
    "show",
    "look",
    "quer",
    "count",
    "calculat",
    "comput",
    "convert",
    "generat",
    "summar",
    "describe",
    "check",
    "provide",
    "extract",
    "screenshot",
    "snapshot",
    "echo",
];
/// By these a text is known to be English.
const ENGLISH: &[&str] = &["the", "a", "an", "of", "to", "in", "for", "and", "with", "from", "by"];

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let read: Vec<&Tool> = evidence.tools().filter(|t| is_english(t)).collect();
    if read.is_empty() {
        return Vec::new();
    }
    let quiet: Vec<&str> = read.iter().filter(|t| !tells(t)).map(|t| t.name.as_str()).collect();
    let told = read.len() - quiet.len();
    if quiet.is_empty() {
        return vec![Finding::pass(
            Subject::Server,
            format!("all {told} descriptions or schemas say so"),
        )];
    }
    let says = format!(
        "{told} of {} tools say what comes back; not {}",
        read.len(),
        quote(&quiet.join(", "))
    );
    let fix = "end the description with what comes back (\"Returns the id of the new note.\"), or declare `outputSchema`";
    let grade = Grade::share(told, read.len());
    vec![Finding::partial(Subject::Server, grade, says, fix).confidence(Confidence::Low)]
}

fn lower(tool: &Tool) -> Vec<String> {
    let text = tool.description.as_deref().unwrap_or_default().to_lowercase();
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty())
        .map(str::to_owned)
        .collect()
}

fn is_english(tool: &Tool) -> bool {
    lower(tool).iter().any(|w| ENGLISH.contains(&w.as_str()))
}

fn tells(tool: &Tool) -> bool {
    let said = |word: &String| TELLING.iter().any(|t| word.starts_with(t));
    tool.output_schema.is_some() || lower(tool).iter().any(said)
}
