//! Requests to the client that it never said it could answer.

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{ClientCapabilities, Incoming};
use crate::probes::revisions;
use crate::response::quote;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/negotiated-only",
    title: "The server asks the client only for what it declared",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("LIFE-06", respected)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE],
    page: include_str!("negotiated_only.md"),
    judge: by_rules,
};

fn respected(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let undeclared = |i: &&Incoming| i.answer.is_some() && !declared(talk, i);
    Ok(match talk.incoming().find(undeclared) {
        Some(i) => Ruling::fail(
            format!("asked {}, which the client had not declared", quote(&i.method)),
            "look at the client's capabilities before asking it anything",
        ),
        None => Ruling::pass("the client was asked nothing that it had not declared"),
    })
}

fn declared(talk: &Conversation<'_>, incoming: &Incoming) -> bool {
    let link = talk.evidence.links.iter().find(|l| l.connection == incoming.connection);
    let client: ClientCapabilities =
        link.map_or(talk.evidence.conditions.client, |l| l.side.client);
    match incoming.method.as_str() {
        "roots/list" => client.roots,
        "sampling/createMessage" => client.sampling,
        "elicitation/create" => client.elicitation,
        _ => true,
    }
}
