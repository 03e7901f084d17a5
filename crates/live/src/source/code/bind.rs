//! Which names hold input: the parameters of handlers and helpers, and the patterns of assignments.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use proofmark_core::evidence::Language;
use regex::Regex;
use tree_sitter::Node;

use super::entries::{Door, Entry};
use super::outline::Outline;
use super::syntax::{File, Shape, children, descendants, field, object, pair};
use super::taint::{Env, Taint};

/// Types that hold no free text.
static CLOSED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(?:(?:typing\.)?(?:Optional|Annotated)\[)*(?:int|float|bool|Literal|u?int(?:8|16|32|64)|float64|[iu](?:8|16|32|64|size)|f32|f64|number|boolean)\b")
        .ok()
});

/// What a handler starts with.
pub(super) fn entry<'t>(file: File<'t>, entry: &Entry<'t>) -> Env<'t> {
    let mut env = Env::new();
    let parameters = parameters(entry.handler);
    for (n, parameter) in parameters.iter().enumerate() {
        let name = name(file, *parameter).unwrap_or_default();
        let kind = field(*parameter, &["type"])
            .map_or("", |t| file.text(t))
            .trim_start_matches(':')
            .trim();
        let aside = ["self", "cls", "ctx", "context", "extra", "_ctx"].contains(&name)
            || kind.contains("Context")
            || is_closed(kind);
        if aside || entry.closed.contains(name) {
            continue;
        }
        let taint = match (file.language, &entry.door) {
            (Language::Python, Door::Dispatch) if name == "name" => continue,
            (Language::Python, Door::Dispatch) => Taint::whole(),
            (Language::Python, _) => Taint::param(name),
            (Language::Javascript | Language::Typescript, Door::Resource(_)) if n == 0 => {
                Taint::param("uri")
            }
            // The second one is what the SDK adds.
            (
                Language::Javascript | Language::Typescript,
                Door::Tool(_) | Door::Prompt(_) | Door::Dispatch,
            ) if n > 0 => {
                continue;
            }
            (Language::Javascript | Language::Typescript | Language::Go | Language::Rust, _) => {
                Taint::whole()
            }
        };
        pattern(file, *parameter, &taint, &mut env);
    }
    env.retain(|name, _| !entry.closed.contains(name));
    env
}

/// Whether a type holds no free text.
pub(super) fn is_closed(kind: &str) -> bool {
    CLOSED.as_ref().is_some_and(|c| c.is_match(kind))
}

/// A helper that is called with these values, by place or by name.
pub(super) fn call<'t>(
    file: File<'t>,
    function: Node<'t>,
    given: &[(Option<&'t str>, Option<Taint>)],
) -> Env<'t> {
    let mut env = Env::new();
    let parameters: Vec<Node<'t>> = parameters(function)
        .into_iter()
        .filter(|p| !matches!(name(file, *p), Some("self" | "cls")))
        .collect();
    let mut places = parameters.iter();
    for (keyword, taint) in given {
        let parameter = match keyword {
            Some(word) => parameters.iter().find(|p| name(file, **p) == Some(word)),
            None => places.next(),
        };
        if let (Some(parameter), Some(taint)) = (parameter, taint) {
            pattern(file, *parameter, taint, &mut env);
        }
    }
    env
}

/// Parameters that hold a function of a module: what the caller gives, or else their default.
pub(super) fn functions<'t>(
    outline: &Outline<'t>,
    function: Node<'t>,
    given: &[(Option<&'t str>, Node<'t>)],
) -> BTreeMap<&'t str, String> {
    let file = outline.file;
    let mut held = BTreeMap::new();
    for (n, parameter) in parameters(function).into_iter().enumerate() {
        let Some(own) = name(file, parameter) else { continue };
        let by_name = given.iter().find(|(keyword, _)| *keyword == Some(own));
        let by_place = given.iter().filter(|(keyword, _)| keyword.is_none()).nth(n);
        let value = by_name.or(by_place).map(|(_, node)| *node);
        let value = value.or_else(|| field(parameter, &["value", "right"]));
        if let Some(value) = value.filter(|v| file.shape(*v) == Shape::Member) {
            held.insert(own, outline.full(value));
        }
    }
    held
}

/// All parameters hold this.
pub(super) fn all<'t>(file: File<'t>, function: Node<'t>, taint: &Taint, env: &mut Env<'t>) {
    for parameter in parameters(function) {
        pattern(file, parameter, taint, env);
    }
}

/// The parameters of an inner function hide names from outside.
pub(super) fn shadow<'t>(file: File<'t>, function: Node<'t>, env: &mut Env<'t>) {
    for parameter in parameters(function) {
        for node in descendants(parameter).filter(|n| n.kind() == "identifier") {
            env.remove(file.text(node));
        }
    }
}

/// The names of the parameters.
pub(super) fn names<'t>(file: File<'t>, function: Node<'t>) -> Vec<&'t str> {
    parameters(function).into_iter().filter_map(|p| name(file, p)).collect()
}

fn parameters(function: Node<'_>) -> Vec<Node<'_>> {
    match field(function, &["parameters", "parameter"]) {
        Some(list) if list.kind().contains("parameters") || list.kind() == "parameter_list" => {
            children(list)
        }
        Some(one) => vec![one],
        None => Vec::new(),
    }
}

fn name<'t>(file: File<'t>, parameter: Node<'t>) -> Option<&'t str> {
    descendants(parameter)
        .find(|n| n.kind() == "identifier" || n.kind() == "self")
        .map(|n| file.text(n))
}

/// Gives the names of a pattern what they get from a value.
pub(super) fn pattern<'t>(file: File<'t>, node: Node<'t>, taint: &Taint, env: &mut Env<'t>) {
    bind(file, node, taint, env, 16);
}

fn bind<'t>(file: File<'t>, node: Node<'t>, taint: &Taint, env: &mut Env<'t>, depth: usize) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match node.kind() {
        "identifier" => {
            env.insert(file.text(node), taint.clone());
        }
        "shorthand_property_identifier_pattern" | "shorthand_field_identifier" => {
            let name = file.text(node);
            if let Some(taint) = taint.property(name) {
                env.insert(name, taint);
            }
        }
        "pair_pattern" => {
            let Some((key, value)) = pair(node) else { return };
            if let Some(taint) = taint.property(file.text(key).trim_matches(['"', '\''])) {
                bind(file, value, &taint, env, depth);
            }
        }
        "typed_parameter" | "list_splat_pattern" | "dictionary_splat_pattern" => {
            if let Some(inner) = node.named_child(0) {
                bind(file, inner, taint, env, depth);
            }
        }
        // `File { name, path: place }` of Rust.
        "field_pattern" => {
            let Some(name) = field(node, &["name"]) else { return };
            match field(node, &["pattern"]).zip(taint.property(file.text(name))) {
                Some((inner, taint)) => bind(file, inner, &taint, env, depth),
                None => bind(file, name, taint, env, depth),
            }
        }
        "tuple_struct_pattern" | "struct_pattern" => {
            for inner in children(node).into_iter().skip(1) {
                bind(file, inner, taint, env, depth);
            }
        }
        _ if matches!(file.shape(node), Shape::Member | Shape::Subscript) => {
            // An object with input in one place is not told from one with input in all.
            let base = object(node).filter(|b| b.kind() == "identifier").map(|b| file.text(b));
            if let Some(base) = base {
                env.entry(base).or_insert_with(|| taint.clone());
            }
        }
        _ => {
            let inner = field(node, &["pattern", "name", "left"]);
            let parts = inner.map_or_else(|| children(node), |inner| vec![inner]);
            for part in parts {
                bind(file, part, taint, env, depth);
            }
        }
    }
}
