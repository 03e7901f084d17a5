//! A list contains only what the filter asked for.

use serde_json::Value;

use crate::arguments::pointer_to;
use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::probe::Risk;
use crate::probes::{valid_call, vary};
use crate::response::{field, is_accepted, records};

pub(super) const CHECK: Check = Check {
    id: "functionality/filter-honoured",
    title: "Filters are honoured",
    facet: Facet::ScenarioCoverage,
    severity: Severity::Medium,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &vary::PROBE],
    page: include_str!("filter_honoured.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let reading = evidence.tools().filter(|t| evidence.risk_of(&t.name) == Risk::Reads);
    reading
        .flat_map(|tool| {
            let filters =
                tool.parameters().filter_map(|(name, schema)| Some((name, choices(schema)?)));
            filters.filter_map(move |(name, choices)| verdict(evidence, tool, name, &choices))
        })
        .collect()
}

/// Two values or more to choose from, as a filter has them.
fn choices(schema: &Value) -> Option<Vec<String>> {
    let choices: Option<Vec<String>> =
        schema.get("enum")?.as_array()?.iter().map(|v| v.as_str().map(str::to_lowercase)).collect();
    choices.filter(|c| c.len() > 1)
}

fn verdict(evidence: &Evidence, tool: &Tool, name: &str, choices: &[String]) -> Option<Finding> {
    let subject = Subject::param(&tool.name, &pointer_to("", name));
    let mut honoured = None;
    for probe in [valid_call::PROBE.id, vary::PROBE.id] {
        for x in evidence.of_tool(probe, &tool.name) {
            let Some(asked) = x.arguments().and_then(|a| a.get(name)).and_then(Value::as_str)
            else {
                continue;
            };
            match stray(evidence, x, name, asked, choices) {
                Seen::Stray(other) => {
                    let says =
                        format!("`{name}` \"{asked}\" gets entries whose {name} is \"{other}\"");
                    let fix = format!("return only entries that match `{name}`");
                    return Some(Finding::fail(subject, says, fix).seen_in(x.id));
                }
                Seen::Honoured => honoured = honoured.or(Some((asked.to_owned(), x.id))),
                Seen::Nothing => {}
            }
        }
    }
    let (asked, id) = honoured?;
    let says = format!("`{name}` \"{asked}\" gets only such entries");
    Some(Finding::pass(subject, says).seen_in(id))
}

enum Seen {
    Honoured,
    /// An entry of another of the choices.
    Stray(String),
    /// Entries that do not show the field, or none.
    Nothing,
}

/// Only another *choice* of the same parameter contradicts the filter: `open` may well stand for
/// entries that call themselves `in progress`.
fn stray(evidence: &Evidence, x: &Exchange, name: &str, asked: &str, choices: &[String]) -> Seen {
    if !is_accepted(evidence, x) {
        return Seen::Nothing;
    }
    let asked = asked.to_lowercase();
    let shown: Vec<String> = records(&x.reply)
        .iter()
        .filter_map(|record| field(record, name)?.as_str().map(str::to_lowercase))
        .filter(|value| choices.contains(value))
        .collect();
    let whole = matches!(asked.as_str(), "all" | "any" | "both" | "none" | "*");
    match shown.iter().find(|value| **value != asked) {
        _ if shown.is_empty() || whole => Seen::Nothing,
        Some(other) => Seen::Stray(other.clone()),
        None => Seen::Honoured,
    }
}
