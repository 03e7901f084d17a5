//! Prompts: a text with named gaps.

use serde_json::{Map, Value, json};

use super::Server;
use super::terms::Terms;
use crate::revision::Revision;
use crate::rpc::Refusal;
use crate::world::World;

#[derive(Debug, Clone)]
pub(crate) struct Prompt {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub arguments: &'static [Gap],
    /// Every `{name}` is replaced by that argument.
    pub text: &'static str,
    /// Content blocks that follow, each in a message of its own.
    pub shows: fn() -> Vec<Value>,
    /// Offered in winter only.
    pub winter: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Gap {
    pub name: &'static str,
    pub description: &'static str,
    pub required: bool,
    /// What completion offers.
    pub values: &'static [&'static str],
}

impl Prompt {
    /// Lists never change in the stateless revision.
    pub(crate) fn is_offered(&self, world: &World, revision: Revision) -> bool {
        !self.winter || (world.winter && !revision.is_stateless())
    }

    pub(crate) fn listed(&self, revision: Revision) -> Value {
        let mut entry = Map::new();
        entry.insert("name".into(), json!(self.name));
        if revision >= Revision::V2025_06_18 {
            entry.insert("title".into(), json!(self.title));
        }
        entry.insert("description".into(), json!(self.description));
        let arguments: Vec<Value> = self
            .arguments
            .iter()
            .map(
                |a| json!({ "name": a.name, "description": a.description, "required": a.required }),
            )
            .collect();
        entry.insert("arguments".into(), json!(arguments));
        Value::Object(entry)
    }
}

pub(super) fn get(server: &Server, terms: &Terms, params: &Value) -> Result<Value, Refusal> {
    let Some(name) = params["name"].as_str() else {
        return Err(Refusal::invalid_params("`name` must be a string"));
    };
    let Some(prompt) = server
        .prompts
        .iter()
        .find(|p| p.name == name && p.is_offered(&server.world, terms.revision))
    else {
        return Err(Refusal::invalid_params(format!("unknown prompt: {name}")));
    };
    if !params.get("arguments").is_none_or(Value::is_object) {
        return Err(Refusal::invalid_params("`arguments` must be an object"));
    }
    let mut text = prompt.text.to_owned();
    for gap in prompt.arguments {
        let value = match params["arguments"].get(gap.name) {
            Some(Value::String(value)) => value.as_str(),
            None if !gap.required => "",
            Some(_) | None => {
                let why = format!("argument `{}` must be a string", gap.name);
                return Err(Refusal::invalid_params(why));
            }
        };
        text = text.replace(&format!("{{{}}}", gap.name), value);
    }
    let blocks = std::iter::once(json!({ "type": "text", "text": text })).chain((prompt.shows)());
    let messages: Vec<Value> =
        blocks.map(|block| json!({ "role": "user", "content": block })).collect();
    Ok(json!({ "description": prompt.description, "messages": messages }))
}
