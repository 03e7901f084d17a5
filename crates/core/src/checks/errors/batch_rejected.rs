//! Batches, which left the protocol with 2025-06-18, are refused and not run.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject};
use crate::probe::{Awaits, Call, Lane, Probe, Send};
use crate::response::{Answer, quote};
use crate::revision::Revision;
use crate::seed::Seed;

pub(super) const CHECK: Check = Check {
    id: "errors/batch-rejected",
    title: "Batches are refused since they left the protocol",
    facet: Facet::BatchRejection,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::From(Revision::V2025_06_18),
    needs: &[&PROBE],
    page: include_str!("batch_rejected.md"),
    judge,
};

const PROBE: Probe = Probe { id: "batch", hostile: false, lane: Lane::Alone, plan };
const FIX: &str = "answer a JSON array with one error -32600 and run nothing in it";
const INVALID_REQUEST: i64 = -32600;

fn plan(_: &Evidence, _: Seed) -> Vec<Call> {
    let text = r#"[{"jsonrpc":"2.0","method":"tools/list","id":"batch-1"},{"jsonrpc":"2.0","method":"tools/list","id":"batch-2"}]"#;
    let send = Send::Raw { text: text.to_owned(), awaits: Awaits::Stray };
    vec![Call::new(Subject::Server, "two requests in an array", send)]
}

fn judge(evidence: &Evidence) -> Vec<Finding> {
    match evidence.why_unseen() {
        Some(why) => vec![Finding::unseen(Subject::Server, why)],
        None => evidence.of(PROBE.id).map(|x| verdict(evidence, x).seen_in(x.id)).collect(),
    }
}

fn verdict(evidence: &Evidence, x: &Exchange) -> Finding {
    let partial =
        |grade, says: String| Finding::partial(Subject::Server, Grade::new(grade), says, FIX);
    // Over HTTP the status is an answer too.
    let status = x.http.as_ref().map(|h| h.status);
    match Answer::of(evidence, x) {
        Answer::Refused { code: INVALID_REQUEST, message } => {
            Finding::pass(Subject::Server, format!("refused with -32600: \"{}\"", quote(&message)))
        }
        Answer::Refused { code, message } => {
            partial(0.75, format!("refused with {code} instead of -32600: \"{}\"", quote(&message)))
        }
        Answer::Hung | Answer::Malformed(_) if status.is_some_and(|s| (400..500).contains(&s)) => {
            partial(0.75, format!("refused with HTTP {} alone", status.unwrap_or_default()))
        }
        Answer::Hung => partial(0.5, "passed over in silence".to_owned()),
        Answer::Accepted | Answer::ToolError(_) | Answer::Malformed(_) => {
            Finding::fail(Subject::Server, "it was run as if batches were still there", FIX)
        }
        Answer::Crashed => Finding::fail(Subject::Server, "the server died of it", FIX),
        Answer::Unseen(why) => Finding::unseen(Subject::Server, why),
    }
}
