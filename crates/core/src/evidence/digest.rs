//! The fingerprint of a piece of evidence: what was asked and answered, not when.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::json;

use super::Evidence;

/// Readings of a clock and freshly drawn identifiers differ in every run of the same server; so
/// does the input as pydantic quotes it, which cuts our scratch path in the middle.
static VOLATILE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?x)
        \d{4}-\d\d-\d\d[T\ ]\d\d:\d\d(:\d\d)?([.,]\d+)?(Z|[+-]\d\d:?\d\d)?
        | \b\d\d:\d\d:\d\d([.,]\d+)?\b
        | \b1[6-9]\d{8}(\.\d+|\d{3}|\d{6})?\b
        | [0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}
        | \b[0-9a-f]{32,64}\b
        | input_value=.{0,200}?,\ input_type=\w+
        ",
    )
    .ok()
});

impl Evidence {
    /// Equal for two runs in which the server was asked and answered the same; timings, frame
    /// interleaving, clock readings and random identifiers inside answers do not enter.
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        let head = json!([self.schema, self.target, self.inventory.tools, self.handshake]);
        hasher.update(steady(&head.to_string()).as_bytes());
        for x in &self.transcript {
            let line = json!([x.id, x.probe, x.label, x.subject, x.send, x.on, x.reply]);
            hasher.update(steady(&line.to_string()).as_bytes());
        }
        hasher.finalize().to_hex()[..32].to_owned()
    }
}

/// The text with everything volatile replaced by `~`.
pub(crate) fn steady(text: &str) -> std::borrow::Cow<'_, str> {
    match VOLATILE.as_ref() {
        Some(pattern) => pattern.replace_all(text, "~"),
        None => text.into(),
    }
}
