//! What a package is built from: the packages its lock files name, and what is known about them.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Evidence;

/// Lock files that were read, and advisories that name one of their packages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dependencies {
    pub locks: Vec<LockFile>,
    /// `None`: nobody said where to look.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advisories: Option<Advisories>,
}

impl Dependencies {
    /// Every package with the file that names it.
    pub fn packages(&self) -> impl Iterator<Item = (&LockFile, &Locked)> {
        self.locks.iter().flat_map(|lock| lock.packages.iter().map(move |p| (lock, p)))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LockFile {
    /// Relative to the origin.
    pub path: String,
    pub format: LockFormat,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<Locked>,
    /// Why it could not be read, or not wholly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum LockFormat {
    PackageLock,
    Pnpm,
    Yarn,
    Requirements,
    Uv,
    Poetry,
    Cargo,
    GoMod,
    /// No file: what lies installed beside the package.
    Installed,
}

/// One package.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Locked {
    pub ecosystem: Ecosystem,
    pub name: String,
    /// `None`: the file allows several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// Named by the package itself, not by another dependency.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub direct: bool,
    /// Only needed to build and test.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dev: bool,
    /// Runs code of its own when it is installed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub scripts: bool,
}

impl Locked {
    pub fn new(ecosystem: Ecosystem, name: &str, version: Option<&str>) -> Locked {
        Locked {
            ecosystem,
            name: name.to_owned(),
            version: version.map(str::to_owned),
            licence: None,
            direct: false,
            dev: false,
            scripts: false,
        }
    }

    /// `name version`, for people.
    pub fn label(&self) -> String {
        match &self.version {
            Some(version) => format!("{} {version}", self.name),
            None => self.name.clone(),
        }
    }
}

/// Where packages of one kind come from.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
pub enum Ecosystem {
    #[serde(rename = "npm")]
    Npm,
    #[serde(rename = "pypi")]
    Pypi,
    #[serde(rename = "crate")]
    Crate,
    #[serde(rename = "go")]
    Go,
}

impl Ecosystem {
    const ALL: [Ecosystem; 4] = [Ecosystem::Npm, Ecosystem::Pypi, Ecosystem::Crate, Ecosystem::Go];

    /// Its name in the OSV format, where a release may follow after a colon.
    pub fn osv(self) -> &'static str {
        match self {
            Ecosystem::Npm => "npm",
            Ecosystem::Pypi => "PyPI",
            Ecosystem::Crate => "crates.io",
            Ecosystem::Go => "Go",
        }
    }

    pub fn of_osv(name: &str) -> Option<Ecosystem> {
        let name = name.split(':').next().unwrap_or(name);
        Ecosystem::ALL.into_iter().find(|e| e.osv() == name)
    }

    /// Its type in a package URL.
    pub fn purl(self) -> &'static str {
        match self {
            Ecosystem::Npm => "npm",
            Ecosystem::Pypi => "pypi",
            Ecosystem::Crate => "cargo",
            Ecosystem::Go => "golang",
        }
    }

    /// The one spelling that its registry takes for the same name.
    pub fn normal(self, name: &str) -> String {
        match self {
            Ecosystem::Pypi => name.to_lowercase().replace(['_', '.'], "-"),
            Ecosystem::Npm | Ecosystem::Crate | Ecosystem::Go => name.to_owned(),
        }
    }
}

impl fmt::Display for Ecosystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.osv())
    }
}

/// What a database of advisories said about the packages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Advisories {
    /// The database: a path or an address.
    pub origin: String,
    /// How many advisories it holds for these kinds of packages; of a service that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub searched: Option<usize>,
    /// Those that name one of the packages, in whatever version.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<Advisory>,
    /// Why it could not be asked, or not wholly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// One advisory, as far as it matters here.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Advisory {
    pub id: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
    #[serde(default)]
    pub rating: Rating,
    pub affected: Vec<Affected>,
}

/// How bad an advisory says it is.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Rating {
    /// No hole: unmaintained, or a notice.
    Notice,
    Low,
    Moderate,
    /// Nobody has rated it.
    #[default]
    Unrated,
    High,
    Critical,
    /// The package itself is an attack.
    Malicious,
}

impl Rating {
    pub fn as_str(self) -> &'static str {
        match self {
            Rating::Notice => "a notice",
            Rating::Low => "low",
            Rating::Moderate => "moderate",
            Rating::Unrated => "unrated",
            Rating::High => "high",
            Rating::Critical => "critical",
            Rating::Malicious => "malicious",
        }
    }
}

/// The versions of one package that an advisory is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Affected {
    pub ecosystem: Ecosystem,
    pub name: String,
    /// One by one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ranges: Vec<Vec<Bound>>,
}

/// Where a range begins or ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Bound {
    /// From this version on; `0` is the very first.
    Introduced(String),
    /// Before this version.
    Fixed(String),
    /// Up to this version.
    LastAffected(String),
}

impl Evidence {
    /// What the server is built from, or why that is not known.
    pub fn dependencies(&self) -> Result<&Dependencies, String> {
        let source = self.source.as_ref().ok_or(
            "no source or installed package was found to read dependencies from (give one with --source DIR)",
        )?;
        let origin = &source.origin;
        let none = || format!("{origin} has no lock file, and nothing is installed beside it");
        source.dependencies.as_ref().ok_or_else(none)
    }
}
