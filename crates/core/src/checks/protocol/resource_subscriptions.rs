//! Subscriptions to resources, in the revisions with a handshake: taken, told of changes, or refused.

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Exchange, Incoming};
use crate::probes::features::{PROBE, SUBSCRIBE, UNSUBSCRIBE};
use crate::probes::{changes, revisions};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/resource-subscriptions",
    title: "Subscriptions to resources work if declared, and tell of changes",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("RES-14", subscribed), rule("RES-15", unsupported)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE, &changes::PROBE],
    page: include_str!("resource_subscriptions.md"),
    judge: by_rules,
};

fn subscribed(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    talk.needs("resources/subscribe")?;
    if talk.evidence.inventory.resources.is_empty() {
        return Err(Ruling::not_testable("there is no resource to subscribe to"));
    }
    let unnamed = talk
        .incoming()
        .filter(|i| i.method == "notifications/resources/updated")
        .any(|i| !i.params.as_ref().is_some_and(|p| p.get("uri").is_some_and(Value::is_string)));
    if unnamed {
        let fix = "name the `uri` in every notifications/resources/updated";
        return Ok(Ruling::fail("an update does not name its resource", fix));
    }
    if let Some(ruling) = unheard(talk) {
        return Ok(ruling);
    }
    let (on, off) = (talk.put(PROBE.id, SUBSCRIBE)?, talk.put(PROBE.id, UNSUBSCRIBE)?);
    let ruling = |x: &Exchange| match x.result() {
        Some(_) => Ruling::pass("subscribing and unsubscribing work"),
        None => Ruling::fail(
            format!("`subscribe` is declared, {}: {}", x.label, talk.shown(x)),
            "answer resources/subscribe and unsubscribe with an empty result, or do not declare it",
        ),
    };
    Ok(Ruling::worst([on, off].map(|x| ruling(x).seen_in(x.id)))
        .unwrap_or_else(|| Ruling::unseen("not asked")))
}

/// A change of what we subscribed to, of which we were not told.
fn unheard(talk: &Conversation<'_>) -> Option<Ruling> {
    let result =
        |what: &str| talk.put(changes::PROBE.id, what).ok().filter(|x| x.result().is_some());
    let (subscribed, before) = (result(changes::SUBSCRIBE)?, result(changes::BEFORE)?);
    let after = result(changes::AFTER)?;
    let uri = subscribed.send.params()?.get("uri")?;
    let updated = |i: &Incoming| {
        i.method == "notifications/resources/updated"
            && i.params.as_ref().is_some_and(|p| p.get("uri") == Some(uri))
    };
    let changed = before.result() != after.result();
    (changed && !talk.incoming().any(updated)).then(|| {
        let fix = "send notifications/resources/updated to whoever subscribed to what changes";
        let says = format!("{uri} changed after we had subscribed to it, without a notice");
        Ruling::fail(says, fix).seen_in(subscribed.id).seen_in(after.id)
    })
}

fn unsupported(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    if talk.declares("resources/subscribe") {
        return Err(Ruling::not_applicable("`subscribe` is declared"));
    }
    Ok(talk.answered(row, talk.put(PROBE.id, SUBSCRIBE)?))
}
