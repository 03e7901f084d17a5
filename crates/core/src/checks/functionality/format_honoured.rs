//! Who asks for CSV gets CSV.

use crate::check::{Check, Facet, Finding, Revisions, Severity, per_tool};
use crate::evidence::{Evidence, Tool};
use crate::probes::{formats, valid_call};
use crate::response::{Answer, Shape, is_accepted, only_text, quote};

pub(super) const CHECK: Check = Check {
    id: "functionality/format-honoured",
    title: "The format asked for is honoured",
    facet: Facet::ScenarioCoverage,
    severity: Severity::Medium,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &formats::PROBE],
    page: include_str!("format_honoured.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    per_tool(evidence, verdict)
}

fn verdict(evidence: &Evidence, tool: &Tool) -> Option<Finding> {
    let (name, _) = formats::parameter(tool)?;
    let mut honoured = Vec::new();
    let mut open = None;
    for x in evidence.of_tool(formats::PROBE.id, &tool.name) {
        let (subject, choice) = (x.subject.clone(), x.label.as_str());
        if let Answer::Unseen(why) = Answer::of(evidence, x) {
            return Some(Finding::unseen(subject, why).seen_in(x.id));
        }
        let text = is_accepted(evidence, x) && only_text(&x.reply);
        match Shape::named(choice).filter(|_| text).and_then(|shape| shape.fits_reply(&x.reply)) {
            Some(true) => honoured.push(x),
            Some(false) => {
                let shown = quote(&x.reply.text());
                let says = format!("`{name}` {choice} gets something else: \"{shown}\"");
                let fix = format!("answer in the format that `{name}` says, or do not offer it");
                return Some(Finding::fail(subject, says, fix).seen_in(x.id));
            }
            None => open = Some(x),
        }
    }
    let Some(first) = honoured.first() else {
        let x = open?;
        let why = format!("the answer does not show whether it is {}", x.label);
        return Some(Finding::unseen(x.subject.clone(), why).seen_in(x.id));
    };
    let choices: Vec<&str> = honoured.iter().map(|x| x.label.as_str()).collect();
    let says = format!("answers come as asked: {}", choices.join(", "));
    let mut finding = Finding::pass(first.subject.clone(), says);
    finding.seen_in = honoured.iter().map(|x| x.id).collect();
    Some(finding)
}
