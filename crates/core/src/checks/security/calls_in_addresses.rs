//! Addresses that get what other tools were called with: those in answers, which whoever shows them
//! sends off, and those that a tool is given and sends more than it was asked to.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject, Visit};
use crate::percent;
use crate::probe::Risk;
use crate::probes::{benign, valid_call};
use crate::proof::{Oracle, Proof, asks};
use crate::response::quote;
use crate::spec::calls::tool_of;

pub(super) const CHECK: Check = Check {
    id: "security/calls-in-addresses",
    title: "Nothing carries other calls to an address",
    facet: Facet::ModelSafety,
    severity: Severity::High,
    class: Some(Class::CrossToolExfiltration),
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &benign::PROBE],
    page: include_str!("calls_in_addresses.md"),
    judge,
};

/// Shorter texts stand in addresses by chance.
const TELLING: usize = 8;
/// A link to what one tool made holds its name; what gathers from several tools has no such reason.
const TOOLS: usize = 2;

static ADDRESS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?-u:\bhttps?://)[^\s"'<>)\]]+"#).ok());

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let mut found: BTreeMap<Subject, Finding> = BTreeMap::new();
    // What was sent so far, with the tool it was sent to.
    let mut sent: BTreeMap<String, &str> = BTreeMap::new();
    for x in &evidence.transcript {
        let named = evidence.tool(tool_of(x)).map(|tool| tool.name.as_str());
        let Some(tool) = named.or(x.subject.tool()) else { continue };
        let shown = foreign(x).into_iter().map(|address| (address, Way::Shown));
        let sent_off = posted(evidence, x).map(|body| (body, Way::Sent));
        for (text, way) in shown.chain(sent_off) {
            let mut tools = carried(&text, (tool, x), &sent);
            // What writing tools were given is kept, and may be sent where it is wanted.
            tools.retain(|tool| way == Way::Shown || evidence.risk_of(tool) == Risk::Reads);
            if tools.len() >= TOOLS {
                let subject = Subject::tool_named(tool);
                let hole = || hole(subject.clone(), x, &text, way, &tools);
                found.entry(subject.clone()).or_insert_with(hole);
            }
        }
        for text in x.arguments().into_iter().flat_map(texts) {
            sent.entry(text).or_insert(tool);
        }
    }
    if found.is_empty() {
        let says = "no address gets what others were called with";
        return vec![Finding::pass(Subject::Server, says)];
    }
    found.into_values().collect()
}

/// How it gets to the address.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Shown,
    Sent,
}

fn hole(subject: Subject, x: &Exchange, text: &str, way: Way, tools: &BTreeSet<&str>) -> Finding {
    let names = tools.iter().copied().collect::<Vec<_>>().join(", ");
    let what = match way {
        Way::Shown => "its answer has an address that",
        Way::Sent => "what it sends to the address that it was given",
    };
    let says = format!("{what} holds what {names} were called with");
    let fix = "leave out what other tools were called with";
    let rule = format!("arguments of {names}");
    let proof = Proof::Quoted { text: quote(text), rule };
    Finding::fail(subject, says, fix).proven(proof).seen_in(x.id)
}

/// Addresses of an answer that nobody asked for, decoded.
fn foreign(x: &Exchange) -> Vec<String> {
    let text = x.reply.text();
    let Some(pattern) = ADDRESS.as_ref() else { return Vec::new() };
    let host = |address: &str| address.split(['/', '?', '#']).nth(2).unwrap_or_default().to_owned();
    let is_ours = |host: &str| {
        let bare = host.split(':').next().unwrap_or_default();
        bare.ends_with("localhost") || bare.starts_with("127.") || asks(x, host)
    };
    let all = pattern.find_iter(&text).map(|m| m.as_str());
    let theirs = all.filter(|address| address.len() > 30 && !is_ours(&host(address)));
    theirs.map(percent::decoded).collect()
}

/// What came to our pages by a call: the address is one that no other call names.
fn posted<'a>(evidence: &'a Evidence, x: &'a Exchange) -> impl Iterator<Item = String> + 'a {
    let token = match &x.oracle {
        Some(Oracle::Callback { token }) => Some(token.as_str()),
        Some(_) | None => None,
    };
    let here = move |visit: &&Visit| token.is_some_and(|token| visit.path.contains(token));
    evidence.visits.iter().filter(here).map(|visit| {
        let body = visit.body.as_deref().unwrap_or_default();
        format!("{} {body}", percent::decoded(&visit.path))
    })
}

/// The other tools of whose calls a text holds something that this call was not given as well.
fn carried<'a>(
    all: &str,
    (own, x): (&str, &Exchange),
    sent: &BTreeMap<String, &'a str>,
) -> BTreeSet<&'a str> {
    let held = sent
        .iter()
        .filter(|(text, tool)| **tool != own && all.contains(text.as_str()) && !asks(x, text));
    held.map(|(_, tool)| *tool).collect()
}

fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) if text.len() >= TELLING && !text.contains("://") => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(map) => map.values().flat_map(texts).collect(),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}
