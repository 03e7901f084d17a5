//! Messages that are not proper JSON-RPC.

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{AnomalyKind, Evidence, ExchangeId, Reply, Subject};
use crate::response::quote;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "protocol/well-formed-messages",
    title: "Every message is proper JSON-RPC 2.0",
    facet: Facet::Protocol,
    severity: Severity::High,
    class: None,
    requirements: &[served("RPC-01"), served("RPC-03"), served("RPC-04"), served("RPC-16")],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("well_formed_messages.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let faults = faults(evidence);
    let Some((_, first)) = faults.first() else {
        return vec![Finding::pass(Subject::Server, "every message was proper JSON-RPC 2.0")];
    };
    let others = match faults.len() - 1 {
        0 => String::new(),
        n => format!(" (and {n} more)"),
    };
    let fix = "send `\"jsonrpc\": \"2.0\"`, exactly one of `result` and `error`, an integer `code` and a string `message`, all as UTF-8";
    let mut finding = Finding::fail(Subject::Server, format!("{first}{others}"), fix);
    finding.seen_in = faults.iter().filter_map(|(exchange, _)| *exchange).collect();
    finding.seen_in.sort_unstable();
    finding.seen_in.dedup();
    vec![finding]
}

/// The wire's notes and the replies overlap: an exchange is named once.
fn faults(evidence: &Evidence) -> Vec<(Option<ExchangeId>, String)> {
    let noted = evidence.anomalies.iter().filter_map(|a| match a.kind {
        AnomalyKind::IllFormedMessage => Some((a.exchange, quote(&a.detail))),
        AnomalyKind::InvalidUtf8 => {
            Some((a.exchange, format!("bytes that are not UTF-8: {}", quote(&a.detail))))
        }
        AnomalyKind::NotJson
        | AnomalyKind::NotAMessage
        | AnomalyKind::UnknownId
        | AnomalyKind::DuplicateAnswer
        | AnomalyKind::LateAnswer
        | AnomalyKind::IdTypeChanged
        | AnomalyKind::Oversized
        | AnomalyKind::Batch
        | AnomalyKind::Transport => None,
    });
    let mut faults: Vec<(Option<ExchangeId>, String)> = noted.collect();
    for x in &evidence.transcript {
        if let Reply::Malformed { why, .. } = &x.reply
            && !faults.iter().any(|(exchange, _)| *exchange == Some(x.id))
        {
            faults.push((Some(x.id), quote(why)));
        }
    }
    faults
}
