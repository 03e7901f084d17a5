//! Sessions as the layer sees them pass: which revision each speaks, and under which false name.

use std::collections::BTreeMap;

use axum::http::{HeaderMap, HeaderValue};

use crate::front::streamable::SESSION;
use crate::mutant::when::Heard;
use crate::revision::Revision;

#[derive(Debug, Default)]
pub(super) struct Sessions {
    /// By the id that the client knows.
    known: BTreeMap<Vec<u8>, Session>,
    last: Option<String>,
    count: u64,
}

#[derive(Debug)]
struct Session {
    revision: Revision,
    /// The id that the server knows.
    id: HeaderValue,
}

impl Sessions {
    pub(super) fn revision(&self, headers: &HeaderMap) -> Option<Revision> {
        Some(self.known.get(headers.get(SESSION)?.as_bytes())?.revision)
    }

    pub(super) fn last(&self) -> Option<String> {
        self.last.clone()
    }

    /// From the name the client uses to the one the server knows.
    pub(super) fn translate(&self, headers: &mut HeaderMap) {
        let known = headers.get(SESSION).and_then(|id| self.known.get(id.as_bytes()));
        if let Some(session) = known {
            headers.insert(SESSION, session.id.clone());
        }
    }

    /// Remembers a session that was opened, under a minted name if it is to have one.
    pub(super) fn note(
        &mut self,
        heard: &Heard,
        mint: Option<&str>,
        headers: &mut HeaderMap,
    ) -> bool {
        let Some(id) = headers.get(SESSION).cloned() else { return false };
        self.count += 1;
        self.last = id.to_str().ok().map(str::to_owned);
        let minted = mint.map(|form| form.replace('#', &self.count.to_string()));
        let minted = minted.and_then(|name| HeaderValue::from_bytes(name.as_bytes()).ok());
        let name = minted.clone().unwrap_or_else(|| id.clone());
        let revision = heard.revision.unwrap_or(Revision::NEWEST_HANDSHAKE);
        self.known.insert(name.as_bytes().to_vec(), Session { revision, id });
        headers.insert(SESSION, name);
        minted.is_some()
    }
}
