//! What we know about the world a tool works in.

use std::collections::BTreeMap;

use serde_json::Value;

use super::described;
use crate::evidence::{Evidence, Tool};
use crate::fixtures::Fixtures;
use crate::harvest::singular;
use crate::probe::{Risk, words};
use crate::target::Target;

/// Where nobody may be listening: a sample call must not reach out.
const LOOPBACK: &str = "http://127.0.0.1";

/// Where sample values come from besides the schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    /// Name of the tool, whose words say what a `path` is for.
    pub tool: String,
    pub risk: Risk,
    /// The folder that paths point into: one the server was started with, else the workspace.
    pub root: String,
    /// A git repository.
    pub repository: String,
    /// Base address of pages that may be fetched, without a slash at its end.
    pub pages: String,
    /// What the tool's description says of its parameters, by name.
    pub about: BTreeMap<String, String>,
    /// Name of the server, which may say what its files are.
    pub server: String,
    /// What the user supplied for this tool, by JSON pointer into the arguments.
    pub values: BTreeMap<String, Value>,
    /// Values that descriptions give go before planted ones, since those were refused.
    pub as_told: bool,
    /// What the tool says of itself, and whether that can only be about its one parameter.
    pub said: String,
    pub alone: bool,
}

impl Context {
    /// No tool: values for a form that the server asks us to fill in.
    pub fn in_folder(folder: &str) -> Context {
        Context {
            tool: String::new(),
            about: BTreeMap::new(),
            risk: Risk::Reads,
            root: folder.to_owned(),
            repository: format!("{folder}/repo"),
            pages: LOOPBACK.to_owned(),
            server: String::new(),
            values: BTreeMap::new(),
            as_told: false,
            said: String::new(),
            alone: false,
        }
    }

    pub fn of(evidence: &Evidence, tool: &str) -> Context {
        let workspace = evidence.conditions.workspace.trim_end_matches('/').to_owned();
        let given = given_paths(&evidence.target);
        let repository = given
            .iter()
            .find(|(flag, _)| flag.as_deref().is_some_and(|f| f.contains("repo")))
            .or_else(|| given.iter().find(|(_, path)| path.ends_with("/repo")))
            .map_or_else(|| format!("{workspace}/repo"), |(_, path)| path.clone());
        let folders: Vec<&String> = given
            .iter()
            .filter(|(flag, path)| flag.is_none() && !has_extension(path))
            .map(|(_, path)| path)
            .collect();
        let ours = folders.iter().find(|path| path.starts_with(&workspace));
        let root = ours.or(folders.first()).map_or(workspace.clone(), |path| (*path).clone());
        let described = evidence.tool(tool).and_then(|t| t.description.as_deref());
        let mut about = parameters_in(described.unwrap_or_default());
        if let (Some(tool), Some(text)) = (evidence.tool(tool), described) {
            lend(tool, text, &mut about);
        }
        let pages = evidence.conditions.content.as_deref().unwrap_or(LOOPBACK).to_owned();
        let risk = evidence.risk_of(tool);
        let server = evidence.handshake.as_ref().and_then(|h| h.server.name.clone());
        let server = server.unwrap_or_default();
        let values = evidence.conditions.fixtures.values_for(tool);
        let alone = evidence.tool(tool).is_some_and(|t| t.parameters().count() == 1);
        let said = described.unwrap_or_default().to_owned();
        let tool = tool.to_owned();
        let as_told = false;
        Context { tool, risk, root, repository, pages, about, server, values, as_told, said, alone }
    }

    /// Whether a value stands for one that the evidence must not show, so that the schema can't
    /// judge it.
    pub(super) fn is_masked(&self, pointer: &str) -> bool {
        self.values.get(pointer).and_then(Value::as_str).is_some_and(Fixtures::is_mask)
    }

    /// A file that was planted and may be read.
    pub fn file(&self) -> String {
        format!("{}/notes.md", self.root)
    }

    /// A planted file that reading tools are not sent to, so that it may go away.
    pub fn spare_file(&self) -> String {
        format!("{}/data.csv", self.root)
    }

    /// A word that stands in the spare file, once.
    pub fn spare_word(&self) -> &'static str {
        "amount"
    }

    pub fn folder(&self) -> String {
        self.root.clone()
    }

    /// A path where nothing is yet.
    pub fn fresh(&self, name: &str) -> String {
        format!("{}/{name}", self.root)
    }
}

/// Absolute paths among the start arguments, with the flag before them. Arguments of the package
/// runner itself (`npx -y …`) are never absolute folders, so they need no special care.
fn given_paths(target: &Target) -> Vec<(Option<String>, String)> {
    let args: &[String] = match target {
        Target::Stdio { args, .. } => args,
        Target::Http { .. } | Target::Sse { .. } | Target::Source { .. } => &[],
    };
    let mut paths = Vec::new();
    for (i, arg) in args.iter().enumerate() {
        let before = i.checked_sub(1).map(|at| &args[at]).filter(|a| a.starts_with('-'));
        let (flag, value) = match arg.split_once('=').filter(|(name, _)| name.starts_with('-')) {
            Some((name, value)) => (Some(name.to_owned()), value),
            None => (before.cloned(), arg.as_str()),
        };
        let script = value.rsplit_once('.').is_some_and(|(_, end)| {
            matches!(end, "js" | "mjs" | "cjs" | "ts" | "py" | "jar" | "dll" | "sh" | "rb")
        });
        let program =
            ["/bin/", "/node_modules/", "/site-packages/"].iter().any(|p| value.contains(p));
        if is_absolute(value) && !script && !program {
            paths.push((flag, value.trim_end_matches('/').to_owned()));
        }
    }
    paths
}

/// Lines such as `path: The file to read`, as docstrings list their arguments. Many Python servers
/// describe parameters nowhere else.
fn parameters_in(description: &str) -> BTreeMap<String, String> {
    description
        .lines()
        .filter_map(|line| {
            let (name, text) = line.trim().trim_start_matches(['-', '*', ' ']).split_once(':')?;
            let name = name.split('(').next().unwrap_or(name).trim().trim_matches(['`', '*']);
            let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
            (!name.is_empty() && name.chars().all(plain) && !text.trim().is_empty())
                .then(|| (name.to_owned(), text.trim().to_owned()))
        })
        .collect()
}

/// What the description says of a parameter that has no words of its own: the clause that names it.
fn lend(tool: &Tool, description: &str, about: &mut BTreeMap<String, String>) {
    let plain = |text: &str| text.to_lowercase().replace("e-mail", "email");
    for (name, schema) in named(&tool.input_schema, 3) {
        let own = schema.get("description").is_some() || about.contains_key(name);
        let things: Vec<String> = words(name).iter().map(|w| singular(w)).collect();
        let names = |clause: &&str| {
            words(&plain(clause)).iter().any(|w| things.contains(&singular(w)) && w.len() > 2)
        };
        // Only one that gives an example: other words would be taken for what the parameter means.
        let shows = |clause: &&str| !described::texts(clause, false).is_empty();
        let clause = clauses(description).into_iter().skip(1).filter(shows).find(names);
        if let (false, Some(clause)) = (own, clause) {
            about.insert(name.to_owned(), clause.to_owned());
        }
    }
}

/// All properties of a schema, those within others too.
fn named(schema: &Value, depth: u8) -> Vec<(&str, &Value)> {
    let own = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let mut found: Vec<(&str, &Value)> = own.map(|(n, s)| (n.as_str(), s)).collect();
    if depth > 0 {
        let inner: Vec<_> = found.iter().flat_map(|(_, s)| named(s, depth - 1)).collect();
        found.extend(inner);
    }
    found
}

/// The first says what the tool does; later ones speak of what it is given.
fn clauses(text: &str) -> Vec<&str> {
    let ends = |pair: &str| [". ", "; ", ".\n"].iter().any(|end| pair.starts_with(end));
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.char_indices().map(|(at, _)| at).find(|at| {
        // "e.g. x" ends nothing.
        ends(&rest[*at..]) && !rest[..*at].ends_with("e.g") && !rest[..*at].ends_with("i.e")
    }) {
        found.push(rest[..at].trim());
        rest = &rest[at + 1..];
    }
    found.push(rest.trim());
    found
}

/// Also the short names that stand for scratch paths in evidence, e.g. `$WORK/repo`.
fn is_absolute(value: &str) -> bool {
    value.len() > 1 && (value.starts_with('/') || value.starts_with('$'))
}

fn has_extension(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|file| file.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    fn context(args: &str) -> Context {
        let snippet =
            format!(r#"{{"target": {{"kind": "stdio", "command": "npx", "args": {args}}}}}"#);
        Context::of(&pages::evidence(&snippet).unwrap(), "read_file")
    }

    #[test]
    fn a_folder_on_the_command_line_is_where_paths_point() {
        assert_eq!(
            context(r#"["-y", "server-filesystem", "/data/docs/"]"#).file(),
            "/data/docs/notes.md"
        );
        assert_eq!(context("[]").file(), "/scratch/work/notes.md");
    }

    #[test]
    fn a_repository_on_the_command_line_is_the_repository() {
        assert_eq!(context(r#"["mcp-server-git", "--repository", "/x/y"]"#).repository, "/x/y");
        assert_eq!(context(r#"["--repository=/x/y"]"#).repository, "/x/y");
        assert_eq!(context("[]").repository, "/scratch/work/repo");
    }

    #[test]
    fn a_docstring_describes_its_parameters() {
        let found = parameters_in(
            "Adds.\n\n    Args:\n        a (int): First number\n        - `b`: Second",
        );
        assert_eq!(found["a"], "First number");
        assert_eq!(found["b"], "Second");
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn a_clause_that_names_a_parameter_speaks_for_it() {
        let snippet = r#"{"tools": [{"name": "card", "description": "Shows a card. The driver is one of the list, e.g. dr-ama; a PIN is four digits, such as \"1234\".",
            "inputSchema": {"type": "object", "properties": {"driver": {"type": "string"}, "pin": {}}}}]}"#;
        let about = Context::of(&pages::evidence(snippet).unwrap(), "card").about;
        assert_eq!(about["driver"], "The driver is one of the list, e.g. dr-ama");
        assert_eq!(about["pin"], "a PIN is four digits, such as \"1234\".");
    }

    #[test]
    fn the_script_that_is_started_is_no_folder_to_work_in() {
        assert_eq!(context(r#"["/opt/app/server.js"]"#).root, "/scratch/work");
        assert_eq!(context(r#"["/opt/node_modules/.bin/server", "/data"]"#).root, "/data");
        assert_eq!(context(r#"["--db", "/opt/app/data"]"#).root, "/scratch/work");
    }
}
