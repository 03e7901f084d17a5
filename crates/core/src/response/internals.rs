//! What a text gives away about how the server is built.

use std::sync::LazyLock;

use regex::Regex;

use crate::evidence::{Evidence, Exchange};
use crate::pattern;
use crate::proof::asks;

const TRACES: &[(&str, &str)] = &[
    ("a Python traceback", r"Traceback \(most recent call last\)"),
    ("a Python stack frame", r#"File "[^"]+", line \d+"#),
    ("a JavaScript stack frame", r"(?m)^\s*at .{1,200}:\d+:\d+\)?\s*$"),
    ("a Java stack frame", r"(?m)^\s*at [\w.$]+\([\w]+\.(?:java|kt|scala):\d+\)"),
    ("a .NET stack frame", r"(?m)^\s*at .{1,200} in .{1,200}:line \d+"),
    ("a Go stack trace", r"goroutine \d+ \[[a-z ]+\]:"),
    ("a Rust panic", r"thread '[^']*' panicked at"),
];

/// Absolute paths of source files, and paths under the usual homes of programs and people.
const PATH: &str = r#"(?:^|[\s"'`(=:\[])((?:/(?:home|Users|root|opt|srv|app|usr|var|workspace|build|mnt)/[^\s"'`)\]:,]+)|(?:/[\w.@+-]+){2,}\.(?:py|js|mjs|cjs|ts|rb|go|rs|java|php|cs)\b|[A-Z]:\\(?:Users|Program Files|app)\\[^\s"'`)\]:,]+)"#;

static TRACE_RULES: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    TRACES.iter().filter_map(|(name, rule)| Some((*name, pattern::ascii(rule).ok()?))).collect()
});
static PATH_RULE: LazyLock<Option<Regex>> = LazyLock::new(|| pattern::ascii(PATH).ok());

/// What the text of an answer discloses, and the words that do.
pub fn disclosed(evidence: &Evidence, x: &Exchange, text: &str) -> Option<(&'static str, String)> {
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
