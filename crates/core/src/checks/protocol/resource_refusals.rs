//! Resources that are not there, and URIs that lead out.

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Exchange, Reply};
use crate::probes::refusals::{PROBE, RESOURCE, odd_uris};
use crate::probes::revisions;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/resource-refusals",
    title: "Resources that are not there are refused with the right code",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[
        rule("RES-05", unknown),
        rule("RES-06", unknown),
        rule("RES-07", unknown),
        rule("RES-09", validated),
        rule("RES-10", sanitised),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE],
    page: include_str!("resource_refusals.md"),
    judge: by_rules,
};

fn unknown(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    talk.needs("resources")?;
    Ok(talk.answered(row, talk.put(PROBE.id, RESOURCE)?))
}

fn validated(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    refused(talk, |_| true)
}

/// Only what climbs out of a folder by `file://`.
fn sanitised(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    refused(talk, |uri| uri.starts_with("file://"))
}

fn refused(talk: &Conversation<'_>, wanted: fn(&str) -> bool) -> Judgement {
    talk.needs("resources")?;
    let uri =
        |x: &Exchange| x.send.params().and_then(|p| p.get("uri")?.as_str()).map(str::to_owned);
    let rulings = odd_uris(talk.evidence)
        .into_iter()
        .filter(|(_, uri)| wanted(uri))
        .filter_map(|(what, _)| talk.put(PROBE.id, &what).ok())
        .filter(|x| uri(x).is_some())
        .map(|x| read(talk, x).seen_in(x.id));
    Ruling::worst(rulings).ok_or_else(|| Ruling::not_testable("no such URI was tried"))
}

/// Whether the contents only say that there is nothing to read.
fn refuses_in_words(value: &Value) -> bool {
    let words = "no not none nothing unknown invalid missing denied forbidden error";
    let contents = value.get("contents").and_then(Value::as_array);
    contents.into_iter().flatten().all(|c| {
        let text = c.get("text").and_then(Value::as_str).unwrap_or_default().trim();
        let mut spoken = text.split(|c: char| !c.is_alphabetic());
        text.len() < 120
            && !text.contains('\n')
            && spoken.any(|w| words.split(' ').any(|known| w.eq_ignore_ascii_case(known)))
    })
}

fn read(talk: &Conversation<'_>, x: &Exchange) -> Ruling {
    let fix = "refuse every URI that you do not offer, and resolve paths before you compare them";
    let says = format!("{}: {}", talk.name(x), talk.shown(x));
    let Reply::Result { value } = &*x.reply else {
        return match x.reply.why_unseen() {
            Some(why) if !talk.died_of(x) => Ruling::unseen(why),
            Some(_) => Ruling::fail(says, fix),
            None => Ruling::pass("URIs that lead nowhere are refused"),
        };
    };
    let text = value.to_string();
    let leaks = talk.evidence.conditions.canaries.iter().any(|c| text.contains(&c.value));
    let empty = value.get("contents").and_then(|c| c.as_array()).is_some_and(Vec::is_empty);
    match (leaks, empty) {
        (true, _) => Ruling::fail(format!("{}: gave the content of our file", talk.name(x)), fix),
        (false, true) => {
            Ruling::partial(format!("{}: empty contents, no error", talk.name(x)), fix)
        }
        (false, false) if refuses_in_words(value) => {
            Ruling::partial(format!("{says}: a refusal in words, no error"), fix)
        }
        (false, false) => Ruling::fail(says, fix),
    }
}
