//! Tools answer a call whose arguments their schema allows.

use serde_json::Value;

use crate::check::{Check, Confidence, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{AnomalyKind, Evidence, Exchange, Subject, Tool};
use crate::probes::valid_call::{self, CHAINED, MINIMAL, PROBE, RETRIED};
use crate::response::{Answer, Trouble, disguised_error, quote};

pub(super) const CHECK: Check = Check {
    id: "functionality/valid-call-succeeds",
    title: "Tools answer valid calls",
    facet: Facet::ToolSuccess,
    severity: Severity::High,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&PROBE],
    page: include_str!("valid_call_succeeds.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    match evidence.why_unseen() {
        Some(why) => vec![Finding::unseen(Subject::Server, why)],
        None => evidence.tools().map(|tool| verdict(evidence, tool)).collect(),
    }
}

fn verdict(evidence: &Evidence, tool: &Tool) -> Finding {
    let subject = Subject::tool_named(&tool.name);
    let calls: Vec<(&Exchange, Call)> =
        evidence.of_tool(PROBE.id, &tool.name).map(|x| (x, Call::of(evidence, x))).collect();
    let Some((first, _)) = calls.first() else {
        return Finding::unseen(subject, "no arguments could be made from its schema");
    };
    if let Some((x, says)) = calls.iter().find_map(|(x, call)| Some((x, call.wreck()?))) {
        let fix = "answer every call; report what goes wrong as a result with `isError: true`";
        return Finding::fail(subject, format!("{says} on {}", arguments(x)), fix).seen_in(x.id);
    }
    // A call with values of the server's own shows more than one with values we made up.
    let told = |label: &str| label.starts_with(CHAINED) || label.starts_with(RETRIED);
    let mut works = calls.iter().filter(|(_, call)| *call == Call::Works).map(|(x, _)| *x);
    let works = works.clone().find(|x| told(&x.label)).or_else(|| works.next());
    let refused_alone = calls.iter().find(|(x, call)| {
        x.label == MINIMAL
            && matches!(call, Call::Fails(text) if Trouble::of(text) == Trouble::Shape)
    });
    match (works, refused_alone) {
        (Some(x), None) => Finding::pass(subject, shown_by(x)).seen_in(x.id),
        (Some(_), Some((x, _))) => Finding::partial(
            subject,
            Grade::new(0.75),
            format!("refuses its required parameters alone: \"{}\"", quote(&x.reply.text())),
            "list in `required` every parameter that a call cannot do without",
        )
        .seen_in(x.id),
        (None, _) if only_as_task(tool) => {
            Finding::unseen(subject, "not exercised: it runs only as a task").seen_in(first.id)
        }
        (None, _) => {
            let latest = calls.iter().rev().map(|(x, _)| *x).find(|x| told(&x.label));
            let decisive =
                latest.or_else(|| valid_call::typical(evidence, &tool.name)).unwrap_or(first);
            failure(subject, decisive, &Call::of(evidence, decisive)).seen_in(decisive.id)
        }
    }
}

fn shown_by(exchange: &Exchange) -> &'static str {
    match exchange.label.as_str() {
        label if label.starts_with(CHAINED) => "answers a valid call with values of its own",
        label if label.starts_with(RETRIED) => "answers a valid call after the step it asks for",
        _ => "answers a valid call",
    }
}

/// `execution.taskSupport: required`: a plain call must be refused.
fn only_as_task(tool: &Tool) -> bool {
    tool.raw.pointer("/execution/taskSupport").and_then(Value::as_str) == Some("required")
}

/// What one call came to.
#[derive(PartialEq)]
enum Call {
    Works,
    Fails(String),
    Died,
    Hung,
    Broken(String),
    Unseen(String),
}

impl Call {
    fn of(evidence: &Evidence, exchange: &Exchange) -> Call {
        let mistaken = evidence
            .anomalies
            .iter()
            .any(|a| a.kind == AnomalyKind::UnknownId && a.exchange == Some(exchange.id));
        if mistaken {
            // We took it for the answer because nobody else was waiting; clients do not.
            return Call::Broken("answered under an id nobody asked".to_owned());
        }
        match Answer::of(evidence, exchange) {
            Answer::Accepted => match disguised_error(&exchange.reply) {
                Some(text) => Call::Fails(text),
                None => Call::Works,
            },
            Answer::ToolError(text) => Call::Fails(text),
            Answer::Refused { message, .. } => Call::Fails(message),
            Answer::Malformed(why) => Call::Broken(why),
            Answer::Crashed => Call::Died,
            Answer::Hung => Call::Hung,
            Answer::Unseen(why) => Call::Unseen(why),
        }
    }

    /// What no valid call may end in, whatever other calls came to.
    fn wreck(&self) -> Option<String> {
        match self {
            Call::Died => Some("the server died".to_owned()),
            Call::Hung => Some("no answer in the time allowed".to_owned()),
            Call::Broken(why) => Some(format!("a broken message ({why})")),
            Call::Works | Call::Fails(_) | Call::Unseen(_) => None,
        }
    }
}

fn failure(subject: Subject, exchange: &Exchange, call: &Call) -> Finding {
    let text = match call {
        Call::Fails(text) => text,
        Call::Unseen(why) => return Finding::unseen(subject, why),
        Call::Works | Call::Died | Call::Hung | Call::Broken(_) => {
            return Finding::unseen(subject, "the calls contradict each other");
        }
    };
    let trouble = Trouble::of(text);
    if let Some(needs) = trouble.needs() {
        let says = format!("not exercised: it needs {needs}; it says \"{}\"", quote(text));
        return Finding::unseen(subject, says);
    }
    let (verdict, fix, confidence) = fault(trouble);
    let says = format!("{verdict}: {} gets \"{}\"", arguments(exchange), quote(text));
    Finding::fail(subject, says, fix).confidence(confidence)
}

/// What the server did wrong, what to do about it, and how sure we are.
fn fault(trouble: Trouble) -> (&'static str, &'static str, Confidence) {
    match trouble {
        Trouble::Shape => (
            "refuses arguments its own schema allows",
            "make `inputSchema` say what the code demands: types, `required`, ranges",
            Confidence::High,
        ),
        Trouble::Bug => (
            "its code fails on a valid call",
            "handle this input in the code, and report errors in words with `isError: true`",
            Confidence::High,
        ),
        Trouble::Other
        | Trouble::Credential
        | Trouble::Network
        | Trouble::Limit
        | Trouble::Software
        | Trouble::Storage
        | Trouble::NotFound
        | Trouble::State
        | Trouble::Value => (
            "fails on a valid call",
            "make the call work, or let the error say what the caller has to do differently",
            Confidence::Medium,
        ),
    }
}

fn arguments(exchange: &Exchange) -> String {
    match exchange.arguments() {
        Some(arguments) => quote(&arguments.to_string()),
        None => "{}".to_owned(),
    }
}
