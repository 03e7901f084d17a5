//! Stray lines on stdout.

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{Anomaly, AnomalyKind, Evidence, Subject};
use crate::response::quote;
use crate::spec::served;
use crate::target::Transport;

pub(super) const CHECK: Check = Check {
    id: "protocol/stdout-purity",
    title: "Standard output carries nothing but messages",
    facet: Facet::Robustness,
    severity: Severity::High,
    class: None,
    requirements: &[served("RPC-18"), served("RPC-17")],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("stdout_purity.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if evidence.conditions.transport != Transport::Stdio {
        return Vec::new();
    }
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let stray: Vec<&Anomaly> = evidence
        .anomalies
        .iter()
        .filter(|a| matches!(a.kind, AnomalyKind::NotJson | AnomalyKind::NotAMessage))
        .collect();
    let Some(first) = stray.first() else {
        return vec![Finding::pass(Subject::Server, "every line on stdout was a message")];
    };
    let says = format!(
        "{} on stdout, the first: \"{}\"",
        if stray.len() == 1 {
            "1 stray line".to_owned()
        } else {
            format!("{} stray lines", stray.len())
        },
        quote(line(evidence, first))
    );
    let fix = "write logs and banners to stderr; on stdout every line must be one JSON-RPC message";
    let mut finding = Finding::fail(Subject::Server, says, fix);
    finding.seen_in = stray.iter().filter_map(|a| a.exchange).collect();
    finding.seen_in.dedup();
    vec![finding]
}

/// The line itself; what was wrong with it only where the line was not kept.
fn line<'a>(evidence: &'a Evidence, anomaly: &'a Anomaly) -> &'a str {
    let frame = anomaly.frame.and_then(|id| evidence.frames.get(id.0 as usize));
    frame.map_or(anomaly.detail.as_str(), |f| f.text.as_str())
}
