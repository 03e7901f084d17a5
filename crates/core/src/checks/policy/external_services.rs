//! Services beyond the server: which ones it speaks to, and whether it is who its name suggests.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::check::{Check, Confidence, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::manifest::{Kind, manifests};
use crate::probe::words;
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "policy/external-services",
    title: "External services are named and reached safely",
    facet: Facet::ExternalApis,
    severity: Severity::Medium,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("external_services.md"),
    judge,
};

/// A service on each line: its word, its host, and the start of its environment variables.
const SERVICES: &str = include_str!("external_services/services.txt");

fn services() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    SERVICES.lines().filter_map(|line| {
        let mut words = line.split(' ');
        Some((words.next()?, words.next()?, words.next()?))
    })
}

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let texts = texts(evidence);
    if texts.is_empty() {
        let why = evidence.why_unseen().unwrap_or_else(|| "there is no text to read".to_owned());
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let mut findings = cleartext(evidence);
    let told = |mark: &&str| texts.iter().any(|text| stands(text, mark));
    let marked = |(name, host, prefix)| Some((name, [host, prefix].into_iter().find(told)?));
    let reached: BTreeMap<&str, &str> = services().filter_map(marked).collect();
    findings.extend(affiliation(evidence, &texts));
    if !reached.is_empty() && findings.is_empty() {
        let told: Vec<String> =
            reached.iter().map(|(name, mark)| format!("{name} ({mark})")).collect();
        findings.push(Finding::pass(Subject::Server, format!("speaks to {}", told.join(", "))));
    }
    findings
}

/// Not within a longer word.
fn stands(text: &str, mark: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(mark).any(|(at, _)| !text[..at].ends_with(joins))
}

fn texts(evidence: &Evidence) -> Vec<&str> {
    let source = evidence.source.as_ref();
    let documents = source.into_iter().flat_map(|s| s.readme.iter().chain(&s.manifests));
    let definitions = evidence.definitions().into_iter().map(|d| d.text);
    documents.map(|d| d.text.as_str()).chain(definitions).collect()
}

/// Remotes of the registry entry without encryption.
fn cleartext(evidence: &Evidence) -> Vec<Finding> {
    let entries = evidence.source.iter().flat_map(manifests).filter_map(Result::ok);
    let entries = entries.filter(|m| m.kind == Kind::Registry);
    let mut found = Vec::new();
    for entry in entries {
        let remotes = entry.at("/remotes").and_then(Value::as_array).into_iter().flatten();
        let bare = remotes.filter_map(|r| r.get("url")?.as_str()).filter(|url| {
            let rest = url.strip_prefix("http://");
            rest.is_some_and(|host| !host.starts_with("localhost") && !host.starts_with("127."))
        });
        found.extend(bare.map(|url| {
            let subject = Subject::File { file: entry.path.to_owned(), line: None };
            let says = format!("the remote {} is reached without encryption", quote(url));
            Finding::fail(subject, says, "offer the server at https:// only")
        }));
    }
    found
}

/// Named after a service, with nothing that says whether it is from there.
fn affiliation(evidence: &Evidence, texts: &[&str]) -> Option<Finding> {
    let package = evidence.source.as_ref()?.package.as_ref()?.name.as_deref()?;
    let owner = package.strip_prefix('@').and_then(|p| p.split('/').next()).unwrap_or_default();
    let named = words(package);
    let (brand, ..) = services().find(|(name, ..)| named.iter().any(|word| word == name))?;
    let told = |t: &&str| {
        let text = t.to_lowercase();
        ["official", "affiliated", "endorsed", "third-party", "third party", "community"]
            .iter()
            .any(|word| text.contains(word))
    };
    (!owner.contains(brand) && !texts.iter().any(told)).then(|| {
        Finding::fail(
            Subject::Server,
            format!(
                "{} is named after {brand} and does not say whether it comes from there",
                quote(package)
            ),
            format!(
                "say in the README that it is official, or that it is not affiliated with {brand}"
            ),
        )
        .suspected()
        .confidence(Confidence::Low)
    })
}
