//! Fixtures: values that the user supplies for parameters, by tool.

mod check;
mod file;

use std::collections::BTreeMap;

use globset::Glob;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::scrub::names_a_secret;

pub use file::{FixtureError, FixtureFile};

/// What is sent, before anything that we would think of. A key is the name of a parameter, or a
/// JSON pointer to a part of one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fixtures {
    /// For every tool that has such a parameter.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, Value>,
    /// For some tools; later entries win.
    #[serde(default, rename = "tool", skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ForTools>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForTools {
    /// A glob.
    pub name: String,
    pub values: BTreeMap<String, Value>,
}

impl ForTools {
    pub fn names(&self, tool: &str) -> bool {
        Glob::new(&self.name).map_or(self.name == tool, |g| g.compile_matcher().is_match(tool))
    }
}

const MASK: &str = "[redacted fixture ";

impl Fixtures {
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && self.tools.is_empty()
    }

    /// What is supplied for a tool, by JSON pointer into its arguments.
    pub fn values_for(&self, tool: &str) -> BTreeMap<String, Value> {
        let theirs = self.tools.iter().filter(|t| t.names(tool)).flat_map(|t| &t.values);
        self.values.iter().chain(theirs).map(|(key, v)| (pointer(key), v.clone())).collect()
    }

    /// As the evidence may show them: texts of parameters whose name announces a secret are
    /// replaced. Besides, the texts and what stands for each, for the way to the server.
    pub fn masked(&self) -> (Fixtures, Vec<(String, String)>) {
        let mut shown = self.clone();
        let mut secrets: Vec<(String, String)> = Vec::new();
        let ours = shown.values.iter_mut();
        for (key, value) in ours.chain(shown.tools.iter_mut().flat_map(|t| t.values.iter_mut())) {
            if let Value::String(text) = value
                && names_a_secret(key)
            {
                let known = secrets.iter().find(|(secret, _)| secret == text);
                let mask = match known {
                    Some((_, mask)) => mask.clone(),
                    None => format!("{MASK}{} {key}]", secrets.len() + 1),
                };
                secrets.push((std::mem::replace(text, mask.clone()), mask));
            }
        }
        (shown, secrets)
    }

    /// Whether a text stands for a secret.
    pub fn is_mask(text: &str) -> bool {
        text.starts_with(MASK)
    }
}

/// A key as a JSON pointer into the arguments.
fn pointer(key: &str) -> String {
    if key.starts_with('/') { key.to_owned() } else { format!("/{}", key.replace('~', "~0")) }
}

#[cfg(test)]
mod tests;
