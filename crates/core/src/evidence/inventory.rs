//! What the server says it offers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::ExchangeId;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Inventory {
    pub tools: Vec<Tool>,
    pub resources: Vec<Resource>,
    pub templates: Vec<Template>,
    pub prompts: Vec<Prompt>,
    /// How each listing went.
    pub listings: Vec<Listing>,
}

impl Inventory {
    pub fn listing(&self, method: &str) -> Option<&Listing> {
        self.listings.iter().find(|l| l.method == method)
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Listing {
    /// e.g. `tools/list`.
    pub method: String,
    pub state: ListState,
    pub pages: Vec<ExchangeId>,
    /// Items that do not have the shape of their kind; the good ones are kept all the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub malformed: Vec<Malformed>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ListState {
    Complete,
    /// The capability is not declared, so nothing was asked.
    NotOffered,
    /// A cursor came back that had been used before.
    Loop {
        cursor: String,
    },
    /// More pages than we follow.
    Capped {
        pages: u32,
    },
    /// No usable answer.
    Failed {
        why: String,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Malformed {
    pub index: u32,
    pub why: String,
    pub raw: Value,
}

/// A tool as listed. `raw` is the whole definition; the other fields are the parts checks ask for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub input_schema: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Value>,
    /// What its definition costs a model, counted when the evidence was gathered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u32>,
    pub raw: Value,
}

impl Tool {
    /// Reads one item of `tools/list`; `Err` says what is missing or ill-typed.
    pub fn from_raw(raw: &Value) -> Result<Tool, String> {
        let text = |key: &str| -> Result<Option<String>, String> {
            match raw.get(key) {
                None => Ok(None),
                Some(Value::String(s)) => Ok(Some(s.clone())),
                Some(_) => Err(format!("`{key}` is not a string")),
            }
        };
        if !raw.is_object() {
            return Err("not an object".to_owned());
        }
        let name = text("name")?.ok_or("`name` is missing")?;
        let input_schema = raw.get("inputSchema").cloned().ok_or("`inputSchema` is missing")?;
        if !input_schema.is_object() {
            return Err("`inputSchema` is not an object".to_owned());
        }
        Ok(Tool {
            name,
            title: text("title")?,
            description: text("description")?,
            input_schema,
            output_schema: raw.get("outputSchema").cloned(),
            annotations: raw.get("annotations").cloned(),
            tokens: None,
            raw: raw.clone(),
        })
    }

    /// Top-level parameters: name and schema, in the order of the definition.
    pub fn parameters(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.input_schema
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .map(|(name, schema)| (name.as_str(), schema))
    }

    pub fn required(&self) -> impl Iterator<Item = &str> {
        self.input_schema
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
    }

    /// Whether its output schema is `result` around a value of which it names no field: SDKs make
    /// that by themselves of a function that returns a text, a list or a dictionary, and it tells
    /// nothing.
    pub fn wraps_output(&self) -> bool {
        let schema = self.output_schema.as_ref();
        let properties = schema.and_then(|s| s.get("properties")?.as_object());
        let only = properties.filter(|map| map.len() == 1).and_then(|map| map.get("result"));
        only.is_some_and(|result| !names_fields(result))
    }

    /// Whether its own description says that it is on its way out: "Deprecated: use …", and not
    /// "Deprecated packages are listed".
    pub fn is_deprecated(&self) -> bool {
        let text = self.description.as_deref().unwrap_or_default().to_lowercase();
        text.split(['.', '\n', '(', '[']).any(|said| {
            let rest = said.trim_start().strip_prefix("deprecated").map(str::trim_start);
            let ends =
                |r: &str| r.is_empty() || r.starts_with([':', ',', ';', ')', ']', '-', '–', '—']);
            rest.is_some_and(ends)
        })
    }

    /// A boolean hint such as `readOnlyHint`: a claim, never an exemption.
    pub fn hint(&self, name: &str) -> Option<bool> {
        self.annotations.as_ref()?.get(name)?.as_bool()
    }
}

/// Whether a schema tells of fields, itself or by what it refers to.
fn names_fields(schema: &Value) -> bool {
    match schema {
        Value::Object(map) => map.iter().any(|(key, inner)| {
            key == "$ref" || (key == "properties" && inner != &json!({})) || names_fields(inner)
        }),
        Value::Array(items) => items.iter().any(names_fields),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Resource {
    pub uri: String,
    pub name: String,
    pub raw: Value,
}

impl Resource {
    pub fn from_raw(raw: &Value) -> Result<Resource, String> {
        Ok(Resource { uri: string(raw, "uri")?, name: string(raw, "name")?, raw: raw.clone() })
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Template {
    pub uri_template: String,
    pub name: String,
    pub raw: Value,
}

impl Template {
    pub fn from_raw(raw: &Value) -> Result<Template, String> {
        Ok(Template {
            uri_template: string(raw, "uriTemplate")?,
            name: string(raw, "name")?,
            raw: raw.clone(),
        })
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Prompt {
    pub name: String,
    #[serde(default)]
    pub arguments: Vec<PromptArgument>,
    pub raw: Value,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PromptArgument {
    pub name: String,
    #[serde(default)]
    pub required: bool,
}

impl Prompt {
    pub fn from_raw(raw: &Value) -> Result<Prompt, String> {
        let arguments = match raw.get("arguments") {
            None => Vec::new(),
            Some(Value::Array(items)) => items
                .iter()
                .map(|item| {
                    Ok(PromptArgument {
                        name: string(item, "name")?,
                        required: item.get("required").and_then(Value::as_bool).unwrap_or(false),
                    })
                })
                .collect::<Result<_, String>>()?,
            Some(_) => return Err("`arguments` is not an array".to_owned()),
        };
        Ok(Prompt { name: string(raw, "name")?, arguments, raw: raw.clone() })
    }
}

fn string(raw: &Value, key: &str) -> Result<String, String> {
    match raw.get(key) {
        Some(Value::String(s)) => Ok(s.clone()),
        Some(_) => Err(format!("`{key}` is not a string")),
        None => Err(format!("`{key}` is missing")),
    }
}
