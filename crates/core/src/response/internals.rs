//! What a text gives away about how the server is built.

use std::sync::{LazyLock, OnceLock};

use regex::Regex;

use crate::evidence::{Evidence, Exchange, Reply};
use crate::pattern;
use crate::probes::valid_call;
use crate::promise::mentions;
use crate::proof::{asks, payload, says};
use crate::spec::calls::tool_of;

/// What shows a trace: its name, what every one of the kind holds, and its shape. Hardly any
/// answer holds the former, and looking for it is cheap.
const TRACES: [(&str, &str, &str); 10] = [
    ("a Python traceback", "Traceback", r"Traceback \(most recent call last\)"),
    ("a Python stack frame", "File \"", r#"File "[^"]+", line \d+"#),
    ("a JavaScript stack frame", "at ", r"(?m)^\s*at .{1,200}:\d+:\d+\)?\s*$"),
    ("a Java stack frame", "at ", r"(?m)^\s*at [\w.$]+\([\w]+\.(?:java|kt|scala):\d+\)"),
    ("a .NET stack frame", ":line ", r"(?m)^\s*at .{1,200} in .{1,200}:line \d+"),
    ("a Go stack trace", "goroutine ", r"goroutine \d+ \[[a-z ]+\]:"),
    ("a Rust panic", "panicked at", r"thread '[^']*' panicked at"),
    ("a Ruby stack frame", ".rb:", r"(?m)^\s*(?:from )?/\S+\.rb:\d+:in "),
    ("a PHP error", ".php", r"(?:error|Warning|Notice): .{1,200} in \S+\.php on line \d+"),
    ("a source line", " | ", r"(?m)^\s*>?\s*\d+ \| .{1,200}\n\s*\|?\s*\^"),
];

/// Statements that the caller did not write. In small letters they may be words of a sentence, unless
/// more of a statement follows.
const SQL: &str = r"\b(?:SELECT\s[^\n]{1,300}?\sFROM\s+\S+|INSERT\s+INTO\s+\S+|UPDATE\s+\S+\s+SET\s+\S+|DELETE\s+FROM\s+\S+|select\s[^\n]{1,300}?\sfrom\s+\w+\s+(?:where\s+\w+\s*(?:=|<|>|like|in)|order by|group by|limit\s+\d|join)|insert\s+into\s+\w+\s*\(|update\s+\w+\s+set\s+\w+\s*=|delete\s+from\s+\w+\s+where)";

/// Absolute paths of source files, and paths under the usual homes of programs and people.
const PATH: &str = r#"(?:^|[\s"'`(=:\[])((?:/(?:home|Users|root|opt|srv|app|usr|var|workspace|build|mnt)/[^\s"'`)\]:,]+)|(?:/[\w.@+-]+){2,}\.(?:py|js|mjs|cjs|ts|rb|go|rs|java|php|cs)\b|[A-Z]:\\(?:Users|Program Files|app)\\[^\s"'`)\]:,]+)"#;

static TRACE_RULES: [OnceLock<Option<Regex>>; TRACES.len()] =
    [const { OnceLock::new() }; TRACES.len()];
static SQL_RULE: LazyLock<Option<Regex>> = LazyLock::new(|| pattern::ascii(SQL).ok());
static RAW_RULE: LazyLock<Option<Regex>> = LazyLock::new(|| pattern::ascii(RAW).ok());
static PATH_RULE: LazyLock<Option<Regex>> = LazyLock::new(|| pattern::ascii(PATH).ok());

/// What Node and Python say of a file.
const RAW: &str = r"\bE[A-Z]{4,11}: [^\n]{3,60}, (?:open|stat|lstat|access|scandir|unlink|mkdir|rename|read|copyfile) '(/[^']+)'|\[Errno \d+\] [^\n]{3,60}: '(/[^']+)'";

/// Anything shorter may stand in an answer by chance.
const LEAST: usize = 8;

/// The text of an answer that has to disclose nothing: that of an error, and a result with a trace.
pub fn telling(evidence: &Evidence, x: &Exchange) -> Option<String> {
    error_text(&x.reply).or_else(|| traced(evidence, x))
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

/// A result that is no error and yet shows a stack trace, from a tool that has no reason to.
fn traced(evidence: &Evidence, x: &Exchange) -> Option<String> {
    const WORDS: &str = "
        analyze browse code debug doc docs document error errors exception fetch file files issue
        issues log logs message messages page parse query read run search source stack trace web";
    let tool = evidence.tool(tool_of(x))?;
    let text = x.reply.result().filter(|_| !x.reply.is_tool_error()).map(|_| x.reply.text())?;
    let told = trace(&text).is_some_and(|(_, t)| !asks(x, &t)) && !mentions(tool, WORDS);
    told.then_some(text)
}

/// What the text of an answer discloses, and the words that do.
pub fn disclosed(evidence: &Evidence, x: &Exchange, text: &str) -> Option<(&'static str, String)> {
    // Line breaks inside JSON data come escaped.
    let text = text.replace("\\n", "\n");
    let sql = || {
        // The words before our own text and those in it make no statement together.
        let sent = payload(x);
        let plain = if sent.len() < LEAST { text.clone() } else { text.replace(&sent, "…") };
        let statement = SQL_RULE.as_ref()?.find(&plain)?.as_str();
        (!takes_sql(x) && !asks(x, statement)).then(|| ("an SQL statement", statement.to_owned()))
    };
    trace(&text).or_else(sql).or_else(|| raw_error(evidence, x, &text)).or_else(|| {
        let mut paths = PATH_RULE.as_ref()?.captures_iter(&text).filter_map(|c| c.get(1));
        let path = paths.find(|p| {
            is_internal(evidence, x, p.as_str())
                && !is_example(&text[..p.start()])
                && !is_missing(&text, p.start(), p.as_str())
        })?;
        Some(("an internal path", path.as_str().to_owned()))
    })
}

/// Where a file would be, as the system says that it is not there: from a server that speaks of files
/// by their names alone.
fn raw_error(evidence: &Evidence, x: &Exchange, text: &str) -> Option<(&'static str, String)> {
    const MARKS: [&str; 2] = ["[Errno ", ": "];
    if !MARKS.iter().any(|mark| text.contains(mark)) {
        return None;
    }
    let found = RAW_RULE.as_ref()?.captures(text)?;
    let path = found.get(1).or(found.get(2))?.as_str();
    let workspace = evidence.conditions.workspace.as_str();
    let speaks_of_it = |y: &Exchange| {
        asks(y, workspace) && y.result().is_some() && !y.reply.is_tool_error()
            || y.oracle.is_none() && valid_call::took(y) && says(&y.reply, workspace)
    };
    let ordinary = || evidence.of(valid_call::PROBE.id).any(speaks_of_it);
    let by_name = path.starts_with(workspace) && !asks(x, path) && !asks(x, workspace);
    (by_name && !ordinary()).then(|| ("where it keeps its files", path.to_owned()))
}

/// The stack trace or source line in a text, and of which kind it is.
pub fn trace(text: &str) -> Option<(&'static str, String)> {
    let mut rules = TRACES.iter().zip(&TRACE_RULES);
    rules.find_map(|((name, mark, shape), rule)| {
        if !text.contains(mark) {
            return None;
        }
        let rule = rule.get_or_init(|| pattern::ascii(shape).ok()).as_ref()?;
        Some((*name, rule.find(text)?.as_str().trim().to_owned()))
    })
}

/// Tools about data bases speak SQL with their callers.
fn takes_sql(x: &Exchange) -> bool {
    let name = crate::probe::words(tool_of(x));
    crate::promise::holds(&name, "database db execute queries query sql table tables")
}

/// "use an absolute path, e.g. C:\me\x.csv or /home/me/x.csv": all that follows in the sentence.
fn is_example(before: &str) -> bool {
    const WORDS: &[&str] = &["e.g.", "example", "for instance", "such as", "like"];
    let tail = &before[before.floor_char_boundary(before.len().saturating_sub(100))..];
    let lower = tail.to_lowercase();
    let ends = |after: &str| [". ", "; ", "\n"].iter().any(|end| after.contains(end));
    WORDS.iter().any(|w| lower.rfind(w).is_some_and(|at| !ends(&lower[at + w.len()..])))
}

/// A program that was looked for where it is usually kept, and is not there: that tells nothing.
fn is_missing(text: &str, at: usize, path: &str) -> bool {
    const WORDS: &[&str] = &[
        "cannot find",
        "cannot locate",
        "can't find",
        "could not find",
        "could not locate",
        "couldn't find",
        "doesn't exist",
        "is not found",
        "not found",
        "not installed",
        "no such",
        "unable to find",
        "unable to locate",
    ];
    let usual =
        ["/opt/", "/usr/bin/", "/usr/lib/", "/usr/local/bin/"].iter().any(|p| path.starts_with(p));
    let from = text.floor_char_boundary(at.saturating_sub(80));
    let to = text.floor_char_boundary(text.len().min(at + path.len() + 40));
    let around = text[from..to].to_lowercase();
    usual && WORDS.iter().any(|word| around.contains(word))
}

/// The workspace is ours, and what we asked about may be repeated.
fn is_internal(evidence: &Evidence, x: &Exchange, path: &str) -> bool {
    let path = path.trim_end_matches(['.', '/', '\'']);
    // What a definition shows, everybody knows already.
    let told = evidence.tool(tool_of(x));
    if told.is_some_and(|tool| tool.raw.to_string().contains(path)) {
        return false;
    }
    let ours = &evidence.conditions.workspace;
    !(path.starts_with(ours.as_str())
        || ours.starts_with(path)
        || asks(x, path)
        || evidence.target.line().contains(path))
}
