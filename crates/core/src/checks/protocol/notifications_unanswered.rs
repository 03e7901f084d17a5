//! Notifications that are answered, though nothing may come back for them.

use serde_json::json;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Evidence, Exchange, Reply};
use crate::probe::{Call, Lane, Probe, Send};
use crate::probes::revisions;
use crate::seed::Seed;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule, sides};

pub(super) const CHECK: Check = Check {
    id: "protocol/notifications-unanswered",
    title: "Notifications are taken in silence",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("RPC-05", unanswered), rule("CANC-02", ignored)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE],
    page: include_str!("notifications_unanswered.md"),
    judge: by_rules,
};

const PROBE: Probe = Probe { id: "notifications", hostile: true, lane: Lane::Alone, plan };
const PLAIN: [&str; 3] =
    ["an unknown notification", "progress nobody asked for", "progress without params"];
const CANCELLED: [&str; 3] =
    ["cancelling an unknown id", "cancelling without params", "cancelling what has ended"];

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let told = |method: &str, params| Send::Notification { method: method.to_owned(), params };
    let nobody = json!({"progressToken": "proofmark nobody", "progress": 1});
    let plain = [
        told("notifications/proofmark", None),
        told("notifications/progress", Some(nobody)),
        told("notifications/progress", Some(json!({}))),
    ];
    // On a side, 2 is the id of the list that was asked for first.
    let cancelled = [Some(json!({"requestId": 999_999})), None, Some(json!({"requestId": 2}))]
        .map(|params| told("notifications/cancelled", params));
    sides::on_each(evidence, |_| {
        let sends = plain.iter().chain(&cancelled).cloned();
        PLAIN.into_iter().chain(CANCELLED).zip(sends).collect()
    })
}

fn unanswered(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    Ok(worst(talk, &PLAIN))
}

fn ignored(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    Ok(worst(talk, &CANCELLED))
}

fn worst(talk: &Conversation<'_>, names: &[&str]) -> Ruling {
    let rulings = names.iter().map(|name| match talk.put(PROBE.id, name) {
        Ok(x) => silence(talk, x),
        Err(ruling) => ruling,
    });
    Ruling::worst(rulings).unwrap_or_else(|| Ruling::unseen("no notification was sent"))
}

/// Over HTTP a notification may be refused by status, with an error to explain it.
fn silence(talk: &Conversation<'_>, x: &Exchange) -> Ruling {
    let fix = "send nothing back for a message without `id`; over HTTP answer 202 without a body";
    let status = x.http.as_ref().map(|h| h.status);
    let says = format!("{}: {}", talk.name(x), talk.shown(x));
    match &*x.reply {
        Reply::Error { .. } | Reply::Malformed { .. } if status.is_some_and(|s| s >= 400) => {
            Ruling::pass(says).seen_in(x.id)
        }
        Reply::Result { .. } | Reply::Error { .. } => Ruling::fail(says, fix).seen_in(x.id),
        Reply::Malformed { .. }
        | Reply::Silence
        | Reply::TimedOut { .. }
        | Reply::Disconnected
        | Reply::Skipped { .. } => talk.survived(x),
    }
}
