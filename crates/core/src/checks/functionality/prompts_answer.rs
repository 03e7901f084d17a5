//! Prompts can be had with sensible arguments, and are made of proper messages.

use serde_json::Value;

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Prompt, Subject};
use crate::probes::prompt_get::{FULL, MINIMAL, PROBE};
use crate::probes::valid_call;
use crate::response::{Answer, Trouble, block_flaw, quote};
use crate::revision::Revision;

pub(super) const CHECK: Check = Check {
    id: "functionality/prompts-answer",
    title: "Prompts answer with messages",
    facet: Facet::ResponseValidity,
    severity: Severity::Medium,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &PROBE],
    page: include_str!("prompts_answer.md"),
    judge,
};

const FIX: &str = "answer `prompts/get` with `messages`: each a `role` and one `content` block";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    match evidence.why_unseen() {
        Some(why) => vec![Finding::unseen(Subject::Server, why)],
        None => evidence.inventory.prompts.iter().filter_map(|p| verdict(evidence, p)).collect(),
    }
}

/// `None` for a prompt that the run did not sample.
fn verdict(evidence: &Evidence, prompt: &Prompt) -> Option<Finding> {
    let subject = Subject::Prompt { prompt: prompt.name.clone() };
    let of_label =
        |label: &str| evidence.of(PROBE.id).find(|x| x.subject == subject && x.label == label);
    let calls: Vec<(&Exchange, Finding)> = [of_label(MINIMAL), of_label(FULL)]
        .into_iter()
        .flatten()
        .map(|x| (x, one(evidence, &subject, x).seen_in(x.id)))
        .collect();
    let passes = calls.iter().any(|(_, f)| f.grade == Some(Grade::PASS));
    let refuses_required =
        calls.iter().find(|(x, f)| x.label == MINIMAL && passes && f.grade == Some(Grade::FAIL));
    if let Some((x, f)) = refuses_required {
        let says = format!("works only with more than its required arguments: {}", f.says);
        let fix = "mark every argument that cannot be left out as `required`";
        return Some(Finding::partial(subject, Grade::new(0.5), says, fix).seen_in(x.id));
    }
    let mut findings: Vec<Finding> = calls.into_iter().map(|(_, f)| f).collect();
    // What was seen to work counts before what was not seen; a failure before an unseen.
    findings.sort_by_key(|f| match f.grade {
        Some(grade) if grade.is_pass() => 0,
        Some(_) => 1,
        None => 2,
    });
    findings.into_iter().next()
}

fn one(evidence: &Evidence, subject: &Subject, exchange: &Exchange) -> Finding {
    let fail = |says: String| Finding::fail(subject.clone(), says, FIX);
    let revision = evidence.revision().unwrap_or(Revision::NEWEST_HANDSHAKE);
    match Answer::of(evidence, exchange) {
        Answer::Accepted | Answer::ToolError(_) => {
            match exchange.result().and_then(|r| messages_flaw(r, revision)) {
                Some(flaw) => fail(flaw),
                None => Finding::pass(subject.clone(), "answers with messages"),
            }
        }
        Answer::Refused { message, .. } => match Trouble::of(&message).needs() {
            Some(needs) => {
                let says = format!("not had: it needs {needs}; it says \"{}\"", quote(&message));
                Finding::unseen(subject.clone(), says)
            }
            None => fail(format!("refuses its own arguments: \"{}\"", quote(&message))),
        },
        Answer::Malformed(why) => fail(format!("a broken message ({why})")),
        Answer::Crashed => fail("the server died".to_owned()),
        Answer::Hung => fail("no answer in the time allowed".to_owned()),
        Answer::Unseen(why) => Finding::unseen(subject.clone(), why),
    }
}

fn messages_flaw(result: &Value, revision: Revision) -> Option<String> {
    let Some(messages) = result.get("messages").and_then(Value::as_array) else {
        return Some("`messages` is not an array".to_owned());
    };
    if messages.is_empty() {
        return Some("`messages` is empty".to_owned());
    }
    (0..).zip(messages).find_map(|(i, message): (usize, _)| {
        let role = message.get("role").and_then(Value::as_str);
        let flaw = match (role, message.get("content")) {
            (Some("user" | "assistant"), Some(block)) => block_flaw(block, revision)?,
            (Some("user" | "assistant"), None) => "it has no `content`".to_owned(),
            (Some(_) | None, _) => "its `role` is neither `user` nor `assistant`".to_owned(),
        };
        Some(format!("message {i}: {flaw}"))
    })
}
