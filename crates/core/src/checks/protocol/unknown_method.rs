//! A request for a method that does not exist.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject};
use crate::probe::{Call, Lane, Probe, Send};
use crate::response::{Answer, quote};
use crate::seed::Seed;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "protocol/unknown-method",
    title: "An unknown method is refused as not found",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[served("RPC-08"), served("HTTP-28")],
    revisions: Revisions::All,
    needs: &[&PROBE],
    page: include_str!("unknown_method.md"),
    judge,
};

const PROBE: Probe = Probe { id: "unknown-method", hostile: false, lane: Lane::Shared, plan };
const NOT_FOUND: i64 = -32601;

fn plan(_: &Evidence, seed: Seed) -> Vec<Call> {
    let method = format!("proofmark/{}", seed.word("unknown-method", 8));
    vec![Call::new(Subject::Server, "no such method", Send::request(&method, None))]
}

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    match evidence.of(PROBE.id).next() {
        Some(x) => vec![verdict(evidence, x).seen_in(x.id)],
        None => vec![Finding::unseen(Subject::Server, "no unknown method was asked for")],
    }
}

fn verdict(evidence: &Evidence, exchange: &Exchange) -> Finding {
    const FIX: &str =
        "answer a request whose method you do not know with the JSON-RPC error -32601";
    let fail = |says: String| Finding::fail(Subject::Server, says, FIX);
    match Answer::of(evidence, exchange) {
        Answer::Refused { code: NOT_FOUND, message } => match wrong_status(evidence, exchange) {
            Some(status) => Finding::partial(
                Subject::Server,
                Grade::new(0.75),
                format!("refused with -32601, but HTTP status {status} instead of 404"),
                "send HTTP status 404 with the error -32601",
            ),
            None => Finding::pass(
                Subject::Server,
                format!("refused with -32601: \"{}\"", quote(&message)),
            ),
        },
        Answer::Refused { code, message } => Finding::partial(
            Subject::Server,
            Grade::new(0.5),
            format!("refused with {code} instead of -32601: \"{}\"", quote(&message)),
            FIX,
        ),
        Answer::ToolError(text) => fail(format!("answered with a result: \"{}\"", quote(&text))),
        Answer::Accepted => fail("answered with a result, as if the method existed".to_owned()),
        Answer::Malformed(why) => fail(format!("answered with a broken message: {}", quote(&why))),
        Answer::Crashed => fail("the server died of it".to_owned()),
        Answer::Hung => Finding::unseen(Subject::Server, "no answer in the time allowed"),
        Answer::Unseen(why) => Finding::unseen(Subject::Server, why),
    }
}

/// Only the stateless revision ties a status to this error.
fn wrong_status(evidence: &Evidence, exchange: &Exchange) -> Option<u16> {
    let stateless = evidence.revision().is_some_and(crate::revision::Revision::is_stateless);
    exchange.http.as_ref().map(|h| h.status).filter(|status| stateless && *status != 404)
}
