//! What the server asks of its client: only what was declared.

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{ClientCapabilities, Exchange, Incoming, Reply};
use crate::probe::{Connection, words};
use crate::probes::{features, profiles, revisions, valid_call};
use crate::response::quote;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/client-requests",
    title: "The server asks its client only for what it declared, and does without",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("S2C-01", declared), rule("S2C-11", rootless)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &valid_call::PROBE, &features::PROBE, &profiles::PROBE],
    page: include_str!("client_requests.md"),
    judge: by_rules,
};

/// What the client of this connection declared.
pub(super) fn client_of(talk: &Conversation<'_>, connection: u32) -> ClientCapabilities {
    let link = talk.evidence.links.iter().find(|l| l.connection == connection);
    link.map_or(talk.evidence.conditions.client, |l| l.side.client)
}

pub(super) fn is_request(incoming: &Incoming) -> bool {
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
    // A result that says what is missing will do; an error of the protocol is for broken requests.
    let broken = |x: &&&Exchange| {
        let asks = x.subject.tool().is_some_and(|t| words(t).iter().any(|w| w == "roots"));
        asks && matches!(*x.reply, Reply::Error { .. }) && !talk.revision.is_stateless()
    };
    let fix = "do without roots where the client has none";
    if let Some(x) = calls.iter().filter(|x| x.probe == features::PROBE.id).find(broken) {
        let says = format!("{} for a client without roots: {}", x.subject, talk.shown(x));
        return Ok(Ruling::fail(says, fix).seen_in(x.id));
    }
    match calls.iter().find(|x| x.result().is_some()) {
        Some(x) => Ok(Ruling::pass("works for a client without roots").seen_in(x.id)),
        None if calls.is_empty() => Err(Ruling::unseen("no client without roots was tried")),
        None => Ok(Ruling::fail("nothing works for a client without roots", fix)),
    }
}
