//! One call and what came of it.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{FrameId, Micros, Shared, tagged};
use crate::probe::{Connection, Risk, Send};
use crate::proof::Oracle;

/// The position in the transcript.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct ExchangeId(pub u32);

impl fmt::Display for ExchangeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// What a call or a finding is about.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Subject {
    Server,
    Tool {
        tool: String,
    },
    /// One parameter, by JSON pointer into the arguments.
    Param {
        tool: String,
        pointer: String,
    },
    Resource {
        uri: String,
    },
    Prompt {
        prompt: String,
    },
    File {
        file: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        line: Option<u32>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SubjectKind {
    Server,
    Tool,
    Param,
    Resource,
    Prompt,
    File,
}

impl Subject {
    pub fn tool_named(name: &str) -> Subject {
        Subject::Tool { tool: name.to_owned() }
    }

    pub fn param(tool: &str, pointer: &str) -> Subject {
        Subject::Param { tool: tool.to_owned(), pointer: pointer.to_owned() }
    }

    /// The tool this is about, also for a parameter.
    pub fn tool(&self) -> Option<&str> {
        match self {
            Subject::Tool { tool } | Subject::Param { tool, .. } => Some(tool),
            Subject::Server
            | Subject::Resource { .. }
            | Subject::Prompt { .. }
            | Subject::File { .. } => None,
        }
    }

    /// The place inside a tool's arguments, for a parameter.
    pub fn pointer(&self) -> Option<&str> {
        match self {
            Subject::Param { pointer, .. } => Some(pointer),
            Subject::Server
            | Subject::Tool { .. }
            | Subject::Resource { .. }
            | Subject::Prompt { .. }
            | Subject::File { .. } => None,
        }
    }

    pub fn kind(&self) -> SubjectKind {
        match self {
            Subject::Server => SubjectKind::Server,
            Subject::Tool { .. } => SubjectKind::Tool,
            Subject::Param { .. } => SubjectKind::Param,
            Subject::Resource { .. } => SubjectKind::Resource,
            Subject::Prompt { .. } => SubjectKind::Prompt,
            Subject::File { .. } => SubjectKind::File,
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Server => f.write_str("server"),
            Subject::Tool { tool } => write!(f, "{tool}"),
            Subject::Param { tool, pointer } => write!(f, "{tool} {pointer}"),
            Subject::Resource { uri } => write!(f, "{uri}"),
            Subject::Prompt { prompt } => write!(f, "prompt {prompt}"),
            Subject::File { file, line: Some(line) } => write!(f, "{file}:{line}"),
            Subject::File { file, line: None } => write!(f, "{file}"),
        }
    }
}

/// One planned call: made or skipped, it is in the transcript.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Exchange")]
pub struct Exchange<R = Shared> {
    pub id: ExchangeId,
    /// The probe that wanted it.
    pub probe: String,
    /// The case within the probe: `typical`, `wrong type of /path` …
    pub label: String,
    pub subject: Subject,
    #[serde(deserialize_with = "tagged::send")]
    pub send: Send,
    #[serde(default)]
    pub on: Connection,
    #[schemars(with = "Reply")]
    pub reply: R,
    /// The label of the benign twin of a hostile call, within the same probe and tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control: Option<String>,
    /// Fixed before sending: what the reply would have to show to prove a hole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oracle: Option<Oracle>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http: Option<HttpFacts>,
    /// Request first, then everything that answered it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<FrameId>,
    pub started: Micros,
    pub took: Micros,
}

impl<R> Exchange<R> {
    /// The same exchange, with its reply read.
    pub(super) fn replied<T>(self, read: impl FnOnce(R) -> Option<T>) -> Option<Exchange<T>> {
        Some(Exchange {
            id: self.id,
            probe: self.probe,
            label: self.label,
            subject: self.subject,
            send: self.send,
            on: self.on,
            reply: read(self.reply)?,
            control: self.control,
            oracle: self.oracle,
            http: self.http,
            frames: self.frames,
            started: self.started,
            took: self.took,
        })
    }
}

impl Exchange {
    /// The `arguments` of a `tools/call`.
    pub fn arguments(&self) -> Option<&Value> {
        self.send.params()?.get("arguments")
    }

    /// Whether only its timing counts.
    pub fn is_timed(&self) -> bool {
        matches!(self.oracle, Some(Oracle::Timing { .. }))
    }

    /// The result, when there is one.
    pub fn result(&self) -> Option<&Value> {
        self.reply.result()
    }
}

/// Status line and headers of the HTTP answer, and for [`Send::Http`] what followed them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HttpFacts {
    pub status: u16,
    pub headers: BTreeMap<String, String>,
    /// The body, or the beginning of a long one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// The body, where it is a stream of events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream: Option<EventStream>,
}

/// A stream of server-sent events, as far as it was listened to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EventStream {
    /// Comments are left out.
    pub events: Vec<StreamEvent>,
    /// The server ended it while we listened.
    pub ended: bool,
}

/// One event, field by field.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StreamEvent {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The value of `event`; empty for a message without a name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry: Option<String>,
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Reply {
    Result {
        value: Value,
    },
    Error {
        code: i64,
        message: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        data: Option<Value>,
    },
    /// An answer that is not a proper JSON-RPC response.
    Malformed {
        raw: String,
        why: String,
    },
    /// Nothing came, and nothing was due (notifications, raw frames).
    Silence,
    TimedOut {
        after_ms: u64,
    },
    /// The connection ended before the answer.
    Disconnected,
    Skipped {
        why: Skip,
    },
}

impl Reply {
    /// One word for watchers.
    pub fn kind(&self) -> &'static str {
        match self {
            Reply::Result { .. } if self.is_tool_error() => "tool_error",
            Reply::Result { .. } => "result",
            Reply::Error { .. } => "error",
            Reply::Malformed { .. } => "malformed",
            Reply::Silence => "silence",
            Reply::TimedOut { .. } => "timed_out",
            Reply::Disconnected => "disconnected",
            Reply::Skipped { .. } => "skipped",
        }
    }

    pub fn result(&self) -> Option<&Value> {
        match self {
            Reply::Result { value } => Some(value),
            Reply::Error { .. }
            | Reply::Malformed { .. }
            | Reply::Silence
            | Reply::TimedOut { .. }
            | Reply::Disconnected
            | Reply::Skipped { .. } => None,
        }
    }

    /// A tool result that says it is an error.
    pub fn is_tool_error(&self) -> bool {
        self.result().and_then(|r| r.get("isError")).and_then(Value::as_bool) == Some(true)
    }

    /// Planned, and not yet asked.
    pub fn is_pending(&self) -> bool {
        matches!(self, Reply::Skipped { why: Skip::Interrupted })
    }

    /// Why a check can't conclude anything from this reply; `None` when the server answered.
    pub fn why_unseen(&self) -> Option<String> {
        match self {
            Reply::Result { .. }
            | Reply::Error { .. }
            | Reply::Malformed { .. }
            | Reply::Silence => None,
            Reply::TimedOut { after_ms } => Some(format!("no answer within {after_ms} ms")),
            Reply::Disconnected => Some("the connection ended before the answer".to_owned()),
            Reply::Skipped { why } => Some(why.to_string()),
        }
    }

    /// All text a person would read in the reply: error message or text blocks, joined.
    pub fn text(&self) -> String {
        match self {
            Reply::Error { message, .. } => message.clone(),
            Reply::Malformed { raw, .. } => raw.clone(),
            Reply::Result { value } => value
                .get("content")
                .and_then(Value::as_array)
                .map(|blocks| {
                    let texts: Vec<&str> = blocks
                        .iter()
                        .filter_map(|b| b.get("text").and_then(Value::as_str))
                        .collect();
                    texts.join("\n")
                })
                .unwrap_or_default(),
            Reply::Silence
            | Reply::TimedOut { .. }
            | Reply::Disconnected
            | Reply::Skipped { .. } => String::new(),
        }
    }
}

/// Why a planned call was not made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "because", rename_all = "snake_case", deny_unknown_fields)]
pub enum Skip {
    Passive,
    /// The tool may do more than the run allows.
    Risk {
        tool: Risk,
        allowed: Risk,
    },
    CallBudget {
        max: u64,
    },
    TimeBudget {
        max_ms: u64,
    },
    /// The tool hung too often and was given up.
    ToolAbandoned {
        timeouts: u32,
    },
    /// The tool took the server down too often.
    ToolCrashes {
        crashes: u32,
    },
    /// Every call of the tool takes long, and so many attacks of one kind were made on it.
    SlowTool {
        calls: usize,
    },
    /// The server died too often and was given up.
    ServerGone {
        restarts: u32,
    },
    /// The transport cannot carry such a call.
    Transport,
    Interrupted,
}

impl fmt::Display for Skip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Skip::Passive => f.write_str("not called: --passive"),
            Skip::Risk { tool, allowed } => write!(
                f,
                "not called: the tool {tool}, this run only allows what {allowed} (see --allow, --disposable)"
            ),
            Skip::CallBudget { max } => {
                write!(f, "not called: the budget of {max} calls was used up")
            }
            Skip::TimeBudget { max_ms } => {
                write!(f, "not called: the time budget of {} s was used up", max_ms / 1000)
            }
            Skip::ToolAbandoned { timeouts } => {
                write!(f, "not called: the tool was given up after {timeouts} timeouts")
            }
            Skip::ToolCrashes { crashes } => {
                write!(
                    f,
                    "not called: the tool was given up, the server died of it {crashes} times"
                )
            }
            Skip::SlowTool { calls } => write!(
                f,
                "not called: each call of this tool takes long, so only {calls} of a kind were made (see --profile deep)"
            ),
            Skip::ServerGone { restarts } => {
                write!(f, "not called: the server was gone after {restarts} restarts")
            }
            Skip::Transport => f.write_str("not called: this transport cannot carry the call"),
            Skip::Interrupted => f.write_str("not called: the run was interrupted"),
        }
    }
}

/// A message that the server started, and our answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Incoming {
    pub connection: u32,
    pub method: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub params: Option<Value>,
    /// `None` for a notification.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<FrameId>,
    /// The request on whose stream it came, where the transport tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<FrameId>,
    pub at: Micros,
}
