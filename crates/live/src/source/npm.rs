//! Packages of npm: the one that owns a script, and the ones `npx` has in its cache.

use std::path::{Path, PathBuf};

use proofmark_core::evidence::Source;
use serde_json::Value;

use super::{files, manifest, tree};

const SDKS: &[&str] =
    &["@modelcontextprotocol/sdk", "@modelcontextprotocol/server", "fastmcp", "mcp-framework"];

/// The facts of an installed package.
pub(super) fn package(dir: &Path) -> Option<Source> {
    let facts = manifest::npm(dir)?;
    let version = facts.version.as_deref().unwrap_or("of unknown version");
    let origin = format!("npm package {} {version}", facts.name.as_deref()?);
    let mut source = tree::read(dir, origin)?;
    source.package = Some(facts);
    Some(source)
}

/// A package that `npx SPEC` would run, if it is in the cache already.
pub(super) fn cached(caches: &[PathBuf], spec: &str) -> Option<Source> {
    let (name, version) = split(spec);
    if name.is_empty() || name.contains("..") || name.starts_with(['.', '/']) {
        return None;
    }
    let slots: Vec<PathBuf> =
        caches.iter().flat_map(|cache| files::entries(&cache.join("_npx"))).collect();
    let wanted = |slot: &&PathBuf| asked_for(slot, spec);
    let exact = slots.iter().find(wanted).map(|slot| slot.join("node_modules").join(name));
    exact.and_then(|dir| package(&dir)).or_else(|| {
        slots.iter().find_map(|slot| {
            let source = package(&slot.join("node_modules").join(name))?;
            let found = source.package.as_ref().and_then(|p| p.version.as_deref());
            (version.is_none() || version == found).then_some(source)
        })
    })
}

/// Name and version of `name@version`; a scope starts with `@` too.
pub(super) fn split(spec: &str) -> (&str, Option<&str>) {
    match spec.char_indices().skip(1).find(|(_, c)| *c == '@') {
        Some((at, _)) => (&spec[..at], Some(&spec[at + 1..])),
        None => (spec, None),
    }
}

/// A slot of the cache notes what it was made for.
fn asked_for(slot: &Path, spec: &str) -> bool {
    let manifest = files::text(&slot.join("package.json"), files::LIMIT)
        .and_then(|text| serde_json::from_str::<Value>(&text).ok());
    manifest
        .as_ref()
        .and_then(|m| m.get("_npx")?.get("packages")?.as_array())
        .is_some_and(|packages| packages.iter().any(|p| p.as_str() == Some(spec)))
}

/// The SDKs a package depends on, with the versions that Node would load.
pub(super) fn sdks(dir: &Path, manifest: &Value) -> Vec<String> {
    let needs = |manifest: &Value, name: &str| {
        ["dependencies", "peerDependencies", "devDependencies", "optionalDependencies"]
            .iter()
            .any(|kind| manifest.get(*kind).and_then(|d| d.get(name)).is_some())
    };
    let mut found: Vec<String> = Vec::new();
    for name in SDKS.iter().filter(|name| needs(manifest, name)) {
        let Some((home, inner)) = installed(dir, name) else {
            found.push((*name).to_owned());
            continue;
        };
        found.push(labelled(name, &inner));
        // A framework brings the SDK with it.
        for below in SDKS.iter().filter(|below| needs(&inner, below)) {
            if let Some((_, innermost)) = installed(&home, below) {
                found.push(labelled(below, &innermost));
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

fn labelled(name: &str, manifest: &Value) -> String {
    match manifest.get("version").and_then(Value::as_str) {
        Some(version) => format!("{name}@{version}"),
        None => name.to_owned(),
    }
}

/// Resolves as Node does: the nearest `node_modules` on the way up.
fn installed(from: &Path, name: &str) -> Option<(PathBuf, Value)> {
    from.ancestors().find_map(|dir| {
        let home = dir.join("node_modules").join(name);
        let text = files::text(&home.join("package.json"), files::LIMIT)?;
        Some((home, serde_json::from_str(&text).ok()?))
    })
}
