//! Answers whose id fits no request.

use serde_json::Value;

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{Anomaly, AnomalyKind, Evidence, Subject};
use crate::response::quote;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "protocol/ids-match",
    title: "Every answer carries the id of its request, once",
    facet: Facet::Robustness,
    severity: Severity::High,
    class: None,
    requirements: &[served("RPC-02"), served("RPC-15")],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("ids_match.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let wrong: Vec<(&Anomaly, &str)> =
        evidence.anomalies.iter().filter_map(|a| Some((a, defect(evidence, a)?))).collect();
    let Some((first, what)) = wrong.first() else {
        return vec![Finding::pass(Subject::Server, "every answer carried the id of its request")];
    };
    let says = format!("{what}: {}{}", quote(&first.detail), more(wrong.len() - 1));
    let fix = "copy the `id` of the request into its answer unchanged (same value, same JSON type) and answer each request exactly once";
    let mut finding = Finding::fail(Subject::Server, says, fix);
    finding.seen_in = wrong.iter().filter_map(|(a, _)| a.exchange).collect();
    finding.seen_in.dedup();
    vec![finding]
}

fn more(others: usize) -> String {
    if others == 0 { String::new() } else { format!(" (and {others} more)") }
}

fn defect(evidence: &Evidence, anomaly: &Anomaly) -> Option<&'static str> {
    match anomaly.kind {
        AnomalyKind::UnknownId if reports_unreadable(evidence, anomaly) => None,
        AnomalyKind::UnknownId => Some("an answer to an id that was never asked"),
        AnomalyKind::IdTypeChanged => Some("an id came back with another JSON type"),
        AnomalyKind::DuplicateAnswer => Some("a second answer to the same id"),
        // Slow is not wrong: the id was ours.
        AnomalyKind::LateAnswer
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
fn reports_unreadable(evidence: &Evidence, anomaly: &Anomaly) -> bool {
    let message = anomaly
        .frame
        .and_then(|id| evidence.frames.get(id.0 as usize))
        .and_then(|frame| serde_json::from_str::<Value>(&frame.text).ok());
    message.is_some_and(|m| m.get("error").is_some() && m.get("id").is_none_or(Value::is_null))
}
