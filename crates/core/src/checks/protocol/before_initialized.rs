//! The edges of the opening: asked too early, told too early, opened twice.

use serde_json::json;

use super::version_negotiation;
use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Evidence, Exchange, Incoming, Reply, Subject};
use crate::probe::{Call, Connection, Lane, Probe, Send, Side};
use crate::probes::revisions;
use crate::seed::Seed;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule, sides};

pub(super) const CHECK: Check = Check {
    id: "protocol/before-initialized",
    title: "Nothing is asked of the client before it is ready",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[
        rule("LIFE-05", patient),
        rule("LIFE-07", early),
        rule("LIFE-12", silent),
        rule("LIFE-13", twice),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &version_negotiation::PROBE, &PROBE],
    page: include_str!("before_initialized.md"),
    judge: by_rules,
};

const PROBE: Probe = Probe { id: "opening", hostile: false, lane: Lane::Alone, plan };
const EARLY: &str = "a request before initialize";
const LISTEN: &str = "a while before initialized";
const READY: &str = "notifications/initialized";
const AGAIN: &str = "a second initialize";
const ON: Connection = Connection::Side(Side::bare(0));

/// One connection of its own, since what is odd here must not disturb the rest: asked too early, then
/// opened with a version that never was. Only a server that refuses this is opened once more.
fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let handshake = |side: &Side| side.handshake.is_some_and(|r| !r.is_stateless());
    let Some(side) = sides::tried(evidence).into_iter().rfind(handshake) else {
        return Vec::new();
    };
    let params = json!({"protocolVersion": side.handshake, "capabilities": {},
        "clientInfo": {"name": "proofmark", "version": crate::VERSION}});
    let open = Send::request("initialize", Some(params));
    let mut calls = vec![(EARLY, Send::request("tools/list", None))];
    if let Some(absurd) = evidence.of(version_negotiation::PROBE.id).find(|x| x.on == ON) {
        if absurd.result().is_none() {
            calls.push(("initialize", open.clone()));
        }
        let ready = Send::Notification { method: READY.to_owned(), params: None };
        calls.extend([
            (LISTEN, Send::Listen { ms: 1_000 }),
            (READY, ready),
            (AGAIN, open),
            ("ping", Send::request("ping", None)),
        ]);
    }
    calls.into_iter().map(|(name, send)| Call::new(Subject::Server, name, send).on(ON)).collect()
}

/// What was seen in the newest revision holds for all that open alike.
fn asked<'a>(talk: &Conversation<'a>, name: &str) -> Result<&'a Exchange, Ruling> {
    let x = talk.evidence.of(PROBE.id).find(|x| x.label == name);
    let x = x.ok_or_else(|| Ruling::unseen(format!("{name}: not tried")))?;
    if let Reply::Skipped { why } = &*x.reply {
        return Err(Ruling::unseen(why.to_string()));
    }
    Ok(x)
}

fn patient(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let listened = asked(talk, LISTEN)?;
    let ready = asked(talk, READY)?.started;
    let links = talk.evidence.links.iter().filter(|l| l.side == Side::bare(0));
    let connections: Vec<u32> = links.map(|l| l.connection).collect();
    let early = |i: &&Incoming| {
        connections.contains(&i.connection)
            && i.at < ready
            && i.method != "ping"
            && i.method != "notifications/message"
    };
    let fix = "wait for `notifications/initialized` before asking the client anything";
    let said = talk.evidence.incoming.iter().find(early);
    Ok(match said {
        None => Ruling::pass("nothing was asked before `initialized`"),
        Some(i) if i.answer.is_some() => {
            Ruling::fail(format!("{} was asked before `initialized`", i.method), fix)
        }
        Some(i) => Ruling::partial(format!("{} was sent before `initialized`", i.method), fix),
    }
    .seen_in(listened.id))
}

fn early(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    Ok(talk.survived(asked(talk, EARLY)?))
}

fn silent(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let x = asked(talk, READY)?;
    let fix = "answer nothing to `notifications/initialized`; over HTTP 202 without a body";
    let says = format!("{READY}: {}", talk.shown(x));
    Ok(match (&*x.reply, x.http.as_ref().map(|h| h.status)) {
        (Reply::Result { .. } | Reply::Error { .. } | Reply::Malformed { .. }, _) => {
            Ruling::fail(says, fix)
        }
        (Reply::Silence, None | Some(202)) => Ruling::pass(says),
        (Reply::Silence, Some(_)) => Ruling::partial(says, fix),
        (Reply::TimedOut { .. } | Reply::Disconnected | Reply::Skipped { .. }, _) => {
            Ruling::unseen(says)
        }
    }
    .seen_in(x.id))
}

fn twice(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    Ok(talk.survived(asked(talk, AGAIN)?))
}
