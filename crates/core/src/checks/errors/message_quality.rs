//! The error for a wrong parameter helps its reader to send a right one.

use serde_json::Map;

use crate::arguments::plain;
use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::probes::wrong_input::{Kind, PROBES};
use crate::response::{
    Answer, Channel, Fault, Mistake, Quality, Refusal, Virtue, disclosed, place, quote,
};

pub(super) const CHECK: Check = Check {
    id: "errors/message-quality",
    title: "Error messages say what is wrong and how to put it right",
    facet: Facet::ErrorQuality,
    severity: Severity::Low,
    class: None,
    requirements: &["TOOL-21"],
    revisions: Revisions::All,
    needs: PROBES,
    page: include_str!("message_quality.md"),
    judge,
};

const FIX: &str = "write errors for the model that has to correct the call: the parameter's name, what was expected, what came; no stack trace";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let of = |tool| Kind::ALL.iter().filter_map(move |kind| verdict(evidence, tool, *kind));
    let told: Vec<Finding> = evidence.tools().flat_map(of).collect();
    if !told.is_empty() {
        return told;
    }
    let asked = evidence.transcript.iter().find(|x| Kind::of(&x.probe).is_some());
    let why = "no wrong argument was refused, so there is no message";
    let unseen = |x: &Exchange| {
        let why = x.reply.why_unseen().unwrap_or_else(|| why.to_owned());
        Finding::unseen(Subject::Server, why).seen_in(x.id)
    };
    asked.map(unseen).into_iter().collect()
}

/// All messages of one tool about one kind of mistake.
fn verdict(evidence: &Evidence, tool: &Tool, kind: Kind) -> Option<Finding> {
    let mut seen: Vec<(&Exchange, Quality, String)> = Vec::new();
    for x in evidence.of_tool(kind.probe().id, &tool.name) {
        if let Some(text) = Refusal::of(evidence, x).message() {
            seen.push((x, quality(evidence, tool, kind, x, text), text.to_owned()));
        }
    }
    let (x, worst, text) = seen.iter().min_by(|a, b| a.1.grade().total_cmp(&b.1.grade()))?;
    let mean = seen.iter().map(|s| s.1.grade()).sum::<f64>() / seen.len() as f64;
    let subject = if seen.len() == 1 { x.subject.clone() } else { Subject::tool_named(&tool.name) };
    let lacks = worst.lacks();
    let finding = if lacks.is_empty() {
        Finding::pass(subject, format!("told well what is {kind}: \"{}\"", quote(text)))
    } else {
        let lacks: Vec<&str> = lacks.into_iter().map(Virtue::lack).collect();
        let says = format!(
            "about a value {kind} for {}, the message {}: \"{}\"",
            place(x),
            lacks.join(", "),
            quote(text)
        );
        Finding::partial(subject, Grade::new(mean), says, FIX)
    };
    Some(finding.seen_in(x.id))
}

fn quality(evidence: &Evidence, tool: &Tool, kind: Kind, x: &Exchange, text: &str) -> Quality {
    let pointer = place(x);
    let steps = pointer.split('/').filter(|step| step.parse::<usize>().is_err());
    let name = steps.last().unwrap_or_default().replace("~1", "/").replace("~0", "~");
    let schema = tool.parameters().find(|(parameter, _)| *parameter == name);
    let schema = schema.map_or_else(Map::new, |(_, s)| plain(&tool.input_schema, s));
    let sent = x.arguments().and_then(|a| a.pointer(pointer));
    let fault = Fault { kind, parameter: &name, schema: &schema, sent };
    let internals = disclosed(evidence, x, text).is_some();
    let channel = Channel::of(Mistake::BadArguments, evidence.revision());
    let worth = channel.and_then(|c| c.grade(&Answer::of(evidence, x)));
    Quality::of(text, &fault, internals, worth.is_some_and(|grade| grade >= 1.0))
}
