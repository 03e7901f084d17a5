//! What a manifest says the package itself needs, and the manifests as documents.

use std::collections::BTreeSet;
use std::path::Path;

use proofmark_core::evidence::{Document, Ecosystem};
use serde_json::Value;

use super::files;
use super::python::requirement_name;

const MANIFESTS: &[&str] = &["package.json", "pyproject.toml", "server.json", "manifest.json"];
const LIMIT: u64 = 256 << 10;

/// The manifests at the root of a tree.
pub(super) fn documents(dir: &Path) -> Vec<Document> {
    let document = |name: &&str| {
        let text = files::text_below(dir, &dir.join(name), LIMIT)?;
        Some(Document { path: (*name).to_owned(), text })
    };
    MANIFESTS.iter().filter_map(document).collect()
}

/// The names of direct dependencies, in the normal form of their ecosystem.
pub(super) fn names(dir: &Path) -> BTreeSet<(Ecosystem, String)> {
    let load = |name: &str| files::text_below(dir, &dir.join(name), files::LIMIT);
    let table = |name: &str| load(name).and_then(|t| t.parse::<toml::Table>().ok());
    let mut names = BTreeSet::new();
    let package: Option<Value> =
        load("package.json").and_then(|text| serde_json::from_str(&text).ok());
    for kind in ["dependencies", "optionalDependencies", "peerDependencies"] {
        let needs = package.as_ref().and_then(|p| p.get(kind)?.as_object());
        names.extend(needs.into_iter().flatten().map(|(n, _)| (Ecosystem::Npm, n.clone())));
    }
    let project = table("pyproject.toml").map(toml::Value::Table);
    let listed = project.as_ref().and_then(|p| p.get("project")?.get("dependencies")?.as_array());
    let listed = listed.into_iter().flatten().filter_map(toml::Value::as_str);
    names.extend(listed.map(|n| (Ecosystem::Pypi, requirement_name(n))));
    let poetry = project
        .as_ref()
        .and_then(|p| p.get("tool")?.get("poetry")?.get("dependencies")?.as_table());
    names.extend(poetry.into_iter().flatten().map(|(n, _)| (Ecosystem::Pypi, requirement_name(n))));
    let cargo = table("Cargo.toml");
    let shared = cargo.as_ref().and_then(|c| c.get("workspace")?.get("dependencies")?.as_table());
    let crates = cargo.as_ref().and_then(|c| c.get("dependencies")?.as_table());
    let crates = crates.into_iter().chain(shared).flatten();
    names.extend(crates.map(|(n, _)| (Ecosystem::Crate, n.clone())));
    names
}
