//! What a server remembers of one connection in the handshake revisions.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::ask::Ask;
use crate::revision::Revision;

#[derive(Debug, Default)]
pub(crate) struct Session {
    /// Agreed in the handshake.
    pub revision: Option<Revision>,
    /// What the client declared.
    pub client: Value,
    pub(super) log_level: Option<usize>,
    pub(super) waiting: BTreeMap<String, Waiting>,
    pub(super) asked: u64,
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
    /// Remembers a call and names the request that will finish it.
    pub(super) fn wait(&mut self, waiting: Waiting) -> Value {
        self.asked += 1;
        let id = format!("ask-{}", self.asked);
        self.waiting.insert(id.clone(), waiting);
        Value::String(id)
    }
}
