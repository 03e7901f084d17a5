//! The facts of one file: what its tree shows, and the secrets in its text.

use std::ops::ControlFlow;

use proofmark_core::evidence::{
    Embedded, Flow, Habit, Language, LeftOut, Registration, Spot, Variable,
};
use proofmark_core::wording::{Secret, secrets};
use tree_sitter::{Node, ParseOptions, Parser, Tree};

use super::call::last;
use super::outline::Outline;
use super::syntax::{File, Shape, arguments, children, descendants, object, property};
use super::{entries, flow, habits, interest};

/// A file of more bytes is no source that people wrote.
pub(super) const LARGEST: usize = 1 << 20;
/// Nor is one with such lines.
const LONGEST_LINE: usize = 10_000;
/// Steps of the parser per byte: broken text can make it try forever.
const STEPS: usize = 4;

#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) signs: Vec<Spot>,
    pub(super) stdio: bool,
    pub(super) tools: Vec<Registration>,
    pub(super) variables: Vec<Variable>,
    pub(super) flows: Vec<Flow>,
    pub(super) secrets: Vec<Embedded>,
    pub(super) habits: Vec<Habit>,
}

/// Everything a file tells, or why it tells nothing.
pub(super) fn of(path: &str, language: Option<Language>, text: &str) -> Result<Facts, LeftOut> {
    if text.len() > LARGEST {
        return Err(LeftOut::TooLarge);
    }
    if text.lines().any(|l| l.len() > LONGEST_LINE) {
        return Err(LeftOut::Generated);
    }
    let secrets = embedded(path, language, text);
    let stdio = language.is_some() && interest::speaks_stdio(text);
    let seen = Facts { secrets, stdio, ..Facts::default() };
    match language {
        Some(language) if stdio || interest::any(text) => parsed(path, language, seen, text),
        Some(_) | None => Ok(seen),
    }
}

/// What the tree of a file adds.
pub(super) fn parsed(
    path: &str,
    language: Language,
    seen: Facts,
    text: &str,
) -> Result<Facts, LeftOut> {
    let file = File::new(language, path, text);
    let tree = parse(file).ok_or(LeftOut::Generated)?;
    Ok(read(file, tree.root_node(), seen))
}

fn read<'t>(file: File<'t>, root: Node<'t>, seen: Facts) -> Facts {
    let outline = Outline::of(file, root);
    let entries = entries::of(&outline);
    let signs = signs(&outline);
    let stdio = seen.stdio;
    let http = ["StreamableHTTP", "streamable_http", "SSEServerTransport", "express("];
    let apart = !stdio && http.iter().any(|w| file.text.contains(w));
    let own = (stdio || !entries.tools.is_empty()) && !apart;
    Facts {
        flows: flow::flows(&outline, &entries.entries),
        variables: variables(&outline),
        habits: habits::of(&outline, own),
        tools: entries.tools,
        signs,
        ..seen
    }
}

fn parse(file: File<'_>) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(file.grammar.language()).ok()?;
    let mut left = 1000 + file.text.len() * STEPS;
    let mut go_on = |_: &tree_sitter::ParseState| {
        left = left.saturating_sub(1);
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let bytes = file.text.as_bytes();
    let mut next = |at: usize, _| bytes.get(at..).unwrap_or_default();
    let options = ParseOptions::new().progress_callback(&mut go_on);
    parser.parse_with_options(&mut next, None, Some(options))
}

/// Where an SDK of MCP is brought in, or a method of the protocol is named.
fn signs(outline: &Outline<'_>) -> Vec<Spot> {
    const MODULES: &[&str] = &[
        "mcp",
        "fastmcp",
        "@modelcontextprotocol.sdk",
        "@modelcontextprotocol.server",
        "mcp-framework",
        "github.com/mark3labs/mcp-go",
        "github.com/modelcontextprotocol/go-sdk",
        "github.com/metoro-io/mcp-golang",
        "rmcp",
        "rust_mcp_sdk",
        "mcp_server",
        "pmcp",
    ];
    let brought = outline.modules.iter().filter(|(module, _)| {
        // A client brings in the SDK as well.
        let client = module.contains("client") && !module.contains("server");
        !client
            && MODULES.iter().any(|known| {
                module
                    .strip_prefix(known)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '/', ':']))
            })
    });
    let mut spots: Vec<Spot> = brought.map(|(_, node)| outline.file.spot(*node)).collect();
    let methods = outline
        .nodes
        .iter()
        .copied()
        .filter(|n| matches!(outline.file.literal(*n), Some("tools/list" | "tools/call")));
    spots.extend(methods.map(|n| outline.file.spot(n)));
    spots.sort();
    spots.dedup();
    spots
}

/// Environment variables by their names.
fn variables(outline: &Outline<'_>) -> Vec<Variable> {
    let mut found: Vec<Variable> = outline
        .nodes
        .iter()
        .copied()
        .filter_map(|node| {
            let name = variable(outline, node)?;
            let plain = !name.is_empty()
                && name.len() <= 100
                && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            plain.then(|| Variable { name: name.to_owned(), at: outline.file.spot(node) })
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

fn variable<'t>(outline: &Outline<'t>, node: Node<'t>) -> Option<&'t str> {
    const CALLS: &[&str] = &[
        "os.getenv",
        "os.environ.get",
        "os.environ.pop",
        "environ.get",
        "Deno.env.get",
        "os.Getenv",
        "os.LookupEnv",
        "env.var",
        "std.env.var",
        "env.var_os",
        "std.env.var_os",
        "env",
        "option_env",
    ];
    const TABLES: &[&str] = &["os.environ", "environ", "process.env", "import.meta.env", "Bun.env"];
    let file = outline.file;
    match file.shape(node) {
        Shape::Call => {
            let name = outline.called(node);
            if !CALLS.contains(&name.as_str()) {
                return None;
            }
            let inner =
                if node.kind() == "macro_invocation" { node } else { *arguments(node).first()? };
            descendants(inner).find_map(|n| file.literal(n))
        }
        Shape::Subscript => {
            let parts = children(node);
            TABLES
                .contains(&outline.full(*parts.first()?).as_str())
                .then(|| file.literal(*parts.get(1)?))?
        }
        Shape::Member if last(&file.dotted(node)) != "env" => {
            let table = outline.full(object(node)?);
            let name = file.text(property(node)?);
            let upper =
                name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
            (upper && TABLES.contains(&table.as_str())).then_some(name)
        }
        _ => None,
    }
}

/// Secrets by their shape. In code a named one must be a text, for names of variables look alike.
fn embedded(path: &str, language: Option<Language>, text: &str) -> Vec<Embedded> {
    let mut found: Vec<Embedded> = secrets(text)
        .into_iter()
        .filter_map(|secret| {
            let at = text.find(head(&secret))?;
            let before = text[..at].trim_end().chars().next_back();
            let quoted = matches!(before, Some('"' | '\'' | '`'));
            if language.is_some() && secret.kind == "named secret" && !quoted {
                return None;
            }
            let line = text[..at].bytes().filter(|b| *b == b'\n').count();
            Some(Embedded {
                kind: secret.kind.to_owned(),
                characters: u32::try_from(secret.text.chars().count()).unwrap_or(u32::MAX),
                at: Spot {
                    file: path.to_owned(),
                    line: u32::try_from(line + 1).unwrap_or(u32::MAX),
                },
            })
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

/// Its first line: further ones may have been unescaped.
fn head(secret: &Secret) -> &str {
    secret.text.lines().next().unwrap_or(&secret.text)
}
