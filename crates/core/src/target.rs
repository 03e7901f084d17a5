//! Target: what is being assessed. In evidence it stands redacted (see [`crate::scrub`]).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A server we can reach, or a source tree we can read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Target {
    /// A command that speaks MCP over its standard input and output.
    Stdio {
        command: String,
        #[serde(default)]
        args: Vec<String>,
        #[serde(default)]
        env: BTreeMap<String, String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cwd: Option<String>,
    },
    /// A Streamable HTTP endpoint.
    Http {
        url: String,
        #[serde(default)]
        headers: BTreeMap<String, String>,
    },
    /// An endpoint of the older HTTP+SSE transport (2024-11-05).
    Sse {
        url: String,
        #[serde(default)]
        headers: BTreeMap<String, String>,
    },
    /// A source tree without a running server.
    Source { dir: String },
}

/// How frames travel.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Transport {
    Stdio,
    Http,
    Sse,
    /// Nothing was spoken: a source tree alone.
    None,
}

/// The three audit types of the scoring guide; they decide which areas apply.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum AuditKind {
    /// A repository, with or without a server started from it.
    Github,
    /// A remote server: no source, no README to read.
    Http,
    /// A server on this machine.
    Local,
}

impl Target {
    pub fn transport(&self) -> Transport {
        match self {
            Target::Stdio { .. } => Transport::Stdio,
            Target::Http { .. } => Transport::Http,
            Target::Sse { .. } => Transport::Sse,
            Target::Source { .. } => Transport::None,
        }
    }

    pub fn audit_kind(&self) -> AuditKind {
        match self {
            Target::Stdio { .. } => AuditKind::Local,
            Target::Http { .. } | Target::Sse { .. } => AuditKind::Http,
            Target::Source { .. } => AuditKind::Github,
        }
    }

    /// One line for people: the command line or the address.
    pub fn line(&self) -> String {
        match self {
            Target::Stdio { command, args, .. } => {
                let mut line = command.clone();
                for arg in args {
                    line.push(' ');
                    if arg.is_empty() || arg.contains(char::is_whitespace) {
                        line.push_str(&format!("'{arg}'"));
                    } else {
                        line.push_str(arg);
                    }
                }
                line
            }
            Target::Http { url, .. } | Target::Sse { url, .. } => url.clone(),
            Target::Source { dir } => dir.clone(),
        }
    }
}
