//! What counts as proof of a hole, and why reflecting our input can't fake it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::evidence::{Effect, Evidence, Exchange, ExchangeId, Reply, Subject};
use crate::probe::Send;

/// Fixed before the call is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Oracle {
    /// The reply must contain `expected`, which only computing the payload yields and which does
    /// not stand in the request.
    Computed { expected: String },
    /// The reply must contain the value of this canary.
    Planted { canary: String },
    /// Our listener must receive this token.
    Callback { token: String },
    /// This path must appear.
    Effect { path: String },
}

/// Evidence that the server could not have produced by reflecting its input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Proof {
    /// The payload was executed: its computed value came back.
    Computed {
        payload: String,
        expected: String,
    },
    /// The content of a planted file or variable came back.
    PlantedContent {
        canary: String,
    },
    /// Our loopback listener was called with the token.
    Callback {
        token: String,
    },
    SideEffect {
        effect: Effect,
    },
    /// A repeated timing difference against a benign control.
    Timing {
        samples_ms: Vec<f64>,
        control_ms: Vec<f64>,
        p: f64,
    },
    /// Two answers of the server that cannot both be true.
    Contradiction {
        a: ExchangeId,
        b: ExchangeId,
    },
    /// Static: the offending text itself, and the rule it breaks.
    Quoted {
        text: String,
        rule: String,
    },
}

impl Oracle {
    /// The proof that this exchange gives, if what was fixed before sending came true: in the
    /// answer, not in the request, and not in the answer of the benign twin.
    pub fn proof(&self, evidence: &Evidence, exchange: &Exchange) -> Option<Proof> {
        match self {
            Oracle::Computed { expected } => came_back(evidence, exchange, expected).then(|| {
                Proof::Computed { payload: payload(exchange), expected: expected.clone() }
            }),
            Oracle::Planted { canary } => {
                let planted = evidence.conditions.canaries.iter().find(|c| c.id == *canary)?;
                came_back(evidence, exchange, &planted.value)
                    .then(|| Proof::PlantedContent { canary: canary.clone() })
            }
            Oracle::Effect { path } => {
                let made = Effect::FileCreated { path: path.clone() };
                evidence.effects.contains(&made).then_some(Proof::SideEffect { effect: made })
            }
            // Nothing listens yet, so nothing can have been received.
            Oracle::Callback { .. } => None,
        }
    }
}

/// Whether an answer holds a text that its request and its benign twin's answer do not.
pub fn came_back(evidence: &Evidence, exchange: &Exchange, text: &str) -> bool {
    says(&exchange.reply, text)
        && !asks(exchange, text)
        && !twin(evidence, exchange).is_some_and(|t| says(&t.reply, text))
}

/// The benign twin of a hostile call.
pub fn twin<'a>(evidence: &'a Evidence, exchange: &'a Exchange) -> Option<&'a Exchange> {
    let label = exchange.control.as_ref()?;
    evidence.of_tool(&exchange.probe, exchange.subject.tool()?).find(|x| x.label == *label)
}

/// Whether a text stands anywhere in the request.
pub fn asks(exchange: &Exchange, text: &str) -> bool {
    match &exchange.send {
        Send::Request { params, .. } | Send::Notification { params, .. } => {
            params.as_ref().is_some_and(|p| holds(p, text))
        }
        Send::Raw { text: sent, .. } => sent.contains(text),
        Send::Http { headers, body, .. } => {
            headers.iter().any(|(_, value)| value.contains(text))
                || body.as_ref().is_some_and(|b| b.contains(text))
        }
        Send::Aside { url, headers, body, .. } => {
            url.contains(text)
                || headers.iter().any(|(_, value)| value.contains(text))
                || body.as_ref().is_some_and(|b| b.contains(text))
        }
        Send::Listen { .. } => false,
    }
}

/// Whether a text stands anywhere in a reply.
pub fn says(reply: &Reply, text: &str) -> bool {
    match reply {
        Reply::Result { value } => holds(value, text),
        Reply::Error { message, data, .. } => {
            message.contains(text) || data.as_ref().is_some_and(|d| holds(d, text))
        }
        Reply::Malformed { raw, .. } => raw.contains(text),
        Reply::Silence | Reply::TimedOut { .. } | Reply::Disconnected | Reply::Skipped { .. } => {
            false
        }
    }
}

fn holds(value: &Value, text: &str) -> bool {
    match value {
        Value::String(s) => s.contains(text),
        Value::Array(items) => items.iter().any(|v| holds(v, text)),
        Value::Object(map) => map.iter().any(|(k, v)| k.contains(text) || holds(v, text)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// The hostile text itself, where the subject points at it.
pub fn payload(exchange: &Exchange) -> String {
    let whole = || exchange.arguments().map(ToString::to_string).unwrap_or_default();
    match &exchange.subject {
        Subject::Param { pointer, .. } => exchange
            .arguments()
            .and_then(|a| a.pointer(pointer)?.as_str())
            .map_or_else(whole, str::to_owned),
        Subject::Server
        | Subject::Tool { .. }
        | Subject::Resource { .. }
        | Subject::Prompt { .. }
        | Subject::File { .. } => whole(),
    }
}
