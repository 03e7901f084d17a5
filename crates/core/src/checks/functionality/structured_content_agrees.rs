//! The text of a result tells the same as its structured content.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity, per_tool};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::probes::valid_call::PROBE;
use crate::response::Agreement;
use crate::revision::Revision;

pub(super) const CHECK: Check = Check {
    id: "functionality/structured-content-agrees",
    title: "Text and structured content tell the same",
    facet: Facet::ModernFeatures,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::From(Revision::V2025_06_18),
    needs: &[&PROBE],
    page: include_str!("structured_content_agrees.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    per_tool(evidence, verdict)
}

/// `None` for a tool that neither promises nor sends structured content.
fn verdict(evidence: &Evidence, tool: &Tool) -> Option<Finding> {
    let subject = Subject::tool_named(&tool.name);
    let calls: Vec<&Exchange> = evidence.of_tool(PROBE.id, &tool.name).collect();
    let compared: Vec<(&Exchange, Agreement)> = calls
        .iter()
        .filter(|x| !x.reply.is_tool_error())
        .filter_map(|x| Some((*x, Agreement::of(x.result()?)?)))
        .collect();
    let Some((first, _)) = compared.first() else {
        let sent = |x: &&Exchange| x.result().is_some_and(|r| r.get("structuredContent").is_some());
        if tool.output_schema.is_none() || calls.iter().any(sent) {
            return None;
        }
        let why = calls.iter().find_map(|x| x.reply.why_unseen());
        let why = why.unwrap_or_else(|| "no call gave structured content".to_owned());
        return Some(Finding::unseen(subject, why));
    };
    let flaw = compared.iter().find_map(|(x, agreement)| Some((x, flaw(agreement)?)));
    Some(match flaw {
        None => {
            Finding::pass(subject, "text and structured content tell the same").seen_in(first.id)
        }
        Some((x, (grade, says))) => {
            let fix = "send the JSON of `structuredContent` in a text block as well, made from the same value";
            Finding::partial(subject, Grade::new(grade), says, fix).seen_in(x.id)
        }
    })
}

fn flaw(agreement: &Agreement) -> Option<(f64, String)> {
    match agreement {
        Agreement::Same => None,
        Agreement::Contradicts(at) if at.is_empty() => {
            Some((0.0, "the JSON in its text is not its `structuredContent`".to_owned()))
        }
        Agreement::Contradicts(at) => {
            Some((0.0, format!("the JSON in its text contradicts `structuredContent` at {at}")))
        }
        Agreement::Prose => {
            Some((0.5, "its text leaves out values of `structuredContent`".to_owned()))
        }
        Agreement::NoText => Some((0.5, "`structuredContent` comes without any text".to_owned())),
    }
}
