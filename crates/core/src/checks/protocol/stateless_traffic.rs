//! What servers of the stateless revision must not send: requests, old codes, cancellations.

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Exchange, Reply};
use crate::probe::Send;
use crate::response::quote;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/stateless-traffic",
    title: "Stateless servers send no requests and no codes of older revisions",
    facet: Facet::ModernProtocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[
        rule("RPC-19", no_requests),
        rule("RPC-20", defined_codes),
        rule("RPC-21", no_old_codes),
        rule("CANC-05", no_cancellations),
    ],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("stateless_traffic.md"),
    judge: by_rules,
};

const DEFINED: [i64; 3] = [-32020, -32021, -32022];
const RESOURCE_NOT_FOUND: i64 = -32002;

/// Input that a result asks for is no message of its own, and has no frame.
fn no_requests(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let request = talk.incoming().find(|i| i.answer.is_some() && i.frame.is_some());
    Ok(match request {
        Some(i) => Ruling::fail(
            format!("{} was sent as a request", quote(&i.method)),
            "ask for input by a result with `resultType` \"input_required\"",
        ),
        None => Ruling::pass("no request came from the server"),
    })
}

/// A request over HTTP by hand may be one of an older revision, and get its codes.
fn errors<'a>(talk: &Conversation<'a>) -> impl Iterator<Item = (&'a Exchange, i64)> {
    talk.exchanges().filter_map(|x| match (&*x.reply, &x.send) {
        (Reply::Error { code, .. }, Send::Request { .. } | Send::Raw { .. }) => Some((x, *code)),
        (
            Reply::Result { .. }
            | Reply::Error { .. }
            | Reply::Malformed { .. }
            | Reply::Silence
            | Reply::TimedOut { .. }
            | Reply::Disconnected
            | Reply::Skipped { .. },
            _,
        ) => None,
    })
}

fn without(talk: &Conversation<'_>, fix: &str, wrong: impl Fn(i64) -> bool) -> Judgement {
    if let Some((x, _)) = errors(talk).find(|(_, code)| wrong(*code)) {
        let says = format!("{}: {}", quote(talk.name(x)), talk.shown(x));
        return Ok(Ruling::fail(says, fix).seen_in(x.id));
    }
    match errors(talk).count() {
        0 => Err(Ruling::not_testable("no error was seen")),
        _ => Ok(Ruling::pass("no such code was seen")),
    }
}

fn defined_codes(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix =
        "use -32020 to -32022 as they are defined and no other code down to -32099, nor -32002";
    without(talk, fix, |code| {
        let reserved = (-32099..=-32020).contains(&code) && !DEFINED.contains(&code);
        reserved || code == RESOURCE_NOT_FOUND
    })
}

fn no_old_codes(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "choose codes outside -32000 to -32019";
    without(talk, fix, |code| (-32019..=-32000).contains(&code))
}

fn no_cancellations(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let cancelled = talk.incoming().find(|i| i.method == "notifications/cancelled");
    let listens = |x: &Exchange| x.send.method() == Some("subscriptions/listen");
    Ok(match cancelled {
        None => Ruling::pass("the server cancelled nothing"),
        Some(_) if talk.exchanges().any(listens) => {
            Ruling::pass("only a subscription was cancelled")
        }
        Some(_) => Ruling::fail(
            "notifications/cancelled was sent without a subscription",
            "cancel nothing but a subscription",
        ),
    })
}
