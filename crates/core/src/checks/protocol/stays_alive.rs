//! Servers that die of what they are sent.

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{Departure, Evidence, Exchange, Exit, Link, Reply, Skip, Subject};
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "protocol/stays-alive",
    title: "The server stays alive whatever it is sent",
    facet: Facet::Robustness,
    severity: Severity::High,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("stays_alive.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let deaths: Vec<&Departure> =
        evidence.departures.iter().filter(|d| is_death(evidence, d)).collect();
    let Some(first) = deaths.first() else {
        return vec![if evidence.transcript.iter().any(puts_to_the_test) {
            Finding::pass(Subject::Server, "it was alive to the end of the run")
        } else {
            Finding::unseen(Subject::Server, "no call put it to the test")
        }];
    };
    let times = match deaths.len() {
        1 => "died once".to_owned(),
        n => format!("died {n} times, first"),
    };
    let says = format!("{times} {}{}", circumstances(evidence, first), given_up(evidence));
    let fix = "catch what a handler throws, answer it as an error, and end the process only when stdin closes";
    let mut finding = Finding::fail(Subject::Server, says, fix);
    finding.seen_in = deaths.iter().filter_map(|d| d.during).collect();
    finding.seen_in.dedup();
    vec![finding]
}

/// A server that starts slowly may miss the first calls on a connection without opening, and is
/// then ended by us.
fn is_death(evidence: &Evidence, departure: &Departure) -> bool {
    let bare = |l: &Link| l.connection == departure.connection && l.side.handshake.is_none();
    departure.unexpected && (departure.during.is_some() || !evidence.links.iter().any(bare))
}

/// Opening and listing are the easy part.
fn puts_to_the_test(exchange: &Exchange) -> bool {
    let easy = exchange
        .send
        .method()
        .is_some_and(|m| m == "initialize" || m == "server/discover" || m.ends_with("/list"));
    !easy && exchange.reply.why_unseen().is_none()
}

fn circumstances(evidence: &Evidence, departure: &Departure) -> String {
    let exit = match departure.exit {
        Some(Exit::Code { code }) => format!(" with exit code {code}"),
        Some(Exit::Signal { signal }) => format!(" by signal {signal}"),
        None => String::new(),
    };
    match departure.during.and_then(|id| evidence.exchange(id)) {
        Some(x) => format!(
            "during {} ({}: {}, {}){exit}",
            x.id,
            x.probe,
            quote(&x.subject.to_string()),
            quote(&x.label)
        ),
        None => format!("between calls{exit}"),
    }
}

fn given_up(evidence: &Evidence) -> String {
    evidence
        .transcript
        .iter()
        .find_map(|x| match &*x.reply {
            Reply::Skipped { why: Skip::ServerGone { restarts } } => {
                Some(format!("; given up after {restarts} restarts, the rest was not called"))
            }
            Reply::Skipped { .. }
            | Reply::Result { .. }
            | Reply::Error { .. }
            | Reply::Malformed { .. }
            | Reply::Silence
            | Reply::TimedOut { .. }
            | Reply::Disconnected => None,
        })
        .unwrap_or_default()
}
