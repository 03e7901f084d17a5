//! Habits that are right in few places: listening everywhere, debugging, trusting any
//! certificate, printing where the protocol is spoken, paths and calls of one system.

use std::sync::LazyLock;

use proofmark_core::evidence::{Habit, HabitKind, Language};
use regex::Regex;
use tree_sitter::Node;

use super::call::last;
use super::outline::Outline;
use super::syntax::{Shape, arguments, descendants, field, left, pair, right};

/// Homes of somebody, drives, and the one temporary folder that Windows has not.
static PERSONAL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(?:/Users/[\w.-]+/|/home/[\w.-]+/|/tmp(?:/|$)|[A-Za-z]:(?:\\\\|/)[\w ])").ok()
});

const PLATFORM_MODULES: &[&str] = &[
    "fcntl",
    "pwd",
    "grp",
    "termios",
    "resource",
    "winreg",
    "msvcrt",
    "_winapi",
    "win32api",
    "std.os.unix",
    "std.os.windows",
    "syscall",
    "golang.org/x/sys/windows",
];
const PLATFORM_CALLS: &[&str] = &[
    "os.fork",
    "os.getuid",
    "os.geteuid",
    "os.setuid",
    "os.startfile",
    "process.getuid",
    "ctypes.windll",
    "syscall.Kill",
];
const PLATFORM_PROGRAMS: &[&str] = &[
    "osascript",
    "pbcopy",
    "pbpaste",
    "xdg-open",
    "powershell",
    "powershell.exe",
    "cmd.exe",
    "xclip",
];
/// Who asks for the system knows of the others.
const ASKS: &[&str] = &[
    "sys.platform",
    "os.name",
    "platform.system",
    "process.platform",
    "os.platform(",
    "runtime.GOOS",
    "cfg(unix)",
    "cfg(windows)",
    "cfg(target_os",
    "cfg!(",
    "go:build",
];

pub(super) fn of(outline: &Outline<'_>, speaks_stdio: bool) -> Vec<Habit> {
    let mut reader = Reader { outline, found: Vec::new(), speaks_stdio };
    let asks = ASKS.iter().any(|a| outline.file.text.contains(a));
    if !asks {
        reader.platform_modules();
    }
    for node in outline.nodes.iter().copied() {
        match outline.file.shape(node) {
            Shape::Call => {
                reader.call(node);
                if !asks {
                    reader.platform_call(node);
                }
            }
            Shape::Pair => reader.named(pair(node), node),
            Shape::Assign => reader.named(left(node).zip(right(node)), node),
            Shape::Text => reader.text(node),
            Shape::Other if node.kind() == "debugger_statement" => {
                reader.note(HabitKind::DebugMode, "debugger", node);
            }
            // A parameter with a default.
            Shape::Other if node.kind().contains("default_parameter") => {
                reader.named(field(node, &["name"]).zip(field(node, &["value"])), node);
            }
            _ => {}
        }
    }
    reader.found.sort();
    reader.found.dedup();
    reader.found
}

struct Reader<'o, 't> {
    outline: &'o Outline<'t>,
    found: Vec<Habit>,
    speaks_stdio: bool,
}

impl<'t> Reader<'_, 't> {
    fn note(&mut self, kind: HabitKind, shown: &str, at: Node<'t>) {
        let shown = shown.chars().take(80).collect();
        self.found.push(Habit { kind, shown, at: self.outline.file.spot(at) });
    }

    fn call(&mut self, node: Node<'t>) {
        let file = self.outline.file;
        let name = self.outline.called(node);
        let given = arguments(node);
        if self.speaks_stdio && self.prints(&name, &given) {
            self.note(HabitKind::PrintsToStdout, &name, node);
        }
        if matches!(
            last(&name),
            "listen" | "run" | "bind" | "serve" | "ListenAndServe" | "Listen" | "getenv" | "get"
        ) {
            for argument in &given {
                let text = file.literal(*argument).unwrap_or_default();
                let any_port = name == "http.ListenAndServe" && text.starts_with(':');
                if is_everywhere(text) || any_port {
                    self.note(HabitKind::BindsEverywhere, text, node);
                }
            }
        }
        match name.as_str() {
            "pdb.set_trace" | "breakpoint" | "ipdb.set_trace" => {
                self.note(HabitKind::DebugMode, &name, node);
            }
            "ssl._create_unverified_context" => self.note(HabitKind::TlsUnverified, &name, node),
            _ if last(&name) == "danger_accept_invalid_certs"
                && file.text(node).ends_with("(true)") =>
            {
                self.note(HabitKind::TlsUnverified, "danger_accept_invalid_certs(true)", node);
            }
            _ => {}
        }
    }

    fn prints(&self, name: &str, given: &[Node<'t>]) -> bool {
        let aside = || given.iter().any(|a| self.outline.file.text(*a).starts_with("file="));
        match self.outline.file.language {
            Language::Python => name == "print" && !aside(),
            Language::Javascript | Language::Typescript => {
                matches!(name, "console.log" | "console.info" | "console.debug" | "console.table")
            }
            Language::Go => matches!(name, "fmt.Println" | "fmt.Printf" | "fmt.Print"),
            Language::Rust => matches!(name, "println" | "print"),
        }
    }

    /// `host="0.0.0.0"`, `debug=True`, `verify=False`, `rejectUnauthorized: false`.
    fn named(&mut self, named: Option<(Node<'t>, Node<'t>)>, at: Node<'t>) {
        let Some((key, value)) = named else { return };
        let file = self.outline.file;
        let key = file.text(key).trim_matches(['"', '\'']).rsplit('.').next().unwrap_or_default();
        let lower = key.to_lowercase();
        let value_text = file.text(value);
        let address = lower.contains("host") || lower.contains("bind") || lower.contains("addr");
        let held = file.literal(value).or_else(|| {
            // `process.env.HOST || '0.0.0.0'`
            let logic = file.shape(value) == Shape::Logic;
            logic.then(|| descendants(value).filter_map(|n| file.literal(n)).last())?
        });
        if address && let Some(text) = held.filter(|t| is_everywhere(t)) {
            self.note(HabitKind::BindsEverywhere, &format!("{key} {text}"), at);
        }
        let shown = format!("{key} {value_text}");
        match (key, value_text) {
            ("debug" | "DEBUG", "True") => self.note(HabitKind::DebugMode, &shown, at),
            ("verify" | "verify_ssl" | "check_hostname", "False")
            | ("rejectUnauthorized" | "strictSSL", "false")
            | ("InsecureSkipVerify", "true") => self.note(HabitKind::TlsUnverified, &shown, at),
            ("verify_mode", "ssl.CERT_NONE") => self.note(HabitKind::TlsUnverified, &shown, at),
            ("NODE_TLS_REJECT_UNAUTHORIZED", "'0'" | "\"0\"" | "0") => {
                self.note(HabitKind::TlsUnverified, key, at);
            }
            _ => {}
        }
    }

    fn text(&mut self, node: Node<'t>) {
        let text = self.outline.file.literal(node).unwrap_or_default();
        if PERSONAL.as_ref().is_some_and(|p| p.is_match(text)) {
            self.note(HabitKind::AbsolutePath, text, node);
        }
    }

    fn platform_modules(&mut self) {
        for (module, node) in &self.outline.modules {
            let known = PLATFORM_MODULES.iter().find(|m| {
                module == *m || module.strip_prefix(**m).is_some_and(|rest| rest.starts_with('.'))
            });
            if let Some(known) = known {
                self.note(HabitKind::PlatformOnly, known, *node);
            }
        }
    }

    fn platform_call(&mut self, node: Node<'t>) {
        let name = self.outline.called(node);
        if PLATFORM_CALLS.contains(&name.as_str()) {
            return self.note(HabitKind::PlatformOnly, &name, node);
        }
        if [
            "exec",
            "execSync",
            "spawn",
            "spawnSync",
            "execFile",
            "execFileSync",
            "run",
            "Popen",
            "system",
            "Command",
            "new",
            "call",
        ]
        .contains(&last(&name))
        {
            let first = arguments(node)
                .first()
                .and_then(|a| descendants(*a).find_map(|n| self.outline.file.literal(n)));
            let program = first.and_then(|t| t.split_whitespace().next()).unwrap_or_default();
            if PLATFORM_PROGRAMS.contains(&program) {
                self.note(HabitKind::PlatformOnly, program, node);
            }
        }
    }
}

fn is_everywhere(text: &str) -> bool {
    matches!(text, "0.0.0.0" | "::" | "[::]")
        || text.starts_with("0.0.0.0:")
        || text.starts_with("[::]:")
}
