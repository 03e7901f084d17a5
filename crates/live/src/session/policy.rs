//! How we answer what a server asks of its client. Fixed answers: the same in every run.

use std::path::PathBuf;

use proofmark_core::arguments;
use proofmark_core::evidence::ClientCapabilities;
use proofmark_core::seed::Seed;
use serde_json::{Map, Value, json};

/// What we declare and how we answer.
#[derive(Debug, Clone)]
pub struct Policy {
    pub client: ClientCapabilities,
    /// The root we always have, as the server sees it.
    pub workspace: PathBuf,
    /// Folders that the server was started with. Servers take our roots for all they may touch, so
    /// these must be among them, first.
    pub given: Vec<PathBuf>,
    pub seed: Seed,
}

impl Policy {
    /// The `capabilities` object for `initialize` or `_meta`.
    pub fn declared(&self) -> Value {
        let mut declared = json!({});
        if self.client.roots {
            declared["roots"] = json!({ "listChanged": false });
        }
        if self.client.sampling {
            declared["sampling"] = json!({});
        }
        if self.client.elicitation {
            let modes = if self.client.pages { json!({"form": {}, "url": {}}) } else { json!({}) };
            declared["elicitation"] = modes;
        }
        declared
    }

    /// `{"result": …}` or `{"error": …}` for a request of the server.
    pub fn answer(&self, method: &str, params: Option<&Value>) -> Value {
        match self.result(method, params) {
            Some(result) => json!({ "result": result }),
            None if self.client.declines && self.client.allow(method) => {
                json!({ "error": { "code": -1, "message": format!("{method}: the user said no") } })
            }
            None => json!({
                "error": { "code": -32601, "message": format!("{method}: not offered by this client") }
            }),
        }
    }

    /// The bare result, if we play along.
    pub fn result(&self, method: &str, params: Option<&Value>) -> Option<Value> {
        match method {
            "ping" => Some(json!({})),
            "elicitation/create" if self.client.elicitation && self.client.declines => {
                Some(json!({ "action": "decline" }))
            }
            _ if self.client.declines => None,
            "roots/list" if self.client.roots => Some(self.roots()),
            "sampling/createMessage" if self.client.sampling => Some(json!({
                "role": "assistant",
                "content": { "type": "text", "text": "This is a fixed answer by Proofmark, not a model's." },
                "model": "proofmark-fixed-answer",
                "stopReason": "endTurn"
            })),
            "elicitation/create" if self.client.elicitation => Some(self.elicited(params)),
            _ => None,
        }
    }

    fn roots(&self) -> Value {
        let root = |dir: &PathBuf| {
            let uri = url::Url::from_directory_path(dir)
                .map_or_else(|()| "file:///".to_owned(), String::from);
            let name = dir.file_name().unwrap_or_default().to_string_lossy();
            json!({ "uri": uri.trim_end_matches('/'), "name": name })
        };
        let roots: Vec<Value> = self.given.iter().chain([&self.workspace]).map(root).collect();
        json!({ "roots": roots })
    }

    /// A form is filled in by its schema; anything else, such as a page to visit, is declined.
    fn elicited(&self, params: Option<&Value>) -> Value {
        let fields = params.and_then(|p| p.pointer("/requestedSchema/properties")?.as_object());
        if let Some(fields) = fields.filter(|_| self.client.careless) {
            // No field of a form may hold an object, so this is wrong whatever was asked.
            let wrong: Map<String, Value> =
                fields.keys().map(|name| (name.clone(), json!({"proofmark": "wrong"}))).collect();
            return json!({ "action": "accept", "content": wrong });
        }
        let context = arguments::Context::in_folder(&self.workspace.to_string_lossy());
        let filled = params.and_then(|p| p.get("requestedSchema")).and_then(|schema| {
            arguments::sample(schema, &context, self.seed, arguments::Fill::Full)
        });
        match filled {
            Some(content) => json!({ "action": "accept", "content": content }),
            None => json!({ "action": "decline" }),
        }
    }
}
