//! Probes plan calls. A planner is a pure function of the evidence so far.

mod risk;

pub use risk::Risk;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::evidence::{ClientCapabilities, Evidence, Subject};
use crate::proof::Oracle;
use crate::revision::Revision;
use crate::seed::Seed;

/// A named family of calls.
///
/// `plan` is asked again after every round, with all answers so far, until it names no call that
/// is not in the transcript yet (or the round limit is reached). It returns *every* call it wants;
/// those already made, by probe, subject and label, are not made twice. A planner therefore keeps
/// no state: a chain is a planner that names the second call once the first has been answered.
#[derive(Debug)]
pub struct Probe {
    pub id: &'static str,
    /// Carries payloads: subject to the stricter half of the risk gate.
    pub hostile: bool,
    pub lane: Lane,
    pub plan: fn(&Evidence, Seed) -> Vec<Call>,
}

/// Whether calls of a probe may run beside others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    Shared,
    /// Nothing else is in flight: for timing, and for frames that may kill the server.
    Alone,
    /// On a side: when all other sides are quiet, and one side after the other. For what changes
    /// something, and for a look at what changes, in a workspace or behind a URL that all share.
    Turn,
    /// On a side, when a round is over, and what follows from it without waiting for the next: for what
    /// would be something else later.
    AtOnce,
    /// Alone, and when nothing else is left to do: how long an answer takes decides what is asked
    /// next, and no other call may stand at another place for it.
    Last,
}

/// One call that a probe wants made.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub subject: Subject,
    /// The case within the probe; unique per subject.
    pub label: String,
    pub send: Send,
    pub on: Connection,
    pub control: Option<String>,
    pub oracle: Option<Oracle>,
}

impl Call {
    pub fn new(subject: Subject, label: impl Into<String>, send: Send) -> Call {
        Call {
            subject,
            label: label.into(),
            send,
            on: Connection::Main,
            control: None,
            oracle: None,
        }
    }

    /// A `tools/call`.
    pub fn tool(tool: &str, label: impl Into<String>, arguments: Value) -> Call {
        let params = json!({ "name": tool, "arguments": arguments });
        Call::new(Subject::tool_named(tool), label, Send::request("tools/call", Some(params)))
    }

    /// The same call, but about one parameter.
    pub fn about(mut self, pointer: &str) -> Call {
        if let Some(tool) = self.subject.tool() {
            self.subject = Subject::param(tool, pointer);
        }
        self
    }

    pub fn on(mut self, connection: Connection) -> Call {
        self.on = connection;
        self
    }

    pub fn with_control(mut self, label: impl Into<String>) -> Call {
        self.control = Some(label.into());
        self
    }

    pub fn with_oracle(mut self, oracle: Oracle) -> Call {
        self.oracle = Some(oracle);
        self
    }
}

/// What goes over the wire.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Send {
    /// A well-formed request; the session adds the id and what the revision needs.
    Request {
        method: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        params: Option<Value>,
        /// An id of our choice instead of the next number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<Value>,
    },
    Notification {
        method: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        params: Option<Value>,
    },
    /// One frame exactly as written here, however wrong.
    Raw { text: String, awaits: Awaits },
    /// One HTTP request to the endpoint with these headers; only on HTTP transports.
    Http {
        verb: String,
        /// Replaces or, with an empty value, removes what we would send.
        headers: Vec<(String, String)>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        body: Option<String>,
    },
    /// One HTTP request beside the session, at the endpoint or elsewhere on its host; the reply is
    /// the body, if it is JSON, and silence if not. Only on Streamable HTTP.
    Aside {
        verb: String,
        /// Relative to the endpoint.
        url: String,
        /// Replaces or, with an empty value, removes what we would send.
        headers: Vec<(String, String)>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        body: Option<String>,
    },
    /// Nothing is sent; what the server says by itself in this time is recorded.
    Listen { ms: u32 },
}

impl Send {
    pub fn request(method: &str, params: Option<Value>) -> Send {
        Send::Request { method: method.to_owned(), params, id: None }
    }

    pub fn method(&self) -> Option<&str> {
        match self {
            Send::Request { method, .. } | Send::Notification { method, .. } => Some(method),
            Send::Raw { .. } | Send::Http { .. } | Send::Aside { .. } | Send::Listen { .. } => None,
        }
    }

    /// The method, also of a frame or body that we wrote by hand, as far as it can be read.
    pub fn asks_for(&self) -> Option<String> {
        let written = match self {
            Send::Request { method, .. } | Send::Notification { method, .. } => {
                return Some(method.clone());
            }
            Send::Raw { text, .. } => Some(text),
            Send::Http { body, .. } => body.as_ref(),
            Send::Aside { .. } | Send::Listen { .. } => None,
        };
        let message: Value = serde_json::from_str(written?).ok()?;
        message.get("method")?.as_str().map(str::to_owned)
    }

    pub fn params(&self) -> Option<&Value> {
        match self {
            Send::Request { params, .. } | Send::Notification { params, .. } => params.as_ref(),
            Send::Raw { .. } | Send::Http { .. } | Send::Aside { .. } | Send::Listen { .. } => None,
        }
    }
}

/// What a raw frame waits for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Awaits {
    /// The answer with this id.
    Id { id: Value },
    /// The answers with these ids, as far as they come; the reply is the first of them.
    Ids { ids: Vec<Value> },
    /// The first response that no other request explains (id null, absent or unknown), if any.
    Stray,
}

/// Where a call goes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Connection {
    /// The session that took the inventory.
    #[default]
    Main,
    /// A further process or session. Opened for the first call that names it, shared by all that
    /// do, and kept until the end of the run.
    Side(Side),
}

/// A further connection, known by how it is opened.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct Side {
    /// `None`: nothing is said before the first call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handshake: Option<Revision>,
    pub client: ClientCapabilities,
    /// Tells apart those that are opened alike.
    #[serde(default)]
    pub number: u8,
}

impl Side {
    /// A session in this revision with a client that declares nothing.
    pub fn speaking(revision: Revision) -> Side {
        Side { handshake: Some(revision), client: ClientCapabilities::NONE, number: 0 }
    }

    /// A connection on which nothing has been said.
    pub const fn bare(number: u8) -> Side {
        Side { handshake: None, client: ClientCapabilities::NONE, number }
    }
}

/// The words of an identifier in any of the usual styles, lower case.
pub fn words(identifier: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut previous_lower = false;
    for c in identifier.chars() {
        let boundary = !c.is_alphanumeric() || (c.is_uppercase() && previous_lower);
        if boundary && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        previous_lower = c.is_lowercase() || c.is_ascii_digit();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_in_every_style() {
        assert_eq!(words("readTextFile"), ["read", "text", "file"]);
        assert_eq!(words("git_diff-staged.v2"), ["git", "diff", "staged", "v2"]);
    }
}
