//! The requirement table: what a server must do, by revision. Data in `spec/requirements.toml`.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::revision::Revision;
use crate::target::Transport;

/// One row of the table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Requirement {
    pub id: String,
    level: Levels,
    pub revisions: RevisionSet,
    /// Empty: wherever it is spoken.
    #[serde(default)]
    transports: Vec<Transport>,
    pub testable: Testable,
    /// What is required.
    pub says: String,
    /// What an observer must see.
    pub pass: String,
    /// What has to be answered, where one code or kind of answer is due.
    #[serde(default)]
    answers: Vec<Due>,
    /// Why no check serves it.
    pub uncovered: Option<String>,
}

impl Requirement {
    /// How binding it is in this revision; `None` where it does not apply.
    pub fn level(&self, revision: Revision) -> Option<Level> {
        let level = match &self.level {
            Levels::Same(level) => *level,
            Levels::Changed(levels) => *levels.iter().find(|(set, _)| set.has(revision))?.1,
        };
        self.revisions.has(revision).then_some(level)
    }

    pub fn covers(&self, transport: Transport) -> bool {
        self.transports.is_empty() || self.transports.contains(&transport)
    }

    /// The answer that is due in this revision, where the table gives one.
    pub fn due(&self, revision: Revision) -> Option<&Due> {
        self.answers.iter().find(|due| due.within.has(revision))
    }

    /// The letters before the number: `LIFE`, `RPC` …
    pub fn section(&self) -> &str {
        self.id.split('-').next().unwrap_or_default()
    }
}

/// How binding a requirement is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    Must,
    /// Inherited from JSON-RPC 2.0.
    JsonRpc,
    /// The shape of a message.
    Schema,
    Should,
    /// Written nowhere: recorded, never failed.
    Information,
}

impl Level {
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Must => "must",
            Level::JsonRpc => "json-rpc",
            Level::Schema => "schema",
            Level::Should => "should",
            Level::Information => "information",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Whether an outside client can see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Testable {
    Always,
    /// Needs a declared capability, a fitting tool or a credential.
    Conditional,
    Judgement,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Levels {
    Same(Level),
    Changed(BTreeMap<RevisionSet, Level>),
}

/// Revisions by letter, oldest A: `"CDE"`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct RevisionSet(Vec<Revision>);

impl RevisionSet {
    pub fn has(&self, revision: Revision) -> bool {
        self.0.contains(&revision)
    }

    pub fn iter(&self) -> impl Iterator<Item = Revision> {
        self.0.iter().copied()
    }
}

impl TryFrom<String> for RevisionSet {
    type Error = String;

    fn try_from(letters: String) -> Result<RevisionSet, String> {
        let named = |letter: char| {
            "ABCDE".find(letter).and_then(|i| Revision::ALL.get(i)).copied().ok_or_else(|| {
                format!(
                    "`{letter}` is no revision; write letters from A (2024-11-05) to E (2026-07-28)"
                )
            })
        };
        letters.chars().map(named).collect::<Result<_, _>>().map(RevisionSet)
    }
}

/// The answer that is due in some revisions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Due {
    #[serde(rename = "in")]
    within: RevisionSet,
    pub full: Vec<Kind>,
    #[serde(default)]
    pub partial: Vec<Kind>,
    /// Over Streamable HTTP.
    pub status: Option<u16>,
}

/// A kind of answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Kind {
    Code(i64),
    Named(Named),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Named {
    /// Any protocol error.
    Error,
    /// A tool result with `isError`.
    ToolError,
    /// An HTTP status that refuses, without a protocol error.
    Refused,
    Silence,
    Result,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Code(code) => write!(f, "{code}"),
            Kind::Named(Named::Error) => f.write_str("a protocol error"),
            Kind::Named(Named::ToolError) => f.write_str("a result with `isError`"),
            Kind::Named(Named::Refused) => f.write_str("an HTTP status that refuses"),
            Kind::Named(Named::Silence) => f.write_str("silence"),
            Kind::Named(Named::Result) => f.write_str("a result"),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    requirement: Vec<Requirement>,
}

/// Every requirement, in the order of the table.
pub fn requirements() -> &'static [Requirement] {
    static TABLE: OnceLock<Vec<Requirement>> = OnceLock::new();
    // A test reads the table; what can't be read in a release build does not exist there.
    TABLE.get_or_init(|| parse().map(|t| t.requirement).unwrap_or_default())
}

fn parse() -> Result<Table, toml::de::Error> {
    toml::from_str(include_str!("../../spec/requirements.toml"))
}

pub fn requirement(id: &str) -> Option<&'static Requirement> {
    requirements().iter().find(|r| r.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_holds_every_requirement_once() {
        let table = parse().unwrap_or_else(|e| unreachable!("{e}"));
        let ids: std::collections::BTreeSet<&str> =
            table.requirement.iter().map(|r| r.id.as_str()).collect();
        assert_eq!((table.requirement.len(), ids.len()), (250, 250));
    }

    #[test]
    fn a_level_may_change_with_the_revision() {
        let row = requirement("S2C-01").unwrap_or_else(|| unreachable!());
        assert_eq!(row.level(Revision::V2024_11_05), Some(Level::Should));
        assert_eq!(row.level(Revision::V2026_07_28), Some(Level::Must));
        let row = requirement("LIFE-14").unwrap_or_else(|| unreachable!());
        assert_eq!(row.level(Revision::V2025_11_25), None);
    }

    #[test]
    fn the_answer_that_is_due_depends_on_the_revision() {
        let row = requirement("RPC-08").unwrap_or_else(|| unreachable!());
        let status = |r| row.due(r).and_then(|d| d.status);
        assert_eq!(status(Revision::V2025_11_25), None);
        assert_eq!(status(Revision::V2026_07_28), Some(404));
    }
}
