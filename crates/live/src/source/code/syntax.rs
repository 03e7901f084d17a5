//! Five grammars under common names, so that what reads code need not know the language.

use proofmark_core::evidence::{Language, Spot};
use tree_sitter::Node;

use super::grammar::Grammar;

/// Deeper nesting than this is not followed: nobody writes it, and recursion must end.
pub(super) const DEPTH: usize = 150;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Call,
    Member,
    Subscript,
    Function,
    Assign,
    Loop,
    If,
    Exit,
    Text,
    Template,
    Binary,
    Compare,
    Logic,
    Ternary,
    Not,
    Pair,
    Name,
    Comment,
    Other,
}

/// One file with its text.
#[derive(Clone, Copy)]
pub(super) struct File<'t> {
    pub(super) language: Language,
    pub(super) grammar: &'static Grammar,
    pub(super) path: &'t str,
    pub(super) text: &'t str,
}

impl<'t> File<'t> {
    pub(super) fn new(language: Language, path: &'t str, text: &'t str) -> File<'t> {
        File { language, grammar: Grammar::of(language, path), path, text }
    }

    pub(super) fn text(self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    pub(super) fn spot(self, node: Node<'_>) -> Spot {
        let line = u32::try_from(node.start_position().row).unwrap_or(u32::MAX).saturating_add(1);
        Spot { file: self.path.to_owned(), line }
    }

    pub(super) fn shape(self, node: Node<'_>) -> Shape {
        self.grammar.shape(node.kind_id()).unwrap_or_else(|| self.looked_at(node))
    }

    /// Where the kind alone does not say it.
    fn looked_at(self, node: Node<'_>) -> Shape {
        match node.kind() {
            "string" if has(node, "interpolation") => Shape::Template,
            "string" => Shape::Text,
            "template_string" if has(node, "template_substitution") => Shape::Template,
            "template_string" => Shape::Text,
            "binary_operator" | "binary_expression" => self.binary(node),
            "not_operator" | "unary_expression" if self.text(node).starts_with(['!', 'n']) => {
                Shape::Not
            }
            _ => Shape::Other,
        }
    }

    fn binary(self, node: Node<'_>) -> Shape {
        match self.operator(node) {
            "==" | "===" | "!=" | "!==" | "<" | ">" | "<=" | ">=" | "in" | "instanceof" => {
                Shape::Compare
            }
            "&&" | "||" | "??" => Shape::Logic,
            _ => Shape::Binary,
        }
    }

    pub(super) fn operator(self, node: Node<'_>) -> &'t str {
        field(node, &["operator", "operators"]).map_or("", |o| self.text(o))
    }

    /// The value of a plain text, without its quotes.
    pub(super) fn literal(self, node: Node<'_>) -> Option<&'t str> {
        if self.shape(node) != Shape::Text {
            return None;
        }
        let text = self.text(node);
        let quoted = text.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '#');
        let quote = quoted.chars().next()?;
        let marks = if quoted.starts_with("\"\"\"") || quoted.starts_with("'''") { 3 } else { 1 };
        let body = quoted.trim_end_matches('#');
        let inner = body.get(marks..body.len().checked_sub(marks)?)?;
        matches!(quote, '"' | '\'' | '`').then_some(inner)
    }

    /// A dotted name: `subprocess.run`, `fs.promises.readFile`, `std.fs.read`. What is called on
    /// the way stands with brackets: `Environment().from_string`.
    pub(super) fn dotted(self, node: Node<'_>) -> String {
        self.dotted_within(node, 12).unwrap_or_default()
    }

    fn dotted_within(self, node: Node<'_>, depth: usize) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        match self.shape(node) {
            Shape::Member => {
                let name = self.text(property(node)?);
                match self.dotted_within(object(node)?, depth) {
                    Some(base) if !base.is_empty() => Some(format!("{base}.{name}")),
                    Some(_) | None => Some(format!("_.{name}")),
                }
            }
            Shape::Call => {
                let name = self.dotted_within(callee(node)?, depth)?;
                // `promisify(exec)(…)` calls exec.
                match name.ends_with("promisify") {
                    true => self.dotted_within(*arguments(node).first()?, depth),
                    false => Some(format!("{name}()")),
                }
            }
            Shape::Name => Some(self.text(node).to_owned()),
            Shape::Subscript | Shape::Text | Shape::Template => None,
            _ => match node.kind() {
                "this" | "self" | "super" => Some("self".to_owned()),
                "scoped_identifier" | "type_identifier" | "scoped_type_identifier" => {
                    Some(self.text(node).replace("::", "."))
                }
                "await_expression"
                | "await"
                | "parenthesized_expression"
                | "non_null_expression"
                | "generic_function"
                | "reference_expression" => self.dotted_within(node.named_child(0)?, depth),
                // `(0, eval)(…)` calls eval.
                "sequence_expression" => self.dotted_within(*children(node).last()?, depth),
                _ => None,
            },
        }
    }
}

/// What nodes of a kind come to; `None`: it depends on the node.
pub(super) fn fixed(kind: &str) -> Option<Shape> {
    Some(match kind {
        "call" | "call_expression" | "new_expression" | "macro_invocation" => Shape::Call,
        "attribute" | "member_expression" | "selector_expression" | "field_expression" => {
            Shape::Member
        }
        "subscript" | "subscript_expression" | "index_expression" => Shape::Subscript,
        kind if is_function(kind) => Shape::Function,
        kind if is_assignment(kind) => Shape::Assign,
        "for_statement" | "for_in_statement" | "for_in_clause" | "range_clause"
        | "for_expression" => Shape::Loop,
        "if_statement" | "if_expression" | "elif_clause" => Shape::If,
        "raise_statement"
        | "return_statement"
        | "throw_statement"
        | "continue_statement"
        | "break_statement"
        | "return_expression"
        | "continue_expression"
        | "break_expression" => Shape::Exit,
        "string" | "template_string" | "binary_operator" | "binary_expression" | "not_operator"
        | "unary_expression" => return None,
        "interpreted_string_literal" | "raw_string_literal" | "string_literal" => Shape::Text,
        "concatenated_string" => Shape::Template,
        "comparison_operator" => Shape::Compare,
        "boolean_operator" => Shape::Logic,
        "conditional_expression" | "ternary_expression" => Shape::Ternary,
        "pair" | "keyword_argument" | "keyed_element" | "pair_pattern" => Shape::Pair,
        "identifier" | "shorthand_property_identifier" | "field_identifier" => Shape::Name,
        "comment" | "line_comment" | "block_comment" => Shape::Comment,
        _ => Shape::Other,
    })
}

fn is_function(kind: &str) -> bool {
    matches!(
        kind,
        "function_definition"
            | "lambda"
            | "function_declaration"
            | "function_expression"
            | "arrow_function"
            | "method_definition"
            | "generator_function"
            | "generator_function_declaration"
            | "func_literal"
            | "method_declaration"
            | "function_item"
            | "closure_expression"
    )
}

fn is_assignment(kind: &str) -> bool {
    matches!(
        kind,
        "assignment"
            | "augmented_assignment"
            | "named_expression"
            | "variable_declarator"
            | "assignment_expression"
            | "augmented_assignment_expression"
            | "short_var_declaration"
            | "assignment_statement"
            | "var_spec"
            | "const_spec"
            | "const_item"
            | "static_item"
            | "let_declaration"
            | "let_condition"
            | "compound_assignment_expr"
            | "as_pattern"
    )
}

/// The first of these fields that a node has.
pub(super) fn field<'t>(node: Node<'t>, names: &[&str]) -> Option<Node<'t>> {
    names.iter().find_map(|name| node.child_by_field_name(name))
}

pub(super) fn callee(call: Node<'_>) -> Option<Node<'_>> {
    field(call, &["function", "constructor", "macro"])
}

pub(super) fn object(member: Node<'_>) -> Option<Node<'_>> {
    field(member, &["object", "operand", "value"])
}

pub(super) fn property(member: Node<'_>) -> Option<Node<'_>> {
    field(member, &["attribute", "property", "field"])
}

pub(super) fn left(node: Node<'_>) -> Option<Node<'_>> {
    field(node, &["left", "name", "pattern", "alias"])
}

pub(super) fn right(node: Node<'_>) -> Option<Node<'_>> {
    field(node, &["right", "value"]).or_else(|| node.named_child(0))
}

/// The named children, without comments.
pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|n| !is_comment(*n)).collect()
}

fn is_comment(node: Node<'_>) -> bool {
    node.is_extra() && node.kind().contains("comment")
}

pub(super) fn arguments(call: Node<'_>) -> Vec<Node<'_>> {
    match field(call, &["arguments"]) {
        Some(list) if matches!(list.kind(), "argument_list" | "arguments") => children(list),
        Some(one) => vec![one],
        None => Vec::new(),
    }
}

/// The key of a pair and its value.
pub(super) fn pair(node: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    let key = field(node, &["key", "name"]).or_else(|| node.named_child(0))?;
    let value = field(node, &["value"]).or_else(|| node.named_child(1))?;
    Some((key, value))
}

fn has(node: Node<'_>, kind: &str) -> bool {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).any(|n| n.kind() == kind)
}

/// Every named node of a tree from top to bottom, in the order of the text.
pub(super) fn descendants(root: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut cursor = root.walk();
    let mut depth = 0usize;
    let mut next = Some(root);
    let all = std::iter::from_fn(move || {
        let node = next.take()?;
        if cursor.goto_first_child() {
            depth += 1;
            next = Some(cursor.node());
            return Some(node);
        }
        while depth > 0 && next.is_none() {
            if cursor.goto_next_sibling() {
                next = Some(cursor.node());
            } else {
                cursor.goto_parent();
                depth -= 1;
            }
        }
        Some(node)
    });
    all.filter(Node::is_named)
}
