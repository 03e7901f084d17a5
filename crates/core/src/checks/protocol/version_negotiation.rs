//! Which version the server agrees to, and what it offers instead of one it does not know.

use serde_json::json;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Evidence, Exchange, Reply, Subject};
use crate::probe::{Call, Connection, Lane, Probe, Send, Side};
use crate::probes::revisions;
use crate::response::quote;
use crate::revision::Revision;
use crate::seed::Seed;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule, sides};

pub(super) const CHECK: Check = Check {
    id: "protocol/version-negotiation",
    title: "Known versions are agreed to, unknown ones answered with another",
    facet: Facet::Protocol,
    severity: Severity::High,
    class: None,
    requirements: &[rule("LIFE-02", echoed), rule("LIFE-03", alternative), rule("LIFE-04", newest)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE],
    page: include_str!("version_negotiation.md"),
    judge: by_rules,
};

pub(super) const PROBE: Probe =
    Probe { id: "absurd-version", hostile: false, lane: Lane::Shared, plan };
const ABSURD: [&str; 2] = ["2099-01-01", "1999-01-01"];

/// Each on a connection that nobody has opened: a server that has agreed to one version owes no
/// answer to another. The first one only after what is asked there too early.
fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let spoken = sides::spoken(evidence);
    if spoken.iter().all(|(revision, _)| revision.is_stateless()) {
        return Vec::new();
    }
    // One is enough for a server with many other connections: processes are dear.
    let enough = if evidence.revision().is_some_and(Revision::is_stateless) { 1 } else { 2 };
    let asked = |(number, version): (u8, &str)| {
        let params = json!({"protocolVersion": version, "capabilities": {},
            "clientInfo": {"name": "proofmark", "version": crate::VERSION}});
        Call::new(Subject::Server, version, Send::request("initialize", Some(params)))
            .on(Connection::Side(Side::bare(number)))
    };
    (0..).zip(ABSURD).take(enough).map(asked).collect()
}

fn echoed(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "answer with the version that was asked for, if you support it, as it was written";
    if let Some((asked, answered)) = withheld(talk.evidence) {
        let says = format!("{asked} is offered to strangers; asked for it, it says {answered}");
        return Ok(Ruling::fail(says, fix));
    }
    let answered = &talk.handshake.answered;
    let says = format!("asked for {}, answered \"{}\"", talk.revision, quote(answered));
    Ok(match answered == talk.revision.as_str() {
        true => Ruling::pass(says),
        false => Ruling::fail(says, fix),
    }
    .seen_in(talk.handshake.exchange))
}

/// A version that the server offers instead of an unknown one, yet does not agree to.
fn withheld(evidence: &Evidence) -> Option<(Revision, Revision)> {
    let offered = evidence.of(PROBE.id).filter_map(version).filter_map(|v| v.parse().ok());
    let offered: Vec<Revision> = offered.collect();
    evidence.links.iter().find_map(|link| {
        let (asked, answered) = (link.side.handshake?, link.handshake.as_ref()?.revision);
        (asked != answered && offered.contains(&asked)).then_some((asked, answered))
    })
}

/// The answers to versions that never were.
fn offers<'a>(talk: &Conversation<'a>) -> Vec<&'a Exchange> {
    talk.evidence.of(PROBE.id).collect()
}

fn alternative(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let rulings = offers(talk).into_iter().map(|x| offered(talk, x).seen_in(x.id));
    Ruling::worst(rulings).ok_or_else(|| Ruling::unseen("no unknown version was asked for"))
}

fn offered(talk: &Conversation<'_>, x: &Exchange) -> Ruling {
    let fix = "answer an unknown version with the newest one you support";
    let says = |what: String| format!("asked for {}: {what}", x.label);
    match (&*x.reply, version(x)) {
        (_, Some(version)) if version.parse::<Revision>().is_ok() => {
            Ruling::pass(says(format!("offered {version}")))
        }
        (_, Some(version)) => Ruling::fail(
            says(format!("agreed to \"{}\", which is no version", quote(version))),
            fix,
        ),
        (Reply::Error { .. }, None) => Ruling::pass(says(talk.shown(x))),
        (Reply::Result { .. } | Reply::Malformed { .. } | Reply::Silence, None) => {
            Ruling::fail(says(talk.shown(x)), fix)
        }
        (Reply::TimedOut { .. } | Reply::Disconnected | Reply::Skipped { .. }, None) => {
            Ruling::unseen(says(talk.shown(x)))
        }
    }
}

fn version(x: &Exchange) -> Option<&str> {
    x.result()?.get("protocolVersion")?.as_str()
}

fn newest(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let spoken = Conversation::all(talk.evidence);
    let newest = spoken.iter().map(|t| t.revision).filter(|r| !r.is_stateless()).max();
    let newest = newest.ok_or_else(|| Ruling::unseen("no version was agreed to"))?;
    let rulings = offers(talk).into_iter().filter_map(|x| Some((x, version(x)?))).map(|(x, v)| {
        let says = format!("asked for {}: offered {v}, its newest is {newest}", x.label);
        let fix = "offer the newest version you support";
        match v == newest.as_str() {
            true => Ruling::pass(says),
            false => Ruling::fail(says, fix),
        }
        .seen_in(x.id)
    });
    Ruling::worst(rulings).ok_or_else(|| Ruling::not_testable("no alternative was offered"))
}
