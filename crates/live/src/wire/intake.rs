//! Everything received passes here: recorded, judged as text and JSON, delivered.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use proofmark_core::evidence::{AnomalyKind, Direction, FrameId};

use super::sse_events::Event;
use super::text::{Read, decode, read};
use super::{Delivery, Inbound, Shared};

/// Room for what is no message, per connection; a server that floods stdout must not eat our memory.
const NOISE_ROOM: u64 = 64 << 20;
/// What keeping one more frame costs besides its text.
const FRAME_COST: u64 = 4 << 10;
/// More of a frame is not kept anyway.
const KEPT_TEXT: u64 = 1 << 20;

#[derive(Debug, Clone)]
pub(crate) struct Intake {
    connection: u32,
    shared: Shared,
    deliver: Delivery,
    noise: Arc<Noise>,
    /// The request whose answer is being read, where the transport tells.
    request: Option<FrameId>,
    requests: Arc<Mutex<BTreeMap<FrameId, FrameId>>>,
}

#[derive(Debug, Default)]
struct Noise {
    held: AtomicU64,
    dropped: AtomicU64,
}

/// A text on its way in.
#[derive(Debug, Clone, Copy)]
struct Piece<'a> {
    /// As it crossed the wire.
    raw: &'a str,
    /// The part that should be JSON.
    body: &'a str,
    bytes: u64,
    lossy: bool,
    cut: bool,
    /// One of any number; a body, in contrast, comes once for each request of ours.
    streamed: bool,
}

impl<'a> Piece<'a> {
    fn of(event: &'a Event, data: &'a str) -> Piece<'a> {
        Piece {
            raw: &event.raw,
            body: data,
            bytes: event.bytes,
            lossy: event.lossy,
            cut: event.oversized,
            streamed: true,
        }
    }
}

impl Intake {
    pub(crate) fn new(connection: u32, shared: Shared, deliver: Delivery) -> Intake {
        Intake {
            connection,
            shared,
            deliver,
            noise: Arc::default(),
            request: None,
            requests: Arc::default(),
        }
    }

    /// The same intake, for the answer to this request.
    pub(crate) fn answering(&self, request: FrameId) -> Intake {
        Intake { request: Some(request), ..self.clone() }
    }

    /// The request that a received frame came in answer to, where the transport tells.
    pub(crate) fn request_of(&self, frame: FrameId) -> Option<FrameId> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).get(&frame).copied()
    }

    pub(crate) fn connection(&self) -> u32 {
        self.connection
    }

    pub(crate) fn shared(&self) -> &Shared {
        &self.shared
    }

    pub(crate) fn limit(&self) -> usize {
        self.shared.max_frame
    }

    /// A frame that should be JSON. `bytes` is its true size, `kept` perhaps only its beginning.
    pub(crate) fn json(&self, kept: &[u8], bytes: u64) {
        let cut = (kept.len() as u64) < bytes;
        let (text, lossy) = decode(kept, cut);
        let streamed = self.request.is_none();
        self.piece(Piece { raw: &text, body: &text, bytes, lossy, cut, streamed });
    }

    /// A frame that no client would take for a message, whatever is in it.
    pub(crate) fn garbage(&self, kept: &[u8], bytes: u64, why: Option<(AnomalyKind, &str)>) {
        let cut = (kept.len() as u64) < bytes;
        let (text, lossy) = decode(kept, cut);
        let streamed = self.request.is_none();
        self.no_message(Piece { raw: &text, body: &text, bytes, lossy, cut, streamed }, why);
    }

    /// An event of a stream of messages.
    pub(crate) fn event(&self, event: &Event) {
        let Some(data) = event.data.as_deref().or(event.oversized.then_some("")) else {
            self.eventless(event);
            return;
        };
        let piece = Piece::of(event, data);
        if !event.is_message() {
            let why = format!(
                "an SSE event named `{}` where `message` was due; clients ignore it",
                event.name
            );
            self.no_message(piece, Some((AnomalyKind::Transport, &why)));
        } else if data.is_empty() && !event.oversized {
            // The opening event of a resumable stream: an id and nothing to read.
            self.eventless(event);
        } else {
            self.piece(piece);
        }
    }

    /// What stood at the end of a stream without its blank line.
    pub(crate) fn leftover(&self, event: &Event) {
        match event.data.as_deref() {
            Some(data) => self.no_message(
                Piece::of(event, data),
                Some((
                    AnomalyKind::Transport,
                    "the SSE stream ended inside an event, before its blank line; clients drop it",
                )),
            ),
            None => self.eventless(event),
        }
    }

    /// Recorded, delivered to nobody: bodies that answer no message.
    pub(crate) fn aside(&self, kept: &[u8], bytes: u64) -> Option<FrameId> {
        if self.request.is_none() && !self.hold(bytes) {
            return None;
        }
        let (text, lossy) = decode(kept, (kept.len() as u64) < bytes);
        let frame = self.received(&text, bytes);
        if lossy {
            self.invalid_utf8(frame);
        }
        Some(frame)
    }

    pub(crate) fn sent(&self, text: &str) -> FrameId {
        self.shared.record.frame(self.connection, Direction::Sent, text, text.len() as u64)
    }

    pub(crate) fn transport(&self, frame: Option<FrameId>, detail: &str) {
        self.note(AnomalyKind::Transport, frame, detail);
    }

    /// The end. Call it once.
    pub(crate) fn closed(&self) {
        let dropped = self.noise.dropped.load(Ordering::Relaxed);
        if dropped > 0 {
            let detail = format!("{dropped} more stray frames came and were not kept");
            self.note(AnomalyKind::NotJson, None, &detail);
        }
        self.tell(Inbound::Closed);
    }

    fn piece(&self, piece: Piece<'_>) {
        if piece.cut {
            self.no_message(piece, None);
            return;
        }
        let (value, lone) = match read(piece.body) {
            Read::Json(value) => (value, false),
            Read::LoneSurrogate(value) => (value, true),
            Read::Not { why } => {
                self.no_message(piece, Some((AnomalyKind::NotJson, &why)));
                return;
            }
        };
        let frame = self.received(piece.raw, piece.bytes);
        if piece.lossy {
            self.invalid_utf8(frame);
        }
        if lone {
            let detail = "a string holds half of a surrogate pair, which is no Unicode text";
            self.note(AnomalyKind::InvalidUtf8, Some(frame), detail);
        }
        self.tell(Inbound::Message { frame, value });
    }

    fn no_message(&self, piece: Piece<'_>, why: Option<(AnomalyKind, &str)>) {
        if piece.streamed && !self.hold(piece.bytes) {
            return;
        }
        let frame = self.received(piece.raw, piece.bytes);
        if piece.lossy {
            self.invalid_utf8(frame);
        }
        if piece.cut {
            let detail = format!(
                "a frame of {} bytes, over the limit of {}; its beginning was kept",
                piece.bytes,
                self.limit()
            );
            self.note(AnomalyKind::Oversized, Some(frame), &detail);
        }
        if let Some((kind, detail)) = why {
            self.note(kind, Some(frame), detail);
        }
        let text = if piece.body.is_empty() { piece.raw } else { piece.body };
        self.tell(Inbound::Garbage { frame, text: text.to_owned() });
    }

    /// A block of a stream that carries no data: comments, ids, and what should have been data.
    fn eventless(&self, event: &Event) {
        if !self.hold(event.bytes) {
            return;
        }
        let frame = self.received(&event.raw, event.bytes);
        if event.lossy {
            self.invalid_utf8(frame);
        }
        if let Some(line) = &event.stray {
            let detail = format!("an SSE line that is no field; clients ignore it: {line}");
            self.transport(Some(frame), &detail);
        }
    }

    /// Whether there is room for one more frame that is no message.
    fn hold(&self, bytes: u64) -> bool {
        let cost = FRAME_COST + bytes.min(KEPT_TEXT);
        let before = self.noise.held.fetch_add(cost, Ordering::Relaxed);
        if before < NOISE_ROOM {
            return true;
        }
        if self.noise.dropped.fetch_add(1, Ordering::Relaxed) == 0 {
            let detail = "so many stray frames came that further ones are only counted";
            self.note(AnomalyKind::NotJson, None, detail);
        }
        false
    }

    fn received(&self, text: &str, bytes: u64) -> FrameId {
        let frame = self.shared.record.frame(self.connection, Direction::Received, text, bytes);
        if let Some(request) = self.request {
            let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
            requests.insert(frame, request);
        }
        frame
    }

    fn invalid_utf8(&self, frame: FrameId) {
        self.note(
            AnomalyKind::InvalidUtf8,
            Some(frame),
            "bytes that are not UTF-8; they stand as U+FFFD",
        );
    }

    fn note(&self, kind: AnomalyKind, frame: Option<FrameId>, detail: &str) {
        let frame = frame.or(self.request);
        self.shared.record.anomaly(kind, self.connection, frame, None, detail);
    }

    fn tell(&self, inbound: Inbound) {
        // Nobody listens any more: the frame is on record all the same.
        let _ = self.deliver.send(inbound);
    }
}
