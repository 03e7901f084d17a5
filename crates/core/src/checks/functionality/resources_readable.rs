//! What is listed as a resource can be read, and is what it says it is.

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject};
use crate::probes::resource_read::PROBE;
use crate::response::{Answer, Trouble, contents_flaw, quote};

pub(super) const CHECK: Check = Check {
    id: "functionality/resources-readable",
    title: "Listed resources can be read",
    facet: Facet::ResponseValidity,
    severity: Severity::Medium,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&PROBE],
    page: include_str!("resources_readable.md"),
    judge,
};

const FIX: &str =
    "list only what can be read, and answer with `contents`: `uri` and `text` or `blob`";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    match evidence.why_unseen() {
        Some(why) => vec![Finding::unseen(Subject::Server, why)],
        None => evidence.of(PROBE.id).map(|x| verdict(evidence, x).seen_in(x.id)).collect(),
    }
}

fn verdict(evidence: &Evidence, exchange: &Exchange) -> Finding {
    let subject = exchange.subject.clone();
    let fail = |says: String| Finding::fail(subject.clone(), says, FIX);
    match Answer::of(evidence, exchange) {
        Answer::Accepted | Answer::ToolError(_) => {
            match exchange.result().and_then(contents_flaw) {
                Some(flaw) => fail(flaw),
                None => Finding::pass(subject, "can be read"),
            }
        }
        Answer::Refused { message, .. } => match Trouble::of(&message) {
            trouble @ (Trouble::Credential
            | Trouble::Network
            | Trouble::Limit
            | Trouble::Software
            | Trouble::Storage) => {
                let needs = trouble.needs().unwrap_or("something else");
                let says = format!("not read: it needs {needs}; it says \"{}\"", quote(&message));
                Finding::unseen(subject, says)
            }
            Trouble::Shape
            | Trouble::Bug
            | Trouble::NotFound
            | Trouble::State
            | Trouble::Value
            | Trouble::Other => {
                fail(format!("is listed, and reading it gets \"{}\"", quote(&message)))
            }
        },
        Answer::Malformed(why) => fail(format!("a broken message ({why})")),
        Answer::Crashed => fail("the server died".to_owned()),
        Answer::Hung => fail("no answer in the time allowed".to_owned()),
        Answer::Unseen(why) => Finding::unseen(subject, why),
    }
}
