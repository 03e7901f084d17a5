//! Lock files of Python: `uv.lock`, `poetry.lock`, and requirements with exact versions.

use proofmark_core::evidence::{Ecosystem, Locked};
use toml::{Table, Value};

use crate::source::python::requirement_name;

pub(super) fn uv(text: &str) -> Result<Vec<Locked>, String> {
    // What has a local source is the project itself, or a part of it.
    let local = ["virtual", "editable", "directory", "path"];
    let own = |p: &Table| {
        let source = p.get("source").and_then(Value::as_table);
        source.is_some_and(|s| local.iter().any(|kind| s.contains_key(*kind)))
    };
    Ok(packages(text)?.iter().filter(|p| !own(p)).filter_map(package).collect())
}

pub(super) fn poetry(text: &str) -> Result<Vec<Locked>, String> {
    let dev = |p: &Table| {
        let groups = p.get("groups").and_then(Value::as_array);
        p.get("category").and_then(Value::as_str) == Some("dev")
            || groups.is_some_and(|g| g.iter().all(|name| name.as_str() != Some("main")))
    };
    let read = |p: &Table| Some(Locked { dev: dev(p), ..package(p)? });
    Ok(packages(text)?.iter().filter_map(read).collect())
}

/// Lines such as `httpx[http2]==0.27.0 ; python_version > "3.8" --hash=…`. Those that allow
/// several versions are kept without one.
pub(super) fn requirements(text: &str) -> Result<Vec<Locked>, String> {
    let joined = text.replace("\\\r\n", " ").replace("\\\n", " ");
    // A compiled file names everything; which of it is direct, its input says.
    let compiled = text.contains("# via");
    let direct = |package| Locked { direct: !compiled, ..package };
    Ok(joined.lines().filter_map(requirement).map(direct).collect())
}

fn requirement(line: &str) -> Option<Locked> {
    let line = line.split(" #").next()?.split(';').next()?.trim();
    if line.is_empty() || line.starts_with(['#', '-', '.', '/']) || line.contains("://") {
        return None;
    }
    let name = requirement_name(line);
    if name.is_empty() {
        return None;
    }
    let exact = line.split_once("==").map(|(_, rest)| rest.trim_start_matches('=').trim());
    let version = exact.and_then(|rest| rest.split([' ', ',']).next());
    let version = version.filter(|v| !v.is_empty() && !v.contains('*'));
    Some(Locked::new(Ecosystem::Pypi, &name, version))
}

fn packages(text: &str) -> Result<Vec<Table>, String> {
    let lock: Table =
        text.parse().map_err(|e: toml::de::Error| format!("it is no TOML: {}", e.message()))?;
    let Some(Value::Array(packages)) = lock.get("package") else { return Ok(Vec::new()) };
    Ok(packages.iter().filter_map(|p| p.as_table().cloned()).collect())
}

fn package(facts: &Table) -> Option<Locked> {
    let text = |key: &str| facts.get(key).and_then(Value::as_str);
    Some(Locked::new(Ecosystem::Pypi, text("name")?, text("version")))
}
