//! What comes back for frames that are no requests.

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::probes::{frames, revisions};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/malformed-frames",
    title: "Broken frames are refused with the right error",
    facet: Facet::Protocol,
    severity: Severity::Low,
    class: None,
    requirements: &[
        rule("RPC-06", unreadable),
        rule("RPC-07", no_request),
        rule("RPC-11", without_id),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &frames::PROBE],
    page: include_str!("malformed_frames.md"),
    judge: by_rules,
};

fn unreadable(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    Ok(worst(talk, row, frames::UNREADABLE.into_iter().map(|(name, _)| name)))
}

fn no_request(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    Ok(worst(talk, row, frames::no_requests()))
}

fn worst<'n>(
    talk: &Conversation<'_>,
    row: &Requirement,
    names: impl Iterator<Item = &'n str>,
) -> Ruling {
    let rulings = names.map(|name| match talk.put(frames::PROBE.id, name) {
        Ok(x) => talk.answered(row, x),
        Err(ruling) => ruling,
    });
    Ruling::worst(rulings).unwrap_or_else(|| Ruling::unseen("nothing was sent"))
}

/// The rule binds the sender; the reaction is free, as long as there is one who reacts.
fn without_id(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    Ok(talk.survived(talk.put(frames::PROBE.id, frames::ID_NULL)?))
}
