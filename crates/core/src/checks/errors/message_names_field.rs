//! The error for a wrong or missing parameter says which one it is.

use std::sync::LazyLock;

use regex::Regex;

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::probes::{missing_required, valid_call, wrong_type};
use crate::response::{Refusal, has_stack_trace, quote};
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "errors/message-names-field",
    title: "Errors name the parameter at fault",
    facet: Facet::ErrorQuality,
    severity: Severity::Low,
    class: None,
    requirements: &[served("TOOL-21")],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &wrong_type::PROBE, &missing_required::PROBE],
    page: include_str!("message_names_field.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    match evidence.why_unseen() {
        Some(why) => vec![Finding::unseen(Subject::Server, why)],
        None => evidence.tools().filter_map(|tool| verdict(evidence, tool)).collect(),
    }
}

fn verdict(evidence: &Evidence, tool: &Tool) -> Option<Finding> {
    let probes = [wrong_type::PROBE.id, missing_required::PROBE.id];
    let calls = probes.iter().flat_map(|probe| evidence.of_tool(probe, &tool.name));
    let (mut graded, mut unseen) = (Vec::new(), Vec::new());
    for x in calls {
        match Refusal::of(evidence, x) {
            Refusal::Clean(text) | Refusal::Stumbled(text) | Refusal::Disguised(text) => {
                graded.push((x, grade(x, &text), text));
            }
            Refusal::Unseen(why) => unseen.push((x, why)),
            Refusal::Accepted(_) | Refusal::Crashed | Refusal::Broken(_) => {
                unseen.push((x, "no bad argument was refused, so there is no message".to_owned()));
            }
        }
    }
    let subject = Subject::tool_named(&tool.name);
    let Some((x, worst, text)) = graded.iter().min_by(|a, b| a.1.total_cmp(&b.1)) else {
        return unseen.first().map(|(x, why)| Finding::unseen(subject, why).seen_in(x.id));
    };
    let mean = graded.iter().map(|(_, grade, _)| grade).sum::<f64>() / graded.len() as f64;
    if *worst >= 1.0 {
        let says = format!("errors name the parameter: \"{}\"", quote(text));
        return Some(Finding::pass(subject, says).seen_in(x.id));
    }
    let fix = "write errors for the model that has to correct the call: the parameter's name, what was expected, what came; no stack trace";
    let says = format!("{} {}: \"{}\"", flaw(x, text), x.subject, quote(text));
    Some(Finding::partial(subject, Grade::new(mean), says, fix).seen_in(x.id))
}

fn grade(exchange: &Exchange, text: &str) -> f64 {
    let named = if names(exchange, text) { 1.0 } else { 0.0 };
    if has_stack_trace(text) { named * 0.5 } else { named }
}

fn flaw(exchange: &Exchange, text: &str) -> &'static str {
    match (text.trim().is_empty(), names(exchange, text)) {
        (true, _) => "there is no message about",
        (false, true) => "the message carries a stack trace about",
        (false, false) => "the message does not name",
    }
}

/// Whether the text names the parameter. Very short names are words of every language, so they
/// have to stand apart: quoted, on a line of their own, or with a colon.
fn names(exchange: &Exchange, text: &str) -> bool {
    let Subject::Param { pointer, .. } = &exchange.subject else { return false };
    let name = pointer.trim_start_matches('/').replace("~1", "/").replace("~0", "~");
    if name.chars().count() > 2 {
        return text.to_lowercase().contains(&name.to_lowercase());
    }
    static WORDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r#"['"`]([^'"`\s]{1,2})['"`]|(?m:^\s*(\S{1,2}?):?\s*$)|(?:^|[\s./])(\S{1,2}):|(?m:\bat (\S{1,2}?)(?:$|[,;\]]))"#)
            .ok()
    });
    WORDS.as_ref().is_some_and(|words| {
        words.captures_iter(text).any(|c| c.iter().skip(1).flatten().any(|m| m.as_str() == name))
    })
}
