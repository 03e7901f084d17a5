//! Servers that die or hang of a frame, and the smallest one that does it.

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Reply, Subject};
use crate::probe::{Connection, Send};
use crate::probes::{batches, frames, heavy, revisions};
use crate::response::quote;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/survives-hostile-frames",
    title: "The server answers on after every frame, however broken or large",
    facet: Facet::Robustness,
    severity: Severity::High,
    class: None,
    requirements: &[rule("RPC-24", recorded)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &frames::PROBE, &batches::PROBE, &heavy::PROBE],
    page: include_str!("survives_hostile_frames.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let talks = Conversation::all(evidence);
    let mut killers: Vec<(&Exchange, &str)> =
        talks.iter().flat_map(|t| victims(t).map(|x| (x, t.name(x)))).collect();
    killers.sort_by_key(|(x, name)| (kind(name), heavy::size(name), x.id));
    killers.dedup_by_key(|(_, name)| kind(name));
    if killers.is_empty() {
        return vec![match tried(evidence).count() {
            0 => Finding::unseen(Subject::Server, "no hostile frame was sent"),
            n => Finding::pass(Subject::Server, format!("answered on after {n} hostile frames")),
        }];
    }
    killers.into_iter().map(|(x, name)| finding(x, name)).collect()
}

/// Frames of one series are one defect.
fn kind(name: &str) -> &str {
    heavy::size(name).map_or(name, |(_, kind)| kind)
}

fn victims<'a>(talk: &Conversation<'a>) -> impl Iterator<Item = &'a Exchange> {
    talk.exchanges().filter(|x| is_hostile(x) && (talk.died_of(x) || talk.hung_on(x)))
}

fn is_hostile(x: &Exchange) -> bool {
    let raw = match x.send {
        Send::Raw { .. } | Send::Http { .. } | Send::Notification { .. } => true,
        Send::Request { .. } | Send::Aside { .. } | Send::Listen { .. } => false,
    };
    raw && x.on != Connection::Main
}

fn tried(evidence: &Evidence) -> impl Iterator<Item = &Exchange> {
    evidence.transcript.iter().filter(|x| is_hostile(x) && x.reply.why_unseen().is_none())
}

fn finding(x: &Exchange, name: &str) -> Finding {
    let what = match *x.reply {
        Reply::TimedOut { .. } => "answered nothing any more after",
        Reply::Result { .. }
        | Reply::Error { .. }
        | Reply::Malformed { .. }
        | Reply::Silence
        | Reply::Disconnected
        | Reply::Skipped { .. } => "died, twice, of",
    };
    let sent = match &x.send {
        Send::Raw { text, .. } => quote(text),
        Send::Http { body, .. } => quote(body.as_deref().unwrap_or_default()),
        Send::Notification { method, .. } => method.clone(),
        Send::Request { .. } | Send::Aside { .. } | Send::Listen { .. } => String::new(),
    };
    let fix = "catch what reading a message throws, answer it as an error, and go on reading";
    Finding::fail(Subject::Server, format!("{what} {name}: {sent}"), fix).seen_in(x.id)
}

/// No limit is written anywhere; what the newest revision showed holds for all.
fn recorded(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let of = |t: &Conversation<'_>| -> Vec<Ruling> {
        t.of(heavy::PROBE.id).map(|x| t.survived(x)).collect()
    };
    let all: Vec<Ruling> = Conversation::all(talk.evidence).iter().flat_map(of).collect();
    let says: Vec<&str> = all.iter().map(|r| r.says.as_str()).collect();
    let says = says.join("; ");
    let worst = Ruling::worst(all).ok_or_else(|| Ruling::unseen("nothing large was sent"))?;
    Ok(Ruling { says, ..worst })
}
