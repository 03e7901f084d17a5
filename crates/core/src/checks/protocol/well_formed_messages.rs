//! Messages that are not proper JSON-RPC.

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{AnomalyKind, ExchangeId, Reply};
use crate::response::quote;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/well-formed-messages",
    title: "Every message is proper JSON-RPC 2.0",
    facet: Facet::Protocol,
    severity: Severity::High,
    class: None,
    requirements: &[rule("RPC-01", versioned), rule("RPC-03", one_of_two), rule("RPC-04", errors)],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("well_formed_messages.md"),
    judge: by_rules,
};

/// What can be wrong with a message.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    Version,
    Halves,
    Error,
}

/// The wire says in words what was wrong; they name the member.
fn fault(detail: &str) -> Option<Fault> {
    if detail.contains("jsonrpc") {
        Some(Fault::Version)
    } else if detail.contains("`error") && !detail.contains("`result`") {
        Some(Fault::Error)
    } else if detail.contains("`result`") || detail.contains("`method` is not") {
        Some(Fault::Halves)
    } else {
        None
    }
}

fn versioned(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    without(talk, Fault::Version, "send `\"jsonrpc\": \"2.0\"` in every message")
}

fn one_of_two(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    without(talk, Fault::Halves, "send exactly one of `result` and `error` in every answer")
}

fn errors(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    without(talk, Fault::Error, "send errors with an integer `code` and a string `message`")
}

fn without(talk: &Conversation<'_>, kind: Fault, fix: &str) -> Judgement {
    let mut faults = faults(talk);
    faults.retain(|(_, detail)| fault(detail) == Some(kind));
    let Some((exchange, first)) = faults.first() else {
        return Ok(Ruling::pass("every message was proper JSON-RPC 2.0"));
    };
    let others = match faults.len() - 1 {
        0 => String::new(),
        n => format!(" (and {n} more)"),
    };
    let ruling = Ruling::fail(format!("{}{others}", quote(first)), fix);
    Err((*exchange).into_iter().fold(ruling, Ruling::seen_in))
}

/// The wire's notes and the replies overlap: an exchange is named once.
fn faults<'a>(talk: &Conversation<'a>) -> Vec<(Option<ExchangeId>, &'a str)> {
    let noted = talk.anomalies().filter(|a| a.kind == AnomalyKind::IllFormedMessage);
    let mut faults: Vec<_> = noted.map(|a| (a.exchange, a.detail.as_str())).collect();
    for x in talk.exchanges() {
        if let Reply::Malformed { why, .. } = &*x.reply
            && !faults.iter().any(|(exchange, _)| *exchange == Some(x.id))
        {
            faults.push((Some(x.id), why));
        }
    }
    faults
}
