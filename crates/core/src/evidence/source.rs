//! Facts read from a source tree or an installed package.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Code, Dependencies, Distribution};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Where the facts come from: `--source DIR`, or the package behind the command.
    pub origin: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub readme: Option<Document>,
    /// Further pages that the README leads to and that lie beside it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<Document>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<Document>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<Package>,
    /// How people get it, as far as the tree shows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub distribution: Vec<Distribution>,
    /// What parsers saw; only of a tree that the user named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<Code>,
    /// `package.json`, `pyproject.toml`, `server.json`, `manifest.json`, as they stand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub manifests: Vec<Document>,
    /// `None`: there is nothing that names them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dependencies: Option<Dependencies>,
    /// Only of a tree: what is installed was built.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sizes: Option<Sizes>,
    /// What only a source tree can tell: an installed package need not ship all its files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub around: Option<Around>,
}

impl Source {
    /// The manifest of this name, at the root.
    pub fn manifest(&self, name: &str) -> Option<&Document> {
        self.manifests.iter().find(|m| m.path == name)
    }
}

/// How long the source files are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sizes {
    pub files: u32,
    /// The longest ones, by path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub long: Vec<FileLines>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileLines {
    /// Relative to the origin.
    pub path: String,
    pub lines: u32,
}

/// What lies around a README.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Around {
    /// Files in the root, `docs` and `.github`, relative to the origin.
    pub files: Vec<String>,
    /// Relative links of the README that lead to no file.
    pub dead_links: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Relative to the origin.
    pub path: String,
    pub text: String,
}

/// What the package metadata says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Package {
    /// `npm`, `pypi`, `crate`, `go`.
    pub ecosystem: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// MCP SDKs it depends on, `name@version` where installed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sdks: Vec<String>,
}
