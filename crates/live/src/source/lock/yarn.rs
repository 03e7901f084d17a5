//! `yarn.lock`: a format of its own in version 1, YAML since.

use proofmark_core::evidence::{Ecosystem, Locked};
use serde_json::Value;

pub(super) fn parse(text: &str) -> Result<Vec<Locked>, String> {
    if text.lines().any(|line| line.starts_with("__metadata:")) {
        return berry(text);
    }
    if !text.contains("yarn lockfile v1") && !text.lines().any(|l| l.starts_with("  version ")) {
        return Err("it is no lock file of yarn, of whatever version".to_owned());
    }
    let mut found = Vec::new();
    let mut heading = "";
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("  version ") {
            let version = rest.trim().trim_matches('"');
            found.extend(name(heading).map(|n| Locked::new(Ecosystem::Npm, n, Some(version))));
        } else if !line.starts_with([' ', '#']) {
            heading = line.trim_end_matches(':');
        }
    }
    Ok(found)
}

pub(super) fn no_yaml(error: &serde_saphyr::Error) -> String {
    let why = error.to_string();
    format!("it is no YAML: {}", why.lines().next().unwrap_or_default())
}

fn berry(text: &str) -> Result<Vec<Locked>, String> {
    let lock: Value = serde_saphyr::from_str(text).map_err(|e| no_yaml(&e))?;
    let entries = lock.as_object().ok_or("it is no table")?;
    let package = |(key, facts): (&String, &Value)| {
        let text = |name: &str| facts.get(name).and_then(Value::as_str);
        let resolution = text("resolution").unwrap_or(key);
        // Workspaces, links and patches of them are the project itself.
        let foreign = resolution.contains("@npm:");
        let name = name(resolution).filter(|_| foreign)?;
        // A version such as 1.10 is a number in YAML unless it is quoted.
        let raw = facts.get("version")?;
        let version = raw.as_str().map_or_else(|| raw.to_string(), str::to_owned);
        Some(Locked::new(Ecosystem::Npm, name, Some(&version)))
    };
    Ok(entries.iter().filter(|(key, _)| *key != "__metadata").filter_map(package).collect())
}

/// `"@a/b@^1.0.0", "@a/b@^1.1.0"` → `@a/b`; of an alias, `x@npm:y@1.0.0`, the package behind it.
fn name(heading: &str) -> Option<&str> {
    let first = heading.split(',').next()?.trim().trim_matches('"');
    let (own, range) = cut(first)?;
    match range.strip_prefix("npm:").and_then(cut) {
        Some((aliased, _)) => Some(aliased),
        None => Some(own),
    }
}

fn cut(text: &str) -> Option<(&str, &str)> {
    let from = usize::from(text.starts_with('@'));
    let at = text[from..].find('@')? + from;
    (at > 0).then(|| (&text[..at], &text[at + 1..]))
}
