//! Which tools clients of different capabilities get to see.

use std::collections::BTreeSet;

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject};
use crate::probe::Connection;
use crate::probes::profiles::{CLIENTS, PROBE, TOOLS};
use crate::probes::revisions;
use crate::response::quote;
use crate::spec::listing::items;

pub(super) const CHECK: Check = Check {
    id: "protocol/client-profiles",
    title: "What clients of different capabilities get to see",
    facet: Facet::Protocol,
    severity: Severity::Info,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE],
    page: include_str!("client_profiles.md"),
    judge,
};

/// It is no flaw to offer more to a client that can do more, unless the others get nothing.
fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let all = offered(evidence);
    let mut seen: Vec<(&str, BTreeSet<&str>, &Exchange)> = Vec::new();
    if let Some(x) =
        bare(evidence).and_then(|label| answered(evidence, revisions::PROBE.id, &label))
    {
        seen.push(("nothing", names(x), x));
    }
    for (name, _) in CLIENTS {
        let found = answered(evidence, PROBE.id, &format!("{TOOLS} for {name}"));
        seen.extend(found.map(|x| (name, names(x), x)));
    }
    if seen.is_empty() {
        return Vec::new();
    }
    if let Some((who, _, x)) = seen.iter().find(|(_, tools, _)| tools.is_empty() && !all.is_empty())
    {
        let says = format!("a client that declares {who} gets no tools at all");
        let fix = "offer every client the tools that need nothing of it";
        return vec![Finding::fail(Subject::Server, says, fix).seen_in(x.id)];
    }
    let differs: Vec<String> =
        seen.iter().filter_map(|(who, tools, _)| told(who, tools, &all)).collect();
    let says = match differs.is_empty() {
        true => format!("{} kinds of client see the same {} tools", seen.len() + 1, all.len()),
        false => differs.join("; "),
    };
    let mut finding = Finding::pass(Subject::Server, says);
    finding.seen_in = seen.iter().map(|(_, _, x)| x.id).collect();
    vec![finding]
}

/// What a client that declares everything sees: its first page, as the others have no more.
fn offered(evidence: &Evidence) -> BTreeSet<&str> {
    let first = |x: &&Exchange| x.on == Connection::Main && x.send.method() == Some(TOOLS);
    let listed = evidence.transcript.iter().find(first).filter(|x| x.probe == "inventory");
    let all = || evidence.inventory.tools.iter().map(|t| t.name.as_str()).collect();
    listed.map_or_else(all, names)
}

/// The label of the newest list that a client without capabilities got.
fn bare(evidence: &Evidence) -> Option<String> {
    let newest = evidence.of(PROBE.id).find_map(|x| match x.on {
        Connection::Side(side) => side.handshake,
        Connection::Main => evidence.revision(),
    })?;
    Some(format!("{} {newest}", revisions::TOOLS))
}

fn answered<'a>(evidence: &'a Evidence, probe: &'a str, label: &str) -> Option<&'a Exchange> {
    evidence.of(probe).find(|x| x.label == label && x.result().is_some())
}

fn names(x: &Exchange) -> BTreeSet<&str> {
    let page = x.result().into_iter().flat_map(|page| items("tools/list", page));
    page.filter_map(|t| t.get("name")?.as_str()).collect()
}

fn told(who: &str, tools: &BTreeSet<&str>, all: &BTreeSet<&str>) -> Option<String> {
    let list = |a: &BTreeSet<&str>, b: &BTreeSet<&str>| {
        quote(&a.difference(b).copied().collect::<Vec<_>>().join(", "))
    };
    let (fewer, more) = (list(all, tools), list(tools, all));
    match (fewer.is_empty(), more.is_empty()) {
        (true, true) => None,
        (false, true) => Some(format!("a client that declares {who} does not see {fewer}")),
        (true, false) => Some(format!("a client that declares only {who} also sees {more}")),
        (false, false) => Some(format!("a client that declares {who} sees {more}, not {fewer}")),
    }
}
