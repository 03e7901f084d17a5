//! What a server remembers of one connection.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::tasks::TaskBook;
use crate::ask::Ask;
use crate::revision::Revision;

#[derive(Debug, Default)]
pub(crate) struct Session {
    /// Agreed in the handshake.
    pub revision: Option<Revision>,
    /// What the client declared.
    pub client: Value,
    /// The transport has no other client, so nobody's tasks are shown to somebody else.
    pub exclusive: bool,
    pub(super) log_level: Option<usize>,
    pub(super) waiting: BTreeMap<String, Waiting>,
    pub(super) asked: u64,
    /// Resources the client subscribed to after a handshake.
    pub(super) subscribed: BTreeSet<String>,
    /// Stateless subscriptions by the request that opened them: its id and the URIs.
    pub(super) listening: BTreeMap<String, (Value, BTreeSet<String>)>,
    /// Requests that take their time; one that is cancelled is taken out.
    pub(super) active: BTreeSet<String>,
    pub(super) tasks: TaskBook,
}

/// A tool call that waits for the client.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) request: Value,
    pub(super) tool: String,
    pub(super) arguments: Value,
    pub(super) ask: Ask,
}

impl Session {
    /// A session on a transport that no other client shares.
    pub(crate) fn exclusive() -> Session {
        Session { exclusive: true, ..Session::default() }
    }

    /// Remembers a call and names the request that will finish it.
    pub(super) fn wait(&mut self, waiting: Waiting) -> Value {
        self.asked += 1;
        let id = format!("ask-{}", self.asked);
        self.waiting.insert(id.clone(), waiting);
        Value::String(id)
    }

    /// The client no longer wants an answer to this request.
    pub(super) fn forget(&mut self, request: &Value) {
        self.waiting.retain(|_, w| w.request != *request);
        self.active.remove(&request.to_string());
        self.listening.remove(&request.to_string());
    }
}
