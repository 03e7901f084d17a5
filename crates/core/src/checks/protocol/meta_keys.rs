//! Keys of `_meta` that break the grammar, or take a name that is reserved.

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::response::quote;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/meta-keys",
    title: "Keys of metadata are well formed and not taken from the protocol",
    facet: Facet::Protocol,
    severity: Severity::Low,
    class: None,
    requirements: &[rule("RPC-22", well_formed)],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("meta_keys.md"),
    judge: by_rules,
};

const FIX: &str = "name keys `your.domain/name`, of letters, digits, `-`, `_` and `.`, with a letter or digit at both ends";
/// What the protocol and its extensions define under the prefix they keep for themselves.
const DEFINED: [&str; 11] = [
    "io.modelcontextprotocol/clientCapabilities",
    "io.modelcontextprotocol/clientInfo",
    "io.modelcontextprotocol/logLevel",
    "io.modelcontextprotocol/model-immediate-response",
    "io.modelcontextprotocol/oauth-client-credentials",
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/related-task",
    "io.modelcontextprotocol/serverInfo",
    "io.modelcontextprotocol/subscriptionId",
    "io.modelcontextprotocol/tasks",
    "io.modelcontextprotocol/ui",
];
/// What stands below these is the author's data, not the protocol's.
const OPAQUE: [&str; 4] = ["structuredContent", "inputSchema", "outputSchema", "arguments"];

fn well_formed(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let mut seen = 0;
    let results = talk.exchanges().filter_map(|x| Some((Some(x.id), x.result()?)));
    let told = talk.incoming().filter_map(|i| Some((None, i.params.as_ref()?)));
    for (exchange, value) in results.chain(told) {
        let mut keys = Vec::new();
        gather(value, &mut keys);
        seen += keys.len();
        if let Some((key, why)) = keys.iter().find_map(|k| Some((*k, defect(k)?))) {
            let ruling = Ruling::fail(format!("`_meta` key \"{}\" {why}", quote(key)), FIX);
            return Ok(exchange.into_iter().fold(ruling, Ruling::seen_in));
        }
    }
    match seen {
        0 => Ok(Ruling::pass("no `_meta` was sent")),
        _ => Ok(Ruling::pass("every key of `_meta` is well formed")),
    }
}

fn gather<'v>(value: &'v Value, keys: &mut Vec<&'v str>) {
    match value {
        Value::Object(map) => {
            for (name, inner) in map.iter().filter(|(name, _)| !OPAQUE.contains(&name.as_str())) {
                match inner.as_object().filter(|_| name == "_meta") {
                    Some(meta) => keys.extend(meta.keys().map(String::as_str)),
                    None => gather(inner, keys),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| gather(item, keys)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn defect(key: &str) -> Option<&'static str> {
    let (prefix, name) = match key.split_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    };
    let labels: Vec<&str> = prefix.map(|p| p.split('.').collect()).unwrap_or_default();
    if !is_name(name) {
        Some("has a malformed name")
    } else if labels.iter().any(|label| !is_label(label)) {
        Some("has a malformed prefix")
    } else if is_reserved(&labels) && !DEFINED.contains(&key) {
        Some("has a prefix that is reserved for the protocol")
    } else {
        None
    }
}

fn is_label(label: &str) -> bool {
    let inner = label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    inner
        && label.starts_with(|c: char| c.is_ascii_alphabetic())
        && label.ends_with(|c: char| c.is_ascii_alphanumeric())
}

fn is_name(name: &str) -> bool {
    let end = |c: char| c.is_ascii_alphanumeric();
    let inner = name.chars().all(|c| end(c) || "-_.".contains(c));
    name.is_empty() || inner && name.starts_with(end) && name.ends_with(end)
}

fn is_reserved(labels: &[&str]) -> bool {
    labels.get(1).is_some_and(|l| ["modelcontextprotocol", "mcp"].contains(l))
}
