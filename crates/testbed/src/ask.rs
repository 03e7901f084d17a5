//! What a tool may need from the client before it can answer, and how both eras ask for it:
//! a server-to-client request in the handshake revisions, an `input_required` result afterwards.

use serde_json::{Value, json};

use crate::revision::Revision;
use crate::tool::Answer;
use crate::world::World;

/// The name under which an `input_required` result files its one question.
pub(crate) const QUESTION: &str = "question";

#[derive(Debug, Clone)]
pub(crate) struct Ask {
    pub kind: AskKind,
    /// Finishes the call with the client's result.
    pub then: fn(&mut World, &Value, &Value) -> Answer,
    pub otherwise: Otherwise,
}

#[derive(Debug, Clone)]
pub(crate) enum AskKind {
    Elicit { message: String, schema: Value },
    Sample { prompt: String },
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
            AskKind::Sample { .. } => "sampling",
            AskKind::Roots => "roots",
        }
    }

    fn since(&self) -> Revision {
        match self {
            AskKind::Elicit { .. } => Revision::V2025_06_18,
            AskKind::Sample { .. } | AskKind::Roots => Revision::V2024_11_05,
        }
    }

    pub(crate) fn is_offered_by(&self, client: &Value, revision: Revision) -> bool {
        revision >= self.since() && client.get(self.capability()).is_some_and(Value::is_object)
    }

    pub(crate) fn method(&self) -> &'static str {
        match self {
            AskKind::Elicit { .. } => "elicitation/create",
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
            AskKind::Elicit { .. } => match reply["action"].as_str() {
                Some("accept") => reply.get("content").is_none_or(Value::is_object),
                Some("decline" | "cancel") => true,
                Some(_) | None => false,
            },
            AskKind::Sample { .. } => reply["role"].is_string() && reply.get("content").is_some(),
            AskKind::Roots => reply["roots"].is_array(),
        };
        (!fine).then(|| format!("the answer to {} is not a result of that method", self.method()))
    }
}

/// Binds an `input_required` answer to the call it belongs to, so that it can be finished by any
/// process and not be moved to another call.
///
/// The key is in the source because these servers guard nothing and a retry must work in a
/// freshly started process.
pub(crate) fn seal(tool: &str, arguments: &Value) -> String {
    let key = blake3::derive_key("proofmark testbed request state", b"not a secret");
    let digest = blake3::keyed_hash(&key, format!("{tool}\n{arguments}").as_bytes());
    format!("v1.{}", digest.to_hex())
}
