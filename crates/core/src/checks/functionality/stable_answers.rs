//! The same question asked again gets the same answer, where nothing but the question matters.

use std::collections::BTreeSet;

use crate::check::{Check, Confidence, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject, Tool, steady};
use crate::probe::Risk;
use crate::probes::{repeat, valid_call};
use crate::promise::mentions;
use crate::response::{is_accepted, quote, substance};

pub(super) const CHECK: Check = Check {
    id: "functionality/stable-answers",
    title: "The same question gets the same answer",
    facet: Facet::Stability,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &repeat::PROBE],
    page: include_str!("stable_answers.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    match evidence.why_unseen() {
        Some(why) => vec![Finding::unseen(Subject::Server, why)],
        None => evidence
            .tools()
            .filter(|t| evidence.risk_of(&t.name) == Risk::Reads && !varies_by_nature(t))
            .filter_map(|tool| verdict(evidence, tool))
            .collect(),
    }
}

/// Clocks, chance, models and everything that goes on by itself.
fn varies_by_nature(tool: &Tool) -> bool {
    const WORDS: &str = "
        ai answer ask chat cpu current date dice fact feed generate generated generates joke
        latest live llm metrics model monitor network news next now pick poll price process
        processes queue quote random randomly realtime recent roll sampling screenshot session
        shuffle simulated stats status suggest system time today trending uptime usage uuid
        weather";
    mentions(tool, WORDS)
}

fn verdict(evidence: &Evidence, tool: &Tool) -> Option<Finding> {
    let subject = Subject::tool_named(&tool.name);
    let calls: Vec<&Exchange> = evidence.of_tool(repeat::PROBE.id, &tool.name).collect();
    let answered: Vec<&Exchange> =
        calls.iter().filter(|x| is_accepted(evidence, x)).copied().collect();
    let first = calls.first()?;
    if answered.len() < 3 {
        let why = first.reply.why_unseen().unwrap_or_else(|| "too few repetitions".to_owned());
        return Some(Finding::unseen(subject, why).seen_in(first.id));
    }
    let told: Vec<String> =
        answered.iter().filter_map(|x| Some(steady(&substance(&x.reply)?))).collect();
    let distinct = |of: &dyn Fn(&String) -> String| -> usize {
        told.iter().map(of).collect::<BTreeSet<String>>().len()
    };
    if distinct(&String::clone) == 1 {
        return Some(Finding::pass(subject, "repetitions agree").seen_in(first.id));
    }
    // A number may be a counter or a clock, and the order of things need not mean anything.
    if distinct(&|text| loose(text)) == 1 {
        return None;
    }
    let other = answered.iter().find(|x| substance(&x.reply) != substance(&answered[0].reply))?;
    let says = format!(
        "the same call gets \"{}\", then \"{}\"",
        quote(&answered[0].reply.text()),
        quote(&other.reply.text())
    );
    let fix = "answer the same question alike, or say in the description what makes it differ";
    let finding = Finding::fail(subject, says, fix).confidence(Confidence::Medium);
    Some(finding.seen_in(answered[0].id).seen_in(other.id))
}

/// The words, whatever their order, without numbers.
fn loose(text: &str) -> String {
    let mut words: Vec<&str> =
        text.split(|c: char| !c.is_alphabetic()).filter(|w| !w.is_empty()).collect();
    words.sort_unstable();
    words.join(" ")
}
