//! Environment variables that only the source knows of.

use std::collections::BTreeMap;

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Code, Evidence, Spot, Subject};

pub(super) const CHECK: Check = Check {
    id: "documentation/variables-documented",
    title: "The README names the environment variables that the source reads",
    facet: Facet::Readme,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("variables_documented.md"),
    judge,
};

/// Set by systems, shells and tools, not by the users of a server.
const USUAL: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "USERPROFILE",
    "SHELL",
    "PWD",
    "TMPDIR",
    "TEMP",
    "TMP",
    "LANG",
    "TERM",
    "CI",
    "NODE_ENV",
    "APPDATA",
    "LOCALAPPDATA",
    "HOSTNAME",
    "COLUMNS",
    "NO_COLOR",
    "VIRTUAL_ENV",
    "PYTHONPATH",
    "NODE_OPTIONS",
    "EDITOR",
    "DISPLAY",
    "SSH_AUTH_SOCK",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_CACHE_HOME",
    "CARGO_PKG_VERSION",
    "CARGO_PKG_NAME",
    "OUT_DIR",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
];

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let Some(source) = &evidence.source else {
        let why = "no source was found to read (give it with --source DIR)";
        return vec![Finding::unseen(Subject::Server, why)];
    };
    let (Some(code), Some(readme)) = (&source.code, &source.readme) else { return Vec::new() };
    let read = variables(code);
    if read.is_empty() {
        return Vec::new();
    }
    let lacking: Vec<(&str, &Spot)> =
        read.iter().filter(|(name, _)| !names(&readme.text, name)).map(|(n, s)| (*n, *s)).collect();
    vec![verdict(read.len(), &lacking)]
}

fn variables(code: &Code) -> BTreeMap<&str, &Spot> {
    let own = code.variables.iter().filter(|v| !USUAL.contains(&v.name.as_str()));
    let mut first = BTreeMap::new();
    for variable in own {
        first.entry(variable.name.as_str()).or_insert(&variable.at);
    }
    first
}

/// As a word of its own: `API_KEY` is not named by `MY_API_KEY_FILE`.
fn names(text: &str, name: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        !before.ends_with(part) && !after.starts_with(part)
    })
}

fn verdict(read: usize, lacking: &[(&str, &Spot)]) -> Finding {
    let Some((_, first)) = lacking.first() else {
        return Finding::pass(Subject::Server, format!("all {read} are named"));
    };
    let named: Vec<String> =
        lacking.iter().take(5).map(|(name, at)| format!("{name} ({at})")).collect();
    let grade = Grade::share(read - lacking.len(), read);
    let says = format!("{} of {read} are not named: {}", lacking.len(), named.join(", "));
    Finding::partial(Subject::Server, grade, says, FIX).at(first)
}

const FIX: &str = "list every environment variable in the README: what it does, whether it must be set, its default";
