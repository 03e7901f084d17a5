//! What is installed around a package that has no lock file of its own: the part of `node_modules`
//! or `site-packages` that it needs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proofmark_core::evidence::{Ecosystem, LockFile, LockFormat, Locked};
use serde_json::{Map, Value};

use super::{LIMIT, lock, npm};
use crate::source::files;

/// A package in `node_modules`: all it reaches, in the versions that Node would load.
pub(super) fn modules(dir: &Path) -> Option<LockFile> {
    let dir = dir.canonicalize().ok()?;
    let home = dir.ancestors().find(|d| files::name(d) == "node_modules")?.parent()?;
    let hidden = home.join("node_modules/.package-lock.json");
    let text = files::text(&hidden, LIMIT)
        .or_else(|| files::text(&home.join("package-lock.json"), LIMIT))?;
    let listing: Value = serde_json::from_str(&text).ok()?;
    let packages = listing.get("packages")?.as_object()?;
    let root = dir.strip_prefix(home).ok()?.to_str()?.to_owned();
    let found = reached(packages, &root);
    let needs = packages.get(&root).and_then(|own| own.get("dependencies")?.as_object());
    if found.is_empty() && needs.is_some_and(|n| !n.is_empty()) {
        return None;
    }
    let found = found.iter().filter_map(|place| npm::of_place(place, packages.get(place)?));
    Some(lock("node_modules".to_owned(), LockFormat::Installed, Ok(found.collect())))
}

/// The places of all that `root` needs, without itself.
fn reached(packages: &Map<String, Value>, root: &str) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut open = vec![root.to_owned()];
    while let Some(place) = open.pop() {
        let facts = packages.get(&place);
        let needs = ["dependencies", "optionalDependencies", "peerDependencies"]
            .iter()
            .filter_map(|kind| facts?.get(*kind)?.as_object())
            .flat_map(Map::keys);
        for name in needs {
            if let Some(found) = resolve(packages, &place, name)
                && found != root
                && seen.insert(found.clone())
            {
                open.push(found);
            }
        }
    }
    seen
}

/// As Node does: the nearest `node_modules` on the way up.
fn resolve(packages: &Map<String, Value>, from: &str, name: &str) -> Option<String> {
    let mut base = from;
    loop {
        let candidate = match base {
            "" => format!("node_modules/{name}"),
            _ => format!("{base}/node_modules/{name}"),
        };
        if packages.contains_key(&candidate) {
            return Some(candidate);
        }
        if base.is_empty() {
            return None;
        }
        base = base.rfind("/node_modules/").map_or("", |at| &base[..at]);
    }
}

/// A distribution in `site-packages`: all it reaches. `all` has each with its requirements.
pub(in crate::source) fn distributions(
    root: &str,
    all: &BTreeMap<String, (Locked, Vec<String>)>,
) -> Option<LockFile> {
    let mut seen: BTreeSet<&String> = BTreeSet::new();
    let mut open: Vec<&String> = all.get(root)?.1.iter().collect();
    let direct = all.get(root)?.1.clone();
    while let Some(name) = open.pop() {
        if let Some((_, needs)) = all.get(name)
            && seen.insert(name)
        {
            open.extend(needs);
        }
    }
    // A wheel that was only unpacked has nothing beside it.
    if seen.is_empty() && !direct.is_empty() {
        return None;
    }
    let found = seen.into_iter().filter(|name| *name != root).filter_map(|name| {
        let (package, _) = all.get(name)?;
        Some(Locked {
            direct: direct.contains(name),
            ecosystem: Ecosystem::Pypi,
            ..package.clone()
        })
    });
    Some(lock("site-packages".to_owned(), LockFormat::Installed, Ok(found.collect())))
}
