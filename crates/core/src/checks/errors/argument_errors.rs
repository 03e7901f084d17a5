//! Errors about arguments come where the revision wants them.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject};
use crate::probes::wrong_input::{Kind, PROBES};
use crate::response::{Answer, Channel, Mistake, Refusal, channel_of, quote};
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "errors/argument-errors",
    title: "Errors about arguments come where the caller reads them",
    facet: Facet::Protocol,
    severity: Severity::Low,
    class: None,
    requirements: &[served("TOOL-21"), served("TOOL-22")],
    revisions: Revisions::All,
    needs: PROBES,
    page: include_str!("argument_errors.md"),
    judge,
};

/// The channel is a property of the server, not of a tool: one finding.
fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let Some(channel) = Channel::of(Mistake::BadArguments, evidence.revision()) else {
        return Vec::new();
    };
    let asked: Vec<&Exchange> = evidence.transcript.iter().filter(|x| is_wrong_input(x)).collect();
    let errors: Vec<(&Exchange, Answer, f64)> = asked
        .iter()
        .filter(|x| Refusal::of(evidence, x).message().is_some())
        .filter_map(|x| {
            let answer = Answer::of(evidence, x);
            let grade = channel.grade(&answer)?;
            Some((*x, answer, grade))
        })
        .collect();
    let Some((x, answer, worst)) = errors.iter().min_by(|a, b| a.2.total_cmp(&b.2)) else {
        let why = "no wrong argument was refused, so there is no error to look at";
        return asked
            .first()
            .map(|x| Finding::unseen(Subject::Server, why).seen_in(x.id))
            .into_iter()
            .collect();
    };
    let text = quote(answer.error_text().unwrap_or_default());
    let found = channel_of(answer);
    if *worst >= 1.0 {
        let says = format!("they come as {found}: \"{text}\"");
        return vec![Finding::pass(Subject::Server, says).seen_in(x.id)];
    }
    let alike = errors.iter().filter(|e| e.2 <= *worst).count();
    let mean = errors.iter().map(|e| e.2).sum::<f64>() / errors.len() as f64;
    let tool = x.subject.tool().unwrap_or_default();
    let says = format!(
        "{alike} of {} come as {found}, first from {tool}: \"{text}\"; wanted is {}",
        errors.len(),
        channel.wanted
    );
    let fix = "answer wrong arguments with a tool result that has `isError: true` and the message as text; keep protocol errors for calls that reach no tool";
    vec![Finding::partial(Subject::Server, Grade::new(mean), says, fix).seen_in(x.id)]
}

fn is_wrong_input(exchange: &Exchange) -> bool {
    // An oversized text is legal, and what a tool says of it an error of its own.
    Kind::of(&exchange.probe).is_some_and(|kind| kind != Kind::Oversized)
}
