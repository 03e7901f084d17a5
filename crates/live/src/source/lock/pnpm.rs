//! `pnpm-lock.yaml`: the keys of `packages` carry names and versions, in three spellings.

use proofmark_core::evidence::{Ecosystem, Locked};
use serde_json::Value;

pub(super) fn parse(text: &str) -> Result<Vec<Locked>, String> {
    let lock: Value = serde_saphyr::from_str(text).map_err(|e| super::yarn::no_yaml(&e))?;
    let Some(packages) = lock.get("packages").and_then(Value::as_object) else {
        return match lock.get("lockfileVersion") {
            Some(_) => Ok(Vec::new()),
            None => Err("it has no `lockfileVersion`".to_owned()),
        };
    };
    Ok(packages.iter().filter_map(|(key, facts)| package(key, facts)).collect())
}

fn package(key: &str, facts: &Value) -> Option<Locked> {
    let flag = |name: &str| facts.get(name).and_then(Value::as_bool).unwrap_or(false);
    let text = |name: &str| facts.get(name).and_then(Value::as_str);
    let (name, version) = split(key)?;
    Some(Locked {
        dev: flag("dev"),
        scripts: flag("requiresBuild"),
        ..Locked::new(
            Ecosystem::Npm,
            text("name").unwrap_or(name),
            text("version").or(Some(version)),
        )
    })
}

/// `/@a/b@1.0.0(peer@2.0.0)`, `@a/b@1.0.0`, or the older `/@a/b/1.0.0_peer@2.0.0`.
fn split(key: &str) -> Option<(&str, &str)> {
    let plain = key.split('(').next()?;
    let bare = plain.strip_prefix('/').unwrap_or(plain);
    let scope = if bare.starts_with('@') { bare.find('/')? + 1 } else { 0 };
    let rest = &bare[scope..];
    let at = rest.find(['@', '/'])? + scope;
    let version = bare[at + 1..].split('_').next()?;
    (!version.is_empty()).then_some((&bare[..at], version))
}
