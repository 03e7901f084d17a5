//! Stray lines on stdout.

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Anomaly, AnomalyKind, Direction, Evidence};
use crate::response::quote;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/stdout-purity",
    title: "Standard output carries nothing but messages",
    facet: Facet::Robustness,
    severity: Severity::High,
    class: None,
    requirements: &[rule("RPC-17", one_line), rule("RPC-18", pure)],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("stdout_purity.md"),
    judge: by_rules,
};

fn stray<'a>(talk: &Conversation<'a>) -> Vec<&'a Anomaly> {
    let kinds = [AnomalyKind::NotJson, AnomalyKind::NotAMessage];
    talk.anomalies().filter(|a| kinds.contains(&a.kind)).collect()
}

fn pure(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let stray = stray(talk);
    let Some(first) = stray.first() else {
        return Ok(Ruling::pass("every line on stdout was a message"));
    };
    let count = match stray.len() {
        1 => "1 stray line".to_owned(),
        n => format!("{n} stray lines"),
    };
    let line = quote(line(talk.evidence, first));
    let fix = "write logs and banners to stderr; on stdout every line must be one JSON-RPC message";
    let ruling = Ruling::fail(format!("{count} on stdout, the first: \"{line}\""), fix);
    Ok(first.exchange.into_iter().fold(ruling, Ruling::seen_in))
}

/// Lines that are no messages, but together are one. Such a message begins and ends at the margin,
/// and what lies between may be JSON by itself.
fn one_line(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    for first in stray(talk) {
        let Some(start) = first.frame.filter(|_| line(talk.evidence, first).starts_with('{'))
        else {
            continue;
        };
        let mut open = String::new();
        for frame in talk.evidence.frames.iter().skip(start.0 as usize) {
            if frame.connection != first.connection || frame.direction != Direction::Received {
                continue;
            }
            open.push_str(&frame.text);
            open.push('\n');
            if frame.text.starts_with('}') {
                break;
            }
        }
        if serde_json::from_str::<Value>(&open).is_ok_and(|v| v.get("jsonrpc").is_some()) {
            let says = format!("a message in several lines: {}", quote(&open));
            return Ok(Ruling::fail(says, "write each message in one line, not pretty-printed"));
        }
    }
    Ok(Ruling::pass("every message stood in one line"))
}

/// The line itself; what was wrong with it only where the line was not kept.
fn line<'a>(evidence: &'a Evidence, anomaly: &'a Anomaly) -> &'a str {
    let frame = anomaly.frame.and_then(|id| evidence.frames.get(id.0 as usize));
    frame.map_or(anomaly.detail.as_str(), |f| f.text.as_str())
}
