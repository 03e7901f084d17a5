//! What was taken away is gone.

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::probes::round_trip::{PROBE, Step, label, step, told};
use crate::probes::{round_trip_marks as marks, valid_call};
use crate::promise::Promise;
use crate::response::{Answer, quote};

pub(super) const CHECK: Check = Check {
    id: "functionality/deleted-is-gone",
    title: "What is deleted is gone",
    facet: Facet::ToolSuccess,
    severity: Severity::High,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &PROBE],
    page: include_str!("deleted_is_gone.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let keeps = |t: &&Tool| Promise::of(t) == Promise::Keeps;
    let pairs = evidence
        .tools()
        .flat_map(|remover| evidence.tools().filter(keeps).map(move |writer| (remover, writer)));
    pairs.filter_map(|(remover, writer)| verdict(evidence, remover, writer)).collect()
}

fn verdict(evidence: &Evidence, remover: &Tool, writer: &Tool) -> Option<Finding> {
    let subject = Subject::tool_named(&remover.name);
    let deleted = step(evidence, &remover.name, &label(Step::Delete, &writer.name))?;
    if let Answer::Unseen(why) = Answer::of(evidence, deleted) {
        return Some(Finding::unseen(subject, why).seen_in(deleted.id));
    }
    let gone = label(Step::Gone, &writer.name);
    let looks: Vec<&Exchange> = evidence
        .of(PROBE.id)
        .filter(|x| x.label == gone && x.reply.why_unseen().is_none())
        .collect();
    let first = looks.first()?;
    let Some(still) = looks.iter().find(|x| marks::shows(x) && as_before(evidence, writer, x))
    else {
        let says = format!("what {} kept is gone afterwards", writer.name);
        return Some(Finding::pass(subject, says).seen_in(deleted.id).seen_in(first.id));
    };
    let says =
        format!("says \"{}\", and {} still shows it", quote(&deleted.reply.text()), still.subject);
    let fix = "take it away before saying so, or report that it was not";
    Some(Finding::fail(subject, says, fix).seen_in(deleted.id).seen_in(still.id))
}

/// A thing that is marked as deleted is shown otherwise than before.
fn as_before(evidence: &Evidence, writer: &Tool, gone: &Exchange) -> bool {
    let after = label(Step::After, &writer.name);
    let shown = evidence.of(PROBE.id).find(|x| x.label == after && x.subject == gone.subject);
    shown.is_some_and(|x| told(x) == told(gone))
}
