//! A URI template leads to resources once it is filled.

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject, Template};
use crate::probes::template_read::{PROBE, is_read};
use crate::probes::valid_call;
use crate::response::{Answer, Trouble, contents_flaw, quote};

pub(super) const CHECK: Check = Check {
    id: "functionality/templates-resolve",
    title: "Resource templates lead to resources",
    facet: Facet::ResponseValidity,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &PROBE],
    page: include_str!("templates_resolve.md"),
    judge,
};

const FIX: &str =
    "answer a filled template with `contents`, or with an error that says what is missing";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    match evidence.why_unseen() {
        Some(why) => vec![Finding::unseen(Subject::Server, why)],
        None => evidence.inventory.templates.iter().map(|t| verdict(evidence, t)).collect(),
    }
}

fn verdict(evidence: &Evidence, template: &Template) -> Finding {
    let subject = Subject::Resource { uri: template.uri_template.clone() };
    let reads: Vec<&Exchange> =
        evidence.of(PROBE.id).filter(|x| x.subject == subject && is_read(&x.label)).collect();
    let answered = reads.iter().find(|x| x.result().is_some());
    let Some(x) = answered.or(reads.last()) else {
        return Finding::unseen(subject, "not read: no value for its names was tried");
    };
    let fail = |says: String| Finding::fail(subject.clone(), says, FIX);
    let finding = match Answer::of(evidence, x) {
        Answer::Accepted | Answer::ToolError(_) => match x.result().and_then(contents_flaw) {
            Some(flaw) => fail(format!("{} gets a result that is wrong: {flaw}", uri(x))),
            None => Finding::pass(subject, format!("{} can be read", uri(x))),
        },
        Answer::Refused { message, .. } if Trouble::of(&message) == Trouble::Bug => {
            fail(format!("the code fails on {}: \"{}\"", uri(x), quote(&message)))
        }
        Answer::Refused { message, .. } => {
            let says =
                format!("not read: no value we know fits; {} gets \"{}\"", uri(x), quote(&message));
            Finding::unseen(subject, says)
        }
        Answer::Malformed(why) => fail(format!("a broken message ({why})")),
        Answer::Crashed => fail(format!("the server died of {}", uri(x))),
        Answer::Hung => fail("no answer in the time allowed".to_owned()),
        Answer::Unseen(why) => Finding::unseen(subject, why),
    };
    finding.seen_in(x.id)
}

fn uri(exchange: &Exchange) -> String {
    let uri = exchange.send.params().and_then(|p| p.get("uri")).and_then(|u| u.as_str());
    quote(uri.unwrap_or_default())
}
