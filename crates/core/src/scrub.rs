//! Scrub: what must not enter the evidence, and what differs in every run, is replaced on the way in.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, MatchKind};
use serde_json::Value;

use crate::target::Target;

/// How the scratch area of a run appears in evidence: the same in every run, on every machine.
pub const SCRATCH: &str = "/proofmark";

/// Replaces known texts by fixed names. Of several that begin at one place the longest is replaced,
/// so a path under a replaced path and a secret that contains another are handled.
#[derive(Debug, Clone, Default)]
pub struct Scrub {
    pairs: Vec<(String, String)>,
    /// Every frame passes here: all texts are sought at once.
    search: OnceLock<Option<AhoCorasick>>,
}

impl Scrub {
    pub fn add(&mut self, text: impl Into<String>, name: impl Into<String>) {
        let text = text.into();
        // A very short secret would blot out half of every message.
        if text.len() >= 4 {
            self.pairs.push((text, name.into()));
            self.search = OnceLock::new();
        }
    }

    fn search(&self) -> Option<&AhoCorasick> {
        let build = || {
            let mut builder = AhoCorasick::builder();
            // Without texts there is nothing to seek; more than it can hold nobody has.
            let texts = self.pairs.iter().map(|(text, _)| text);
            builder.match_kind(MatchKind::LeftmostLongest).build(texts).ok()
        };
        self.search.get_or_init(build).as_ref().filter(|_| !self.pairs.is_empty())
    }

    fn is_in(&self, text: &str) -> bool {
        self.search().is_some_and(|search| search.is_match(text))
    }

    /// Whether a credential was learned from the target.
    pub fn knows_secrets(&self) -> bool {
        self.pairs.iter().any(|(_, name)| name.starts_with("[redacted"))
    }

    pub fn text(&self, text: &str) -> String {
        let Some(search) = self.search().filter(|search| search.is_match(text)) else {
            return text.to_owned();
        };
        let mut out = String::with_capacity(text.len());
        search.replace_all_with(text, &mut out, |found, _, out| {
            out.push_str(&self.pairs[found.pattern()].1);
            true
        });
        out
    }

    /// Every string and key of a JSON value.
    pub fn value(&self, value: &mut Value) {
        if self.pairs.is_empty() {
            return;
        }
        match value {
            Value::String(s) => {
                if self.is_in(s) {
                    *s = self.text(s);
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|v| self.value(v)),
            Value::Object(map) => {
                if map.keys().any(|k| self.is_in(k)) {
                    *map =
                        std::mem::take(map).into_iter().map(|(k, v)| (self.text(&k), v)).collect();
                }
                map.values_mut().for_each(|v| self.value(v));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// Learns the secrets of a target: header and environment values, arguments and URL parts
    /// whose name says so, and tokens of a known shape wherever they stand.
    pub fn learn(&mut self, target: &Target) {
        match target {
            Target::Stdio { args, env, .. } => {
                self.learn_named(env, "env");
                self.learn_args(args);
            }
            Target::Http { url, headers } | Target::Sse { url, headers } => {
                self.learn_named(headers, "header");
                self.learn_url(url);
            }
            Target::Source { .. } => {}
        }
    }

    /// The target as it may be shown.
    pub fn target(&self, target: &Target) -> Target {
        let mut shown = target.clone();
        let map = |m: &mut BTreeMap<String, String>| {
            m.values_mut().for_each(|v| *v = self.text(v));
        };
        match &mut shown {
            Target::Stdio { command, args, env, cwd } => {
                *command = self.text(command);
                args.iter_mut().for_each(|a| *a = self.text(a));
                map(env);
                if let Some(dir) = cwd {
                    *dir = self.text(dir);
                }
            }
            Target::Http { url, headers } | Target::Sse { url, headers } => {
                *url = self.text(url);
                map(headers);
            }
            Target::Source { dir } => *dir = self.text(dir),
        }
        shown
    }

    fn learn_named(&mut self, pairs: &BTreeMap<String, String>, kind: &str) {
        for (name, value) in pairs {
            if names_a_secret(name) || looks_like_a_token(value) {
                let bare = value.strip_prefix("Bearer ").or_else(|| value.strip_prefix("Basic "));
                self.add(bare.unwrap_or(value), format!("[redacted {kind} {name}]"));
            } else {
                self.learn_url(value);
            }
        }
    }

    fn learn_args(&mut self, args: &[String]) {
        let mut flag = "";
        for arg in args {
            let (name, value) = match arg.split_once('=') {
                // An `=` further on belongs to the value, as in a URL with a query.
                Some((name, value)) if is_assigned(name) => (name, value),
                Some(_) | None => (flag, arg.as_str()),
            };
            if (name.starts_with('-') && names_a_secret(name)) || looks_like_a_token(value) {
                let label = format!("[redacted argument {}", name.trim_start_matches('-'));
                self.add(value, format!("{}]", label.trim_end()));
            } else {
                self.learn_url(value);
            }
            flag = if arg.starts_with('-') && !arg.contains('=') { arg } else { "" };
        }
    }

    fn learn_url(&mut self, text: &str) {
        let Ok(url) = url::Url::parse(text) else { return };
        if let Some(password) = url.password() {
            self.add_encoded(password, "[redacted password]");
        }
        if looks_like_a_token(url.username()) {
            self.add_encoded(url.username(), "[redacted user]");
        }
        let query = text.split_once('?').map_or("", |(_, rest)| rest);
        let query = query.split_once('#').map_or(query, |(before, _)| before);
        for pair in query.split('&') {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            if names_a_secret(name) || looks_like_a_token(value) {
                self.add_encoded(value, &format!("[redacted query {name}]"));
            }
        }
    }

    /// As it stands in the URL, and as the server sees and may repeat it.
    fn add_encoded(&mut self, text: &str, name: &str) {
        self.add(text, name);
        // A plus sign would be read as a blank, which it is not everywhere.
        let escaped = text.replace('+', "%2B");
        for (decoded, _) in url::form_urlencoded::parse(escaped.as_bytes()) {
            if decoded != text {
                self.add(decoded, name);
            }
        }
    }
}

/// `--flag` or `NAME`, as it stands before an `=`.
fn is_assigned(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

/// Whether a header, variable, flag or query name announces a secret.
pub fn names_a_secret(name: &str) -> bool {
    let words = crate::probe::words(name);
    let joined = words.concat();
    words.iter().any(|w| {
        matches!(
            w.as_str(),
            "key"
                | "token"
                | "secret"
                | "password"
                | "passwd"
                | "pass"
                | "pwd"
                | "auth"
                | "authorization"
                | "credential"
                | "credentials"
                | "cookie"
                | "apikey"
                | "bearer"
                | "pat"
        )
    }) || ["apikey", "accesstoken", "authtoken", "secretkey"].iter().any(|k| joined.contains(k))
}

/// Tokens of well-known issuers.
pub fn looks_like_a_token(value: &str) -> bool {
    const PREFIXES: &[&str] = &[
        "sk-",
        "sk_live_",
        "sk_test_",
        "ghp_",
        "gho_",
        "ghs_",
        "github_pat_",
        "glpat-",
        "xoxb-",
        "xoxp-",
        "AKIA",
        "ASIA",
        "AIza",
        "eyJ",
        "npm_",
        "pypi-",
        "hf_",
    ];
    value.len() >= 16
        && !value.contains(char::is_whitespace)
        && PREFIXES.iter().any(|p| value.starts_with(p))
}
