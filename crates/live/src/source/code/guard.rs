//! Conditions that check input: what is known of it in the branch, and after one that leaves.

use proofmark_core::check::Class;
use tree_sitter::Node;

use super::flow::Analysis;
use super::syntax::{File, Shape, arguments, callee, children, descendants, field, object};
use super::taint::{Env, Taint, clear};

/// What a check of unknown strength is taken to hold for.
const CONFINED: &[Class] = &[Class::PathTraversal, Class::Ssrf];

/// What a condition settles.
#[derive(Default)]
pub(super) struct Checks<'t> {
    list: Vec<Check<'t>>,
}

struct Check<'t> {
    /// Names that are one of a list, or of a plain form: nothing can be done with them.
    names: Vec<&'t str>,
    /// What is made of the same parameters as these was checked for some classes.
    taint: Taint,
    classes: &'static [Class],
    inside: bool,
    after: bool,
}

impl<'t> Checks<'t> {
    pub(super) fn apply_inside(&self, env: &mut Env<'t>) {
        self.list.iter().filter(|c| c.inside).for_each(|c| c.apply(env));
    }

    pub(super) fn apply_after(&self, env: &mut Env<'t>) {
        self.list.iter().filter(|c| c.after).for_each(|c| c.apply(env));
    }

    pub(super) fn concern(&self, name: &str) -> bool {
        self.list.iter().any(|c| c.inside && c.names.contains(&name))
    }
}

impl<'t> Check<'t> {
    fn apply(&self, env: &mut Env<'t>) {
        env.retain(|name, _| !self.names.contains(name));
        clear(env, &self.taint, self.classes);
    }
}

pub(super) fn checks<'t>(
    analysis: &Analysis<'_, 't>,
    condition: Node<'t>,
    env: &Env<'t>,
) -> Checks<'t> {
    let mut reader = Reader { analysis, env, found: Checks::default() };
    reader.read(condition, false, 24);
    reader.found
}

/// The tool that a condition asks for: `name == "read_file"`.
pub(super) fn dispatched<'t>(file: File<'t>, condition: Node<'t>) -> Option<&'t str> {
    let compare = descendants(condition).find(|n| file.shape(*n) == Shape::Compare)?;
    let parts = children(compare);
    let literal = parts.iter().find_map(|n| file.literal(*n))?;
    let other = parts.iter().find(|n| file.literal(**n).is_none())?;
    let text = file.text(*other).to_lowercase();
    let asks = text.ends_with("name") || text.ends_with("tool") || text.ends_with("toolname");
    let equal = file.text(compare).contains("==");
    (asks && equal && super::entries::is_name(literal)).then_some(literal)
}

/// Whether a branch always ends in leaving.
pub(super) fn leaves(file: File<'_>, branch: Node<'_>) -> bool {
    const ENDS: &[&str] = &["process.exit", "sys.exit", "exit", "os.Exit", "panic", "bail"];
    let mut node = branch;
    for _ in 0..4 {
        match file.shape(node) {
            Shape::Exit => return true,
            Shape::Call => {
                return callee(node).is_some_and(|c| ENDS.contains(&file.dotted(c).as_str()));
            }
            _ => match children(node).last() {
                Some(last) => node = *last,
                None => return false,
            },
        }
    }
    file.shape(node) == Shape::Exit
}

struct Reader<'r, 'a, 't> {
    analysis: &'r Analysis<'a, 't>,
    env: &'r Env<'t>,
    found: Checks<'t>,
}

impl<'t> Reader<'_, '_, 't> {
    fn read(&mut self, node: Node<'t>, negated: bool, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        match self.analysis.file.shape(node) {
            Shape::Not => {
                for inner in children(node) {
                    self.read(inner, !negated, depth);
                }
            }
            Shape::Compare => self.compare(node, negated),
            Shape::Call => self.predicate(node, negated),
            Shape::Logic | Shape::Other => {
                let before = self.found.list.len();
                let parts = children(node);
                for inner in &parts {
                    self.read(*inner, negated, depth);
                }
                // `kind == "a" and not safe(x)`: leaving then says nothing of other kinds.
                let both = matches!(self.analysis.file.operator(node), "and" | "&&") && !negated;
                if both && parts.iter().any(|p| self.is_of_kind(*p)) {
                    self.found.list[before..].iter_mut().for_each(|c| c.after = false);
                }
            }
            _ => {}
        }
    }

    /// `scheme in ("http", "https")`, `kind == "a"`: it holds for some inputs only.
    fn is_of_kind(&self, node: Node<'t>) -> bool {
        let file = self.analysis.file;
        let parts = children(node);
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return false };
        let fixed = file.literal(*last).is_some_and(|t| !t.is_empty())
            || matches!(last.kind(), "tuple" | "list" | "set" | "array");
        file.shape(node) == Shape::Compare
            && matches!(self.between(*first, *last).as_str(), "in" | "==" | "===")
            && fixed
    }

    /// `x in ALLOWED`, `x === 'this'`.
    fn compare(&mut self, node: Node<'t>, negated: bool) {
        let file = self.analysis.file;
        let parts = children(node);
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return };
        let operator = self.between(*first, *last);
        let member = matches!(operator.as_str(), "in" | "not in");
        let equal = matches!(operator.as_str(), "==" | "===" | "!=" | "!==" | "is not");
        let fixed = if member {
            self.held(*last).is_none() && file.literal(*last).is_none()
        } else {
            file.literal(*last).is_some()
        };
        let Some(taint) = self.held(*first).filter(|_| (member || equal) && fixed) else { return };
        let says_no = matches!(operator.as_str(), "not in" | "!=" | "!==" | "is not");
        let holds = says_no == negated;
        self.settle(*first, taint, holds);
    }

    fn between(&self, first: Node<'t>, last: Node<'t>) -> String {
        let range = first.end_byte()..last.start_byte();
        let text = self.analysis.file.text.get(range).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The value is one of few: exactly this name, and addresses whose host it is.
    fn settle(&mut self, node: Node<'t>, taint: Taint, inside: bool) {
        const HOSTS: &[&str] = &["host", "hostname", "netloc", "Host", "Hostname()", "origin"];
        let file = self.analysis.file;
        let plain = file.shape(node) == Shape::Name;
        let names = if plain { vec![file.text(node)] } else { Vec::new() };
        let host = HOSTS.contains(&super::call::last(&file.dotted(node)));
        let classes: &[Class] = if host { &[Class::Ssrf] } else { &[] };
        self.found.list.push(Check { names, taint, classes, inside, after: !inside });
    }

    fn predicate(&mut self, node: Node<'t>, negated: bool) {
        let file = self.analysis.file;
        let Some(callee) = callee(node) else { return };
        let given = arguments(node);
        let subject = object(callee).filter(|o| self.held(*o).is_some());
        let argument = given.iter().copied().find(|a| self.held(*a).is_some());
        let dotted = file.dotted(callee);
        match dotted.rsplit('.').next().unwrap_or_default() {
            "includes" | "has" | "contains" | "contains_key" | "hasOwn" | "hasOwnProperty"
            | "Contains" | "indexOf"
                if subject.is_none() =>
            {
                self.known(argument, !negated);
            }
            "isdecimal" | "isalnum" | "isdigit" | "isidentifier" | "isalpha" | "isnumeric"
            | "isInteger" | "isSafeInteger" => self.known(subject.or(argument), !negated),
            "test" | "fullmatch" | "match" | "is_match" | "MatchString" | "search"
                if self.is_anchored(node, &dotted) =>
            {
                self.known(argument.or(subject), !negated);
            }
            "startswith" | "startsWith" | "starts_with" | "HasPrefix" | "is_relative_to" => {
                let up =
                    given.iter().any(|a| file.literal(*a).is_some_and(|t| t.starts_with("..")));
                // Below the folder above is not below the folder.
                let above = |a: &Node<'t>| {
                    let text = file.text(*a);
                    text.contains("dirname(") || text.ends_with(".parent")
                };
                if !given.iter().any(above) {
                    self.confined(subject.or(argument), negated == up);
                }
            }
            _ if self.analysis.outline.function(callee).is_some() => {
                let taint = argument.and_then(|a| self.held(a)).unwrap_or_default();
                let (names, inside) = (Vec::new(), !negated);
                self.found.list.push(Check {
                    names,
                    taint,
                    classes: CONFINED,
                    inside,
                    after: !inside,
                });
            }
            _ => {}
        }
    }

    fn known(&mut self, node: Option<Node<'t>>, inside: bool) {
        if let Some((node, taint)) = node.and_then(|n| Some((n, self.held(n)?))) {
            self.settle(node, taint, inside);
        }
    }

    /// Below a folder, if detours were taken out before.
    fn confined(&mut self, node: Option<Node<'t>>, inside: bool) {
        let taint = node.and_then(|n| self.held(n)).filter(|t| t.resolved);
        if let Some(taint) = taint {
            let classes = &[Class::PathTraversal];
            self.found.list.push(Check {
                names: Vec::new(),
                taint,
                classes,
                inside,
                after: !inside,
            });
        }
    }

    /// A pattern for the whole text; one that has a name is taken to be.
    fn is_anchored(&self, call: Node<'t>, dotted: &str) -> bool {
        let file = self.analysis.file;
        let pattern =
            descendants(call).find(|n| n.kind() == "regex_pattern" || file.literal(*n).is_some());
        let Some(pattern) = pattern else { return true };
        let text = file.literal(pattern).unwrap_or_else(|| file.text(pattern));
        let whole = dotted.ends_with("fullmatch");
        let begins = text.starts_with('^') || text.starts_with(r"\A") || dotted.ends_with("match");
        let ends = text.ends_with('$') || text.ends_with(r"\Z") || text.ends_with(r"\z");
        whole || (begins && ends)
    }

    /// What an expression of a condition holds, without following calls.
    fn held(&self, node: Node<'t>) -> Option<Taint> {
        let file = self.analysis.file;
        let names = descendants(node).filter(|n| n.kind() == "identifier");
        let taints: Vec<Taint> =
            names.filter_map(|n| self.env.get(file.text(n)).cloned()).collect();
        let mut taint = Taint::any(taints)?;
        let called = descendants(node).filter(|n| file.shape(*n) == Shape::Call);
        taint.resolved |= called
            .filter_map(|c| field(c, &["function"]))
            .any(|c| super::call::resolves(&file.dotted(c)));
        Some(taint)
    }
}
