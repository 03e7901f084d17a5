//! Whether a server on the network ever says that it is enough.

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject};
use crate::probes::valid_call;
use crate::target::Target;

pub(super) const CHECK: Check = Check {
    id: "security/rate-limit",
    title: "A server on the network limits how often it is called",
    facet: Facet::Policy,
    severity: Severity::Info,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE],
    page: include_str!("rate_limit.md"),
    judge,
};

/// So many requests in one run are worth a word; no burst is made for the sake of it.
const MANY: usize = 100;
const FIX: &str = "answer too many requests of one caller with 429 and `Retry-After`";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let url = match &evidence.target {
        Target::Http { url, .. } | Target::Sse { url, .. } => url,
        Target::Stdio { .. } | Target::Source { .. } => return Vec::new(),
    };
    if super::open_http::is_loopback(url) {
        return Vec::new();
    }
    let status = |x: &&Exchange| x.http.as_ref().map(|h| h.status);
    if let Some(x) = evidence.transcript.iter().find(|x| status(x) == Some(429)) {
        return vec![Finding::pass(Subject::Server, "answers 429 when it is enough").seen_in(x.id)];
    }
    let answered = evidence.transcript.iter().filter(|x| status(x).is_some()).count();
    vec![match answered < MANY {
        true => Finding::unseen(Subject::Server, format!("only {answered} requests were made")),
        false => {
            let says = format!("took all of {answered} requests, and said nothing of a limit");
            Finding::fail(Subject::Server, says, FIX).suspected()
        }
    }]
}
