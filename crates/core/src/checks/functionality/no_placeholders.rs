//! Answers are real: no mock data, no "not implemented", no lorem ipsum.

use std::sync::LazyLock;

use regex::Regex;

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::pattern;
use crate::probe::words;
use crate::probes::{valid_call, vary};
use crate::promise::{Promise, holds, mentions, names};
use crate::response::{is_accepted, quote};

pub(super) const CHECK: Check = Check {
    id: "functionality/no-placeholders",
    title: "Answers are no placeholders",
    facet: Facet::ResponseValidity,
    severity: Severity::High,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &vary::PROBE],
    page: include_str!("no_placeholders.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    match evidence.why_unseen() {
        Some(why) => vec![Finding::unseen(Subject::Server, why)],
        None => evidence
            .tools()
            .filter(|tool| speaks_for_itself(tool))
            .filter_map(|tool| verdict(evidence, tool))
            .collect(),
    }
}

/// Documents of other people hold anything, and some tools make placeholders for a living, or say
/// beforehand that theirs are.
fn speaks_for_itself(tool: &Tool) -> bool {
    const DOCUMENTS: &str = "
        article code comment commit content contents diff directory doc docs document entity
        file files git graph history html issue issues log logs memory message messages node
        nodes note notes page path pr query readme repo repository resource snippet sql table
        task tasks text ticket todo todos uri url wiki";
    const TRADE: &str = "
        demo demonstrate demonstrates dummy example fake faker lorem mock mocked placeholder
        placeholders sample scaffold simulate simulated simulates stub template templates todo";
    let documents =
        names(tool, DOCUMENTS) || tool.parameters().any(|(n, _)| holds(&words(n), DOCUMENTS));
    let answers = Promise::of(tool).is_answer() && Promise::of(tool) != Promise::Hits;
    answers && !documents && !mentions(tool, TRADE)
}

fn verdict(evidence: &Evidence, tool: &Tool) -> Option<Finding> {
    let subject = Subject::tool_named(&tool.name);
    let of = |probe| evidence.of_tool(probe, &tool.name);
    let calls: Vec<&Exchange> = of(valid_call::PROBE.id).chain(of(vary::PROBE.id)).collect();
    let answered: Vec<&&Exchange> = calls.iter().filter(|x| is_accepted(evidence, x)).collect();
    let Some(first) = answered.first() else {
        let x = calls.first()?;
        return Some(Finding::unseen(subject, x.reply.why_unseen()?).seen_in(x.id));
    };
    let mark = answered.iter().find_map(|x| Some((x, mark(evidence, &x.reply.text())?)));
    let Some((x, mark)) = mark else {
        return Some(Finding::pass(subject, "nothing looks like a stand-in").seen_in(first.id));
    };
    let says = format!("the answer says of itself \"{mark}\": \"{}\"", quote(&x.reply.text()));
    let fix = "do the real work, or leave the tool out until it does";
    Some(Finding::fail(subject, says, fix).seen_in(x.id))
}

/// Words by which an answer calls itself a stand-in, unless we brought them.
fn mark(evidence: &Evidence, text: &str) -> Option<String> {
    static MARKS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern::ascii(
            r#"(?i)\b(?:mock(?:ed)?|dummy|fake|placeholder|stub(?:bed)?|hard-?coded) (?:data|response|result|answer|value|text|output|implementation|entry)s?\b|\bthis is a (?:mock|stub|placeholder|dummy)\b|\blorem ipsum dolor\b|\bnot (?:yet )?implemented\b|\b(?:to|will) be implemented\b|\bunimplemented\b|\bTODO:? (?:implement|replace|fetch|call|return|connect)\b|"(?:is_?)?(?:mock|placeholder|stub)(?:ed)?": ?true|[\[(](?:mock|stub|placeholder)[\])]"#,
        )
        .ok()
    });
    // Long texts are documents after all.
    let short = text.chars().count() <= 4_000;
    let found = MARKS.as_ref()?.find(text).filter(|_| short)?.as_str();
    let ours = evidence
        .transcript
        .iter()
        .filter_map(|x| x.arguments())
        .any(|sent| sent.to_string().to_lowercase().contains(&found.to_lowercase()));
    (!ours).then(|| quote(found))
}
