//! The short forms of exchanges, replies and what the wire saw.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::evidence::{
    Anomaly, AnomalyKind, Departure, Direction, Exchange, ExchangeId, Exit, Frame, FrameId,
    HttpFacts, Incoming, Micros, Push, Reply, Skip, Subject,
};
use crate::probe::{Connection, Send};
use crate::proof::Oracle;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ShortExchange {
    probe: String,
    #[serde(default)]
    label: String,
    /// The subject is this tool, or with `param` that parameter; without any, the server.
    tool: Option<String>,
    param: Option<String>,
    resource: Option<String>,
    prompt: Option<String>,
    /// Of a `tools/call` on `tool`, or on `call` where the tool is not the subject.
    arguments: Option<Value>,
    call: Option<String>,
    method: Option<String>,
    params: Option<Value>,
    send: Option<Send>,
    #[serde(default)]
    on: Connection,
    reply: ShortReply,
    control: Option<String>,
    oracle: Option<Oracle>,
    http: Option<HttpFacts>,
    #[serde(default)]
    frames: Vec<FrameId>,
    #[serde(default = "few")]
    took_ms: f64,
}

fn few() -> f64 {
    5.0
}

impl ShortExchange {
    pub(super) fn expand(self, id: ExchangeId) -> Result<Exchange, String> {
        let subject = self.subject(id)?;
        let send = self.sent();
        Ok(Exchange {
            id,
            probe: self.probe,
            label: self.label,
            subject,
            send,
            on: self.on,
            reply: self.reply.expand().into(),
            control: self.control,
            oracle: self.oracle,
            http: self.http,
            frames: self.frames,
            started: Micros(u64::from(id.0) * 1_000_000),
            took: Micros((self.took_ms * 1000.0) as u64),
        })
    }

    fn subject(&self, id: ExchangeId) -> Result<Subject, String> {
        match (&self.tool, &self.param, &self.resource, &self.prompt) {
            (Some(tool), None, None, None) => Ok(Subject::tool_named(tool)),
            (Some(tool), Some(pointer), None, None) => Ok(Subject::param(tool, pointer)),
            (None, None, Some(uri), None) => Ok(Subject::Resource { uri: uri.clone() }),
            (None, None, None, Some(prompt)) => Ok(Subject::Prompt { prompt: prompt.clone() }),
            (None, None, None, None) => Ok(Subject::Server),
            (_, _, _, _) => Err(format!(
                "exchange {id} has several subjects; give `tool` (with or without `param`), `resource`, `prompt` or none"
            )),
        }
    }

    fn sent(&self) -> Send {
        if let Some(send) = &self.send {
            return send.clone();
        }
        if let Some(method) = &self.method {
            return Send::request(method, self.params.clone());
        }
        let arguments = self.arguments.clone().unwrap_or_else(|| json!({}));
        match (self.call.as_ref().or(self.tool.as_ref()), &self.resource, &self.prompt) {
            (Some(tool), _, _) => {
                let params = json!({"name": tool, "arguments": arguments});
                Send::request("tools/call", Some(params))
            }
            (None, Some(uri), _) => Send::request("resources/read", Some(json!({"uri": uri}))),
            (None, None, Some(prompt)) => {
                let params = json!({"name": prompt, "arguments": arguments});
                Send::request("prompts/get", Some(params))
            }
            (None, None, None) => Send::request("ping", self.params.clone()),
        }
    }
}

/// `"timeout"`, `{"text": "…"}`, `{"error": {…}}` …
#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum ShortReply {
    Result(Value),
    Error {
        code: i64,
        message: String,
        data: Option<Value>,
    },
    /// A tool result with one text block.
    Text(String),
    /// The same with `isError: true`.
    ToolError(String),
    Malformed {
        raw: String,
        why: String,
    },
    Silence,
    Timeout,
    Disconnected,
    Skipped(Skip),
}

impl ShortReply {
    fn expand(self) -> Reply {
        let block = |text: String| json!([{"type": "text", "text": text}]);
        match self {
            ShortReply::Result(value) => Reply::Result { value },
            ShortReply::Error { code, message, data } => Reply::Error { code, message, data },
            ShortReply::Text(text) => Reply::Result { value: json!({"content": block(text)}) },
            ShortReply::ToolError(text) => {
                Reply::Result { value: json!({"content": block(text), "isError": true}) }
            }
            ShortReply::Malformed { raw, why } => Reply::Malformed { raw, why },
            ShortReply::Silence => Reply::Silence,
            ShortReply::Timeout => Reply::TimedOut { after_ms: 10_000 },
            ShortReply::Disconnected => Reply::Disconnected,
            ShortReply::Skipped(why) => Reply::Skipped { why },
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ShortAnomaly {
    kind: AnomalyKind,
    #[serde(default)]
    detail: String,
    #[serde(default)]
    connection: u32,
    frame: Option<FrameId>,
    exchange: Option<ExchangeId>,
}

impl ShortAnomaly {
    pub(super) fn expand(self) -> Anomaly {
        let ShortAnomaly { kind, detail, connection, frame, exchange } = self;
        Anomaly { kind, connection, frame, exchange, detail }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ShortDeparture {
    connection: u32,
    unexpected: bool,
    during: Option<ExchangeId>,
    exit: Option<Exit>,
    needed: Option<Push>,
}

impl Default for ShortDeparture {
    fn default() -> ShortDeparture {
        ShortDeparture { connection: 0, unexpected: true, during: None, exit: None, needed: None }
    }
}

impl ShortDeparture {
    pub(super) fn expand(self) -> Departure {
        let ShortDeparture { connection, unexpected, during, exit, needed } = self;
        Departure { connection, unexpected, during, exit, needed, at: Micros(0) }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ShortIncoming {
    method: String,
    params: Option<Value>,
    answer: Option<Value>,
    #[serde(default)]
    connection: u32,
    frame: Option<FrameId>,
    within: Option<FrameId>,
    /// Exchanges start one second after the other.
    #[serde(default)]
    at_ms: u64,
}

impl ShortIncoming {
    pub(super) fn expand(self) -> Incoming {
        let ShortIncoming { method, params, answer, connection, frame, within, at_ms } = self;
        Incoming { connection, method, params, answer, frame, within, at: Micros(at_ms * 1000) }
    }
}

/// `{"sent": "…"}` or `{"received": "…"}` on the main connection; `{"long": BYTES}` was received, and
/// is too long to be kept.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum ShortFrame {
    Sent(String),
    Received(String),
    Long(u64),
}

impl ShortFrame {
    pub(super) fn expand(self, index: usize) -> Frame {
        let (direction, bytes, text) = match self {
            ShortFrame::Sent(text) => (Direction::Sent, text.len() as u64, text),
            ShortFrame::Received(text) => (Direction::Received, text.len() as u64, text),
            ShortFrame::Long(bytes) => (Direction::Received, bytes, String::new()),
        };
        Frame { id: FrameId(index as u32), connection: 0, direction, at: Micros(0), text, bytes }
    }
}
