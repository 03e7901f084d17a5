//! Parameters that a tool's own description names and its schema does not have.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::check::{Check, Confidence, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject, Tool};
use crate::probe::words;
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "usability/parameters-exist",
    title: "Descriptions name only parameters that exist",
    facet: Facet::Practice,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("parameters_exist.md"),
    judge,
};

/// What lists of arguments begin with.
const LISTS: &[&str] = &["Args:", "Arguments:", "Parameters:"];

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let tools: Vec<&Tool> = evidence.tools().filter(|t| t.parameters().next().is_some()).collect();
    if tools.is_empty() {
        return Vec::new();
    }
    let wrong: Vec<String> = tools
        .iter()
        .filter_map(|tool| {
            let names = strangers(tool);
            (!names.is_empty()).then(|| format!("{}: {}", tool.name, names.join(", ")))
        })
        .collect();
    if wrong.is_empty() {
        return vec![Finding::pass(Subject::Server, "no description names another parameter")];
    }
    let says = format!("named in the description, but not in the schema: {}", wrong.join("; "));
    let fix = "write the names as the schema has them, and leave out what the server fills in itself, such as a context";
    let grade = Grade::share(tools.len() - wrong.len(), tools.len());
    vec![Finding::partial(Subject::Server, grade, quote(&says), fix).confidence(Confidence::Medium)]
}

fn strangers(tool: &Tool) -> Vec<String> {
    let text = tool.description.as_deref().unwrap_or_default();
    let mut keys = BTreeSet::new();
    collect(&tool.input_schema, &mut keys);
    let mut found: BTreeSet<&str> = BTreeSet::new();
    let listed = listed(text);
    // A list of which nothing is known is about something else.
    if listed.iter().any(|name| keys.contains(name)) {
        found.extend(listed.into_iter().filter(|name| !keys.contains(name)));
    }
    let letters = |name: &str| name.replace(['_', '-'], "").to_lowercase();
    // "URLs" is no other spelling of `urls`: only names of several words have one.
    let several = |name: &str| words(name).len() > 1;
    let parameters: Vec<String> = tool
        .parameters()
        .filter(|(name, _)| several(name))
        .map(|(name, _)| letters(name))
        .collect();
    let compound = |word: &str| word.contains('_') || word.chars().skip(1).any(char::is_uppercase);
    found.extend(
        text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .filter(|word| compound(word) && word.chars().any(char::is_lowercase))
            .filter(|word| !keys.contains(word) && parameters.contains(&letters(word))),
    );
    found.into_iter().map(str::to_owned).collect()
}

/// The names of the entries below `Args:`: those as far in as the first, up to the next text that
/// is as far out as the heading.
fn listed(text: &str) -> Vec<&str> {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let mut lines = text.lines().skip_while(|line| !LISTS.contains(&line.trim()));
    let Some(heading) = lines.next() else { return Vec::new() };
    let bullet = |line: &str| line.trim_start().starts_with(['-', '*']);
    let inside =
        |line: &&str| line.trim().is_empty() || depth(line) > depth(heading) || bullet(line);
    let entries: Vec<&str> =
        lines.take_while(inside).filter(|line| !line.trim().is_empty()).collect();
    let first = entries.first().map_or(0, |line| depth(line));
    entries.into_iter().filter(|line| depth(line) == first).filter_map(entry).collect()
}

/// `name: text`, `name (type): text`, with or without a bullet.
fn entry(line: &str) -> Option<&str> {
    let line = line.trim_start_matches([' ', '\t', '-', '*', '`']);
    let end = line.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
    let (name, rest) = line.split_at(end);
    let rest = rest.trim_start_matches(['`', '*', ' ']);
    let rest = rest.strip_prefix('(').and_then(|r| r.split_once(')')).map_or(rest, |(_, r)| r);
    (!name.is_empty() && rest.trim_start_matches(['`', '*']).starts_with(':')).then_some(name)
}

fn collect<'a>(schema: &'a Value, keys: &mut BTreeSet<&'a str>) {
    match schema {
        Value::Object(map) => map.iter().for_each(|(key, inner)| {
            keys.insert(key);
            collect(inner, keys);
        }),
        Value::Array(items) => items.iter().for_each(|item| collect(item, keys)),
        // A value of an enum may be listed as well.
        Value::String(text) => {
            keys.insert(text);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
