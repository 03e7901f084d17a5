//! Package manifests: `package.json`, `pyproject.toml`, `Cargo.toml`, `go.mod`.

use std::path::Path;

use proofmark_core::evidence::Package;
use serde_json::Value;

use super::{files, npm, python};

const CRATES: &[&str] = &["rmcp", "mcp-server", "rust-mcp-sdk", "mcpr", "pmcp"];
const MODULES: &[&str] = &[
    "github.com/modelcontextprotocol/go-sdk",
    "github.com/mark3labs/mcp-go",
    "github.com/metoro-io/mcp-golang",
];

/// The first manifest that names a package.
pub(super) fn read(dir: &Path) -> Option<Package> {
    npm(dir).or_else(|| pyproject(dir)).or_else(|| cargo(dir)).or_else(|| go(dir))
}

/// Whether this directory is the root of a package.
pub(super) fn is_root(dir: &Path) -> bool {
    read(dir).is_some_and(|p| p.name.is_some())
}

fn load(dir: &Path, name: &str) -> Option<String> {
    files::text_below(dir, &dir.join(name), files::LIMIT)
}

pub(super) fn npm(dir: &Path) -> Option<Package> {
    let manifest: Value = serde_json::from_str(&load(dir, "package.json")?).ok()?;
    let text = |key: &str| manifest.get(key).and_then(Value::as_str).map(str::to_owned);
    let licence = match manifest.get("license") {
        Some(Value::Object(old)) => old.get("type").and_then(Value::as_str).map(str::to_owned),
        Some(_) | None => text("license"),
    };
    // Build output often holds a package.json with nothing but `type`.
    let name = text("name")?;
    Some(Package {
        ecosystem: "npm".to_owned(),
        name: Some(name),
        version: text("version"),
        licence,
        sdks: npm::sdks(dir, &manifest),
    })
}

fn pyproject(dir: &Path) -> Option<Package> {
    let manifest: toml::Table = load(dir, "pyproject.toml")?.parse().ok()?;
    let poetry = manifest.get("tool").and_then(|t| t.get("poetry"));
    let project = manifest.get("project").or(poetry)?;
    let text = |key: &str| project.get(key).and_then(toml::Value::as_str).map(str::to_owned);
    let licence = text("license")
        .or_else(|| project.get("license")?.get("text")?.as_str().map(str::to_owned))
        .and_then(|l| python::one_line(&l));
    let listed = project.get("dependencies").and_then(toml::Value::as_array).into_iter().flatten();
    let mut needs: Vec<String> =
        listed.filter_map(|d| Some(python::requirement_name(d.as_str()?))).collect();
    let table = poetry.and_then(|p| p.get("dependencies")).and_then(toml::Value::as_table);
    needs.extend(table.into_iter().flatten().map(|(name, _)| python::requirement_name(name)));
    Some(Package {
        ecosystem: "pypi".to_owned(),
        name: Some(text("name")?),
        version: text("version"),
        licence,
        sdks: python::SDKS
            .iter()
            .filter(|s| needs.iter().any(|n| n == *s))
            .map(|s| (*s).to_owned())
            .collect(),
    })
}

fn cargo(dir: &Path) -> Option<Package> {
    let manifest: toml::Table = load(dir, "Cargo.toml")?.parse().ok()?;
    let package = manifest.get("package")?;
    let text = |key: &str| package.get(key).and_then(toml::Value::as_str).map(str::to_owned);
    let needs = manifest.get("dependencies").and_then(toml::Value::as_table);
    Some(Package {
        ecosystem: "crate".to_owned(),
        name: Some(text("name")?),
        version: text("version"),
        licence: text("license"),
        sdks: CRATES
            .iter()
            .filter(|name| needs.is_some_and(|n| n.contains_key(**name)))
            .map(|name| (*name).to_owned())
            .collect(),
    })
}

fn go(dir: &Path) -> Option<Package> {
    let text = load(dir, "go.mod")?;
    let module = text.lines().find_map(|l| l.trim().strip_prefix("module "))?.trim();
    let sdks = text.lines().filter_map(|line| {
        let mut words = line.trim().trim_start_matches("require ").split_whitespace();
        let name = words.next().filter(|name| MODULES.contains(name))?;
        Some(match words.next() {
            Some(version) => format!("{name}@{}", version.trim_start_matches('v')),
            None => name.to_owned(),
        })
    });
    Some(Package {
        ecosystem: "go".to_owned(),
        name: Some(module.trim_matches('"').to_owned()),
        version: None,
        licence: None,
        sdks: sdks.collect(),
    })
}
