//! Whether a README shows what to ask or call. Setting up a client is not yet use: "Using uv" and
//! "Usage with Claude Desktop" show how to get there.

use serde_json::Value;

use super::{Code, Item, Kind, Readme, begins_a_word, client_entries, shown_calls};

/// Beginnings of words in headings under which use is shown.
const USE: &[&str] = &[
    "example",
    "usage",
    "use case",
    "using",
    "try it",
    "try th",
    "try ask",
    "to try",
    "sample",
    "demo",
    "how to",
    "walkthrough",
    "tutorial",
    "recipe",
    "scenario",
    "quick start",
    "quickstart",
    "in action",
    "what you can",
];
/// And of those under which things are set up.
const SETTING_UP: &[&str] = &[
    "install",
    "config",
    "setup",
    "set up",
    "setting",
    "environment",
    "option",
    "build",
    "develop",
    "debug",
    "inspector",
    "test",
    "docker",
    "npx",
    "npm",
    "node",
    "uv",
    "pip",
    "python",
    "claude",
    "cursor",
    "vs code",
    "vscode",
    "visual studio",
    "windsurf",
    "zed",
    "cline",
    "codex",
    "copilot",
    "gemini",
    "goose",
    "desktop",
    "usage with",
    "usage in",
    "use with",
    "use in",
    "zencoder",
    "contribut",
    "smithery",
];
/// Blocks in these languages show use, not installation.
const PROGRAMS: &[&str] =
    &["python", "py", "typescript", "ts", "javascript", "js", "rust", "go", "java", "http"];
/// Beginnings of commands that install or start a package.
const INSTALLING: &[&str] = &[
    "npx ",
    "uvx ",
    "pip install",
    "pip3 install",
    "npm install",
    "npm i ",
    "pnpm ",
    "yarn add",
    "uv add",
    "uv tool",
    "uv pip",
    "pipx ",
    "cargo install",
    "go install",
    "docker ",
    "brew install",
    "mcp add",
    "git clone",
];

impl Readme {
    /// A call as JSON, a program, or, under a heading about use, something to type or to ask.
    pub fn shows_use(&self) -> bool {
        let calls = |v: &Value| !shown_calls(v).is_empty();
        let program = |c: &Code| PROGRAMS.contains(&c.language.as_str());
        self.json().filter_map(|(_, values)| values).flatten().any(|v| calls(&v))
            || self.code.iter().any(program)
            || self.code.iter().any(|c| !c.sets_up() && self.is_under_use(c.at))
            || self.items.iter().any(|i| i.kind == Kind::Entry && self.is_under_use(i.span.start))
            || self.headings_only().any(|h| announces(h, USE) && self.asks(h))
    }

    /// Whether some block is a command that installs or starts the server.
    pub fn shows_start(&self) -> bool {
        self.code.iter().any(Code::installs)
    }

    /// Whether some block is an entry for a client.
    pub fn shows_entry(&self) -> bool {
        self.code.iter().any(Code::configures)
    }

    fn headings_only(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|i| matches!(i.kind, Kind::Heading { .. }))
    }

    /// Whether the headings above a place speak of use, and the nearest not of setting up.
    fn is_under_use(&self, at: usize) -> bool {
        let above: Vec<&Item> = self.headings_only().filter(|h| h.span.contains(&at)).collect();
        above.iter().any(|h| announces(h, USE))
            && above.last().is_some_and(|nearest| !announces(nearest, SETTING_UP))
    }

    /// Whether a question or something in quotes stands under a heading, before the next heading and
    /// the first block.
    fn asks(&self, heading: &Item) -> bool {
        let start = heading.span.start + heading.head.len();
        let headings = self.headings_only().map(|h| h.span.start);
        let next = headings.chain(self.code.iter().map(|c| c.at)).filter(|at| *at > start).min();
        let prose = self.text.get(start..next.unwrap_or(heading.span.end)).unwrap_or_default();
        !announces(heading, SETTING_UP) && prose.contains(['?', '“', '"', '「'])
    }
}

impl Code {
    fn sets_up(&self) -> bool {
        self.installs() || self.configures()
    }

    fn installs(&self) -> bool {
        INSTALLING.iter().any(|w| self.text.contains(w))
    }

    fn configures(&self) -> bool {
        let entries = |v: &Value| !client_entries(v).is_empty();
        let broken = || self.text.contains("\"command\"") || self.text.contains("\"url\"");
        self.is_json()
            && super::loose_json(&self.text).map_or_else(broken, |v| v.iter().any(entries))
    }
}

fn announces(heading: &Item, words: &[&str]) -> bool {
    let head = heading.head.to_lowercase();
    words.iter().any(|w| begins_a_word(&head, w))
}
