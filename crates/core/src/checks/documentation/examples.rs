//! Examples in the README that a reader can copy.

use serde_json::Value;

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::readme::{Code, Readme};

pub(super) const CHECK: Check = Check {
    id: "documentation/examples",
    title: "The README has examples that work when copied",
    facet: Facet::Examples,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("examples.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let readme = match Readme::of(evidence) {
        Ok(readme) => readme,
        Err(why) => return vec![Finding::unseen(Subject::Server, why)],
    };
    let json: Vec<&Code> = readme.code.iter().filter(|c| is_json(c)).collect();
    let broken = json.iter().filter(|c| parse(&c.text).is_none()).count();
    let configured = json.iter().filter_map(|c| parse(&c.text)).any(|v| is_client_config(&v));
    let mut wants: Vec<(bool, String)> = vec![
        (!readme.code.is_empty(), "has no code block".to_owned()),
        (configured, "has no client configuration (`mcpServers`)".to_owned()),
    ];
    if !json.is_empty() {
        wants.push((broken == 0, format!("{broken} of {} JSON blocks do not parse", json.len())));
    }
    let wrong: Vec<&str> = wants.iter().filter(|(ok, _)| !ok).map(|(_, s)| s.as_str()).collect();
    vec![if wrong.is_empty() {
        let says = format!("{} code blocks, a client configuration among them", readme.code.len());
        Finding::pass(Subject::Server, says)
    } else {
        let share = (wants.len() - wrong.len()) as f64 / wants.len() as f64;
        let fix = "show the start command and a complete `mcpServers` entry as fenced code, and check that the JSON parses";
        Finding::partial(Subject::Server, Grade::new(share), wrong.join("; "), fix)
    }]
}

fn is_json(code: &Code) -> bool {
    let braced = code.text.trim_start().starts_with(['{', '"']) && code.text.contains("\":");
    matches!(code.language.as_str(), "json" | "jsonc" | "json5")
        || (code.language.is_empty() && braced)
}

/// Comments, trailing commas and the inside of an object are how people write such examples.
fn parse(text: &str) -> Option<Value> {
    let bare: String = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .map(|line| line.split_once(" // ").map_or(line, |(code, _)| code).trim_end())
        .collect::<Vec<_>>()
        .join("\n");
    let mut tidy = String::new();
    for c in bare.chars() {
        if matches!(c, '}' | ']') && tidy.trim_end().ends_with(',') {
            tidy.truncate(tidy.trim_end().len() - 1);
        }
        tidy.push(c);
    }
    let inside = || format!("{{{}}}", tidy.trim().trim_end_matches(','));
    serde_json::from_str(&tidy).or_else(|_| serde_json::from_str(&inside())).ok()
}

/// The shapes of Claude Desktop, Cursor and VS Code, and a bare entry.
fn is_client_config(value: &Value) -> bool {
    let entry = |v: &Value| v.get("command").is_some() || v.get("url").is_some();
    let nested = value.get("mcp").unwrap_or(value);
    ["mcpServers", "servers", "context_servers"]
        .iter()
        .filter_map(|key| nested.get(*key).or_else(|| value.get(*key))?.as_object())
        .any(|servers| servers.values().any(entry))
        || entry(value)
        || value.as_object().is_some_and(|map| map.len() == 1 && map.values().all(entry))
}
