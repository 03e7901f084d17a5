//! Tools without a description worth the name.

use super::description_specific::is_hollow;
use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
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
    let all: Vec<&str> = evidence.tools().map(text).collect();
    evidence.tools().map(|tool| verdict(tool, &own(text(tool), &all))).collect()
}

fn text(tool: &Tool) -> &str {
    tool.description.as_deref().unwrap_or_default().trim()
}

/// Without what most tools say as well, which tells of none of them: a lead up to a sign, such as
/// `Notes |`, and whole lines. Numbers alone tell nothing either.
fn own(text: &str, all: &[&str]) -> String {
    let common = |same: &dyn Fn(&str) -> bool| {
        all.len() > 2 && all.iter().filter(|other| same(other)).count() * 2 > all.len()
    };
    let leads = text.match_indices(['|', ':', ']']).map(|(at, sign)| &text[..at + sign.len()]);
    let lead = leads.take_while(|lead| common(&|other| other.starts_with(*lead))).last();
    let rest = text.strip_prefix(lead.unwrap_or_default()).unwrap_or(text);
    let telling = rest.lines().filter(|line| {
        let shared = || common(&|other| other.lines().any(|l| l.trim() == line.trim()));
        line.trim().is_empty() || (line.contains(char::is_alphabetic) && !shared())
    });
    telling.collect::<Vec<&str>>().join("\n").trim().to_owned()
}

fn verdict(tool: &Tool, text: &str) -> Finding {
    const FIX: &str =
        "say in one or two sentences what the tool does, when to use it and what it returns";
    let subject = Subject::tool_named(&tool.name);
    let length = text.chars().count();
    if self::text(tool).is_empty() {
        Finding::fail(subject, "has no description", FIX)
    } else if text.is_empty() {
        Finding::fail(subject, "its description is that of most other tools", FIX)
    } else if words(text) == words(&tool.name) {
        let says = format!("its description only repeats its name: \"{}\"", quote(text));
        Finding::fail(subject, says, FIX)
    } else if length < SHORTEST {
        let says =
            format!("its description has {length} characters of its own: \"{}\"", quote(text));
        Finding::partial(subject, Grade::new(0.25), says, FIX)
    } else if is_hollow(&tool.name, text) {
        let says = format!("its description tells no more than its name: \"{}\"", quote(text));
        Finding::partial(subject, Grade::new(0.5), says, FIX)
    } else {
        Finding::pass(subject, format!("described in {length} characters"))
    }
}
