//! What a tool may do to the world, guessed by the verbs of its name.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words;
use crate::evidence::Tool;

/// What a call to a tool may do to the world. Guessed from name, description and schema;
/// annotations may raise the guess, never lower it.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    Reads,
    Writes,
    Destroys,
}

impl fmt::Display for Risk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Risk::Reads => "reads",
            Risk::Writes => "writes",
            Risk::Destroys => "destroys",
        })
    }
}

const READING: &[&str] = &[
    "calculate",
    "check",
    "compare",
    "compute",
    "convert",
    "count",
    "describe",
    "diff",
    "echo",
    "explain",
    "fetch",
    "find",
    "get",
    "inspect",
    "list",
    "log",
    "lookup",
    "parse",
    "preview",
    "query",
    "read",
    "resolve",
    "retrieve",
    "search",
    "select",
    "show",
    "stat",
    "status",
    "summarize",
    "tree",
    "validate",
    "view",
    "whoami",
];

const WRITING: &[&str] = &[
    "add", "append", "apply", "checkout", "commit", "copy", "create", "edit", "insert", "move",
    "patch", "post", "publish", "put", "register", "rename", "replace", "save", "send", "set",
    "store", "submit", "toggle", "update", "upload", "write", "run", "execute", "exec", "call",
    "invoke", "start", "stop", "open", "click", "fill", "install",
];

const DESTROYING: &[&str] = &[
    "clean",
    "clear",
    "cleanup",
    "delete",
    "destroy",
    "drop",
    "erase",
    "kill",
    "purge",
    "remove",
    "reset",
    "revoke",
    "shutdown",
    "terminate",
    "truncate",
    "uninstall",
    "wipe",
];

impl Risk {
    pub fn of_tool(tool: &Tool) -> Risk {
        let mut guess = Risk::of_name(&tool.name);
        if tool.hint("destructiveHint") == Some(true) && tool.hint("readOnlyHint") != Some(true) {
            // The default of the hint is true, so an explicit true on a reading name is a claim to
            // be careful with, not proof of destruction.
            guess = guess.max(Risk::Writes);
        }
        if tool.hint("readOnlyHint") == Some(false) {
            guess = guess.max(Risk::Writes);
        }
        guess
    }

    /// The risk that one word of a name tells of, if it is a verb we know.
    pub fn of_word(word: &str) -> Option<Risk> {
        let lists = [(DESTROYING, Risk::Destroys), (WRITING, Risk::Writes), (READING, Risk::Reads)];
        lists.into_iter().find(|(list, _)| list.contains(&word)).map(|(_, risk)| risk)
    }

    fn of_name(name: &str) -> Risk {
        let words = words(name);
        let has = |list: &[&str]| words.iter().any(|w| list.contains(&w.as_str()));
        if has(DESTROYING) {
            Risk::Destroys
        } else if has(WRITING) {
            Risk::Writes
        } else if has(READING) {
            Risk::Reads
        } else {
            Risk::Writes
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn tool(name: &str, annotations: Value) -> Tool {
        let raw =
            json!({"name": name, "inputSchema": {"type": "object"}, "annotations": annotations});
        Tool::from_raw(&raw).unwrap_or_else(|why| unreachable!("{why}"))
    }

    #[test]
    fn unknown_names_count_as_writing() {
        assert_eq!(Risk::of_tool(&tool("frobnicate", json!({}))), Risk::Writes);
    }

    #[test]
    fn the_worst_word_of_a_name_decides() {
        assert_eq!(Risk::of_tool(&tool("get_weather", json!({}))), Risk::Reads);
        assert_eq!(Risk::of_tool(&tool("get_or_create_user", json!({}))), Risk::Writes);
        assert_eq!(Risk::of_tool(&tool("list_and_purge", json!({}))), Risk::Destroys);
    }

    #[test]
    fn annotations_raise_the_guess_and_never_lower_it() {
        assert_eq!(
            Risk::of_tool(&tool("delete_all", json!({"readOnlyHint": true}))),
            Risk::Destroys
        );
        assert_eq!(Risk::of_tool(&tool("get_x", json!({"readOnlyHint": false}))), Risk::Writes);
    }
}
