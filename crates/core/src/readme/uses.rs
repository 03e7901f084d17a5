//! Whether a README shows what to ask or call. Setting up a client is not yet use: "Using uv" and
//! "Usage with Claude Desktop" show how to get there.

use serde_json::Value;

use super::{Code, Item, Kind, Readme, begins_a_word, client_entries, holds_word, shown_calls};
use crate::evidence::Evidence;

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
/// Blocks in these languages show use, if they call something.
const PROGRAMS: &[&str] =
    &["python", "py", "typescript", "ts", "javascript", "js", "rust", "go", "java", "http"];
/// How clients call a tool.
const CALLING: &[&str] = &["call_tool", "callTool", "tools/call"];
/// What a line begins with that gives an example.
const EXAMPLE: &[&str] = &["Example", "For example", "E.g.", "e.g."];
/// What the line before a list of things to ask says.
const INVITING: &[&str] = &["ask", "try", "say", "prompt", "example", "for instance", "question"];
/// With fewer words it is a name or a title.
const SENTENCE: usize = 4;
/// So far into a line it can still begin by announcing an example.
const ANNOUNCED: usize = 20;
/// Languages of commands, and what commands begin with where no language is named.
const SHELLS: &[&str] = &[
    "sh",
    "bash",
    "shell",
    "zsh",
    "fish",
    "console",
    "powershell",
    "ps1",
    "cmd",
    "bat",
    "terminal",
];
const RUNNERS: &[&str] = &[
    "$", "python", "python3", "uv", "node", "npm", "pnpm", "yarn", "bun", "deno", "cargo", "go",
    "make", "cd", "curl", "sudo",
];
/// Signs of something to ask.
const ASKING: [char; 4] = ['?', '“', '"', '「'];
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
    /// A call as JSON, a program that calls a tool, or, under a heading about use or after the word
    /// "example", something to type or to ask.
    pub fn shows_use(&self, evidence: &Evidence) -> bool {
        let calls = |v: &Value| !shown_calls(v).is_empty();
        let entry =
            |i: &Item| i.kind == Kind::Entry && (self.is_to_ask(i) || self.is_sentence_to_say(i));
        self.json().filter_map(|(_, values)| values).flatten().any(|v| calls(&v))
            || self.code.iter().any(|c| !c.sets_up() && self.is_use(c, evidence))
            || self.items.iter().any(entry)
            || self.headings_only().any(|h| announces(h, USE) && self.asks(h))
            || self.tells_example()
    }

    fn is_use(&self, code: &Code, evidence: &Evidence) -> bool {
        // To take the server into a program of one's own is not yet to use it.
        let called = || {
            CALLING.iter().any(|w| code.text.contains(w))
                || evidence.tools().next().is_none()
                || evidence.tools().any(|t| holds_word(&code.text, &t.name))
        };
        let program = PROGRAMS.contains(&code.language.as_str()) && called();
        program || self.is_under_use(code.at) || self.is_called_example(code)
    }

    /// Where all that is shown under a heading sets something up, what is listed there is about that
    /// too, if it is no question, quotes nothing, and the line above does not say to ask.
    fn is_to_ask(&self, entry: &Item) -> bool {
        let at = entry.span.start;
        if !self.is_under_use(at) {
            return false;
        }
        let next = self.headings_only().map(|h| h.span.start).filter(|start| *start > at).min();
        let start = self.headings_only().map(|h| h.span.start).filter(|start| *start <= at).max();
        let section = start.unwrap_or(0)..next.unwrap_or(self.text.len());
        let mut shown = self.code.iter().filter(|c| section.contains(&c.at)).peekable();
        shown.peek().is_none()
            || shown.any(|c| !c.sets_up() && !c.commands())
            || self.text_of(entry).contains(ASKING)
            || INVITING.iter().any(|w| begins_a_word(&self.line_before(at), w))
    }

    /// The last line with text before a place, in lower case.
    fn line_before(&self, at: usize) -> String {
        let before = self.text.get(..at).unwrap_or_default().trim_end();
        before.rsplit('\n').next().unwrap_or_default().to_lowercase()
    }

    /// An entry that is nothing but a sentence in quotes or code is something to say to a model,
    /// wherever it is listed.
    fn is_sentence_to_say(&self, entry: &Item) -> bool {
        let text = self.text_of(entry).trim();
        let quoted = text.starts_with(['"', '“', '「']) && text.ends_with(['"', '”', '」']);
        let set_off = text == entry.head && text.ends_with(['.', '?', '!']);
        let said = text.trim_start_matches(['"', '“', '「']);
        (quoted || set_off)
            && said.starts_with(char::is_uppercase)
            && said.split_whitespace().count() >= SENTENCE
            && !self.is_under_setting_up(entry.span.start)
    }

    /// "Example:" or "Here is an example" in the line before a block, outside of what is set up.
    fn is_called_example(&self, code: &Code) -> bool {
        let before = self.text.get(..code.at).unwrap_or_default().trim_end();
        let in_code = |c: &Code| c.at < before.len() && before.len() <= c.at + c.text.len();
        let line = self.line_before(code.at);
        let of_setting_up = SETTING_UP.iter().any(|w| begins_a_word(&line, w));
        line.find("example").is_some_and(|at| at <= ANNOUNCED)
            && !of_setting_up
            && !self.code.iter().any(in_code)
            && !self.is_under_setting_up(code.at)
    }

    /// A line that begins with "Example:" and goes on with something set off: "Example: `is:open`".
    fn tells_example(&self) -> bool {
        let mut at = 0;
        self.text.split('\n').any(|line| {
            let start = at;
            at += line.len() + 1;
            let line = line.trim_start();
            let said = EXAMPLE.iter().find_map(|w| line.strip_prefix(w));
            let Some(rest) = said.map(|r| r.trim_start_matches([':', ',', ' '])) else {
                return false;
            };
            let in_code = |c: &Code| (c.at..c.at + c.text.len()).contains(&start);
            self.marked.iter().any(|m| m.len() > 2 && rest.starts_with(m.as_str()))
                && !self.code.iter().any(in_code)
                && !self.is_under_setting_up(start)
        })
    }

    /// The title of the page says what it is about, not what is done below it.
    fn is_under_setting_up(&self, at: usize) -> bool {
        let above = self.headings_only().filter(|h| h.kind != Kind::Heading { level: 1 });
        above.filter(|h| h.span.contains(&at)).any(|h| announces(h, SETTING_UP))
    }

    /// Whether no block is about more than setting up.
    pub fn only_sets_up(&self) -> bool {
        self.code.iter().all(|c| c.sets_up() || c.commands())
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
        !announces(heading, SETTING_UP) && prose.contains(ASKING)
    }
}

impl Code {
    pub(super) fn sets_up(&self) -> bool {
        self.installs() || self.configures() || self.assigns()
    }

    /// Something for a shell: to start, build or test, where no heading speaks of use.
    fn commands(&self) -> bool {
        let first = self.text.split_whitespace().next().unwrap_or_default();
        SHELLS.contains(&self.language.as_str())
            || (self.language.is_empty() && RUNNERS.contains(&first))
    }

    /// Nothing but environment variables.
    fn assigns(&self) -> bool {
        let upper = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        let variable = |line: &str| {
            let line = line.strip_prefix("export ").unwrap_or(line);
            line.split_once('=')
                .is_some_and(|(name, _)| !name.is_empty() && name.chars().all(upper))
        };
        let mut lines = self.text.lines().map(str::trim).filter(|l| !l.is_empty()).peekable();
        lines.peek().is_some() && lines.all(|l| l.starts_with('#') || variable(l))
    }

    fn installs(&self) -> bool {
        INSTALLING.iter().any(|w| self.text.contains(w))
    }

    fn configures(&self) -> bool {
        let entries = |v: &Value| !client_entries(v).is_empty();
        let told = self.text.contains("\"command\"") || self.text.contains("\"url\"");
        let broken = || self.is_json() && told;
        // Some call it JavaScript, for the colours.
        (self.is_json() || self.text.trim_start().starts_with('{'))
            && super::loose_json(&self.text).map_or_else(broken, |v| v.iter().any(entries))
    }
}

fn announces(heading: &Item, words: &[&str]) -> bool {
    let head = heading.head.to_lowercase();
    words.iter().any(|w| begins_a_word(&head, w))
}
