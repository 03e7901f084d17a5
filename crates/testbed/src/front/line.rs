//! One session over HTTP: what the server remembers of it, and its streams.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};

use super::http::lock;
use super::track::Track;
use crate::server::Session;
use crate::stage::Aloud;

/// Streams a client can come back to.
const MOST_KEPT: usize = 64;

#[derive(Debug, Default)]
pub(crate) struct Line {
    pub(crate) session: Mutex<Session>,
    /// Open answers by request id.
    open: Mutex<BTreeMap<String, Arc<Track>>>,
    /// Where messages outside any answer go: the stream of the last GET.
    standing: Mutex<Option<Arc<Track>>>,
    kept: Mutex<VecDeque<Arc<Track>>>,
}

impl Line {
    /// Keeps an answer open until the client has said what it waits for.
    pub(crate) fn leave_open(&self, request: &str, track: &Arc<Track>) {
        lock(&self.open).insert(request.to_owned(), Arc::clone(track));
    }

    pub(crate) fn take_open(&self, request: &str) -> Option<Arc<Track>> {
        lock(&self.open).remove(request)
    }

    pub(crate) fn stand(&self, track: &Arc<Track>) {
        *lock(&self.standing) = Some(Arc::clone(track));
    }

    pub(crate) fn standing(&self) -> Option<Arc<Track>> {
        lock(&self.standing).clone()
    }

    pub(crate) fn keep(&self, track: &Arc<Track>) {
        let mut kept = lock(&self.kept);
        if kept.len() >= MOST_KEPT {
            kept.pop_front();
        }
        kept.push_back(Arc::clone(track));
    }

    pub(crate) fn kept(&self, number: u64) -> Option<Arc<Track>> {
        lock(&self.kept).iter().find(|track| track.number == number).cloned()
    }

    /// The one stream for something outside any answer: the subscription's own, the one that
    /// stands open, or else that of the call which caused it.
    pub(crate) fn ear(&self, aloud: &Aloud, cause: Option<&Arc<Track>>) -> Option<Arc<Track>> {
        match &aloud.subscription {
            Some(id) => lock(&self.open).get(&id.to_string()).cloned(),
            None => self.standing().filter(|t| !t.is_deserted()).or_else(|| cause.cloned()),
        }
    }
}
