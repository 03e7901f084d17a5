//! The files of a project that directories read.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// What lies in the project: some files with their text, and the names of the others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Papers {
    /// Whether a project was given at all.
    pub given: bool,
    pub texts: BTreeMap<String, String>,
    /// Paths relative to the project, `/` between the parts.
    pub names: BTreeSet<String>,
}

impl Papers {
    /// The files whose text is wanted.
    pub const WANTED: [&'static str; 8] = [
        "server.json",
        "manifest.json",
        "package.json",
        "pyproject.toml",
        "Cargo.toml",
        "README.md",
        "README.rst",
        "README",
    ];

    pub fn text(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(String::as_str)
    }

    /// `Err` says why there is no such object.
    pub(super) fn json(&self, name: &str) -> Result<Value, String> {
        let text = self.text(name).ok_or_else(|| match self.given {
            true => format!("there is no {name} in the project"),
            false => format!("no project was given to look for {name}; give --source DIR"),
        })?;
        let value: Value =
            serde_json::from_str(text).map_err(|e| format!("{name} is not JSON: {e}"))?;
        match value.is_object() {
            true => Ok(value),
            false => Err(format!("{name} holds no object")),
        }
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.names.contains(path.trim_start_matches("./"))
    }
}
