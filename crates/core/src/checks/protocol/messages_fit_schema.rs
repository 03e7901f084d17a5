//! Every message the server sent, held against the schema of the revision it was sent in.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{EachReply, Evidence, Exchange, ExchangeId, Incoming, Reply, Subject};
use crate::probes::revisions;
use crate::response::quote;
use crate::revision::Revision;
use crate::spec::messages::{Violation, result_violations, violations};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/messages-fit-schema",
    title: "Every message has the shape its revision gives it",
    facet: Facet::Protocol,
    severity: Severity::High,
    class: None,
    requirements: &[rule(ID, shapes)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE],
    page: include_str!("messages_fit_schema.md"),
    judge,
};

const ID: &str = "RPC-23";
const FIX: &str = "send messages in the shape of the negotiated revision";

/// A fault of shape, wherever it was seen.
struct Fault {
    says: String,
    revisions: Vec<Revision>,
    seen_in: Vec<ExchangeId>,
}

/// One finding for each distinct fault.
fn judge(evidence: &Evidence) -> Vec<Finding> {
    let mut faults: BTreeMap<(String, String), Fault> = BTreeMap::new();
    for talk in Conversation::all(evidence) {
        for (what, violation, id) in broken(&talk) {
            let key = (violation.place.clone(), violation.rule.clone());
            let says = format!("{what}: `{}` {}", violation.pointer, quote(&violation.says));
            let fault = faults.entry(key).or_insert_with(|| Fault {
                says,
                revisions: Vec::new(),
                seen_in: Vec::new(),
            });
            if !fault.revisions.contains(&talk.revision) {
                fault.revisions.push(talk.revision);
                fault.seen_in.extend(id);
            }
        }
    }
    let told = |fault: Fault| {
        let revisions: Vec<&str> = fault.revisions.iter().map(|r| r.as_str()).collect();
        let says = format!("{ID} ({}): {}", revisions.join(", "), fault.says);
        Finding { seen_in: fault.seen_in, ..Finding::fail(Subject::Server, says, FIX).about(ID) }
    };
    faults.into_values().map(told).collect()
}

fn shapes(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let (what, first, id) = match broken(talk).into_iter().next() {
        Some(found) => found,
        None => return Ok(Ruling::pass("every message has its shape")),
    };
    let says = format!("{what}: `{}` {}", first.pointer, quote(&first.says));
    let ruling = Ruling::fail(says, FIX);
    Ok(match id {
        Some(id) => ruling.seen_in(id),
        None => ruling,
    })
}

type Broken = (String, Violation, Option<ExchangeId>);

fn broken(talk: &Conversation<'_>) -> Vec<Broken> {
    let results = EachReply::new(|method: &str, reply: &Reply| {
        let value = reply.result();
        value.map(|value| result_violations(talk.revision, method, value)).unwrap_or_default()
    });
    let answers = talk.exchanges().flat_map(|x| {
        let method = x.send.method();
        let found = match (&*x.reply, method) {
            (Reply::Result { .. }, Some(method)) => results.of(method, &x.reply),
            (Reply::Error { .. }, _) => failure(talk, x),
            // Whatever is no message at all is told elsewhere.
            (
                Reply::Result { .. }
                | Reply::Malformed { .. }
                | Reply::Silence
                | Reply::TimedOut { .. }
                | Reply::Disconnected
                | Reply::Skipped { .. },
                _,
            ) => Vec::new(),
        };
        let told = move |v| {
            let what = format!("the answer to {}", method.unwrap_or("a raw frame"));
            (what, v, Some(x.id))
        };
        found.into_iter().map(told)
    });
    // What a result asks for is no message of its own.
    let messages = talk.incoming().filter(|i| i.frame.is_some());
    let started = messages
        .flat_map(|i| started(talk.revision, i).into_iter().map(|v| (i.method.clone(), v, None)));
    answers.chain(started).collect()
}

/// The id is part of the shape, and only the frame has it.
fn failure(talk: &Conversation<'_>, x: &Exchange) -> Vec<Violation> {
    let frame = x.frames.last().and_then(|id| talk.evidence.frames.get(id.0 as usize));
    let message = frame.and_then(|f| serde_json::from_str::<Value>(&f.text).ok());
    let failure = message.filter(|m| m.get("error").is_some());
    let mut found =
        failure.map(|m| violations(talk.revision, x.send.method(), &m)).unwrap_or_default();
    // JSON-RPC wants null for an id that could not be read, and the older schemas have no
    // other way out.
    if talk.revision < Revision::V2025_11_25 {
        found.retain(|v| v.pointer != "/id");
    }
    found
}

fn started(revision: Revision, incoming: &Incoming) -> Vec<Violation> {
    let mut message = json!({"jsonrpc": "2.0", "method": incoming.method});
    if let Some(params) = &incoming.params {
        message["params"] = params.clone();
    }
    if incoming.answer.is_some() {
        message["id"] = json!(1);
    }
    violations(revision, None, &message)
}
