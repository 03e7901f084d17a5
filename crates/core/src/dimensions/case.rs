//! One recorded test case: what was called and for what, and what came back.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// A call of a tool as a suite recorded it.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    pub tool: String,
    pub name: String,
    pub purpose: String,
    pub arguments: Value,
    pub said: Said,
    /// How long the answer took.
    pub seconds: f64,
    /// What the suite says of the case itself; a claim, and often missing.
    pub functional: Option<bool>,
    pub security: Option<bool>,
    /// Whether an attack of ours got through, by proof; `None` where nothing was fixed beforehand.
    pub proven: Option<bool>,
}

/// What came back, in the channel it came in.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(tag = "kind", content = "text", rename_all = "snake_case")]
pub enum Said {
    Result(String),
    Error(String),
}

impl Said {
    pub fn text(&self) -> &str {
        match self {
            Said::Result(text) | Said::Error(text) => text,
        }
    }
}

impl Case {
    /// Every text among the arguments, with escaped backslashes as they are meant.
    pub(super) fn texts(&self) -> Vec<String> {
        let mut texts = Vec::new();
        collect(&self.arguments, &mut texts);
        texts
    }

    /// What the suite says the case is about.
    pub(super) fn intent(&self) -> String {
        format!("{} {}", self.name, self.purpose)
    }
}

fn collect(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::String(text) => into.push(unescaped(text)),
        Value::Array(items) => items.iter().for_each(|item| collect(item, into)),
        Value::Object(map) => map.values().for_each(|item| collect(item, into)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Suites and servers escape backslashes once more or once less; compared they are single.
pub(super) fn unescaped(text: &str) -> String {
    if text.contains("\\\\") { text.replace("\\\\", "\\") } else { text.to_owned() }
}
