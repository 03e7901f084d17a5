//! A tool that promises an answer gives one, not merely "success".

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::probes::valid_call;
use crate::promise::{Promise, names};
use crate::response::{is_accepted, is_bare_success, only_text, quote};

pub(super) const CHECK: Check = Check {
    id: "functionality/says-what-it-did",
    title: "Answers hold what was asked for",
    facet: Facet::ResponseValidity,
    severity: Severity::Medium,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE],
    page: include_str!("says_what_it_did.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    match evidence.why_unseen() {
        Some(why) => vec![Finding::unseen(Subject::Server, why)],
        None => evidence
            .tools()
            .filter(|tool| promises_more(tool))
            .filter_map(|tool| verdict(evidence, tool))
            .collect(),
    }
}

/// `get_status` may well say just "ok", `fetch` may mean to bring something up to date.
fn promises_more(tool: &Tool) -> bool {
    const FINE: &str = "
        check fetch health load open outcome permission ping query result show state status view";
    Promise::of(tool).is_answer() && !names(tool, FINE)
}

fn verdict(evidence: &Evidence, tool: &Tool) -> Option<Finding> {
    let subject = Subject::tool_named(&tool.name);
    let calls: Vec<&Exchange> = evidence.of_tool(valid_call::PROBE.id, &tool.name).collect();
    let answered: Vec<&Exchange> =
        calls.iter().filter(|x| is_accepted(evidence, x) && !asks_for_it(x)).copied().collect();
    let Some(first) = answered.first() else {
        let x = calls.iter().find(|x| x.reply.why_unseen().is_some())?;
        return Some(Finding::unseen(subject, x.reply.why_unseen()?).seen_in(x.id));
    };
    let hollow = |x: &&Exchange| is_bare_success(&x.reply) || owes_a_value(tool) && is_blank(x);
    if !answered.iter().all(hollow) {
        return Some(Finding::pass(subject, "the answer holds something").seen_in(first.id));
    }
    let says = match quote(&first.reply.text()) {
        text if text.is_empty() => "answers with nothing".to_owned(),
        text => format!("answers no more than \"{text}\""),
    };
    let fix = "return what the name of the tool promises, in text or as structured content";
    Some(Finding::fail(subject, says, fix).seen_in(first.id))
}

/// A message of success was what we wanted.
fn asks_for_it(exchange: &Exchange) -> bool {
    let sent = exchange.arguments().map(ToString::to_string).unwrap_or_default().to_lowercase();
    ["success", "ok", "done", "complete", "finished"]
        .iter()
        .any(|word| sent.split(|c: char| !c.is_alphanumeric()).any(|w| w == *word))
}

/// An empty file or list is a fair answer; no result of a calculation is not.
fn owes_a_value(tool: &Tool) -> bool {
    const OWING: &str = "calculate compute convert count describe explain measure translate";
    names(tool, OWING)
}

fn is_blank(exchange: &Exchange) -> bool {
    let structured = exchange.result().and_then(|r| r.get("structuredContent"));
    structured.is_none() && only_text(&exchange.reply) && exchange.reply.text().trim().is_empty()
}
