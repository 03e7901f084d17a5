//! Habits of SDKs as they show in a transcript.

use serde_json::Value;

use crate::evidence::{Evidence, Exchange, Reply};
use crate::revision::Revision;
use crate::target::Target;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Python,
    TypeScript,
}

/// Each habit that was seen, with the words to tell it.
#[derive(Debug, Default)]
pub(super) struct Habits {
    /// The server calls itself by the name of its SDK.
    pub(super) named: Option<(&'static str, String)>,
    pub(super) python_1: Option<String>,
    pub(super) typescript_1: Option<String>,
    /// Speaks the stateless revision with the defaults of the second generation.
    pub(super) stateless: Option<String>,
    /// Python of either generation.
    pub(super) python: Option<String>,
    /// Not a habit but a hint: what the server is started with.
    pub(super) language: Option<(Language, String)>,
}

/// Methods that servers know; any other is an unknown method.
const METHODS: &[&str] = &[
    "initialize",
    "ping",
    "server/discover",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "resources/subscribe",
    "resources/unsubscribe",
    "prompts/list",
    "prompts/get",
    "completion/complete",
    "logging/setLevel",
    "subscriptions/listen",
    "tasks/get",
    "tasks/result",
    "tasks/list",
    "tasks/cancel",
];

impl Habits {
    pub(super) fn of(evidence: &Evidence) -> Habits {
        let mut habits = Habits {
            named: named(evidence),
            stateless: stateless(evidence),
            python: empty_experimental(evidence),
            language: language(evidence),
            ..Habits::default()
        };
        let by_handshake = evidence.revision().is_some_and(|r| !r.is_stateless());
        for exchange in &evidence.transcript {
            habits.learn(exchange, by_handshake);
        }
        habits
    }

    fn learn(&mut self, exchange: &Exchange, by_handshake: bool) {
        let Reply::Error { code, .. } = *exchange.reply else { return };
        let Some(method) = exchange.send.method() else { return };
        let id = exchange.id;
        match (method, code) {
            ("tools/call", -32603) if exchange.arguments().is_some_and(|a| !a.is_object()) => {
                self.typescript_1.get_or_insert_with(|| {
                    format!("`arguments` that are no object get -32603 ({id})")
                });
            }
            ("resources/read" | "prompts/get", 0) => {
                self.python.get_or_insert_with(|| format!("`{method}` fails with code 0 ({id})"));
            }
            (unknown, -32602) if by_handshake && !METHODS.contains(&unknown) => {
                self.python_1.get_or_insert_with(|| {
                    format!("an unknown method gets -32602 instead of -32601 ({id})")
                });
            }
            (_, _) => {}
        }
    }
}

fn named(evidence: &Evidence) -> Option<(&'static str, String)> {
    let name = evidence.handshake.as_ref()?.server.name.as_deref()?;
    let sdk = match name {
        "rmcp" => "rmcp (Rust)",
        fast if fast == "FastMCP" || fast.starts_with("FastMCP-") => "fastmcp (Python)",
        _ => return None,
    };
    Some((sdk, format!("it calls itself `{name}`, the default of that SDK")))
}

fn stateless(evidence: &Evidence) -> Option<String> {
    let handshake = evidence.handshake.as_ref()?;
    let newest = Revision::V2026_07_28;
    let speaks = handshake.revision.is_stateless()
        || handshake.supported.iter().any(|v| v == newest.as_str());
    let default_ttl = evidence
        .transcript
        .iter()
        .find(|x| x.result().and_then(|r| r.get("ttlMs")).and_then(Value::as_u64) == Some(0))?;
    speaks.then(|| format!("it speaks {newest} and sends `ttlMs: 0` ({})", default_ttl.id))
}

fn empty_experimental(evidence: &Evidence) -> Option<String> {
    let experimental = evidence.handshake.as_ref()?.capabilities.get("experimental")?;
    experimental
        .as_object()
        .filter(|map| map.is_empty())
        .map(|_| "it declares an empty `experimental` capability".to_owned())
}

fn language(evidence: &Evidence) -> Option<(Language, String)> {
    let package = evidence.source.as_ref().and_then(|s| s.package.as_ref());
    let by_package = match package.map(|p| p.ecosystem.as_str()) {
        Some("pypi") => Some((Language::Python, "it is a package of PyPI".to_owned())),
        Some("npm") => Some((Language::TypeScript, "it is a package of npm".to_owned())),
        Some(_) | None => None,
    };
    by_package.or_else(|| {
        let Target::Stdio { command, .. } = &evidence.target else { return None };
        let program = command.rsplit(['/', '\\']).next().unwrap_or_default();
        let language = match program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
            "uvx" | "uv" | "python" | "pipx" => Language::Python,
            "npx" | "node" | "bunx" | "bun" | "deno" | "tsx" => Language::TypeScript,
            _ => return None,
        };
        Some((language, format!("it is started with `{program}`")))
    })
}
