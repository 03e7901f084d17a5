//! Cancelling what runs, and what may have ended already.

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Anomaly, AnomalyKind, Exchange, Reply};
use crate::probes::cancelled::{BETWEEN_MS, CANCEL, PROBE, RACE, SLOW, WEB};
use crate::probes::{revisions, valid_call};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule, sides};
use crate::target::Transport;

pub(super) const CHECK: Check = Check {
    id: "protocol/cancellation",
    title: "A cancelled request is dropped, and races do no harm",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("CANC-01", dropped), rule("CANC-03", raced), rule("CANC-04", dropped)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &valid_call::PROBE, &PROBE, &WEB],
    page: include_str!("cancellation.md"),
    judge: by_rules,
};

fn raced(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    over_stdio(talk)?;
    let x = talk.put(PROBE.id, RACE)?;
    let twice = |a: &Anomaly| a.kind == AnomalyKind::DuplicateAnswer && a.exchange == Some(x.id);
    if talk.anomalies().any(twice) {
        let fix = "answer each request at most once, cancelled or not";
        return Ok(Ruling::fail("a cancelled request was answered twice", fix).seen_in(x.id));
    }
    if talk.died_of(x) {
        let fix = "let a cancellation that meets its own answer change nothing";
        let says = format!("{}: {}", talk.name(x), talk.shown(x));
        return Ok(Ruling::fail(says, fix).seen_in(x.id));
    }
    Ok(talk.survived(x))
}

fn over_stdio(talk: &Conversation<'_>) -> Result<(), Ruling> {
    match talk.transport() {
        Transport::Stdio => Ok(()),
        Transport::Http | Transport::Sse | Transport::None => {
            Err(Ruling::not_testable("over HTTP a request and its cancellation may change places"))
        }
    }
}

/// Answered well after the cancellation was taken.
fn dropped_web(talk: &Conversation<'_>) -> Judgement {
    let found = talk.of(WEB.id).find(|x| talk.name(x) == SLOW);
    let x = found.ok_or_else(|| Ruling::not_testable("no tool is slow enough to be cancelled"))?;
    let cancel = talk.put(WEB.id, CANCEL)?;
    let end = |x: &Exchange| x.started.0 + x.took.0;
    let answered = matches!(*x.reply, Reply::Result { .. } | Reply::Error { .. });
    let taken = cancel.http.as_ref().is_some_and(|facts| facts.status < 300);
    let late = end(x) > end(cancel) + u64::from(BETWEEN_MS) * 1_000;
    Ok(match (answered, taken && late) {
        (true, true) => Ruling::fail(format!("{SLOW}: answered all the same"), FIX),
        (true, false) => Ruling::not_testable("it had ended when the cancellation was read"),
        (false, _) if x.reply == Reply::Silence => Ruling::pass(format!("{SLOW}: silence")),
        (false, _) => Ruling::unseen(talk.shown(x)),
    }
    .seen_in(x.id))
}

const FIX: &str = "stop the work and send nothing for a request that was cancelled";

fn dropped(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    if talk.transport() == Transport::Http && !talk.revision.is_stateless() {
        return dropped_web(talk);
    }
    over_stdio(talk)?;
    let label = sides::tagged(SLOW, talk.revision);
    let Some(x) = talk.of(PROBE.id).find(|x| x.label == label) else {
        return Err(Ruling::not_testable("no tool is slow enough to be cancelled"));
    };
    let late = |a: &Anomaly| a.kind == AnomalyKind::LateAnswer && a.exchange == Some(x.id);
    let ruling = match &*x.reply {
        // It came before the answer to what was asked after the cancellation.
        Reply::Result { .. } => Ruling::not_testable("it had ended when the cancellation was read"),
        Reply::Error { .. } => Ruling::fail(format!("{SLOW}: {}", talk.shown(x)), FIX),
        Reply::Silence if talk.anomalies().any(late) => {
            Ruling::fail(format!("{SLOW}: answered all the same"), FIX)
        }
        Reply::Silence => Ruling::pass(format!("{SLOW}: silence")),
        Reply::Malformed { .. }
        | Reply::TimedOut { .. }
        | Reply::Disconnected
        | Reply::Skipped { .. } => Ruling::unseen(talk.shown(x)),
    };
    Ok(ruling.seen_in(x.id))
}
