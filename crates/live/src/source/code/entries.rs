//! Where input comes in: tools, resources and prompts, as the SDKs have them registered.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use proofmark_core::evidence::{Language, Registration};
use regex::Regex;
use tree_sitter::Node;

use super::outline::Outline;
use super::syntax::{Shape, arguments, children, descendants, field, left, pair, right};

/// Behind which name a handler stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Door {
    Tool(String),
    Resource(String),
    Prompt(String),
    /// One handler for all tools, which looks at the name itself.
    Dispatch,
}

pub(super) struct Entry<'t> {
    pub(super) door: Door,
    pub(super) handler: Node<'t>,
    /// Parameters whose schema lets no free text through.
    pub(super) closed: BTreeSet<&'t str>,
}

#[derive(Default)]
pub(super) struct Entries<'t> {
    pub(super) tools: Vec<Registration>,
    pub(super) entries: Vec<Entry<'t>>,
}

/// A schema that takes numbers, flags or words of a list.
static CLOSED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"^(?:z\s*\.\s*(?:coerce\s*\.\s*)?(?:number|int|boolean|enum|nativeEnum|literal|bigint)\b|(?:\w+\.)?(?i:integer|number|boolean)\()",
    )
    .ok()
});

pub(super) fn of<'t>(outline: &Outline<'t>) -> Entries<'t> {
    let mut reader = Reader { outline, named: BTreeMap::new(), found: Entries::default() };
    for node in &outline.nodes {
        reader.look_at(*node);
    }
    reader.found.tools.sort();
    reader.found.tools.dedup();
    reader.found
}

struct Reader<'o, 't> {
    outline: &'o Outline<'t>,
    /// Variables of Go that hold a tool.
    named: BTreeMap<&'t str, String>,
    found: Entries<'t>,
}

impl<'t> Reader<'_, 't> {
    fn look_at(&mut self, node: Node<'t>) {
        let file = self.outline.file;
        match node.kind() {
            "decorated_definition" => self.decorated(node),
            "object" | "dictionary" => self.definition(node),
            "function_item" => self.attributed(node),
            _ => match (file.shape(node), file.language) {
                (Shape::Call, Language::Python) => self.python_call(node),
                (Shape::Call, Language::Javascript | Language::Typescript) => self.js_call(node),
                (Shape::Call, Language::Go) => self.go_call(node),
                (Shape::Assign, Language::Go) => self.go_assignment(node),
                _ => {}
            },
        }
    }

    fn tool(&mut self, name: &str, at: Node<'t>) {
        if is_name(name) {
            let at = self.outline.file.spot(at);
            self.found.tools.push(Registration { name: name.to_owned(), at });
        }
    }

    fn enter(&mut self, door: Door, handler: Node<'t>, definition: &[Node<'t>]) {
        let closed = definition.iter().flat_map(|d| self.closed(*d)).collect();
        self.found.entries.push(Entry { door, handler, closed });
    }

    /// `@mcp.tool(…)`, `@server.call_tool()`, `@mcp.resource("x://{y}")`.
    fn decorated(&mut self, node: Node<'t>) {
        let file = self.outline.file;
        let Some(function) = field(node, &["definition"]) else { return };
        let Some(own) = field(function, &["name"]).map(|n| file.text(n)) else { return };
        for decorator in children(node).into_iter().filter(|n| n.kind() == "decorator") {
            let Some(expression) = decorator.named_child(0) else { continue };
            let arguments = arguments(expression);
            let dotted = file.dotted(expression);
            let Some((_, verb)) = dotted.trim_end_matches("()").rsplit_once('.') else { continue };
            let given = self.keyword(&arguments, "name").or_else(|| {
                arguments.first().and_then(|a| file.literal(*a)).filter(|name| is_name(name))
            });
            let name = given.unwrap_or(own);
            let door = match verb {
                "tool" => {
                    self.tool(name, function);
                    Door::Tool(name.to_owned())
                }
                "resource" => {
                    let uri = arguments.first().and_then(|a| file.literal(*a)).unwrap_or(own);
                    Door::Resource(uri.to_owned())
                }
                "prompt" => Door::Prompt(name.to_owned()),
                "call_tool" => Door::Dispatch,
                _ => continue,
            };
            self.enter(door, function, &arguments);
        }
    }

    /// `Tool(name="…")` of the low-level SDK, and `add_tool(function)`.
    fn python_call(&mut self, node: Node<'t>) {
        let called = self.outline.called(node);
        let given = arguments(node);
        let name = self.keyword(&given, "name");
        match called.rsplit('.').next().unwrap_or_default() {
            "Tool" => {
                if let Some(name) = name {
                    self.tool(name, node);
                }
            }
            "add_tool" => {
                let Some(function) = given.first().and_then(|f| self.outline.function(*f)) else {
                    return;
                };
                let own = field(function, &["name"]).map(|n| self.outline.file.text(n));
                if let Some(name) = name.or(own) {
                    self.tool(name, node);
                    self.enter(Door::Tool(name.to_owned()), function, &given);
                }
            }
            _ => {}
        }
    }

    fn js_call(&mut self, node: Node<'t>) {
        let file = self.outline.file;
        let called = self.outline.called(node);
        let Some((_, verb)) = called.rsplit_once('.') else { return };
        let given = arguments(node);
        let Some((first, last)) = given.first().zip(given.last()) else { return };
        let Some(handler) = self.outline.function(*last).or_else(|| self.method(*first)) else {
            return;
        };
        let name = self.outline.literal(*first);
        let door = match (verb, name) {
            ("tool" | "registerTool", Some(name)) => {
                self.tool(name, node);
                Door::Tool(name.to_owned())
            }
            ("addTool", None) => {
                let Some(name) = self.entry(*first, "name") else { return };
                let Some(name) = self.outline.literal(name) else { return };
                self.tool(name, node);
                Door::Tool(name.to_owned())
            }
            ("resource" | "registerResource", Some(name)) => {
                let uri = given.iter().skip(1).find_map(|a| self.uri(*a));
                Door::Resource(uri.unwrap_or(name).to_owned())
            }
            ("prompt" | "registerPrompt", Some(name)) => Door::Prompt(name.to_owned()),
            ("setRequestHandler", None) if file.text(*first).contains("CallTool") => Door::Dispatch,
            _ => return,
        };
        let definition: Vec<Node<'t>> =
            given.iter().copied().filter(|a| a.id() != handler.id()).collect();
        self.enter(door, handler, &definition);
    }

    /// A URI, or the first argument of `new ResourceTemplate`.
    fn uri(&self, node: Node<'t>) -> Option<&'t str> {
        let text = match self.outline.file.shape(node) {
            Shape::Call => *arguments(node).first()?,
            _ => node,
        };
        self.outline.file.literal(text).filter(|t| t.contains(':'))
    }

    /// The function of an object that describes a tool.
    fn method(&self, object: Node<'t>) -> Option<Node<'t>> {
        const NAMES: &[&str] = &["execute", "handler", "run", "callback"];
        let direct = NAMES.iter().find_map(|n| self.outline.function(self.entry(object, n)?));
        direct.or_else(|| {
            children(object).into_iter().find(|n| {
                let name = field(*n, &["name"]).map(|f| self.outline.file.text(f));
                n.kind() == "method_definition" && name.is_some_and(|n| NAMES.contains(&n))
            })
        })
    }

    /// An object with `name` and `inputSchema`.
    fn definition(&mut self, node: Node<'t>) {
        let schema = ["inputSchema", "input_schema"].iter().any(|k| self.entry(node, k).is_some());
        let name = self.entry(node, "name").and_then(|n| self.outline.literal(n));
        if let Some(name) = name.filter(|_| schema) {
            self.tool(name, node);
        }
    }

    fn go_call(&mut self, node: Node<'t>) {
        let called = self.outline.called(node);
        let given = arguments(node);
        match called.rsplit('.').next().unwrap_or_default() {
            "NewTool" => {
                if let Some(name) = given.first().and_then(|a| self.outline.file.literal(*a)) {
                    self.tool(name, node);
                }
            }
            "AddTool" => {
                let name = given.iter().find_map(|a| self.go_tool(*a));
                let handler = given.last().and_then(|h| self.outline.function(*h));
                if let (Some(name), Some(handler)) = (name, handler) {
                    self.enter(Door::Tool(name), handler, &given[..given.len() - 1]);
                }
            }
            _ => {}
        }
    }

    fn go_assignment(&mut self, node: Node<'t>) {
        let (Some(name), Some(value)) = (left(node), right(node)) else { return };
        let value =
            if value.kind() == "expression_list" { value.named_child(0) } else { Some(value) };
        if let Some(tool) = value.and_then(|v| self.go_tool(v)) {
            self.named.insert(self.outline.file.text(name), tool);
        }
    }

    /// The name of a tool that is made here, or was before.
    fn go_tool(&mut self, node: Node<'t>) -> Option<String> {
        let file = self.outline.file;
        match file.shape(node) {
            Shape::Name => self.named.get(file.text(node)).cloned(),
            Shape::Call if self.outline.called(node).ends_with("NewTool") => {
                arguments(node).first().and_then(|a| file.literal(*a)).map(str::to_owned)
            }
            _ if matches!(node.kind(), "unary_expression" | "composite_literal") => {
                let literal = descendants(node).find(|n| n.kind() == "composite_literal")?;
                if !file.text(field(literal, &["type"])?).ends_with("Tool") {
                    return None;
                }
                let name = self.entry(field(literal, &["body"])?, "Name")?;
                let name = descendants(name).find_map(|n| file.literal(n))?;
                self.tool(name, node);
                Some(name.to_owned())
            }
            _ => None,
        }
    }

    /// `#[tool]` of Rust.
    fn attributed(&mut self, node: Node<'t>) {
        let file = self.outline.file;
        let mut before = node.prev_named_sibling();
        while let Some(attribute) =
            before.filter(|n| n.kind() == "attribute_item" || n.kind().contains("comment"))
        {
            let text = file.text(attribute);
            if text.starts_with("#[tool(") || text == "#[tool]" || text.starts_with("#[rmcp::tool")
            {
                let given = descendants(attribute).find_map(|n| file.literal(n));
                let given = given.filter(|_| text.contains("name"));
                let own = field(node, &["name"]).map(|n| file.text(n));
                if let Some(name) = given.or(own) {
                    self.tool(name, node);
                    self.enter(Door::Tool(name.to_owned()), node, &[]);
                }
                return;
            }
            before = attribute.prev_named_sibling();
        }
    }

    fn keyword(&self, arguments: &[Node<'t>], wanted: &str) -> Option<&'t str> {
        let file = self.outline.file;
        arguments.iter().filter(|a| a.kind() == "keyword_argument").find_map(|a| {
            let (key, value) = pair(*a)?;
            (file.text(key) == wanted).then(|| self.outline.literal(value))?
        })
    }

    /// The value under a key of an object.
    fn entry(&self, object: Node<'t>, wanted: &str) -> Option<Node<'t>> {
        let file = self.outline.file;
        children(object).into_iter().filter(|n| file.shape(*n) == Shape::Pair).find_map(|n| {
            let (key, value) = pair(n)?;
            (file.text(key).trim_matches(['"', '\'']) == wanted).then_some(value)
        })
    }

    /// Parameters that take no free text.
    fn closed(&self, definition: Node<'t>) -> Vec<&'t str> {
        let file = self.outline.file;
        let pairs = descendants(definition).filter(|n| file.shape(*n) == Shape::Pair);
        pairs
            .filter_map(pair)
            .filter(|(_, value)| {
                let typed = self.entry(*value, "type").and_then(|t| file.literal(t));
                typed.is_some_and(|t| ["integer", "number", "boolean"].contains(&t))
                    || self.entry(*value, "enum").is_some()
                    || CLOSED.as_ref().is_some_and(|c| c.is_match(file.text(*value)))
            })
            .map(|(key, _)| file.text(key).trim_matches(['"', '\'']))
            .collect()
    }
}

/// What the spec lets a tool be called.
pub(super) fn is_name(text: &str) -> bool {
    (1..=128).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-./".contains(&b))
}
