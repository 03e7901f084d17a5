//! What a call makes of input: nothing, something safer, a text, or what a local function does.

use std::mem::replace;

use proofmark_core::check::Class;
use tree_sitter::Node;

use super::flow::Analysis;
use super::syntax::{Shape, arguments, callee, descendants, object, pair};
use super::taint::{Env, Taint, clear};
use super::{bind, sinks};

/// What comes out is a number, a flag or a digest.
const ENDS: &[&str] = &[
    "int",
    "float",
    "bool",
    "len",
    "parseInt",
    "parseFloat",
    "Number",
    "Boolean",
    "BigInt",
    "isinstance",
    "hash",
    "hexdigest",
    "digest",
    "sha256",
    "md5",
    "Atoi",
    "ParseInt",
    "ParseFloat",
    "ParseBool",
    "hasattr",
    "typeof",
    "is_some",
    "is_none",
    "is_empty",
    "count",
    "indexOf",
    "isfile",
    "isdir",
    "exists",
    "existsSync",
    "UUID",
    "fromisoformat",
    "strptime",
    "bool",
    "round",
    "ord",
    "getGIntValue",
    "GetInt",
    "GetFloat",
    "GetBool",
    "RequireInt",
    "RequireFloat",
    "RequireBool",
];
const RESOLVES: &[&str] = &[
    "resolve",
    "realpath",
    "realpathSync",
    "normpath",
    "normalize",
    "abspath",
    "canonicalize",
    "relative",
    "relpath",
    "Clean",
    "Abs",
    "Rel",
    "EvalSymlinks",
];
const JOINS: &[&str] = &["format", "join", "concat", "Sprintf", "format!", "replace", "%"];

/// Methods that put something into what they are called on.
const GATHERS: &[&str] =
    &["append", "push", "unshift", "add", "set", "extend", "insert", "update", "appendleft"];

/// One argument, as far as it was looked at.
pub(super) struct Given<'t> {
    pub(super) keyword: Option<&'t str>,
    pub(super) node: Node<'t>,
    pub(super) taint: Option<Taint>,
}

/// Whether a call takes the detours out of a path.
pub(super) fn resolves(dotted: &str) -> bool {
    RESOLVES.contains(&last(dotted))
}

/// Whether a name says that something is checked. It stands elsewhere, so it is only a claim.
fn claims(name: &str) -> bool {
    const WORDS: &[&str] =
        &["valid", "check", "ensure", "assert", "sanit", "safe", "secure", "allow", "verify"];
    let name = name.to_lowercase();
    WORDS.iter().any(|word| name.contains(word))
}

pub(super) fn last(dotted: &str) -> &str {
    dotted.rsplit('.').next().unwrap_or(dotted)
}

impl<'t> Analysis<'_, 't> {
    pub(super) fn call(
        &mut self,
        node: Node<'t>,
        env: &mut Env<'t>,
        depth: usize,
    ) -> Option<Taint> {
        if node.kind() == "macro_invocation" {
            return self.expand(node, env);
        }
        let target = callee(node)?;
        let name = match self.held.get(self.file.text(target)) {
            Some(function) => function.clone(),
            None => self.outline.called(node),
        };
        let receiver = match object(target) {
            Some(base) => self.eval(base, env, depth),
            None => {
                self.eval(target, env, depth).filter(|_| self.file.shape(target) != Shape::Name)
            }
        };
        let given = self.given(node, env, depth);
        sinks::look(self, node, &name, receiver.as_ref(), &given);
        let about = Taint::any(
            receiver.clone().into_iter().chain(given.iter().filter_map(|g| g.taint.clone())),
        );
        self.hand_on(&given, about.as_ref(), env, depth);
        self.gather(&name, target, &given, env);
        if let Some(function) = self.function(target) {
            return self.local(function, &given, env);
        }
        let about = about?;
        if last(&name) == "relative_to" && receiver.is_some_and(|r| r.resolved) {
            clear(env, &about, &[Class::PathTraversal]);
        }
        let first = given.first().and_then(|g| self.file.literal(g.node));
        if about.whole
            && let Some(key) = first
        {
            return self.open(about.property(key)?);
        }
        self.made(&name, node, about)
    }

    fn given(&mut self, node: Node<'t>, env: &mut Env<'t>, depth: usize) -> Vec<Given<'t>> {
        arguments(node)
            .into_iter()
            .map(|argument| {
                let named =
                    (argument.kind() == "keyword_argument").then(|| pair(argument)).flatten();
                let (keyword, value) = match named {
                    Some((key, value)) => (Some(self.file.text(key)), value),
                    None => (None, argument),
                };
                // Functions are followed once it is known what they are called with.
                let taint = match self.file.shape(value) {
                    Shape::Function => None,
                    _ => self.eval(value, env, depth),
                };
                Given { keyword, node: value, taint }
            })
            .collect()
    }

    /// Functions that are handed to a call are called with what it works on.
    fn hand_on(
        &mut self,
        given: &[Given<'t>],
        about: Option<&Taint>,
        env: &mut Env<'t>,
        depth: usize,
    ) {
        for argument in given {
            if self.file.shape(argument.node) == Shape::Function {
                let mut inner = env.clone();
                bind::shadow(self.file, argument.node, &mut inner);
                if let Some(about) = about {
                    bind::all(self.file, argument.node, about, &mut inner);
                }
                if let Some(body) = super::syntax::field(argument.node, &["body"]) {
                    self.eval(body, &mut inner, depth);
                }
            } else if let (Some(about), Some(function)) = (about, self.function(argument.node)) {
                let mut inner = env.clone();
                bind::all(self.file, function, about, &mut inner);
                self.follow(function, &mut inner);
            }
        }
    }

    /// `words.append(word)`: what gathers input holds it from then on.
    fn gather(&mut self, name: &str, target: Node<'t>, given: &[Given<'t>], env: &mut Env<'t>) {
        let taint = Taint::any(given.iter().filter_map(|g| g.taint.clone()));
        let base = object(target).filter(|b| self.file.shape(*b) == Shape::Name);
        if let (Some(taint), Some(base), true) = (taint, base, GATHERS.contains(&last(name))) {
            let base = self.file.text(base);
            self.keep(base, &taint);
            let known = env.remove(base);
            env.extend(Taint::any(known.into_iter().chain([taint])).map(|t| (base, t)));
        }
    }

    fn local(
        &mut self,
        function: Node<'t>,
        given: &[Given<'t>],
        env: &mut Env<'t>,
    ) -> Option<Taint> {
        let values: Vec<(Option<&'t str>, Option<Taint>)> =
            given.iter().map(|g| (g.keyword, g.taint.clone())).collect();
        let mut inner = bind::call(self.file, function, &values);
        let before = inner.clone();
        let nodes: Vec<(Option<&'t str>, Node<'t>)> =
            given.iter().map(|g| (g.keyword, g.node)).collect();
        let held = bind::functions(self.outline, function, &nodes);
        let passed = given
            .iter()
            .filter_map(|g| Some(format!("{}={} ", g.keyword?, self.file.text(g.node))));
        let passed = passed.collect();
        let outer = (replace(&mut self.held, held), replace(&mut self.passed, passed));
        let returned = self.follow(function, &mut inner);
        (self.held, self.passed) = outer;
        // What the helper has checked is checked for its caller as well.
        for name in bind::names(self.file, function) {
            if let (Some(was), Some(is)) = (before.get(name), inner.get(name)) {
                let news: Vec<Class> = is.clean.difference(&was.clean).copied().collect();
                clear(env, was, &news);
            }
        }
        returned
    }

    fn made(&self, name: &str, node: Node<'t>, about: Taint) -> Option<Taint> {
        const WORD: &[Class] = &[Class::PathTraversal];
        let last = last(name);
        Some(match last {
            _ if ENDS.contains(&last) => return None,
            _ if RESOLVES.contains(&last) => Taint { resolved: true, ..about },
            "basename" | "secure_filename" | "safe_join" | "Base" | "file_name" => {
                about.cleaned(WORD)
            }
            "quote" if name.contains("shlex") || name.contains("pipes") => {
                about.cleaned(&[Class::CommandInjection])
            }
            "quote" | "quote_plus" | "encodeURIComponent" | "QueryEscape" | "PathEscape"
            | "urlencode" => {
                about.cleaned(&[Class::PathTraversal, Class::Ssrf, Class::CommandInjection])
            }
            "literal_eval" => about.cleaned(&[Class::CodeInjection]),
            _ if last.to_lowercase().contains("escape") => {
                about.cleaned(&[Class::LdapInjection, Class::XpathInjection])
            }
            "sub" | "replace" | "replaceAll" if self.keeps_few(node) => return None,
            "parse" | "loads" if name.to_lowercase().starts_with("json.") => {
                Taint { parsed: true, ..about }
            }
            _ if JOINS.contains(&last) => about.within(self.between(node)),
            _ if claims(last) => Taint { through: Some(last.to_owned()), ..about },
            _ => about,
        })
    }

    /// The text that a call joins: `"a {}".format(x)` begins with it, `Sprintf("a %s", x)` has it
    /// between its brackets.
    fn between(&self, node: Node<'t>) -> &'t str {
        let text = self.file.text(node);
        match text.split_once('(') {
            Some((before, inner)) if !before.contains(['"', '\'', '`']) => inner.trim_start(),
            Some(_) | None => text,
        }
    }

    /// Takes out everything but a few kinds of characters.
    fn keeps_few(&self, node: Node<'t>) -> bool {
        let pattern = descendants(node)
            .find(|n| n.kind() == "regex_pattern" || self.file.literal(*n).is_some());
        pattern.is_some_and(|p| {
            let text = self.file.literal(p).unwrap_or_else(|| self.file.text(p));
            text.starts_with("[^") && !text.contains('/')
        })
    }

    /// A macro of Rust: its names, also those inside the text of a format.
    fn expand(&mut self, node: Node<'t>, env: &mut Env<'t>) -> Option<Taint> {
        let text = self.file.text(node);
        let named = descendants(node)
            .filter(|n| n.kind() == "identifier")
            .filter_map(|n| env.get(self.file.text(n)));
        let set_in = env.iter().filter(|(name, _)| {
            text.contains(&format!("{{{name}}}")) || text.contains(&format!("{{{name}:"))
        });
        let taints: Vec<Taint> = named.chain(set_in.map(|(_, t)| t)).cloned().collect();
        let taint = Taint::any(taints)?;
        let inner = text.split_once('(').map_or(text, |(_, inner)| inner);
        Some(taint.within(inner))
    }
}
