//! A running server process: its streams, its exit, and its end with everything it started.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use proofmark_core::evidence::{Exit, Isolation, IsolationLevel, Push};
use tokio::process::{Child, ChildStdin, ChildStdout};

use super::registry;
use super::stderr::Reader;
use crate::observe::Load;
use crate::record::Record;

/// How long a server may take to leave after each push, if it works on it: a busy machine has little
/// time for it.
const GRACE: Duration = Duration::from_secs(16);
/// How often we look at what it does.
const LOOK: Duration = Duration::from_millis(250);
/// One that has done next to nothing for so long has no mind to leave.
const IDLE: Duration = Duration::from_millis(1_500);
/// Next to nothing, in milliseconds of processor time between two looks.
const IDLE_MS: u64 = 20;
/// How long stderr may take to run dry after the exit.
const SETTLE: Duration = Duration::from_millis(300);

/// Dropping it kills the whole tree.
#[derive(Debug)]
pub struct Process {
    child: Child,
    pid: i32,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<Reader>,
    isolation: Isolation,
    exit: Option<Exit>,
    ended: bool,
}

impl Process {
    pub(super) fn new(mut child: Child, isolation: Isolation, record: Arc<Record>) -> Process {
        let pid = child.id().map_or(0, |pid| pid as i32);
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let stderr = child.stderr.take().map(|source| Reader::start(source, record));
        Process { child, pid, stdin, stdout, stderr, isolation, exit: None, ended: false }
    }

    /// The streams, for the wire; `None` the second time.
    pub fn take_io(&mut self) -> Option<(ChildStdin, ChildStdout)> {
        self.stdin.take().zip(self.stdout.take())
    }

    pub fn pid(&self) -> u32 {
        self.pid.unsigned_abs()
    }

    pub fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    /// The last lines of stderr, scrubbed; also after a flood of which the record kept the start.
    pub fn stderr_tail(&self, lines: usize) -> Vec<String> {
        self.stderr.as_ref().map(|reader| reader.tail(lines)).unwrap_or_default()
    }

    /// Whether it has ended, without waiting.
    pub fn try_exit(&mut self) -> Option<Exit> {
        if self.exit.is_none() {
            let status = self.child.try_wait().ok().flatten();
            self.note(status);
        }
        self.exit
    }

    /// Waits for the end, and for what stderr still has to say.
    pub async fn wait_exit(&mut self, limit: Duration) -> Option<Exit> {
        if self.exit.is_none() {
            let status = tokio::time::timeout(limit, self.child.wait()).await;
            self.note(status.ok().and_then(Result::ok));
        }
        if self.exit.is_some()
            && let Some(reader) = &mut self.stderr
        {
            reader.settle(SETTLE).await;
        }
        self.exit
    }

    /// Ends the server as gently as it allows. Its stdin must be closed: by whoever took it, or
    /// here if nobody did.
    pub async fn end(&mut self) -> (Option<Exit>, Push) {
        drop(self.stdin.take());
        let mut push = Push::StdinClosed;
        if !self.leaves().await {
            push = Push::Term;
            registry::ask_to_leave(self.pid, self.is_namespaced());
            if !self.leaves().await {
                push = Push::Kill;
            }
        }
        self.kill();
        self.wait_exit(GRACE).await;
        (self.exit, push)
    }

    /// Waits until it leaves, idles, or has had its time.
    async fn leaves(&mut self) -> bool {
        let (mut waited, mut idle) = (Duration::ZERO, Duration::ZERO);
        while waited < GRACE && idle < IDLE {
            let before = Load::of(self.pid());
            if self.wait_exit(LOOK).await.is_some() {
                return true;
            }
            waited += LOOK;
            idle = if self.worked_since(before) < IDLE_MS { idle + LOOK } else { Duration::ZERO };
        }
        false
    }

    /// The milliseconds of processor time that its tree has used since then.
    fn worked_since(&self, before: Option<Load>) -> u64 {
        let now = Load::of(self.pid());
        before.zip(now).map_or(0, |(before, now)| before.cpu_ms_until(now))
    }

    /// Kills the tree, all of it, now.
    fn kill(&mut self) {
        if self.ended {
            return;
        }
        registry::kill_tree(self.pid);
        for _ in 0..400 {
            if self.try_exit().is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        registry::forget(self.pid);
        self.ended = true;
    }

    fn note(&mut self, status: Option<ExitStatus>) {
        let Some(status) = status else { return };
        registry::mark_reaped(self.pid);
        self.exit = Some(exit(status, self.is_namespaced()));
    }

    fn is_namespaced(&self) -> bool {
        self.isolation.level == IsolationLevel::Namespaces
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Bubblewrap reports death by signal as a shell does: 128 and the number.
fn exit(status: ExitStatus, namespaced: bool) -> Exit {
    match (status.code(), status.signal()) {
        (Some(code), _) if namespaced && (129..=159).contains(&code) => {
            Exit::Signal { signal: code - 128 }
        }
        (Some(code), _) => Exit::Code { code },
        (None, signal) => Exit::Signal { signal: signal.unwrap_or(0) },
    }
}
