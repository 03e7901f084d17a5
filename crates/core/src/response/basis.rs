//! Why we believe, or do not, that the arguments of a call name something real.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::disguised_error;
use crate::arguments::Context;
use crate::evidence::{CanaryPlace, Evidence, Exchange, Tool};
use crate::pattern;
use crate::probe::{Risk, words};

/// The ground a value stands on, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Basis {
    /// An id, a name or a path that we made up.
    Invented,
    /// Refers to nothing: a number, a text, a query.
    Plain,
    /// The tool's own definition offers it.
    Documented,
    /// We put it there before the server started.
    Planted,
    /// The server itself named it, or took it from us, in an earlier answer.
    Chained,
}

impl Basis {
    /// A server can't say that there is no such thing.
    pub fn exists(self) -> bool {
        match self {
            Basis::Planted | Basis::Chained => true,
            Basis::Invented | Basis::Plain | Basis::Documented => false,
        }
    }

    /// A server can't say that it does not understand.
    pub fn is_understood(self) -> bool {
        self >= Basis::Documented
    }

    /// The basis of what an error speaks of: of the arguments it names, or else of all; the
    /// weakest decides, since a planted path beside an invented word excuses a failed search.
    pub fn of(evidence: &Evidence, exchange: &Exchange, error: &str) -> Basis {
        let Some((tool, arguments)) =
            exchange.subject.tool().and_then(|name| evidence.tool(name)).zip(exchange.arguments())
        else {
            return Basis::Plain;
        };
        let mut values = Vec::new();
        leaves("", arguments, &mut values);
        let speaks_of = |(name, value): &&(&str, String)| {
            let telling = value.chars().count() > 2 && error.contains(value.as_str());
            telling || (name.chars().count() > 2 && has_word(error, name))
        };
        let named: Vec<&(&str, String)> = values.iter().filter(speaks_of).collect();
        if named.is_empty() && quotes_something(error) {
            // It speaks of a thing that is not ours to vouch for: "Ref 'HEAD' did not resolve".
            return Basis::Plain;
        }
        let considered = if named.is_empty() { values.iter().collect() } else { named };
        let ground = Ground { evidence, exchange, tool };
        considered.into_iter().map(|(name, v)| ground.of(name, v)).min().unwrap_or(Basis::Plain)
    }
}

/// Every value with the closest name it stands under.
fn leaves<'a>(name: &'a str, value: &'a Value, into: &mut Vec<(&'a str, String)>) {
    match value {
        Value::String(text) => into.push((name, text.clone())),
        Value::Number(_) | Value::Bool(_) => into.push((name, value.to_string())),
        Value::Array(items) => items.iter().for_each(|item| leaves(name, item, into)),
        Value::Object(map) => map.iter().for_each(|(key, item)| leaves(key, item, into)),
        Value::Null => {}
    }
}

const REFERENCES: &[&str] = &[
    "id",
    "ids",
    "uuid",
    "guid",
    "key",
    "name",
    "names",
    "path",
    "paths",
    "file",
    "files",
    "filename",
    "filepath",
    "directory",
    "dir",
    "folder",
    "uri",
    "url",
    "repo",
    "repository",
    "branch",
    "ref",
    "revision",
    "commit",
    "sha",
    "tag",
    "user",
    "username",
    "owner",
    "project",
    "issue",
    "table",
    "database",
    "db",
    "collection",
    "entity",
    "node",
    "cursor",
    "session",
    "handle",
    "slug",
    "channel",
    "room",
    "parent",
    "source",
    "destination",
    "target",
    "from",
    "to",
    "document",
    "page",
    "sheet",
    "workbook",
];

fn is_reference(name: &str) -> bool {
    words(name).iter().any(|word| REFERENCES.contains(&word.as_str()))
}

fn quotes_something(text: &str) -> bool {
    static QUOTED: LazyLock<Option<Regex>> =
        LazyLock::new(|| pattern::ascii(r#"['"`][^\s'"`][^'"`]{0,80}['"`]"#).ok());
    QUOTED.as_ref().is_some_and(|quoted| quoted.is_match(text))
}

struct Ground<'a> {
    evidence: &'a Evidence,
    exchange: &'a Exchange,
    tool: &'a Tool,
}

impl Ground<'_> {
    fn of(&self, name: &str, value: &str) -> Basis {
        let refers = is_reference(name) && !value.is_empty();
        if refers && self.was_harvested(value) {
            Basis::Chained
        } else if self.was_planted(value) {
            Basis::Planted
        } else if offers(&self.tool.input_schema, value) {
            Basis::Documented
        } else if refers {
            Basis::Invented
        } else {
            Basis::Plain
        }
    }

    fn was_planted(&self, value: &str) -> bool {
        let context = Context::of(self.evidence, &self.tool.name);
        let ours =
            [context.file(), context.spare_file(), context.folder(), context.repository.clone()];
        let canary = self.evidence.conditions.canaries.iter().any(|c| match &c.place {
            CanaryPlace::Inside { path } => path == value,
            CanaryPlace::Outside { .. } | CanaryPlace::Env { .. } => false,
        });
        canary || ours.iter().any(|path| path == value.trim_end_matches('/'))
    }

    fn was_harvested(&self, value: &str) -> bool {
        let listed = self.evidence.inventory.resources.iter().any(|r| r.uri == value);
        let before = self.evidence.transcript.iter().rev().skip_while(|x| x.id >= self.exchange.id);
        // The latest word counts, so the search goes backwards; the cheap questions come first.
        for x in before {
            let Some(tool) = x.subject.tool() else { continue };
            if x.result().is_none() || x.reply.is_tool_error() {
                continue;
            }
            let sent = x.arguments().is_some_and(|a| holds(a, value));
            if (!sent && !tells(x, value)) || !is_success(x) {
                continue;
            }
            match (sent, self.evidence.risk_of(tool)) {
                // What merely echoes proves nothing.
                (true, Risk::Reads) => {}
                (true, Risk::Destroys) => return false,
                (true, Risk::Writes) | (false, _) => return true,
            }
        }
        listed
    }
}

fn is_success(x: &Exchange) -> bool {
    let hostile = x.oracle.is_some() || x.control.is_some();
    !hostile
        && x.result().is_some()
        && !x.reply.is_tool_error()
        && disguised_error(&x.reply).is_none()
}

/// Whether an answer names the value, as a value of its structure or as a word of its text.
fn tells(x: &Exchange, value: &str) -> bool {
    const FEWEST: usize = 3;
    let structured = x.result().and_then(|r| r.get("structuredContent"));
    structured.is_some_and(|s| holds(s, value))
        || (value.chars().count() >= FEWEST && texts(x).any(|text| has_word(text, value)))
}

fn texts(x: &Exchange) -> impl Iterator<Item = &str> {
    let blocks = x.result().and_then(|r| r.get("content")).and_then(Value::as_array);
    blocks.into_iter().flatten().filter_map(|b| b.get("text").and_then(Value::as_str))
}

fn holds(tree: &Value, value: &str) -> bool {
    match tree {
        Value::String(text) => text == value,
        Value::Number(n) => n.to_string() == value,
        Value::Array(items) => items.iter().any(|item| holds(item, value)),
        Value::Object(map) => map.values().any(|item| holds(item, value)),
        Value::Null | Value::Bool(_) => false,
    }
}

fn has_word(text: &str, word: &str) -> bool {
    let inside = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(word).any(|(at, _)| {
        let after = text.get(at + word.len()..).and_then(|rest| rest.chars().next());
        let before = text.get(..at).and_then(|head| head.chars().next_back());
        !inside(before) && !inside(after)
    })
}

/// Whether a schema itself names the value: as one of its choices, as default, or as example.
fn offers(schema: &Value, value: &str) -> bool {
    match schema {
        Value::Object(map) => map.iter().any(|(key, inner)| match key.as_str() {
            "enum" | "const" | "default" | "examples" | "example" => holds(inner, value),
            "description" => inner.as_str().is_some_and(|text| quotes(text, value)),
            _ => offers(inner, value),
        }),
        Value::Array(items) => items.iter().any(|item| offers(item, value)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

fn quotes(text: &str, value: &str) -> bool {
    ["\"", "'", "`"].iter().any(|mark| text.contains(&format!("{mark}{value}{mark}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    /// The basis of the last call, whose error is this text.
    fn basis(exchanges: &str, error: &str) -> Basis {
        let snippet = format!(
            r#"{{"tools": [{{"name": "get_note"}}, {{"name": "add_note"}}, {{"name": "delete_note"}}, {{"name": "list_notes"}},
                {{"name": "search", "inputSchema": {{"type": "object", "properties": {{
                   "zone": {{"enum": ["Europe/Berlin"]}}, "path": {{"type": "string", "description": "such as 'docs'"}}}}}}}}],
              "exchanges": [{exchanges}]}}"#
        );
        let evidence = pages::evidence(&snippet).unwrap();
        Basis::of(&evidence, evidence.transcript.last().unwrap(), error)
    }

    fn call(tool: &str, arguments: &str, reply: &str) -> String {
        format!(
            r#"{{"probe": "valid-call", "tool": "{tool}", "arguments": {arguments}, "reply": {reply}}}"#
        )
    }

    #[test]
    fn an_id_nobody_ever_named_is_invented_and_a_free_text_is_plain() {
        let get = call("get_note", r#"{"id": "n-17"}"#, r#"{"tool_error": "no"}"#);
        assert_eq!(basis(&get, "not found"), Basis::Invented);
        let text = call("search", r#"{"words": "sun", "limit": 3}"#, r#"{"tool_error": "no"}"#);
        assert_eq!(basis(&text, "no"), Basis::Plain);
    }

    #[test]
    fn an_id_the_server_listed_or_took_is_chained() {
        let get = call("get_note", r#"{"id": "n-17"}"#, r#"{"tool_error": "no"}"#);
        let list = call("list_notes", "{}", r#"{"text": "notes: n-17, n-18"}"#);
        assert_eq!(basis(&format!("{list}, {get}"), "not found"), Basis::Chained);
        let longer = call("list_notes", "{}", r#"{"text": "notes: n-170"}"#);
        assert_eq!(basis(&format!("{longer}, {get}"), "not found"), Basis::Invented);
        let add = call("add_note", r#"{"id": "n-17"}"#, r#"{"text": "saved"}"#);
        assert_eq!(basis(&format!("{add}, {get}"), "not found"), Basis::Chained);
    }

    #[test]
    fn what_was_deleted_or_only_echoed_is_not_known() {
        let get = call("get_note", r#"{"id": "n-17"}"#, r#"{"tool_error": "no"}"#);
        let add = call("add_note", r#"{"id": "n-17"}"#, r#"{"text": "saved"}"#);
        let delete = call("delete_note", r#"{"id": "n-17"}"#, r#"{"text": "deleted"}"#);
        assert_eq!(basis(&format!("{add}, {delete}, {get}"), "not found"), Basis::Invented);
        let echo = call("search", r#"{"words": "n-17"}"#, r#"{"text": "you said n-17"}"#);
        assert_eq!(basis(&format!("{echo}, {get}"), "not found"), Basis::Invented);
    }

    #[test]
    fn planted_paths_and_offered_values_are_known() {
        let read = r#"{"path": "/scratch/work/notes.md"}"#;
        let planted = call("search", read, r#"{"tool_error": "no"}"#);
        assert_eq!(basis(&planted, "no such file"), Basis::Planted);
        let offered = r#"{"path": "docs", "zone": "Europe/Berlin"}"#;
        let documented = call("search", offered, r#"{"tool_error": "no"}"#);
        assert_eq!(basis(&documented, "bad"), Basis::Documented);
    }

    #[test]
    fn a_text_that_was_written_before_need_not_be_there_any_more() {
        let edit = r#"{"path": "/scratch/work/notes.md", "words": "amount"}"#;
        let first = call("add_note", edit, r#"{"text": "replaced"}"#);
        let again = call("add_note", edit, r#"{"tool_error": "no match: amount"}"#);
        assert_eq!(basis(&format!("{first}, {again}"), "no match: amount"), Basis::Plain);
    }

    #[test]
    fn an_error_about_something_else_does_not_count_against_a_known_id() {
        let list = call("list_notes", "{}", r#"{"text": "notes: n-17"}"#);
        let get = call("get_note", r#"{"id": "n-17"}"#, r#"{"tool_error": "no"}"#);
        let both = format!("{list}, {get}");
        assert_eq!(basis(&both, "folder 'attic' not found"), Basis::Plain);
        assert_eq!(basis(&both, "note not found"), Basis::Chained);
    }

    #[test]
    fn parameters_that_the_error_names_count_before_a_known_path() {
        let x = r#"{"path": "/scratch/work/notes.md", "head": 3, "tail": 3}"#;
        let x = call("search", x, r#"{"tool_error": "no"}"#);
        assert_eq!(basis(&x, "cannot specify both head and tail"), Basis::Plain);
    }

    #[test]
    fn the_value_that_the_error_names_is_the_one_that_counts() {
        let both = r#"{"path": "/scratch/work/notes.md", "words": "sample"}"#;
        let x = call("search", both, r#"{"tool_error": "no"}"#);
        assert_eq!(basis(&x, "no match for sample"), Basis::Plain);
        assert_eq!(basis(&x, "cannot open /scratch/work/notes.md"), Basis::Planted);
        assert_eq!(basis(&x, "no match"), Basis::Plain);
    }
}
