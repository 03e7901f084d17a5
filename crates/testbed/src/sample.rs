//! The sample servers in Python and Node, and what is true of each of their tools. The data is in
//! `security.toml`.

use std::path::PathBuf;

use serde::Deserialize;

use crate::Error;

/// Servers and what is true of them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Samples {
    #[serde(rename = "server")]
    pub servers: Vec<Sample>,
    #[serde(rename = "label")]
    pub truths: Vec<Truth>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    pub name: String,
    /// `{dir}` is the folder of the labels, `{workspace}` that of a run.
    pub command: Vec<String>,
}

/// A hole, or a tool that looks as if it had one.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Truth {
    pub server: String,
    /// `None`: a resource, a prompt, or the server as a whole.
    pub tool: Option<String>,
    /// The URI, with braces where it is a template.
    pub resource: Option<String>,
    pub prompt: Option<String>,
    /// JSON pointer into the arguments.
    pub parameter: Option<String>,
    /// As in reports.
    pub class: String,
    /// Other classes by which the same hole may rightly be called.
    #[serde(default)]
    pub also: Vec<String>,
    /// Another tool by which it is reached.
    pub through: Option<String>,
    /// Not listed at the start.
    #[serde(default)]
    pub later: bool,
    pub truth: Verdict,
    pub how: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Vulnerable,
    Safe,
}

impl Samples {
    /// Where the labels and the sources of the samples are.
    pub fn dir() -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR"))
    }

    pub fn of<'a>(&'a self, server: &'a str) -> impl Iterator<Item = &'a Truth> {
        self.truths.iter().filter(move |t| t.server == server)
    }
}

/// All samples of this crate.
pub fn samples() -> Result<Samples, Error> {
    Ok(toml::from_str(include_str!("../security.toml"))?)
}
