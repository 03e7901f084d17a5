//! Pre-flight: the check lists of places that list servers, as far as a run and the files of the
//! project can answer them. What they can't answer is for a human.

mod anthropic;
mod docker;
mod mcpb;
mod openai;
mod papers;
mod registry;
mod shared;

pub use papers::Papers;

use serde::Serialize;

use crate::evidence::Evidence;
use crate::report::Report;

/// Format and version of the JSON.
pub const SCHEMA: &str = "proofmark.preflight/1.0";

/// A place that lists servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Directory {
    /// The MCP registry, by `server.json`.
    Registry,
    /// A bundle, by its `manifest.json`.
    Mcpb,
    /// The directory of connectors of Anthropic.
    Anthropic,
    /// The directory of apps of OpenAI.
    Openai,
    /// The MCP catalogue of Docker.
    Docker,
}

impl Directory {
    pub const ALL: [Directory; 5] = [
        Directory::Registry,
        Directory::Mcpb,
        Directory::Anthropic,
        Directory::Openai,
        Directory::Docker,
    ];

    pub fn title(self) -> &'static str {
        match self {
            Directory::Registry => "MCP registry",
            Directory::Mcpb => "MCP bundle",
            Directory::Anthropic => "Anthropic connectors directory",
            Directory::Openai => "OpenAI apps directory",
            Directory::Docker => "Docker MCP catalogue",
        }
    }
}

/// One line of a check list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Item {
    pub title: &'static str,
    pub verdict: Answer,
    pub says: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    Fail,
    /// Only a human can tell.
    Ask,
    Pass,
}

/// The whole list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Preflight {
    pub schema: &'static str,
    pub directory: Directory,
    pub server: String,
    pub items: Vec<Item>,
}

/// What the items look at.
#[derive(Debug, Clone, Copy)]
struct Case<'a> {
    evidence: &'a Evidence,
    report: &'a Report,
    papers: &'a Papers,
}

impl Preflight {
    pub fn of(
        directory: Directory,
        evidence: &Evidence,
        report: &Report,
        papers: &Papers,
    ) -> Preflight {
        let case = Case { evidence, report, papers };
        let items = match directory {
            Directory::Registry => registry::items(&case),
            Directory::Mcpb => mcpb::items(&case),
            Directory::Anthropic => anthropic::items(&case),
            Directory::Openai => openai::items(&case),
            Directory::Docker => docker::items(&case),
        };
        Preflight { schema: SCHEMA, directory, server: report.server_name(), items }
    }

    pub fn count(&self, answer: Answer) -> usize {
        self.items.iter().filter(|i| i.verdict == answer).count()
    }

    /// Nothing failed; what is to be asked is not held against the server.
    pub fn holds(&self) -> bool {
        self.count(Answer::Fail) == 0
    }
}

impl Item {
    fn pass(title: &'static str, says: impl Into<String>) -> Item {
        Item { title, verdict: Answer::Pass, says: says.into() }
    }

    fn fail(title: &'static str, says: impl Into<String>) -> Item {
        Item { title, verdict: Answer::Fail, says: says.into() }
    }

    fn ask(title: &'static str, says: impl Into<String>) -> Item {
        Item { title, verdict: Answer::Ask, says: says.into() }
    }

    /// Passes when nothing is wrong; the wrongs are told.
    fn of(title: &'static str, good: &str, wrong: &[String]) -> Item {
        match wrong {
            [] => Item::pass(title, good),
            some => Item::fail(title, shared::listed(some)),
        }
    }
}

#[cfg(test)]
mod tests;
