//! Calls that do something dangerous with what they are given, and when they do.

use std::sync::LazyLock;

use proofmark_core::check::Class;
use proofmark_core::evidence::Language;
use serde::Deserialize;
use tree_sitter::Node;

use super::call::{Given, last};
use super::flow::Analysis;
use super::syntax::{Shape, callee, children};
use super::taint::{Taint, prints_files};

/// Under which circumstances a call is dangerous; the words are told in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum When {
    First,
    Second,
    Third,
    Last,
    On,
    OnAlone,
    Shell,
    Word,
    Statement,
    Address,
    Loader,
    Entities,
    Printed,
    Parsed,
}

/// How a file has its parsers of XML fetch what a document names.
const ENTITIES: &[&str] = &[
    "feature_external_ges, True",
    "feature_external_ges, 1",
    "resolve_entities=True",
    "load_dtd=True",
    "noent: true",
    "replaceEntities: true",
];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sink {
    class: Class,
    when: When,
    names: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sinks {
    python: Vec<Sink>,
    javascript: Vec<Sink>,
    go: Vec<Sink>,
    rust: Vec<Sink>,
}

// That the table can be read is tested below.
static SINKS: LazyLock<Sinks> =
    LazyLock::new(|| toml::from_str(include_str!("sinks.toml")).unwrap_or_default());

fn sinks(language: Language) -> &'static [Sink] {
    match language {
        Language::Python => &SINKS.python,
        Language::Javascript | Language::Typescript => &SINKS.javascript,
        Language::Go => &SINKS.go,
        Language::Rust => &SINKS.rust,
    }
}

/// Reports the call if input makes it dangerous.
pub(super) fn look<'t>(
    analysis: &mut Analysis<'_, 't>,
    call: Node<'t>,
    name: &str,
    receiver: Option<&Taint>,
    given: &[Given<'t>],
) {
    if receiver.is_none() && given.iter().all(|g| g.taint.is_none()) {
        return;
    }
    // A variable goes by its own name, and by that of the call it was made with.
    let written = callee(call).map(|c| analysis.file.dotted(c)).unwrap_or_default();
    let due = sinks(analysis.file.language)
        .iter()
        .filter(|s| s.names.iter().any(|n| fits(name, n) || fits(&written, n)));
    for sink in due {
        if let Some(taint) = danger(analysis, call, sink, receiver, given) {
            analysis.report(sink.class, &taint, name, call);
        }
    }
}

fn fits(name: &str, wanted: &str) -> bool {
    match wanted.strip_prefix('.') {
        Some(method) => name.contains('.') && last(name) == method,
        None if wanted.contains('.') => {
            name.strip_suffix(wanted).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        }
        None => name == wanted,
    }
}

fn danger<'t>(
    analysis: &Analysis<'_, 't>,
    call: Node<'t>,
    sink: &Sink,
    receiver: Option<&Taint>,
    given: &[Given<'t>],
) -> Option<Taint> {
    let file = analysis.file;
    let text = || file.text(call);
    let all = || given.iter().filter_map(|g| g.taint.clone());
    match sink.when {
        When::First => at(given, 0),
        When::Second => at(given, 1).filter(|t| !t.host),
        When::Third => at(given, 2).filter(|t| !t.host),
        When::Last => given.last().and_then(|g| g.taint.clone()),
        When::OnAlone if given.iter().any(|g| g.taint.is_some()) => None,
        When::On | When::OnAlone => receiver.filter(|r| !r.whole).cloned(),
        When::Statement => all().find(|t| t.written.contains(&sink.class)),
        When::Address => at(given, 0).filter(|t| !t.host),
        When::Loader => {
            at(given, 0).filter(|_| !text().contains("Safe") && !text().contains("Base"))
        }
        When::Entities => at(given, 0).filter(|_| ENTITIES.iter().any(|m| file.text.contains(m))),
        When::Parsed => all().find(|t| t.parsed),
        When::Printed => {
            let program = given.first().and_then(|g| file.literal(g.node));
            all().find(|t| t.printed || program.is_some_and(prints_files))
        }
        When::Shell => {
            let handed_on = text().contains("**") && analysis.passed.contains("shell=True");
            let asked = handed_on
                || ["shell=True", "shell: true", "shell:true"].iter().any(|s| text().contains(s));
            let line = ["\"-c\"", "'-c'", "\"/c\"", "'/c'"].iter().any(|s| text().contains(s));
            let taints = given.iter().filter(|g| g.keyword.is_none_or(|k| k == "args"));
            Taint::any(taints.filter_map(|g| g.taint.clone())).filter(|_| asked || line)
        }
        When::Word => given.iter().find_map(|g| word(analysis, g)),
    }
}

/// What stands at a place; the things that matter are also given by name.
fn at(given: &[Given<'_>], place: usize) -> Option<Taint> {
    const NAMES: &[&str] =
        &["url", "path", "file", "filename", "cmd", "command", "source", "template"];
    let mut by_place = given.iter().filter(|g| g.keyword.is_none());
    let named = given.iter().find(|g| g.keyword.is_some_and(|k| NAMES.contains(&k)));
    by_place.nth(place).or(named)?.taint.clone()
}

/// A word of a list that is input, that no `--` and no option stands before.
fn word<'t>(analysis: &Analysis<'_, 't>, given: &Given<'t>) -> Option<Taint> {
    let file = analysis.file;
    given.taint.as_ref()?;
    let words = match given.node.kind() {
        "list" | "array" => children(given.node),
        _ => return None,
    };
    let mut before = "";
    for word in words {
        match file.shape(word) {
            Shape::Text => {
                before = file.literal(word).unwrap_or_default();
                if before == "--" {
                    return None;
                }
            }
            Shape::Name if !before.starts_with('-') => {
                let name = file.text(word);
                let taint = given.taint.clone()?;
                // Only the words that hold input by themselves; the list is made of all of them.
                if taint.params.contains(name) {
                    return Some(Taint::param(name));
                }
            }
            _ => before = "",
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_read() {
        let sinks: Sinks = toml::from_str(include_str!("sinks.toml")).unwrap();
        assert!(!sinks.python.is_empty() && !sinks.rust.is_empty());
    }

    #[test]
    fn names_fit_as_a_whole_as_an_ending_or_as_a_method() {
        assert!(fits("os.system", "os.system") && fits("std.fs.read", "fs.read"));
        assert!(!fits("prefs.read", "fs.read") && !fits("re.exec", "exec"));
        assert!(fits("db.execute", ".execute") && !fits("execute", ".execute"));
    }
}
