//! How a client is told to start the server.

use serde_json::Value;

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::readme::{Entry, Readme, client_entries};
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "documentation/client-configuration",
    title: "The README shows a client configuration that starts this server",
    // How to get there belongs to installing; examples show what to do then.
    facet: Facet::Readme,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("client_configuration.md"),
    judge,
};

const FIX: &str = "show a complete `mcpServers` entry that starts this package as published";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let readme = match Readme::of(evidence) {
        Ok(readme) => readme,
        Err(why) => return vec![Finding::unseen(Subject::Server, why)],
    };
    let values: Vec<Value> = readme.json().filter_map(|(_, values)| values).flatten().collect();
    let entries: Vec<Entry<'_>> = values.iter().flat_map(client_entries).collect();
    if entries.is_empty() {
        return vec![without_entry(&readme)];
    }
    let package = evidence.source.as_ref().and_then(|s| s.package.as_ref()?.name.as_deref());
    let launched: Vec<&str> = entries.iter().filter_map(Entry::launched).collect();
    vec![match package {
        Some(name) if !launched.is_empty() && !launched.iter().any(|spec| names(spec, name)) => {
            let says = format!(
                "the configuration starts {}, but this package is {name}",
                quote(&launched.join(", "))
            );
            Finding::partial(Subject::Server, Grade::new(0.5), says, FIX)
        }
        Some(_) | None => {
            Finding::pass(Subject::Server, format!("client configurations: {}", entries.len()))
        }
    }]
}

/// A command that adds the server, or another format than JSON, is as good for copying.
fn without_entry(readme: &Readme) -> Finding {
    const COMMANDS: &[&str] = &["mcp add", "--add-mcp", "mcp install", "mcpServers", "mcp_servers"];
    let has = |words: &[&str]| readme.code.iter().any(|c| words.iter().any(|w| c.text.contains(w)));
    if has(COMMANDS) {
        return Finding::pass(Subject::Server, "a command that adds the server to a client");
    }
    if readme.code.is_empty() {
        return Finding::fail(
            Subject::Server,
            "there is no client configuration, nor any code",
            FIX,
        );
    }
    let says = "there is code, but no client configuration (`mcpServers`)";
    Finding::partial(Subject::Server, Grade::new(0.25), says, FIX)
}

/// `name`, `name@1.2`, `name[extra]==1.2`; PyPI does not tell `-` from `_`, nor case.
fn names(spec: &str, package: &str) -> bool {
    let tidy = |text: &str| text.to_lowercase().replace(['_', '.'], "-");
    let (spec, package) = (tidy(spec), tidy(package));
    spec.strip_prefix(package.as_str())
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['@', '=', '[', '>', '<', '~']))
}
