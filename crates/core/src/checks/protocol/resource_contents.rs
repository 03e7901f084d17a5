//! What `resources/read` gives in every revision, and subscriptions to it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::Exchange;
use crate::probes::features::{PROBE, SUBSCRIBE, UNSUBSCRIBE};
use crate::probes::{changes, resource_read, revisions, template_read};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/resource-contents",
    title: "Resources are read in the right shape, and subscribed to if declared",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[
        rule("RES-03", shape),
        rule("RES-04", encoded),
        rule("RES-14", subscribed),
        rule("RES-15", unsupported),
    ],
    revisions: Revisions::All,
    needs: &[
        &revisions::PROBE,
        &PROBE,
        &resource_read::PROBE,
        &template_read::PROBE,
        &changes::PROBE,
    ],
    page: include_str!("resource_contents.md"),
    judge: by_rules,
};

fn each_read<'a>(
    talk: &Conversation<'a>,
    none: &str,
    judge: impl Fn(&'a Value) -> Option<Ruling>,
) -> Judgement {
    talk.needs("resources")?;
    let rulings = talk
        .exchanges()
        .filter(|x| x.send.method() == Some("resources/read"))
        .filter_map(|x| Some(judge(x.result()?)?.seen_in(x.id)));
    Ruling::worst(rulings).ok_or_else(|| Ruling::not_testable(none))
}

fn shape(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "answer `contents` as an array of parts with `uri` and `text` or `blob`";
    each_read(talk, "no resource was read", |result| {
        Some(match flaw(result) {
            None => Ruling::pass("contents have uri, and text or blob"),
            Some(flaw) => Ruling::fail(flaw, fix),
        })
    })
}

fn flaw(result: &Value) -> Option<&'static str> {
    let Some(parts) = result.get("contents").and_then(Value::as_array) else {
        return Some("`contents` is not an array");
    };
    let text = |part: &Value, key: &str| part.get(key).is_some_and(Value::is_string);
    parts.iter().find_map(|part| match part {
        part if !text(part, "uri") => Some("a part has no `uri`"),
        part if !text(part, "text") && !text(part, "blob") => {
            Some("a part has neither `text` nor `blob`")
        }
        _ => None,
    })
}

fn encoded(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    each_read(talk, "no binary resource was read", |result| {
        let parts = result.get("contents")?.as_array()?;
        let blobs: Vec<&str> = parts.iter().filter_map(|p| p.get("blob")?.as_str()).collect();
        blobs.first()?;
        Some(match blobs.iter().all(|blob| STANDARD.decode(blob).is_ok()) {
            true => Ruling::pass("binary contents are base64"),
            false => Ruling::fail("`blob` is not base64", "encode binary contents as base64"),
        })
    })
}

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
    let updated = |i: &crate::evidence::Incoming| {
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
