//! Manifests that describe another server than the one that runs.

use std::collections::BTreeSet;

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Source, Subject};
use crate::manifest::{Manifest, manifests};
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "policy/manifest-agrees",
    title: "Manifests agree with the running server",
    facet: Facet::Manifest,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("manifest_agrees.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let Some(source) = &evidence.source else {
        let why = "no source or installed package was found to read a manifest from (give one with --source DIR)";
        return vec![Finding::unseen(Subject::Server, why)];
    };
    let read: Vec<Manifest<'_>> = manifests(source).into_iter().filter_map(Result::ok).collect();
    let mut findings: Vec<Finding> = versions(evidence, source, &read).into_iter().collect();
    findings.extend(read.iter().filter_map(|manifest| tools(evidence, manifest)));
    findings
}

/// All that is said about the version, by whom.
fn versions(evidence: &Evidence, source: &Source, read: &[Manifest<'_>]) -> Option<Finding> {
    let mut said: Vec<(String, &str)> =
        read.iter().filter_map(|m| Some((m.path.to_owned(), m.text("version")?))).collect();
    if let (true, Some(version)) =
        (said.is_empty(), source.package.as_ref().and_then(|p| p.version.as_deref()))
    {
        said.push(("the package".to_owned(), version));
    }
    if said.is_empty() {
        return None;
    }
    let running = evidence.handshake.as_ref().and_then(|h| h.server.version.as_deref());
    said.extend(running.map(|version| ("the running server".to_owned(), version)));
    let bare: BTreeSet<&str> = said.iter().map(|(_, v)| v.trim_start_matches('v')).collect();
    if bare.len() > 1 {
        let told: Vec<String> =
            said.iter().map(|(who, v)| format!("{who} says {}", quote(v))).collect();
        let fix = "read the version from one place, for example from the package metadata at start";
        return Some(Finding::fail(Subject::Server, told.join(", "), fix));
    }
    match (running, evidence.why_unseen()) {
        (None, Some(why)) if said.len() == 1 => {
            Some(Finding::unseen(Subject::Server, format!("no version to compare with: {why}")))
        }
        _ if said.len() == 1 => None,
        _ => {
            Some(Finding::pass(Subject::Server, format!("version {} everywhere", quote(said[0].1))))
        }
    }
}

fn tools(evidence: &Evidence, manifest: &Manifest<'_>) -> Option<Finding> {
    let named: BTreeSet<&str> = manifest.tools()?.into_iter().collect();
    let subject = Subject::File { file: manifest.path.to_owned(), line: None };
    if let Some(why) = evidence.why_no_tools() {
        return Some(Finding::unseen(subject, format!("no tools to compare with: {why}")));
    }
    let live: BTreeSet<&str> = evidence.inventory.tools.iter().map(|t| t.name.as_str()).collect();
    let list = |names: Vec<&&str>| names.iter().map(|n| quote(n)).collect::<Vec<_>>().join(", ");
    let (gone, new): (Vec<&&str>, Vec<&&str>) =
        (named.difference(&live).collect(), live.difference(&named).collect());
    let fix = "list the tools anew, or set `tools_generated` if they depend on the configuration";
    Some(match (gone.is_empty(), new.is_empty()) {
        (true, true) => Finding::pass(subject, format!("names all {} tools", live.len())),
        (false, _) => {
            Finding::fail(subject, format!("names tools that are not there: {}", list(gone)), fix)
        }
        (true, false) => Finding::fail(subject, format!("does not name {}", list(new)), fix),
    })
}
