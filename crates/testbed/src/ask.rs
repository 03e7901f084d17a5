//! What a tool may need from the client before it can answer, and how both eras ask for it:
//! a server-to-client request in the handshake revisions, an `input_required` result afterwards.

use serde_json::{Value, json};

use crate::revision::Revision;
use crate::tool::Answer;
use crate::world::World;
use crate::{clock, token};

/// The name under which an `input_required` result files its one question.
pub(crate) const QUESTION: &str = "question";
/// How long a client may take over its answer.
const VALID_SECONDS: u64 = 600;

#[derive(Debug, Clone)]
pub(crate) struct Ask {
    pub kind: AskKind,
    /// Finishes the call with the client's result.
    pub then: fn(&mut World, &Value, &Value) -> Answer,
    pub otherwise: Otherwise,
}

#[derive(Debug, Clone)]
pub(crate) enum AskKind {
    Elicit {
        message: String,
        schema: Value,
    },
    /// Sends the user to a page.
    Visit {
        message: String,
        url: &'static str,
    },
    Sample {
        prompt: String,
    },
    Roots,
}

/// What happens when the client did not declare the capability.
#[derive(Debug, Clone)]
pub(crate) enum Otherwise {
    /// The tool can do without.
    Answer(Value),
    Refuse,
}

impl AskKind {
    pub(crate) fn capability(&self) -> &'static str {
        match self {
            AskKind::Elicit { .. } => "elicitation",
            AskKind::Visit { .. } => "elicitation.url",
            AskKind::Sample { .. } => "sampling",
            AskKind::Roots => "roots",
        }
    }

    fn since(&self) -> Revision {
        match self {
            AskKind::Elicit { .. } => Revision::V2025_06_18,
            AskKind::Visit { .. } => Revision::V2025_11_25,
            AskKind::Sample { .. } | AskKind::Roots => Revision::V2024_11_05,
        }
    }

    pub(crate) fn is_offered_by(&self, client: &Value, revision: Revision) -> bool {
        let family = self.capability().split('.').next().unwrap_or_default();
        let declared = client.get(family).filter(|c| c.is_object());
        revision >= self.since()
            && declared.is_some_and(|modes| match self {
                // No mode at all means forms, and the first revision to ask had nothing else.
                AskKind::Elicit { .. } => {
                    revision < Revision::V2025_11_25
                        || modes.get("form").is_some()
                        || modes.get("url").is_none()
                }
                AskKind::Visit { .. } => modes.get("url").is_some_and(Value::is_object),
                AskKind::Sample { .. } | AskKind::Roots => true,
            })
    }

    /// What a client must declare to be asked.
    pub(crate) fn required(&self) -> Value {
        match self {
            AskKind::Visit { .. } => json!({ "elicitation": { "url": {} } }),
            AskKind::Elicit { .. } | AskKind::Sample { .. } | AskKind::Roots => {
                json!({ self.capability(): {} })
            }
        }
    }

    pub(crate) fn method(&self) -> &'static str {
        match self {
            AskKind::Elicit { .. } | AskKind::Visit { .. } => "elicitation/create",
            AskKind::Sample { .. } => "sampling/createMessage",
            AskKind::Roots => "roots/list",
        }
    }

    pub(crate) fn params(&self, revision: Revision) -> Value {
        match self {
            AskKind::Elicit { message, schema } => {
                let mut params = json!({ "message": message, "requestedSchema": schema });
                if revision >= Revision::V2025_11_25 {
                    params["mode"] = json!("form");
                }
                params
            }
            AskKind::Visit { message, url } => {
                let mut params = json!({ "mode": "url", "message": message, "url": url });
                if !revision.is_stateless() {
                    params["elicitationId"] = json!(token::fresh());
                }
                params
            }
            AskKind::Sample { prompt } => json!({
                "messages": [{ "role": "user", "content": { "type": "text", "text": prompt } }],
                "maxTokens": 200,
            }),
            AskKind::Roots => json!({}),
        }
    }

    /// Why a client's result is not one, if it is not.
    pub(crate) fn complaint(&self, reply: &Value) -> Option<String> {
        let fine = match self {
            AskKind::Elicit { schema, .. } => match reply["action"].as_str() {
                Some("accept") => {
                    return unfit(schema, reply.get("content").unwrap_or(&json!({})));
                }
                Some("decline" | "cancel") => true,
                Some(_) | None => false,
            },
            AskKind::Visit { .. } => {
                matches!(reply["action"].as_str(), Some("accept" | "decline" | "cancel"))
            }
            AskKind::Sample { .. } => reply["role"].is_string() && reply.get("content").is_some(),
            AskKind::Roots => reply["roots"].is_array(),
        };
        (!fine).then(|| format!("the answer to {} is not a result of that method", self.method()))
    }
}

/// How elicited data breaks the schema it was asked for with, if it does.
fn unfit(schema: &Value, content: &Value) -> Option<String> {
    let validator = jsonschema::validator_for(schema).ok()?;
    let error = validator.iter_errors(content).next()?;
    let field = error.instance_path().to_string();
    let what = error.masked_with("the value");
    Some(format!("the answer to elicitation/create does not fit its schema: {field} {what}"))
}

/// Binds an `input_required` answer to the call it belongs to and to a time, so that it can be
/// finished by any process and not be moved to another call or kept for later.
pub(crate) fn seal(tool: &str, arguments: &Value) -> String {
    sealed_at(clock::seconds(), tool, arguments)
}

pub(crate) fn is_sealed(state: &str, tool: &str, arguments: &Value) -> bool {
    let since = state.strip_prefix("v2.").and_then(|s| s.split('.').next()?.parse().ok());
    since.is_some_and(|since: u64| {
        let now = clock::seconds();
        since <= now && now - since < VALID_SECONDS && state == sealed_at(since, tool, arguments)
    })
}

/// The key is in the source because these servers guard nothing and a retry must work in a
/// freshly started process.
fn sealed_at(seconds: u64, tool: &str, arguments: &Value) -> String {
    let key = blake3::derive_key("proofmark testbed request state", b"not a secret");
    let digest = blake3::keyed_hash(&key, format!("{seconds}\n{tool}\n{arguments}").as_bytes());
    format!("v2.{seconds}.{}", digest.to_hex())
}
