//! Definitions that become others after approval: after some calls, on a later connection, or for
//! another client.

use std::collections::BTreeMap;

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::drift::{self, Shift};
use crate::evidence::{ClientName, Evidence, Exchange, Incoming, Subject};
use crate::probe::Connection;
use crate::probes::definitions::{ALIKE, LISTS, PROBE, Telling, tellings};
use crate::probes::{fixed_input, listings, profiles, repeat, revisions, valid_call};
use crate::proof::Proof;

pub(super) const CHECK: Check = Check {
    id: "security/definitions-change",
    title: "Definitions stay what they were, whoever asks and however often",
    facet: Facet::ModelSafety,
    severity: Severity::High,
    class: Some(Class::RugPull),
    requirements: &[],
    revisions: Revisions::All,
    needs: &[
        &valid_call::PROBE,
        &repeat::PROBE,
        &revisions::PROBE,
        &listings::PROBE,
        &profiles::PROBE,
        &fixed_input::PROBE,
        &PROBE,
    ],
    page: include_str!("definitions_change.md"),
    judge,
};

const FIX: &str = "describe a tool the same way to every client and for as long as it runs; announce a real change with `list_changed`, so that it can be approved again";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    LISTS.into_iter().flat_map(|method| of_list(evidence, method)).collect()
}

fn of_list(evidence: &Evidence, method: &'static str) -> Vec<Finding> {
    let all = tellings(evidence, method);
    let mut by_name: BTreeMap<&str, Vec<&Telling<'_>>> = BTreeMap::new();
    for telling in &all {
        by_name.entry(telling.name).or_default().push(telling);
    }
    if by_name.is_empty() && method == LISTS[0] && !evidence.inventory.tools.is_empty() {
        return vec![Finding::unseen(Subject::Server, "the tools were listed only once")];
    }
    by_name.into_iter().map(|(name, of)| verdict(evidence, method, name, &of)).collect()
}

fn verdict(evidence: &Evidence, method: &str, name: &str, all: &[&Telling<'_>]) -> Finding {
    let subject = match method == LISTS[0] {
        true => Subject::tool_named(name),
        false => Subject::Prompt { prompt: name.to_owned() },
    };
    let changed = all.iter().filter(|t| !t.shifts.is_empty());
    let told = changed.filter_map(|t| Some((*t, cause(evidence, method, all, t)?)));
    // What is certain counts more than what came first.
    let worst = told.max_by_key(|(t, cause)| {
        (
            *cause != Cause::Unknown && t.shifts.iter().any(Shift::is_grave),
            std::cmp::Reverse(t.x.id),
        )
    });
    let Some((telling, cause)) = worst else {
        let says = format!("told {} times, always the same", all.len() + 1);
        return Finding::pass(subject, says);
    };
    let what = drift::told(&telling.shifts);
    let finding = Finding::fail(subject, format!("{}: {what}", cause.told()), FIX)
        .seen_in(telling.first.id)
        .seen_in(telling.x.id);
    let grave = telling.shifts.iter().any(Shift::is_grave);
    match cause {
        Cause::Unknown => finding,
        Cause::Later | Cause::Start | Cause::Name(_) if !grave => finding,
        Cause::Later | Cause::Start | Cause::Name(_) => {
            finding.proven(Proof::Contradiction { a: telling.first.id, b: telling.x.id })
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// On one and the same connection, unannounced.
    Later,
    /// On a connection that was opened just as the first.
    Start,
    /// Only clients of this name are told so.
    Name(ClientName),
    Unknown,
}

impl Cause {
    fn told(self) -> String {
        match self {
            Cause::Later => "changed after some calls, unannounced".to_owned(),
            Cause::Start => "is another on a later connection".to_owned(),
            Cause::Name(name) => format!("is another for the client {}", name.as_str()),
            Cause::Unknown => "is another on another connection".to_owned(),
        }
    }
}

/// Why it is told differently here; `None` where that is in order.
fn cause(
    evidence: &Evidence,
    method: &str,
    all: &[&Telling<'_>],
    t: &Telling<'_>,
) -> Option<Cause> {
    let here = |o: &&&Telling<'_>| o.x.on == t.x.on && o.x.id < t.x.id;
    let was_as_first =
        t.x.on == Connection::Main || all.iter().filter(here).any(|o| o.shifts.is_empty());
    if was_as_first {
        return (!is_announced(evidence, method, t.x)).then_some(Cause::Later);
    }
    let Connection::Side(side) = t.x.on else { return Some(Cause::Unknown) };
    let alike = all.iter().find(|o| o.x.label.ends_with(ALIKE));
    match alike.map(|o| o.shifts == t.shifts) {
        Some(true) => Some(Cause::Start),
        None => Some(Cause::Unknown),
        Some(false) => {
            // Clients that can do less may be told so; a name is no ability.
            let own = |o: &&&Telling<'_>| name_on(evidence, o.x) == ClientName::Proofmark;
            let by_name = side.client.name != ClientName::Proofmark
                && all.iter().filter(own).all(|o| o.shifts != t.shifts);
            by_name.then_some(Cause::Name(side.client.name))
        }
    }
}

fn name_on(evidence: &Evidence, x: &Exchange) -> ClientName {
    match x.on {
        Connection::Main => evidence.conditions.client.name,
        Connection::Side(side) => side.client.name,
    }
}

/// The connection was told that this list changes. Without a handshake, only who subscribed is told.
fn is_announced(evidence: &Evidence, method: &str, x: &Exchange) -> bool {
    let kind = method.split('/').next().unwrap_or_default();
    let notice = format!("notifications/{kind}/list_changed");
    let on = |connection: u32| {
        let link = evidence.links.iter().find(|l| l.connection == connection);
        link.map_or(Connection::Main, |l| Connection::Side(l.side))
    };
    let revision = match x.on {
        Connection::Main => evidence.revision(),
        Connection::Side(side) => side.handshake,
    };
    let stateless = revision.is_some_and(|r| r.is_stateless());
    let before = |i: &Incoming| i.at.0 <= x.started.0 + x.took.0;
    let told = |i: &Incoming| i.method == notice && before(i);
    evidence.incoming.iter().any(|i| told(i) && (stateless || on(i.connection) == x.on))
}
