//! Raw frames and what the wire noticed about them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ExchangeId;

/// Microseconds on the run's monotonic clock. Comparison of runs ignores fields of this type.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct Micros(pub u64);

impl Micros {
    pub fn millis(self) -> f64 {
        // Tenths are as fine as anyone reads; they also keep reports short.
        (self.0 as f64 / 100.0).round() / 10.0
    }
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct FrameId(pub u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    Sent,
    Received,
}

/// One line, HTTP body or SSE event, as it crossed the wire.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Frame {
    pub id: FrameId,
    /// 0 is the main connection; fresh ones count up.
    pub connection: u32,
    pub direction: Direction,
    pub at: Micros,
    /// The text; bytes that are not UTF-8 stand as U+FFFD and the anomaly list says so.
    pub text: String,
    /// The true size, also when `text` was cut to the keeping limit.
    pub bytes: u64,
}

impl Frame {
    /// The message in it, also where it stands in the data of an SSE event.
    pub fn message(&self) -> Option<Value> {
        let plain = serde_json::from_str(&self.text).ok();
        plain.or_else(|| {
            let data = |line: &str| line.strip_prefix("data:").map(str::to_owned);
            let data: Vec<String> = self.text.lines().filter_map(data).collect();
            serde_json::from_str(&data.join("\n")).ok()
        })
    }
}

/// Something the wire saw that a forgiving client would have swallowed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Anomaly {
    pub kind: AnomalyKind,
    pub connection: u32,
    pub frame: Option<FrameId>,
    /// The exchange it belongs to, where that is known.
    pub exchange: Option<ExchangeId>,
    /// What exactly was seen, short.
    pub detail: String,
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum AnomalyKind {
    /// A line on stdout (or an SSE event) that is not JSON.
    NotJson,
    /// JSON, but not a JSON-RPC message object.
    NotAMessage,
    /// An answer to an id that was never asked.
    UnknownId,
    /// A second answer to the same id.
    DuplicateAnswer,
    /// An answer after we had given up waiting.
    LateAnswer,
    /// The id came back with another JSON type.
    IdTypeChanged,
    /// Both or neither of `result` and `error`, a code that is no integer, `jsonrpc` not "2.0" …
    IllFormedMessage,
    InvalidUtf8,
    /// A frame over the size limit; only its beginning was kept.
    Oversized,
    /// An array of messages where one message was due.
    Batch,
    /// The transport itself misbehaved: wrong content type, broken SSE, unexpected status.
    Transport,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> Option<Value> {
        let (id, at) = (FrameId(0), Micros(0));
        let (direction, text) = (Direction::Received, text.to_owned());
        Frame { id, connection: 0, direction, at, text, bytes: 0 }.message()
    }

    #[test]
    fn a_message_is_read_from_a_line_and_from_an_event() {
        assert_eq!(message("{\"id\": 1}"), Some(serde_json::json!({"id": 1})));
        let event = "event: message\nid: 7\ndata: {\"id\":\ndata: 1}";
        assert_eq!(message(event), Some(serde_json::json!({"id": 1})));
        assert_eq!(message("hello"), None);
    }
}
