//! How the server came up, what it said of itself, and how it went away.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ExchangeId, Micros};
use crate::probe::Side;
use crate::revision::Revision;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Startup {
    /// No server was asked for (static run).
    NotTried,
    Up {
        took: Micros,
    },
    Down {
        cause: DownCause,
        /// What happened, one sentence.
        says: String,
        /// What the user can do about it.
        way_out: String,
        exit: Option<Exit>,
        stderr_tail: Vec<String>,
    },
}

/// Why a server did not come up.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum DownCause {
    MissingCredential,
    MissingNetwork,
    /// The command itself, or a program it needs, is not installed.
    MissingSoftware,
    BrokenDependency,
    /// The server answered `initialize` with an error.
    InitializeError,
    /// It runs, and says nothing.
    SilentHang,
    /// It ended before answering, for a reason we do not recognise.
    ExitedEarly,
    /// Nothing listens at the address.
    Unreachable,
    /// The address answers 401 or 403.
    Unauthorized,
    /// Something answers, but not MCP.
    NotMcp,
}

impl fmt::Display for DownCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DownCause::MissingCredential => "missing credential",
            DownCause::MissingNetwork => "missing network",
            DownCause::MissingSoftware => "missing software",
            DownCause::BrokenDependency => "broken dependency",
            DownCause::InitializeError => "error on initialize",
            DownCause::SilentHang => "silent hang",
            DownCause::ExitedEarly => "exited early",
            DownCause::Unreachable => "unreachable",
            DownCause::Unauthorized => "unauthorized",
            DownCause::NotMcp => "not an MCP server",
        })
    }
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Exit {
    Code { code: i32 },
    Signal { signal: i32 },
}

/// What the server said of itself when the session opened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Handshake {
    pub revision: Revision,
    /// The version string as the server sent it; may be unknown to us.
    pub answered: String,
    /// Versions a stateless server lists.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supported: Vec<String>,
    pub server: ServerInfo,
    pub capabilities: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    pub exchange: ExchangeId,
}

impl Handshake {
    pub fn declares(&self, capability: &str) -> bool {
        self.capabilities.get(capability).is_some()
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ServerInfo {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// One opening of a further connection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Link {
    pub connection: u32,
    pub side: Side,
    /// `None` when nothing was to be said, or when no session came about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handshake: Option<Handshake>,
}

/// The end of one server process or connection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Departure {
    pub connection: u32,
    /// False when we closed it ourselves at the end.
    pub unexpected: bool,
    /// The exchange that was under way when it died.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub during: Option<ExchangeId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<Exit>,
    /// How hard we had to push: it left by itself on stdin close, on TERM, or only on KILL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needed: Option<Push>,
    pub at: Micros,
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Push {
    StdinClosed,
    Term,
    Kill,
}
