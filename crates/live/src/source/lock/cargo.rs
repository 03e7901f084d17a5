//! `Cargo.lock`.

use proofmark_core::evidence::{Ecosystem, Locked};
use toml::{Table, Value};

pub(super) fn parse(text: &str) -> Result<Vec<Locked>, String> {
    let lock: Table =
        text.parse().map_err(|e: toml::de::Error| format!("it is no TOML: {}", e.message()))?;
    let Some(Value::Array(packages)) = lock.get("package") else { return Ok(Vec::new()) };
    let package = |facts: &Value| {
        let text = |key: &str| facts.get(key).and_then(Value::as_str);
        // Members of the workspace have no source.
        text("source")?;
        Some(Locked::new(Ecosystem::Crate, text("name")?, text("version")))
    };
    Ok(packages.iter().filter_map(package).collect())
}
