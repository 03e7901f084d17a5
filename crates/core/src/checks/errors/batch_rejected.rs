//! A rubric's own wish: that arrays of messages be refused as invalid since batches are gone.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Reply, Subject};
use crate::probes::{batches, revisions};
use crate::response::quote;
use crate::revision::Revision;
use crate::spec::{Conversation, sides};

pub(super) const CHECK: Check = Check {
    id: "errors/batch-rejected",
    title: "A batch is refused as an invalid request since batches are gone",
    facet: Facet::ModernProtocol,
    severity: Severity::Info,
    class: None,
    // The spec ties no answer to arrays: what it says is judged by `protocol/batches`.
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &batches::PROBE],
    page: include_str!("batch_rejected.md"),
    judge,
};

const INVALID_REQUEST: i64 = -32600;

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let mut newer = Conversation::all(evidence).into_iter();
    let Some(talk) = newer.rfind(|t| t.revision >= Revision::V2025_06_18) else {
        return Vec::new();
    };
    let label = sides::label(batches::TWO, talk.revision);
    match talk.of(batches::PROBE.id).find(|x| x.label == label) {
        Some(x) => vec![verdict(&talk, x).seen_in(x.id)],
        None => vec![Finding::unseen(Subject::Server, "no batch was sent")],
    }
}

fn verdict(talk: &Conversation<'_>, x: &Exchange) -> Finding {
    const FIX: &str = "answer an array with one error -32600 (\"Invalid Request\")";
    let says = format!("a batch in {}: {}", talk.revision, talk.shown(x));
    let half = |says| Finding::partial(Subject::Server, Grade::new(0.5), says, FIX);
    match &x.reply {
        Reply::Error { code: INVALID_REQUEST, .. } => Finding::pass(Subject::Server, says),
        Reply::Error { message, .. } if names_it(message) => Finding::pass(Subject::Server, says),
        Reply::Error { .. } => half(says),
        Reply::Malformed { .. } | Reply::Silence if refused(x) => half(says),
        Reply::Result { .. } | Reply::Malformed { .. } | Reply::Silence => {
            Finding::fail(Subject::Server, says, FIX)
        }
        Reply::TimedOut { .. } | Reply::Disconnected | Reply::Skipped { .. } => {
            Finding::unseen(Subject::Server, quote(&says))
        }
    }
}

fn names_it(message: &str) -> bool {
    let message = message.to_lowercase();
    message.contains("batch") || message.contains("invalid request")
}

fn refused(x: &Exchange) -> bool {
    x.http.as_ref().is_some_and(|h| h.status >= 400)
}
