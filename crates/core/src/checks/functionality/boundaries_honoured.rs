//! Values at the bounds of the schema are accepted, as the schema says.

use std::sync::LazyLock;

use regex::Regex;

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity, per_tool};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::pattern;
use crate::probe::Risk;
use crate::probes::{boundary, valid_call};
use crate::response::{Trip, quote};

pub(super) const CHECK: Check = Check {
    id: "functionality/boundaries-honoured",
    title: "Values at the bounds are accepted",
    facet: Facet::ScenarioCoverage,
    severity: Severity::Medium,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &boundary::PROBE],
    page: include_str!("boundaries_honoured.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    per_tool(evidence, verdict)
}

fn verdict(evidence: &Evidence, tool: &Tool) -> Option<Finding> {
    let subject = Subject::tool_named(&tool.name);
    let calls: Vec<&Exchange> = evidence.of_tool(boundary::PROBE.id, &tool.name).collect();
    let Some(first) = calls.first() else {
        let tried = valid_call::succeeded(evidence, &tool.name)
            || evidence.risk_of(&tool.name) == Risk::Destroys
            || !boundary::has_bounds(tool);
        let why = "not tried: no ordinary call succeeded";
        return (!tried).then(|| Finding::unseen(subject, why));
    };
    let (mut seen, mut bad, mut unseen) = (0, Vec::new(), None);
    for x in &calls {
        match Trip::of(evidence, x) {
            Trip::Handled(Some(text)) if speaks_of_bounds(&text) => {
                bad.push((*x, format!("refused: \"{}\"", quote(&text))));
            }
            Trip::Handled(_) => {}
            Trip::Bad(why) => bad.push((*x, why)),
            Trip::Unseen(why) => {
                unseen = Some(why);
                continue;
            }
        }
        seen += 1;
    }
    if let (0, Some(why)) = (seen, unseen) {
        return Some(Finding::unseen(subject, why).seen_in(first.id));
    }
    Some(graded(subject, first, seen, &bad))
}

fn graded(subject: Subject, first: &Exchange, seen: u32, bad: &[(&Exchange, String)]) -> Finding {
    let Some((x, why)) = bad.first() else {
        let says = format!("{seen} values at its bounds are accepted");
        return Finding::pass(subject, says).seen_in(first.id);
    };
    let grade = Grade::new(1.0 - bad.len() as f64 / f64::from(seen));
    let at = format!("{} of {}", x.label, place(x));
    let says = format!("{} of {seen} values at its bounds fail; {at}: {why}", bad.len());
    let fix =
        "accept every value that the schema allows, or let the schema say where the bounds are";
    Finding::partial(subject, grade, says, fix).seen_in(x.id)
}

fn place(exchange: &Exchange) -> &str {
    match &exchange.subject {
        Subject::Param { pointer, .. } => pointer,
        Subject::Server
        | Subject::Tool { .. }
        | Subject::Resource { .. }
        | Subject::Prompt { .. }
        | Subject::File { .. } => "the arguments",
    }
}

/// An error of another kind (nothing found there) says that the value itself was taken.
fn speaks_of_bounds(text: &str) -> bool {
    static WORDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern::ascii(
            r"(?i)\bat (least|most)\b|(less|greater|more|fewer) than|between \d|too (long|short|large|small|big|many|few|high|low)|exceed|\b(maximum|minimum)\b|out of (range|bounds)|input validation error|validation errors? for|invalid_type|must be (positive|non-?negative)",
        )
        .ok()
    });
    WORDS.as_ref().is_some_and(|words| words.is_match(text))
}
