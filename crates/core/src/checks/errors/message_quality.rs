//! The error for a wrong parameter helps its reader to send a right one.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Map;

use crate::arguments::plain;
use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::probes::wrong_input::{Kind, PROBES};
use crate::response::{
    Answer, Channel, Fault, Mistake, Quality, Refusal, Virtue, disclosed, place, quote,
};
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "errors/message-quality",
    title: "Error messages say what is wrong and how to put it right",
    facet: Facet::ErrorQuality,
    severity: Severity::Low,
    class: None,
    requirements: &[served("TOOL-21")],
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
    let told: Vec<Finding> = evidence.tools().flat_map(|tool| verdicts(evidence, tool)).collect();
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

/// A message, what it was about, and how good it is.
struct Told<'a>(&'a Exchange, Kind, Quality, String);

/// The messages of one tool, one finding for those that lack the same.
fn verdicts(evidence: &Evidence, tool: &Tool) -> Vec<Finding> {
    let mut alike: BTreeMap<Vec<Virtue>, Vec<Told<'_>>> = BTreeMap::new();
    // A text of 16 KiB is legal, and what a tool says of it about something else.
    for kind in Kind::ALL.iter().copied().filter(|kind| *kind != Kind::Oversized) {
        for x in evidence.of_tool(kind.probe().id, &tool.name) {
            if let Some(text) = Refusal::of(evidence, x).message() {
                let quality = quality(evidence, tool, kind, x, text);
                let told = Told(x, kind, quality, text.to_owned());
                alike.entry(told.2.lacks()).or_default().push(told);
            }
        }
    }
    alike.into_iter().filter_map(|(lacks, told)| verdict(&lacks, &told)).collect()
}

fn verdict(lacks: &[Virtue], told: &[Told<'_>]) -> Option<Finding> {
    let Told(x, _, quality, text) = told.first()?;
    let subject = match (told.len(), x.subject.tool()) {
        (2.., Some(tool)) => Subject::tool_named(tool),
        (_, _) => x.subject.clone(),
    };
    let kinds: BTreeSet<Kind> = told.iter().map(|Told(_, kind, _, _)| *kind).collect();
    let kinds: Vec<String> = kinds.iter().map(ToString::to_string).collect();
    let about = format!("about {} ({})", kinds.join(", "), place(x));
    let finding = if lacks.is_empty() {
        Finding::pass(subject, format!("{about} it is helpful: \"{}\"", quote(text)))
    } else {
        let lacks: Vec<&str> = lacks.iter().map(|virtue| virtue.lack()).collect();
        let says = format!("{about} the message {}: \"{}\"", lacks.join(", "), quote(text));
        Finding::partial(subject, Grade::new(quality.grade()), says, FIX)
    };
    Some(finding.seen_in(x.id))
}

fn quality(evidence: &Evidence, tool: &Tool, kind: Kind, x: &Exchange, text: &str) -> Quality {
    let pointer = place(x);
    let mut steps = pointer.rsplit('/').filter(|step| step.parse::<usize>().is_err());
    let name = steps.next().unwrap_or_default().replace("~1", "/").replace("~0", "~");
    let schema = tool.parameters().find(|(parameter, _)| *parameter == name);
    let schema = schema.map_or_else(Map::new, |(_, s)| plain(&tool.input_schema, s));
    let sent = x.arguments().and_then(|a| a.pointer(pointer));
    let fault = Fault { kind, parameter: &name, schema: &schema, sent };
    let internals = disclosed(evidence, x, text).is_some();
    let channel = Channel::of(Mistake::BadArguments, evidence.revision());
    let worth = channel.and_then(|c| c.grade(&Answer::of(evidence, x)));
    Quality::of(text, &fault, internals, worth.is_some_and(|grade| grade >= 1.0))
}
