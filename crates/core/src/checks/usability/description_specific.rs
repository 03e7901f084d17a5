//! Descriptions that tell no more than the name.

use std::collections::BTreeMap;

use crate::check::{Check, Confidence, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject, Tool};
use crate::probe::words;
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "usability/description-specific",
    title: "Every description tells more than the name",
    facet: Facet::Practice,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("description_specific.md"),
    judge,
};

/// Words that fit any tool.
const GENERIC: &str = "a an and api call calls data do does execute executes for from function given \
    helper in is it mcp method of on operation perform performs process run runs something stuff the \
    this to tool use used using utility various with you";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let mut by_text: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for tool in evidence.tools() {
        by_text.entry(text(tool)).or_default().push(&tool.name);
    }
    let twins = by_text.iter().filter(|(text, names)| !text.is_empty() && names.len() > 1);
    let mut flaws: Vec<String> =
        twins.map(|(_, names)| format!("the same text for {}", names.join(" and "))).collect();
    let hollow = evidence.tools().filter(|t| is_hollow(&t.name, text(t)));
    flaws.extend(hollow.map(|t| format!("{}: \"{}\"", t.name, text(t))));
    let all = evidence.tools().count();
    if all == 0 {
        return Vec::new();
    }
    if flaws.is_empty() {
        return vec![Finding::pass(Subject::Server, "every description has words of its own")];
    }
    let says = quote(&flaws.join("; "));
    let fix =
        "say what the tool does to what, when to prefer it to its neighbours, and what comes back";
    let share = all.saturating_sub(flaws.len()) as f64 / all as f64;
    vec![
        Finding::partial(Subject::Server, Grade::new(share), says, fix)
            .confidence(Confidence::Medium),
    ]
}

fn text(tool: &Tool) -> &str {
    tool.description.as_deref().unwrap_or_default().trim()
}

/// No word that is not in the name and does not fit any tool. Missing descriptions, and those
/// that repeat the name, are judged elsewhere; scripts without spaces can't be counted so.
pub(super) fn is_hollow(name: &str, text: &str) -> bool {
    let own = words(name);
    let told = words(text);
    let stem = |w: &str| w.trim_end_matches('s').to_owned();
    let names: Vec<String> = own.iter().map(|w| stem(w)).collect();
    let generic: Vec<&str> = GENERIC.split_whitespace().collect();
    let fresh = |w: &String| !names.contains(&stem(w)) && !generic.contains(&w.as_str());
    !told.is_empty() && text.is_ascii() && !told.iter().any(fresh)
}
