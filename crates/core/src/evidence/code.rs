//! What parsers saw in the code of a source tree. Facts with their places; no text of the code
//! itself beyond names, and never a secret.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Subject;
use crate::check::Class;

/// The code of a tree, read but never run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Code {
    /// How many files were parsed, by language.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<Language, u32>,
    /// How many files were not, by reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub left_out: BTreeMap<LeftOut, u32>,
    /// Where an MCP SDK is brought in, or the methods of the protocol are named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signs: Vec<Spot>,
    /// Whether something in it speaks over standard input and output.
    #[serde(default)]
    pub stdio: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Registration>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<Variable>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flows: Vec<Flow>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<Embedded>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub habits: Vec<Habit>,
}

impl Code {
    /// Whether any of it makes an MCP server.
    pub fn is_server(&self) -> bool {
        !self.signs.is_empty() || !self.tools.is_empty()
    }

    pub fn parsed(&self) -> u32 {
        self.files.values().sum()
    }

    /// Whether a limit kept us from reading all of it.
    pub fn is_cut(&self) -> bool {
        self.left_out.contains_key(&LeftOut::Limit)
    }
}

/// A line of a file.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct Spot {
    /// Relative to the origin, with `/`.
    pub file: String,
    /// From 1.
    pub line: u32,
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    Python,
    Javascript,
    Typescript,
    Go,
    Rust,
}

/// Why a file of code was not parsed.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum LeftOut {
    /// It tests the server, and is not part of it.
    Test,
    /// Written by a program: minified, bundled.
    Generated,
    TooLarge,
    NotText,
    Unreadable,
    /// There are more files than are read.
    Limit,
}

/// A tool that the code registers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Registration {
    pub name: String,
    pub at: Spot,
}

/// An environment variable that the code reads.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Variable {
    pub name: String,
    pub at: Spot,
}

/// Input of a tool, resource or prompt that reaches a dangerous call.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Flow {
    /// Where the input comes in.
    pub subject: Subject,
    pub class: Class,
    /// The dangerous call.
    pub at: Spot,
    /// Its name, e.g. `subprocess.run`.
    pub call: String,
    /// A function of another file on the way, whose name claims that it checks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub through: Option<String>,
}

/// A secret written into the source. What it is, never its text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Embedded {
    pub kind: String,
    pub characters: u32,
    pub at: Spot,
}

/// Something written down that is right in few places.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Habit {
    pub kind: HabitKind,
    /// The name or the value that shows it.
    pub shown: String,
    pub at: Spot,
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum HabitKind {
    /// Listens on every interface.
    BindsEverywhere,
    DebugMode,
    /// Does not verify whom it talks to.
    TlsUnverified,
    /// Prints where the protocol is spoken.
    PrintsToStdout,
    /// A path that only some machines have.
    AbsolutePath,
    /// A call that only some systems have.
    PlatformOnly,
}

/// How people get the server.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Distribution {
    Npm,
    Pypi,
    Crate,
    Go,
    Docker,
    Mcpb,
    Remote,
}

impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Distribution::Npm => "npm",
            Distribution::Pypi => "PyPI",
            Distribution::Crate => "crate",
            Distribution::Go => "Go module",
            Distribution::Docker => "Docker",
            Distribution::Mcpb => "MCPB bundle",
            Distribution::Remote => "remote",
        })
    }
}
