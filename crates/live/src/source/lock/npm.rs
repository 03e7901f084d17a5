//! `package-lock.json`, versions 1 to 3, and the hidden one in `node_modules`.

use proofmark_core::evidence::{Ecosystem, Locked};
use serde_json::{Map, Value};

/// Version 1 nests packages in packages.
const DEPTH: usize = 64;

pub(super) fn parse(text: &str) -> Result<Vec<Locked>, String> {
    let lock: Value = serde_json::from_str(text).map_err(|e| format!("it is no JSON: {e}"))?;
    if let Some(packages) = lock.get("packages").and_then(Value::as_object) {
        return Ok(packages.iter().filter_map(|(place, facts)| of_place(place, facts)).collect());
    }
    let Some(tree) = lock.get("dependencies").and_then(Value::as_object) else {
        return match lock.get("lockfileVersion") {
            Some(_) => Ok(Vec::new()),
            None => Err("it has neither `packages` nor `dependencies`".to_owned()),
        };
    };
    let mut found = Vec::new();
    nested(tree, DEPTH, &mut found);
    Ok(found)
}

/// `node_modules/a/node_modules/@b/c` → `@b/c`.
pub(super) fn name_of(place: &str) -> Option<&str> {
    place.rsplit_once("node_modules/").map(|(_, name)| name).filter(|name| !name.is_empty())
}

pub(super) fn of_place(place: &str, facts: &Value) -> Option<Locked> {
    // Links and workspaces are the project itself.
    if flag(facts, "link") {
        return None;
    }
    let text = |key: &str| facts.get(key).and_then(Value::as_str);
    let name = text("name").or_else(|| name_of(place)).filter(|_| name_of(place).is_some())?;
    let licence = match facts.get("license") {
        Some(Value::Object(old)) => old.get("type").and_then(Value::as_str),
        Some(_) | None => text("license"),
    };
    Some(Locked {
        licence: licence.map(str::to_owned),
        dev: flag(facts, "dev"),
        scripts: flag(facts, "hasInstallScript"),
        ..Locked::new(Ecosystem::Npm, name, text("version"))
    })
}

fn nested(tree: &Map<String, Value>, depth: usize, found: &mut Vec<Locked>) {
    for (name, facts) in tree {
        let version = facts.get("version").and_then(Value::as_str);
        found
            .push(Locked { dev: flag(facts, "dev"), ..Locked::new(Ecosystem::Npm, name, version) });
        if let Some(below) = facts.get("dependencies").and_then(Value::as_object)
            && depth > 0
        {
            nested(below, depth - 1, found);
        }
    }
}

fn flag(facts: &Value, key: &str) -> bool {
    facts.get(key).and_then(Value::as_bool).unwrap_or(false)
}
