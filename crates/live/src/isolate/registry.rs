//! All servers and scratch areas of this process, for the exits on which nothing is dropped.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use super::tree::{self, Root};

static RUNNING: Mutex<Running> = Mutex::new(Running::new());

/// What was started and has not been ended.
#[derive(Debug)]
pub(super) struct Running {
    servers: BTreeMap<i32, Server>,
    scratches: BTreeSet<PathBuf>,
}

#[derive(Debug, Clone, Copy)]
struct Server {
    reaped: bool,
    /// Keeps its own orphans as long as it lives (see [`super::confine`]).
    keeps_orphans: bool,
}

impl Running {
    const fn new() -> Running {
        Running { servers: BTreeMap::new(), scratches: BTreeSet::new() }
    }

    pub(super) fn add(&mut self, pid: i32, keeps_orphans: bool) {
        self.servers.insert(pid, Server { reaped: false, keeps_orphans });
    }

    /// An orphan can only be someone's whose first process no longer keeps it: with another
    /// server alive that lets its orphans go, it may be that one's.
    fn root(&self, pid: i32) -> Root {
        let adopts = self.servers.iter().all(|(&p, s)| p == pid || s.keeps_orphans || s.reaped);
        Root { pid, reaped: self.servers.get(&pid).is_none_or(|s| s.reaped), adopts }
    }

    fn leaders(&self) -> BTreeSet<i32> {
        self.servers.iter().filter(|(_, s)| !s.reaped).map(|(&p, _)| p).collect()
    }
}

/// Holding this also keeps a server that is just being started from looking like an orphan.
pub(super) fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn mark_reaped(pid: i32) {
    if let Some(server) = running().servers.get_mut(&pid) {
        server.reaped = true;
    }
}

pub(super) fn forget(pid: i32) {
    running().servers.remove(&pid);
}

pub(super) fn ask_to_leave(pid: i32, namespaced: bool) {
    let root = running().root(pid);
    tree::ask_to_leave(root, namespaced);
}

/// Kills the whole tree of one server; true when nothing of it is left.
pub(super) fn kill_tree(pid: i32) -> bool {
    let running = running();
    tree::kill_all(running.root(pid), &running.leaders())
}

pub(super) fn add_scratch(root: &Path) {
    running().scratches.insert(root.to_owned());
}

/// Removes a scratch area, once: its name is free from then on, and may be another run's. The
/// lock is held meanwhile, so that a forced exit waits for what is half done.
pub(super) fn remove_scratch(root: &Path) {
    let mut running = running();
    if running.scratches.remove(root) {
        super::scratch::remove(root);
    }
}

/// Ends every server that was started and removes every scratch area, at once and without
/// waiting for anyone. For panic hooks and forced exits; calling it twice does no harm.
pub fn end_all() {
    // A panic while the lock is held by this very thread must not become a deadlock.
    let Some(mut running) = lock_for_a_while() else { return };
    let leaders = running.leaders();
    for &pid in running.servers.keys() {
        tree::kill_all(Root { adopts: true, ..running.root(pid) }, &leaders);
    }
    for root in std::mem::take(&mut running.scratches) {
        super::scratch::remove(&root);
    }
}

fn lock_for_a_while() -> Option<MutexGuard<'static, Running>> {
    for _ in 0..200 {
        match RUNNING.try_lock() {
            Ok(guard) => return Some(guard),
            Err(TryLockError::Poisoned(guard)) => return Some(guard.into_inner()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
        }
    }
    None
}
