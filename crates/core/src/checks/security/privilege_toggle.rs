//! A tool that is refused, until a call that anybody may make has switched something.

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject};
use crate::probes::switches::{PROBE, is_denied};
use crate::probes::{benign, valid_call};
use crate::proof::Proof;
use crate::response::{Answer, quote};
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "security/privilege-toggle",
    title: "What is refused stays refused",
    facet: Facet::Authentication,
    severity: Severity::High,
    class: Some(Class::ExcessivePermissions),
    requirements: &[served("SEC-07"), served("TOOL-24")],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &benign::PROBE, &PROBE],
    page: include_str!("privilege_toggle.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let first = evidence.of(PROBE.id).filter(|x| x.label == "at first");
    first.map(|first| verdict(evidence, first)).collect()
}

fn verdict(evidence: &Evidence, first: &Exchange) -> Finding {
    if let Some(why) = first.reply.why_unseen() {
        return Finding::unseen(first.subject.clone(), why);
    }
    let again = |x: &&Exchange| x.subject == first.subject && x.label.starts_with("after ");
    let opened = evidence
        .of(PROBE.id)
        .filter(again)
        .find(|x| Answer::of(evidence, x) == Answer::Accepted && !is_denied(x));
    match opened.filter(|_| is_denied(first)) {
        Some(x) => {
            let how =
                x.label.trim_start_matches("after ").split(" for ").next().unwrap_or_default();
            let says = format!("was refused, and answered after a call of {}", quote(how));
            let fix = "tie what a caller may do to who the caller is, not to a state that any call can change";
            let proof = Proof::Contradiction { a: first.id, b: x.id };
            Finding::fail(first.subject.clone(), says, fix).proven(proof).seen_in(x.id)
        }
        None => Finding::pass(first.subject.clone(), "no other call opened it").seen_in(first.id),
    }
}
