//! Errors that tell how the server is built.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Reply, Subject};
use crate::pattern;
use crate::probes::{missing_required, unknown_tool, wrong_type};
use crate::proof::{Proof, asks};
use crate::response::quote;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "security/error-discloses-internals",
    title: "Errors do not disclose internals",
    facet: Facet::ErrorDisclosure,
    severity: Severity::Medium,
    class: Some(Class::InfoDisclosure),
    requirements: &[served("SEC-08"), served("TOOL-26")],
    revisions: Revisions::All,
    needs: &[&wrong_type::PROBE, &missing_required::PROBE, &unknown_tool::PROBE],
    page: include_str!("error_discloses_internals.md"),
    judge,
};

const TRACES: &[(&str, &str)] = &[
    ("a Python traceback", r"Traceback \(most recent call last\)"),
    ("a Python stack frame", r#"File "[^"]+", line \d+"#),
    ("a JavaScript stack frame", r"(?m)^\s*at .+:\d+:\d+\)?\s*$"),
    ("a Java stack frame", r"(?m)^\s*at [\w.$]+\([\w]+\.(?:java|kt|scala):\d+\)"),
    ("a .NET stack frame", r"(?m)^\s*at .+ in .+:line \d+"),
    ("a Go stack trace", r"goroutine \d+ \[[a-z ]+\]:"),
    ("a Rust panic", r"thread '[^']*' panicked at"),
];

/// Absolute paths of source files, and paths under the usual homes of programs and people.
const PATH: &str = r#"(?:^|[\s"'`(=:\[])((?:/(?:home|Users|root|opt|srv|app|usr|var|workspace|build|mnt)/[^\s"'`)\]:,]+)|(?:/[\w.@+-]+){2,}\.(?:py|js|mjs|cjs|ts|rb|go|rs|java|php|cs)\b|[A-Z]:\\(?:Users|Program Files|app)\\[^\s"'`)\]:,]+)"#;

static TRACE_RULES: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    TRACES.iter().filter_map(|(name, rule)| Some((*name, pattern::ascii(rule).ok()?))).collect()
});
static PATH_RULE: LazyLock<Option<Regex>> = LazyLock::new(|| pattern::ascii(PATH).ok());

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let mut verdicts: BTreeMap<Subject, Finding> = BTreeMap::new();
    for x in &evidence.transcript {
        let Some(text) = error_text(&x.reply) else { continue };
        let subject = x.subject.tool().map_or(Subject::Server, Subject::tool_named);
        let known = verdicts.get(&subject).is_some_and(|f| f.proof.is_some());
        match disclosed(evidence, x, &text) {
            Some((rule, quoted)) if !known => {
                let says = format!("an error shows {rule}: \"{}\"", quote(&quoted));
                let fix = "answer with a message for the caller and write the details to the log; turn off debug mode";
                let proof = Proof::Quoted { text: quote(&quoted), rule: rule.to_owned() };
                let finding = Finding::fail(subject.clone(), says, fix).proven(proof);
                verdicts.insert(subject, finding.seen_in(x.id));
            }
            Some(_) => {}
            None => {
                let clean = Finding::pass(subject.clone(), "its errors disclose nothing");
                verdicts.entry(subject).or_insert(clean);
            }
        }
    }
    if verdicts.is_empty() {
        return vec![Finding::unseen(Subject::Server, "no error was provoked")];
    }
    verdicts.into_values().collect()
}

fn error_text(reply: &Reply) -> Option<String> {
    match reply {
        Reply::Error { message, data, .. } => {
            let data =
                data.as_ref().map(|d| d.as_str().map_or_else(|| d.to_string(), str::to_owned));
            Some(format!("{message}\n{}", data.unwrap_or_default()))
        }
        Reply::Result { .. } if reply.is_tool_error() => Some(reply.text()),
        Reply::Result { .. }
        | Reply::Malformed { .. }
        | Reply::Silence
        | Reply::TimedOut { .. }
        | Reply::Disconnected
        | Reply::Skipped { .. } => None,
    }
}

fn disclosed(evidence: &Evidence, x: &Exchange, text: &str) -> Option<(&'static str, String)> {
    // Line breaks inside JSON data come escaped.
    let text = text.replace("\\n", "\n");
    let trace = TRACE_RULES
        .iter()
        .find_map(|(rule, pattern)| Some((*rule, pattern.find(&text)?.as_str().trim().to_owned())));
    trace.or_else(|| {
        let mut paths = PATH_RULE.as_ref()?.captures_iter(&text).filter_map(|c| c.get(1));
        let path = paths.find(|p| is_internal(evidence, x, p.as_str()))?;
        Some(("an internal path", path.as_str().to_owned()))
    })
}

/// The workspace is ours, and what we asked about may be repeated.
fn is_internal(evidence: &Evidence, x: &Exchange, path: &str) -> bool {
    let path = path.trim_end_matches(['.', '/', '\'']);
    let ours = &evidence.conditions.workspace;
    !(path.starts_with(ours.as_str())
        || ours.starts_with(path)
        || asks(x, path)
        || evidence.target.line().contains(path))
}
