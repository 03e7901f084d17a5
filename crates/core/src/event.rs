//! Events: what watchers see while a run goes on. Nothing is computed from them.

use std::sync::{Arc, LazyLock};

use serde::Serialize;

use crate::evidence::{ExchangeId, IsolationLevel, Subject};

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The server is being started or connected to.
    Starting {
        target: String,
    },
    Isolated {
        level: IsolationLevel,
        notes: Vec<String>,
    },
    /// The session is open.
    Up {
        server: String,
        revision: String,
        took_ms: f64,
    },
    Down {
        cause: String,
        says: String,
    },
    Inventory {
        tools: usize,
        resources: usize,
        prompts: usize,
    },
    /// A round of planning is done; `calls` are all planned so far.
    Planned {
        round: u32,
        calls: u64,
    },
    CallStarted {
        id: ExchangeId,
        probe: String,
        subject: Subject,
        label: String,
    },
    CallDone {
        id: ExchangeId,
        outcome: &'static str,
        took_ms: f64,
    },
    /// What the checks say of the evidence so far.
    Findings {
        failed: usize,
        passed: usize,
        unseen: usize,
    },
    Restarted {
        restarts: u32,
    },
    /// The source is being read.
    Reading {
        files: usize,
        done: usize,
    },
    Note {
        text: String,
    },
    Done {
        wall_ms: f64,
    },
}

/// Receives events; cheap to clone into tasks.
pub type Watcher = Arc<dyn Fn(Event) + Send + Sync>;

static NOBODY: LazyLock<Watcher> = LazyLock::new(|| Arc::new(|_| {}));

/// A watcher that looks away.
pub fn nobody() -> Watcher {
    Arc::clone(&NOBODY)
}

/// Whether anyone looks: what only watchers want need not be worked out otherwise.
pub fn is_watched(watcher: &Watcher) -> bool {
    !Arc::ptr_eq(watcher, &NOBODY)
}
