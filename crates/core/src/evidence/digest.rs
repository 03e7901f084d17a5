//! The fingerprint of a piece of evidence: what was asked and answered, not when.

use std::sync::LazyLock;

use regex::bytes::Regex;
use serde::Serialize;

use super::{EachReply, Evidence, Reply};

/// Readings of a clock and freshly drawn identifiers differ in every run of the same server; so
/// does the input as pydantic quotes it, which cuts our scratch path in the middle. In the base64
/// of a resource nobody sees the clock, so none of it counts.
/// How far a task has come is the clock's doing, and what a server hands out to be given back is its own affair.
/// Bytes instead of characters: a digest reads everything, and Unicode classes are ten times slower.
static VOLATILE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?x-u)
        \d{4}-\d\d-\d\d[T\ ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?
        | \b\d?\d:\d\d:\d\d(?:[.,]\d+)?\b
        | \b1[6-9]\d{8}(?:\.\d+|\d{3}|\d{6})?\b
        | [0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}
        | \b[0-9a-f]{32,64}\b
        | \x22blob\x22:\x22[A-Za-z0-9+/=]*\x22
        | \x22status\x22:\x22(?:working|completed)\x22
        | \x22statusMessage\x22:\x22[^\x22]*\x22
        | requestState\\*\x22:\\*\x22[^\x22\\]*
        | input_value=.{0,200}?,\ input_type=\w+
        ",
    )
    .ok()
});

impl Evidence {
    /// Equal for two runs in which the server was asked and answered the same; timings, frame
    /// interleaving, clock readings and random identifiers inside answers do not enter.
    pub fn digest(&self) -> String {
        let mut digest = Digest::default();
        digest.add(&(&self.schema, &self.target, &self.inventory.tools, &self.handshake));
        // The same answer has the same digest, which goes in in its place.
        let replies = EachReply::new(|(), reply: &Reply| {
            let mut digest = Digest::default();
            digest.add(reply);
            digest.hasher.finalize().to_hex()
        });
        // What is asked for its timing, and how often, is the clock's doing.
        for x in self.transcript.iter().filter(|x| !x.is_timed()) {
            digest.add(&(x.id, &x.probe, &x.label, &x.subject, &x.send, &x.on));
            digest.hasher.update(replies.of((), &x.reply).as_bytes());
        }
        digest.hasher.finalize().to_hex()[..32].to_owned()
    }
}

#[derive(Default)]
struct Digest {
    hasher: blake3::Hasher,
    /// Kept between lines, so that one run allocates once.
    line: Vec<u8>,
}

impl Digest {
    fn add(&mut self, value: &impl Serialize) {
        self.line.clear();
        // Writing to memory can't fail, and evidence has no maps with keys that are not strings;
        // were it otherwise, what was written so far still counts.
        let _ = serde_json::to_writer(&mut self.line, value);
        let mut rest = 0;
        for hit in VOLATILE.iter().flat_map(|v| v.find_iter(&self.line)) {
            self.hasher.update(&self.line[rest..hit.start()]);
            self.hasher.update(b"~");
            rest = hit.end();
        }
        self.hasher.update(&self.line[rest..]);
        self.hasher.update(b"\n");
    }
}

/// The text with everything volatile replaced by `~`.
pub(crate) fn steady(text: &str) -> String {
    match VOLATILE.as_ref() {
        Some(pattern) => {
            String::from_utf8_lossy(&pattern.replace_all(text.as_bytes(), b"~")).into_owned()
        }
        None => text.to_owned(),
    }
}
