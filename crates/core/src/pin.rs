//! Pins: the definitions of a server at one time, with a hash each, to be held against later ones.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::evidence::Evidence;

/// Format and version of a pin file.
pub const SCHEMA: &str = "proofmark.pin/1.0";
const FORMAT: &str = "proofmark.pin/1.";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    pub schema: String,
    /// The version of Proofmark that wrote it.
    pub proofmark: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    pub definitions: Vec<Pinned>,
}

/// One definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pinned {
    pub kind: PinnedKind,
    pub name: String,
    /// Of the definition, whatever the order of its members.
    pub hash: String,
    pub definition: Value,
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum PinnedKind {
    Instructions,
    Tool,
    Resource,
    Template,
    Prompt,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PinError {
    #[error(
        "not a pin: field `schema` {found}, expected `{SCHEMA}`; `proofmark pin -o FILE TARGET` writes one"
    )]
    Foreign { found: String },
    #[error("field `{field}`: {why}; the pin was changed or is damaged: write it again")]
    Field { field: String, why: String },
}

impl Pin {
    /// All that a model is told before it calls anything.
    pub fn of(evidence: &Evidence) -> Pin {
        let said = evidence.handshake.as_ref();
        let instructions = said.and_then(|h| h.instructions.as_ref());
        let inventory = &evidence.inventory;
        let mut definitions: Vec<Pinned> = instructions
            .map(|text| {
                pinned(PinnedKind::Instructions, "instructions", &json!({ "description": text }))
            })
            .into_iter()
            .collect();
        definitions
            .extend(inventory.tools.iter().map(|t| pinned(PinnedKind::Tool, &t.name, &t.raw)));
        definitions.extend(
            inventory.resources.iter().map(|r| pinned(PinnedKind::Resource, &r.uri, &r.raw)),
        );
        definitions.extend(
            inventory
                .templates
                .iter()
                .map(|t| pinned(PinnedKind::Template, &t.uri_template, &t.raw)),
        );
        definitions
            .extend(inventory.prompts.iter().map(|p| pinned(PinnedKind::Prompt, &p.name, &p.raw)));
        definitions.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
        Pin {
            schema: SCHEMA.to_owned(),
            proofmark: crate::VERSION.to_owned(),
            server: said.and_then(|h| h.server.name.clone()),
            version: said.and_then(|h| h.server.version.clone()),
            definitions,
        }
    }

    /// Reads a pin; the error says what is wrong with the file.
    pub fn from_value(value: Value) -> Result<Pin, PinError> {
        match value.get("schema") {
            Some(Value::String(text)) if text.starts_with(FORMAT) => {}
            Some(other) => return Err(PinError::Foreign { found: format!("is {other}") }),
            None => return Err(PinError::Foreign { found: "is missing".to_owned() }),
        }
        serde_path_to_error::deserialize(value).map_err(|e| PinError::Field {
            field: e.path().to_string(),
            why: e.inner().to_string(),
        })
    }

    /// Indented, one trailing newline: made to be kept under version control.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    pub fn find(&self, kind: PinnedKind, name: &str) -> Option<&Pinned> {
        self.definitions.iter().find(|d| d.kind == kind && d.name == name)
    }
}

fn pinned(kind: PinnedKind, name: &str, raw: &Value) -> Pinned {
    let definition = sorted(raw);
    let hash = blake3::hash(definition.to_string().as_bytes()).to_hex()[..32].to_owned();
    Pinned { kind, name: name.to_owned(), hash, definition }
}

/// The same value with the members of every object in order.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut members: Vec<(&String, &Value)> = map.iter().collect();
            members.sort_by_key(|(key, _)| *key);
            Value::Object(Map::from_iter(members.into_iter().map(|(k, v)| (k.clone(), sorted(v)))))
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    fn pin(snippet: &str) -> Pin {
        Pin::of(&pages::evidence(snippet).unwrap())
    }

    #[test]
    fn the_order_of_members_does_not_change_a_hash() {
        let a = pin(
            r#"{"tools": [{"name": "a", "description": "x", "inputSchema": {"type": "object"}}]}"#,
        );
        let b = pin(
            r#"{"tools": [{"inputSchema": {"type": "object"}, "description": "x", "name": "a"}]}"#,
        );
        assert_eq!(a, b);
        let c = pin(
            r#"{"tools": [{"name": "a", "description": "y", "inputSchema": {"type": "object"}}]}"#,
        );
        assert_ne!(a.definitions[0].hash, c.definitions[0].hash);
    }

    #[test]
    fn a_pin_reads_back_and_a_foreign_file_is_refused_with_the_way_out() {
        let before = pin(r#"{"tools": [{"name": "a"}], "prompts": [{"name": "p"}]}"#);
        let text = before.to_text().unwrap();
        assert_eq!(Pin::from_value(serde_json::from_str(&text).unwrap()), Ok(before));
        let foreign = Pin::from_value(json!({"schema": "other/1"})).unwrap_err().to_string();
        assert!(foreign.contains("`proofmark pin"), "{foreign}");
        let broken = Pin::from_value(json!({"schema": SCHEMA, "proofmark": "1", "definitions": 3}));
        assert!(broken.unwrap_err().to_string().contains("`definitions`"));
    }
}
