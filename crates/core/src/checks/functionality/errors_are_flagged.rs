//! What is an error says so: `isError: true`, not only in words.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Reply, Subject, Tool};
use crate::pattern;
use crate::probes::valid_call;
use crate::probes::wrong_input::{MISSING_REQUIRED, WRONG_TYPE};
use crate::promise::{is_in, names};
use crate::response::{Answer, disguised_error, is_addressed, only_text, quote};

pub(super) const CHECK: Check = Check {
    id: "functionality/errors-are-flagged",
    title: "Errors are flagged as errors",
    facet: Facet::ErrorQuality,
    severity: Severity::Medium,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &WRONG_TYPE, &MISSING_REQUIRED],
    page: include_str!("errors_are_flagged.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    match evidence.why_unseen() {
        Some(why) => vec![Finding::unseen(Subject::Server, why)],
        None => evidence
            .tools()
            .filter(|tool| !deals_in_errors(tool))
            .filter_map(|tool| verdict(evidence, tool))
            .collect(),
    }
}

/// Its honest answers may look like errors.
fn deals_in_errors(tool: &Tool) -> bool {
    const WORDS: &str = "
        console debug diagnose diagnostics echo error errors exception exceptions exec execute
        lint log logs run stderr test tests trace traces";
    names(tool, WORDS)
}

fn verdict(evidence: &Evidence, tool: &Tool) -> Option<Finding> {
    let subject = Subject::tool_named(&tool.name);
    let calls: Vec<&Exchange> = CHECK
        .needs
        .iter()
        .flat_map(|probe| evidence.of_tool(probe.id, &tool.name))
        .filter(|x| is_addressed(evidence, x) && !asks_for_it(x))
        .collect();
    if let Some((x, text)) = calls.iter().find_map(|x| Some((x, unflagged(&x.reply)?))) {
        let says = format!("an error comes as a success: \"{}\"", quote(&text));
        let fix = "set `isError: true` on results that report an error";
        return Some(Finding::fail(subject, says, fix).seen_in(x.id));
    }
    let flagged = calls.iter().find(|x| Answer::of(evidence, x).error_text().is_some());
    if let Some(x) = flagged {
        return Some(Finding::pass(subject, "errors are sent as errors").seen_in(x.id));
    }
    let first = calls.first().filter(|_| calls.iter().all(|x| x.reply.why_unseen().is_some()))?;
    Some(Finding::unseen(subject, first.reply.why_unseen()?).seen_in(first.id))
}

fn asks_for_it(exchange: &Exchange) -> bool {
    let sent = exchange.arguments().map(ToString::to_string).unwrap_or_default().to_lowercase();
    ["error", "fail", "exception"].iter().any(|word| sent.contains(word))
}

/// The text of an error that calls itself a success. A document that begins with an error message
/// goes on after it, and a report about errors has more to tell than one.
fn unflagged(reply: &Reply) -> Option<String> {
    static OPENING: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern::ascii(
            r"(?i)^\W*(?:(?:[a-z]+(?:error|exception)|error|error \w+ing [^:\n]{1,80}|failed to [^:\n]{1,80})\s*:\s*\S|(?:an )?(?:unexpected |internal |unknown )?error (?:has )?occurred\b|traceback \(most recent call last\))",
        )
        .ok()
    });
    if reply.result().is_none() || reply.is_tool_error() || !only_text(reply) {
        return None;
    }
    let text = reply.text();
    let told = OPENING.as_ref().is_some_and(|o| o.is_match(&text));
    let traced = text.trim_start().starts_with("Traceback");
    let short = text.chars().count() <= 400 && text.lines().count() <= 4;
    let bare = serde_json::from_str::<Value>(text.trim())
        .is_ok_and(|v| disguised_error(reply).is_some() && is_only_error(&v));
    (told && (traced || short) || bare).then_some(text)
}

fn is_only_error(value: &Value) -> bool {
    const FIELDS: &str = "
        code detail details error errors hint message name ok reason stack status statusCode
        status_code success timestamp traceback type";
    let carries = |key: &str| value.get(key).is_some_and(|v| v.is_string() || v.is_object());
    let told = carries("error") || carries("message") || carries("reason");
    told && value.as_object().is_some_and(|o| o.keys().all(|k| is_in(k, FIELDS)))
}
