//! What is known about a value that is made from input.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use proofmark_core::check::Class;
use regex::Regex;

/// The names in scope that hold input.
pub(super) type Env<'t> = BTreeMap<&'t str, Taint>;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Taint {
    /// The parameters it is made of.
    pub(super) params: BTreeSet<String>,
    /// It is the arguments as a whole: a property of it is a parameter.
    pub(super) whole: bool,
    /// Joined into a statement of a language: SQL, a filter of LDAP, a path of XPath.
    pub(super) written: BTreeSet<Class>,
    /// Named to a program that prints the files it is given.
    pub(super) printed: bool,
    /// A structure made of a text of JSON, with whatever keys.
    pub(super) parsed: bool,
    /// Begins with an address that input can't change.
    pub(super) host: bool,
    /// A path without detours.
    pub(super) resolved: bool,
    /// Classes that it was checked for.
    pub(super) clean: BTreeSet<Class>,
    /// A function of another file that it went through, which claims to check.
    pub(super) through: Option<String>,
}

/// What statements of a language look like.
static LANGUAGES: LazyLock<Vec<(Class, Regex)>> = LazyLock::new(|| {
    let known = [
        (
            Class::SqlInjection,
            r"(?i)\b(select\b.+\bfrom|insert\s+into|update\b.+\bset|delete\s+from|create\s+table|drop\s+table|alter\s+table|order\s+by|where\b.+(=|like|in))",
        ),
        (Class::LdapInjection, r"\((?:[&|!]\s*\()?[A-Za-z][\w.;-]*[~<>]?="),
        (Class::XpathInjection, r#"//[\w*@]|\[\s*@?[\w.()-]+\s*=\s*\\?['"]"#),
        (Class::NosqlInjection, r"\bthis\.\w+\s*[=!<>]"),
    ];
    known.into_iter().filter_map(|(class, form)| Some((class, Regex::new(form).ok()?))).collect()
});
/// A line of shell whose program prints files.
static PRINTED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(r#"^[`"'fFrRbB(]{{0,4}}\s*(?:{})\s"#, PRINTS.join("|"))).ok()
});
/// Programs that print the files they are given.
const PRINTS: &[&str] =
    &["cat", "head", "tail", "sort", "tac", "nl", "cut", "less", "more", "od", "xxd", "strings"];
static HOST: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"^[`"'fFrRbB]{0,3}[a-z][a-z0-9+]*://[^/?#\s{}$%]+[/?#]"#).ok());

impl Taint {
    pub(super) fn whole() -> Taint {
        Taint { whole: true, ..Taint::default() }
    }

    pub(super) fn param(name: &str) -> Taint {
        Taint { params: BTreeSet::from([name.to_owned()]), ..Taint::default() }
    }

    /// Either of two, or both together.
    pub(super) fn or(mut self, other: Taint) -> Taint {
        self.params.extend(other.params);
        self.whole |= other.whole;
        self.written.extend(other.written);
        self.printed |= other.printed;
        self.parsed |= other.parsed;
        self.host &= other.host;
        self.resolved |= other.resolved;
        self.clean = self.clean.intersection(&other.clean).copied().collect();
        self.through = self.through.or(other.through);
        self
    }

    pub(super) fn any(taints: impl IntoIterator<Item = Taint>) -> Option<Taint> {
        taints.into_iter().reduce(Taint::or)
    }

    /// Set into a text: `whole_text` is the expression as it stands in the code.
    pub(super) fn within(mut self, whole_text: &str) -> Taint {
        let one_line: String =
            whole_text.chars().take(2000).map(|c| if c == '\n' { ' ' } else { c }).collect();
        let written = LANGUAGES.iter().filter(|(_, form)| form.is_match(&one_line));
        self.written.extend(written.map(|(class, _)| *class));
        self.printed |= PRINTED.as_ref().is_some_and(|p| p.is_match(&one_line));
        self.host |= HOST.as_ref().is_some_and(|p| p.is_match(&one_line));
        self
    }

    /// What a property of it is; `None` where that can't hold input.
    pub(super) fn property(&self, name: &str) -> Option<Taint> {
        const NEUTRAL: &[&str] =
            &["params", "arguments", "Params", "Arguments", "data", "args", "input", "body", "0"];
        const HARMLESS: &[&str] = &["length", "size", "byteLength", "constructor"];
        if HARMLESS.contains(&name) {
            return None;
        }
        if !self.whole || NEUTRAL.contains(&name) {
            return Some(self.clone());
        }
        let params = BTreeSet::from([name.to_owned()]);
        Some(Taint { params, whole: false, ..self.clone() })
    }

    pub(super) fn cleaned(mut self, classes: &[Class]) -> Taint {
        self.clean.extend(classes);
        self
    }

    pub(super) fn shares(&self, other: &Taint) -> bool {
        (self.whole && other.whole) || !self.params.is_disjoint(&other.params)
    }
}

pub(super) fn prints_files(program: &str) -> bool {
    PRINTS.contains(&program.rsplit('/').next().unwrap_or(program))
}

/// Everything made of the same parameters was checked for these classes.
pub(super) fn clear(env: &mut Env<'_>, like: &Taint, classes: &[Class]) {
    for taint in env.values_mut().filter(|t| t.shares(like)) {
        taint.clean.extend(classes);
    }
}
