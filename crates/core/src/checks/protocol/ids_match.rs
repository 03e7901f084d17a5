//! Answers whose id fits no request, or that come twice, or never.

use serde_json::{Value, json};

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Anomaly, AnomalyKind, Evidence, Exchange, Frame, Reply};
use crate::probe::{Call, Lane, Probe, Send};
use crate::probes::{in_flight, revisions};
use crate::response::quote;
use crate::seed::Seed;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, frame, rule, sides};

pub(super) const CHECK: Check = Check {
    id: "protocol/ids-match",
    title: "Every answer carries the id of its request, once",
    facet: Facet::Robustness,
    severity: Severity::High,
    class: None,
    requirements: &[rule("RPC-02", same), rule("RPC-15", once)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE, &in_flight::PROBE],
    page: include_str!("ids_match.md"),
    judge: by_rules,
};

const PROBE: Probe = Probe { id: "odd-ids", hostile: false, lane: Lane::Alone, plan };
const FIX: &str = "copy the `id` of the request into its answer unchanged (same value, same JSON type) and answer each request exactly once";

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let ids = [
        ("id 0", json!(0)),
        ("id -1", json!(-1)),
        ("a number", json!(700_000_007)),
        ("the same as text", json!("700000007")),
        ("text", json!("abc")),
        ("2^53-1", json!(9_007_199_254_740_991_u64)),
        ("a long text", json!("long ".repeat(200))),
    ];
    sides::on_each(evidence, |revision| {
        let method = frame::harmless(revision);
        let asked = |(name, id): &(&'static str, Value)| {
            (*name, Send::Request { method: method.to_owned(), params: None, id: Some(id.clone()) })
        };
        ids.iter().map(asked).collect()
    })
}

fn same(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let wrong = talk.anomalies().filter_map(|a| Some((a, misfit(talk, a)?)));
    first_of(wrong.collect())?;
    if let Some(x) = talk.of(PROBE.id).find(|x| unanswered(talk, x)) {
        let says = format!("{}: {}, while others were answered", talk.name(x), talk.shown(x));
        return Ok(Ruling::fail(says, FIX).seen_in(x.id));
    }
    match talk.exchanges().filter(|x| x.reply.why_unseen().is_none()).count() {
        0 => Err(Ruling::unseen("nothing was answered")),
        _ => Ok(Ruling::pass("every answer carried the id of its request")),
    }
}

/// Fails by the first of what the wire noticed, if there is any.
fn first_of(wrong: Vec<(&Anomaly, &str)>) -> Result<(), Ruling> {
    let Some((first, what)) = wrong.first() else { return Ok(()) };
    let says = format!("{what}: {}{}", quote(&first.detail), more(wrong.len() - 1));
    Err(first.exchange.into_iter().fold(Ruling::fail(says, FIX), Ruling::seen_in))
}

fn more(others: usize) -> String {
    if others == 0 { String::new() } else { format!(" (and {others} more)") }
}

fn misfit(talk: &Conversation<'_>, anomaly: &Anomaly) -> Option<&'static str> {
    match anomaly.kind {
        AnomalyKind::UnknownId if reports_unreadable(talk, anomaly) => None,
        AnomalyKind::UnknownId => Some("an answer to an id that was never asked"),
        AnomalyKind::IdTypeChanged => Some("an id came back with another JSON type"),
        AnomalyKind::DuplicateAnswer
        | AnomalyKind::LateAnswer
        | AnomalyKind::NotJson
        | AnomalyKind::NotAMessage
        | AnomalyKind::IllFormedMessage
        | AnomalyKind::InvalidUtf8
        | AnomalyKind::Oversized
        | AnomalyKind::Batch
        | AnomalyKind::Transport => None,
    }
}

/// An error without id is how a server answers a frame whose id it could not read.
fn reports_unreadable(talk: &Conversation<'_>, anomaly: &Anomaly) -> bool {
    let frame = anomaly.frame.and_then(|id| talk.evidence.frames.get(id.0 as usize));
    let message = frame.and_then(Frame::message);
    message.is_some_and(|m| m.get("error").is_some() && m.get("id").is_none_or(Value::is_null))
}

/// Never answered, not even late.
fn unanswered(talk: &Conversation<'_>, x: &Exchange) -> bool {
    let late = |a: &Anomaly| a.kind == AnomalyKind::LateAnswer && a.exchange == Some(x.id);
    matches!(*x.reply, Reply::TimedOut { .. }) && talk.lived_on(x) && !talk.anomalies().any(late)
}

fn once(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let twice = talk.anomalies().filter(|a| a.kind == AnomalyKind::DuplicateAnswer);
    first_of(twice.map(|a| (a, "a second answer to the same id")).collect())?;
    let all = || talk.of(in_flight::PROBE.id).filter(|x| x.subject.tool().is_none());
    if let Some(x) = all().find(|x| unanswered(talk, x) || is_mixed_up(x)) {
        let says = format!("{}, among others: {}, not its own", talk.name(x), talk.shown(x));
        return Ok(Ruling::fail(says, FIX).seen_in(x.id));
    }
    match all().filter(|x| x.reply.why_unseen().is_none()).count() {
        0 => Err(Ruling::unseen("no requests were in flight together")),
        n => Ok(Ruling::pass(format!("{n} requests in flight, each answered once"))),
    }
}

fn is_mixed_up(x: &Exchange) -> bool {
    let lists = x.send.method() == Some("tools/list");
    x.result().is_some_and(|r| r.get("tools").is_some() != lists)
}
