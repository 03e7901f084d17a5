//! Streams that can be taken up again: event ids, and what is replayed after one.

use std::collections::BTreeSet;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::probes::http::{PLAIN, PROBE};
use crate::probes::http_more::{PARALLEL, RESUMED};
use crate::probes::revisions;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, is_response, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/http-resume",
    title: "Event ids are unique, and a resumed stream replays only itself",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("HTTP-10", resumes)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE, &PARALLEL, &RESUMED],
    page: include_str!("http_resume.md"),
    judge: by_rules,
};

fn resumes(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    unique(talk)?;
    let plain = talk.visit(PROBE.id, PLAIN)?;
    let again = talk.visit(RESUMED.id, "resumed")?;
    let fix = "after `Last-Event-ID`, replay what came later on the stream of that event, and nothing else";
    if again.stream().is_none() {
        let says = format!("ids are unique; resuming answered {}", again.status());
        return Ok(Ruling::pass(says).seen_in(again.x.id));
    }
    let replayed = again.messages();
    let foreign = replayed
        .iter()
        .filter(|m| is_response(m))
        .find(|m| m.get("id") != plain.asked_id().as_ref());
    Ok(match foreign {
        Some(message) => {
            let id = message.get("id").map(ToString::to_string).unwrap_or_default();
            let says = format!("resuming one stream replayed the response {id} of another");
            Ruling::fail(says, fix)
        }
        None => Ruling::pass(format!(
            "ids are unique; resuming replayed {} message(s) of that stream",
            replayed.len()
        )),
    }
    .seen_in(again.x.id))
}

/// No id stands on two events of the session.
fn unique(talk: &Conversation<'_>) -> Result<(), Ruling> {
    let mut ids = BTreeSet::new();
    let visits = talk.visits(PROBE.id).into_iter().chain(talk.visits(PARALLEL.id));
    for visit in visits {
        for id in visit.stream().into_iter().flat_map(|s| &s.events).filter_map(|e| e.id.as_ref()) {
            if !ids.insert(id) {
                let says = "the same event id stands on two events of the session";
                let fix = "make event ids unique within the session, for instance by a number per stream and one per event";
                return Err(Ruling::fail(says, fix).seen_in(visit.x.id));
            }
        }
    }
    match ids.is_empty() {
        true => Err(Ruling::not_testable("events carry no ids")),
        false => Ok(()),
    }
}
