//! Private data, untrusted content and a way out in one server: together they make theft possible.

use std::collections::BTreeMap;

use crate::capabilities::{Capable, Leg, capabilities};
use crate::check::{Check, Class, Confidence, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::probes::valid_call;

pub(super) const CHECK: Check = Check {
    id: "security/lethal-trifecta",
    title: "Private data, untrusted content and a way out do not meet",
    facet: Facet::ModelSafety,
    severity: Severity::Medium,
    class: Some(Class::CrossToolExfiltration),
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE],
    page: include_str!("lethal_trifecta.md"),
    judge,
};

const FIX: &str = "split the server, or fence one leg: an allow-list for where data may go, or for what may be read";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    if evidence.tools().next().is_none() {
        return Vec::new();
    }
    let legs = capabilities(evidence);
    let missing = Leg::ALL.into_iter().find(|leg| !legs.contains_key(leg));
    vec![match missing {
        Some(leg) => Finding::pass(Subject::Server, format!("no tool stands for {}", leg.as_str())),
        None => risk(&legs),
    }]
}

/// What a server openly offers is a risk, not a hole: always for people to judge.
fn risk(legs: &BTreeMap<Leg, Vec<Capable>>) -> Finding {
    let verified = |tools: &Vec<Capable>| tools.iter().any(|t| t.seen_in.is_some());
    let told: Vec<String> = legs.iter().map(|(leg, tools)| line(*leg, tools)).collect();
    let says = format!("one server has all of it: {}", told.join("; "));
    let confidence = match legs.values().filter(|tools| verified(tools)).count() {
        3 => Confidence::High,
        0 => Confidence::Low,
        _ => Confidence::Medium,
    };
    let finding = Finding::fail(Subject::Server, says, FIX).suspected().confidence(confidence);
    let seen = legs.values().filter_map(|tools| tools.iter().find_map(|t| t.seen_in));
    seen.fold(finding, Finding::seen_in)
}

/// Those that showed it first.
fn line(leg: Leg, tools: &[Capable]) -> String {
    const MOST: usize = 3;
    let mut tools: Vec<&Capable> = tools.iter().collect();
    tools.sort_by_key(|t| t.seen_in.is_none());
    let named: Vec<String> = tools
        .iter()
        .take(MOST)
        .map(|t| format!("{}{}", t.tool, if t.seen_in.is_some() { " (seen)" } else { "" }))
        .collect();
    let more = tools.len().saturating_sub(MOST);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{} by {}{rest}", leg.as_str(), named.join(", "))
}
