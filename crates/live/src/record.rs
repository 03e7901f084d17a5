//! The record of a run under way: frames, anomalies, stderr, messages the server started.
//! Everything passes the scrub on its way in; nothing is ever taken out.

use std::sync::Mutex;
use std::time::Instant;

use proofmark_core::evidence::{
    Anomaly, AnomalyKind, Direction, ExchangeId, Frame, FrameId, Incoming, Micros,
};
use proofmark_core::scrub::Scrub;

/// A frame longer than this is kept only in part; its true size is noted.
const KEEP_BYTES: usize = 1 << 20;
const KEEP_STDERR_LINES: usize = 2_000;
const KEEP_STDERR_LINE: usize = 4_096;

/// Shared by every connection of one run.
#[derive(Debug)]
pub struct Record {
    start: Instant,
    scrub: Scrub,
    kept: Mutex<Kept>,
}

/// What has been recorded so far.
#[derive(Debug, Default, Clone)]
pub struct Kept {
    pub frames: Vec<Frame>,
    pub anomalies: Vec<Anomaly>,
    pub incoming: Vec<Incoming>,
    pub stderr: Vec<String>,
    pub stderr_dropped: u64,
}

impl Record {
    pub fn new(scrub: Scrub) -> Record {
        Record { start: Instant::now(), scrub, kept: Mutex::default() }
    }

    pub fn now(&self) -> Micros {
        Micros(u64::try_from(self.start.elapsed().as_micros()).unwrap_or(u64::MAX))
    }

    pub fn scrub(&self) -> &Scrub {
        &self.scrub
    }

    /// Keeps one raw frame. `bytes` is what crossed the wire, also when `text` is a part of it.
    pub fn frame(&self, connection: u32, direction: Direction, text: &str, bytes: u64) -> FrameId {
        let at = self.now();
        let text = self.scrub.text(cut(text, KEEP_BYTES));
        let mut kept = self.lock();
        let id = FrameId(u32::try_from(kept.frames.len()).unwrap_or(u32::MAX));
        kept.frames.push(Frame { id, connection, direction, at, text, bytes });
        id
    }

    /// Keeps a frame of an earlier run, which is scrubbed already.
    pub fn again(&self, connection: u32, frame: &Frame) -> FrameId {
        let at = self.now();
        let mut kept = self.lock();
        let id = FrameId(u32::try_from(kept.frames.len()).unwrap_or(u32::MAX));
        kept.frames.push(Frame { id, connection, at, ..frame.clone() });
        id
    }

    pub fn anomaly(
        &self,
        kind: AnomalyKind,
        connection: u32,
        frame: Option<FrameId>,
        exchange: Option<ExchangeId>,
        detail: &str,
    ) {
        let detail = self.scrub.text(cut(detail, 500));
        self.lock().anomalies.push(Anomaly { kind, connection, frame, exchange, detail });
    }

    pub fn incoming(&self, mut message: Incoming) {
        if let Some(params) = &mut message.params {
            self.scrub.value(params);
        }
        if let Some(answer) = &mut message.answer {
            self.scrub.value(answer);
        }
        self.lock().incoming.push(message);
    }

    pub fn stderr(&self, line: &str) {
        let line = self.scrub.text(cut(line, KEEP_STDERR_LINE));
        let mut kept = self.lock();
        if kept.stderr.len() < KEEP_STDERR_LINES {
            kept.stderr.push(line);
        } else {
            kept.stderr_dropped += 1;
        }
    }

    /// The last lines of stderr, for a server that did not come up.
    pub fn stderr_tail(&self, lines: usize) -> Vec<String> {
        let kept = self.lock();
        let from = kept.stderr.len().saturating_sub(lines);
        kept.stderr[from..].to_vec()
    }

    /// A copy of all that has been recorded.
    pub fn kept(&self) -> Kept {
        self.lock().clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Kept> {
        // A panic elsewhere must not cost the evidence gathered so far.
        self.kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

fn cut(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    let mut end = limit;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
