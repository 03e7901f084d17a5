//! What the server asks of its client: only what was declared, and a no is taken.

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{ClientCapabilities, Exchange, Incoming, Reply};
use crate::probe::Connection;
use crate::probes::{features, profiles, revisions, valid_call};
use crate::response::quote;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/client-requests",
    title: "The server asks its client only for what it declared, and takes a no",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("S2C-01", declared), rule("S2C-09", declined), rule("S2C-11", rootless)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &valid_call::PROBE, &features::PROBE, &profiles::PROBE],
    page: include_str!("client_requests.md"),
    judge: by_rules,
};

/// What the client of this connection declared.
fn client_of(talk: &Conversation<'_>, connection: u32) -> ClientCapabilities {
    let link = talk.evidence.links.iter().find(|l| l.connection == connection);
    link.map_or(talk.evidence.conditions.client, |l| l.side.client)
}

fn is_request(incoming: &Incoming) -> bool {
    matches!(
        incoming.method.as_str(),
        "roots/list" | "sampling/createMessage" | "elicitation/create"
    )
}

fn declared(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let unasked = |i: &&Incoming| !client_of(talk, i.connection).allow(&i.method);
    let fix = "look at the client's capabilities before asking it for anything, and do without";
    Ok(match talk.incoming().filter(|i| is_request(i)).find(unasked) {
        Some(i) => Ruling::fail(
            format!("{} was sent to a client that does not declare it", quote(&i.method)),
            fix,
        ),
        None => Ruling::pass("nothing was asked of a client that does not declare it"),
    })
}

/// How tools that ask took a client that says no.
fn declined(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let refused: Vec<&Exchange> =
        talk.of(profiles::PROBE.id).filter(|x| x.subject.tool().is_some()).collect();
    let during = |x: &Exchange| {
        let here = |i: &Incoming| {
            let mut links = talk.evidence.links.iter();
            links.any(|l| l.connection == i.connection && Connection::Side(l.side) == x.on)
                || talk.evidence.links.is_empty()
        };
        let asked = |i: &Incoming| is_request(i) && here(i) && i.at >= x.started;
        talk.incoming().any(|i| asked(i) && i.at.0 <= x.started.0 + x.took.0)
    };
    let fix = "end the call with a result that says what is missing when the client says no";
    let rulings = refused.into_iter().filter(|x| during(x)).map(|x| {
        let says = format!("{} {}: {}", x.subject, x.label, talk.shown(x));
        match &x.reply {
            Reply::Result { .. } | Reply::Error { .. } => {
                Ruling::pass("calls end when the client says no")
            }
            Reply::TimedOut { .. } => Ruling::fail(says, fix),
            Reply::Disconnected if talk.died_of(x) => Ruling::fail(says, fix),
            Reply::Malformed { .. }
            | Reply::Silence
            | Reply::Disconnected
            | Reply::Skipped { .. } => Ruling::unseen(says),
        }
        .seen_in(x.id)
    });
    Ruling::worst(rulings)
        .ok_or_else(|| Ruling::not_testable("nothing was asked of a client that says no"))
}

/// A server that uses roots works for a client without them.
fn rootless(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    if !talk.evidence.incoming.iter().any(|i| i.method == "roots/list") {
        return Err(Ruling::not_testable("the server never asks for roots"));
    }
    let without = |x: &&Exchange| match x.on {
        Connection::Side(side) => !side.client.roots,
        Connection::Main => !talk.evidence.conditions.client.roots,
    };
    let calls: Vec<&Exchange> =
        talk.exchanges().filter(|x| x.send.method().is_some()).filter(without).collect();
    match calls.iter().find(|x| x.result().is_some()) {
        Some(x) => Ok(Ruling::pass("works for a client without roots").seen_in(x.id)),
        None if calls.is_empty() => Err(Ruling::unseen("no client without roots was tried")),
        None => Ok(Ruling::fail(
            "nothing works for a client without roots",
            "do without roots where the client has none",
        )),
    }
}
