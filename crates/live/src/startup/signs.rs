//! Texts by which a failing server gives away what it lacks. Earlier signs are surer.

use std::sync::LazyLock;

use proofmark_core::evidence::DownCause;
use regex::Regex;

/// One kind of text and what to do about it.
struct Sign {
    cause: DownCause,
    pattern: &'static str,
    advice: Advice,
}

/// What to do, where the text itself says with what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Advice {
    Say(&'static str),
    /// The Python SDK's second version took away what most servers were written for.
    PinPythonSdk,
    InstallModule,
    InstallProgram,
    SetCredential,
    AllowNetwork,
    UseUrl,
}

/// The name of a variable, as servers write it.
const NAME: &str = r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b";

const SIGNS: &[Sign] = &[
    Sign {
        cause: DownCause::BrokenDependency,
        pattern: r"No module named '?mcp\.|cannot import name '\w+' from '(mcp|fastmcp)\b|AttributeError: '(Server|FastMCP|MCPServer)' object has no attribute|AttributeError: module 'mcp\b|(Server|FastMCP)\.__init__\(\) got an unexpected keyword",
        advice: Advice::PinPythonSdk,
    },
    Sign {
        cause: DownCause::BrokenDependency,
        pattern: r#"Cannot find module '(/|[A-Za-z]:\\)|can't open file '"#,
        advice: Advice::Say("check the path of the server's file on the command line"),
    },
    Sign {
        cause: DownCause::BrokenDependency,
        pattern: r"ModuleNotFoundError|No module named|Cannot find (module|package)|ERR_MODULE_NOT_FOUND|: MODULE_NOT_FOUND",
        advice: Advice::InstallModule,
    },
    Sign {
        cause: DownCause::BrokenDependency,
        pattern: r"(?i)npm (err!|error).*\b(E404|ETARGET|ENOVERSIONS|notarget|404 Not Found)|no matching (distribution|version)|no solution found when resolving|not found in the package registry|could not find a version that satisfies|could not determine executable to run|executable named .* is not provided",
        advice: Advice::Say(
            "check the name and version of the package; this registry does not have it",
        ),
    },
    Sign {
        cause: DownCause::BrokenDependency,
        pattern: r"ImportError|ERR_PACKAGE_PATH_NOT_EXPORTED|ERR_REQUIRE_ESM|does not provide an export named|Pydantic(User|SchemaGeneration|Import|UndefinedAnnotation)\w*|pydantic\.errors|AttributeError: (partially initialized )?module|NODE_MODULE_VERSION|invalid ELF header|undefined symbol|GLIBC(XX)?_[0-9.]+' not found|Could not locate the bindings file|npm (ERR!|error) code (ERESOLVE|EBADENGINE|EINTEGRITY)|is not a constructor|incompatible (version|with)",
        advice: Advice::Say(
            "the server and its dependencies do not fit together: install the versions it was made for, or report it to its author",
        ),
    },
    Sign {
        cause: DownCause::MissingSoftware,
        pattern: r"(?i)docker daemon|docker\.sock|docker engine|podman\.sock",
        advice: Advice::Say(
            "start the Docker daemon; isolation hides its socket, so add `--isolation scratch` to let the server use it",
        ),
    },
    Sign {
        cause: DownCause::ExitedEarly,
        pattern: r"(?i)could not read package\.json|no such file or directory.*package\.json|no `?pyproject\.toml`? found|could not find `Cargo\.toml`",
        advice: Advice::Say("give the directory of the project with `--cwd DIR`"),
    },
    Sign {
        cause: DownCause::MissingSoftware,
        pattern: r"(?i)executable file not found|command not found|\S: not found$|no such file or directory: '[^/']+'|spawn \S+ ENOENT|error while loading shared libraries|executable doesn't exist at|no such file or directory \(os error 2\)|proofmark confine: can't start|is not installed|browser was not found|requires (node|python|java|deno|bun)\b",
        advice: Advice::InstallProgram,
    },
    Sign {
        cause: DownCause::ExitedEarly,
        pattern: r"(?i)EROFS|read-only file system",
        advice: Advice::Say(
            "it wants to write outside its scratch area; point it elsewhere with `--env` or an argument, or add `--isolation scratch`",
        ),
    },
    Sign {
        cause: DownCause::MissingCredential,
        pattern: r"NAME.*(?i:required|missing|not set|n't set|not defined|not provided|not found|not configured|must be (set|provided|defined)|undefined|unset|is empty)|(?i:missing|required|please set|please provide|must set|must provide|set the|provide|specify|export|configure).*NAME|KeyError: '[A-Z][A-Z0-9_]+'",
        advice: Advice::SetCredential,
    },
    Sign {
        cause: DownCause::MissingSoftware,
        pattern: r"(?i)(ECONNREFUSED|connection refused|could not connect|connect call failed).*(127\.0\.0\.1|localhost|::1)|(127\.0\.0\.1|localhost|::1).*(connection refused|ECONNREFUSED)",
        advice: Advice::Say(
            "start the service it wants to reach on this machine, or give another address",
        ),
    },
    Sign {
        cause: DownCause::MissingNetwork,
        pattern: r"(?i)ENOTFOUND|EAI_AGAIN|getaddrinfo|name resolution|name or service not known|network is unreachable|ENETUNREACH|EHOSTUNREACH|no route to host|could not resolve host|failed to lookup address|dns error|ECONNREFUSED|nodename nor servname",
        advice: Advice::AllowNetwork,
    },
    Sign {
        cause: DownCause::MissingCredential,
        pattern: r"(?i)(no|missing|invalid|provide|requires?|required|without|need|expected|set)\b.{0,60}(api[ _-]?key|access[ _-]?key|(access|auth|api|bearer|personal access|security)[ _-]?token|credentials?\b|client[ _-]?secret|password|environment variable)|(api[ _-]?key|(access|auth|api|bearer|personal access)[ _-]?token|credentials?|client[ _-]?secret|password|environment variables?)\b.{0,60}(required|missing|not set|not found|not provided|invalid|must be|unset|empty)|unable to locate credentials|default credentials|not logged in|please (log|sign) ?in|401 unauthorized|403 forbidden|authentication (failed|required)|unauthenticated|invalid_grant",
        advice: Advice::SetCredential,
    },
    Sign {
        cause: DownCause::MissingCredential,
        pattern: r"(?i)validation errors? for \w*(settings|config|options|env\w*|credentials)",
        advice: Advice::SetCredential,
    },
    Sign {
        cause: DownCause::MissingNetwork,
        pattern: r"(?i)fetch failed|failed to fetch|ETIMEDOUT|connect ?timeout|CONNECT_TIMEOUT|max retries exceeded|ConnectError|ECONNRESET|socket hang up|certificate verify failed|self[- ]signed certificate|unable to get local issuer|error sending request|npm (err!|error) network",
        advice: Advice::AllowNetwork,
    },
    Sign {
        cause: DownCause::ExitedEarly,
        pattern: r"(?i)heap out of memory|MemoryError|ENOMEM|cannot allocate memory",
        advice: Advice::Say("it needs more memory than a run allows (4 GiB)"),
    },
    Sign {
        cause: DownCause::ExitedEarly,
        pattern: r"(?i)following (required )?arguments (are required|were not provided)|missing (required )?(argument|option|parameter)|required option|^\s*usage:|unrecognized arguments|unknown option",
        advice: Advice::Say("add the arguments it asks for to the command line"),
    },
];

/// Only worth anything while the server still runs.
const LISTENS: Sign = Sign {
    cause: DownCause::NotMcp,
    pattern: r"(?i)(listening|running|serving|started|available)\b.*(https?://\S+|port:? ?\d+)",
    advice: Advice::UseUrl,
};

static TABLE: LazyLock<Vec<(&Sign, Regex)>> =
    LazyLock::new(|| SIGNS.iter().filter_map(compiled).collect());
static LISTENING: LazyLock<Option<(&Sign, Regex)>> = LazyLock::new(|| compiled(&LISTENS));

fn compiled(sign: &'static Sign) -> Option<(&'static Sign, Regex)> {
    Some((sign, Regex::new(&sign.pattern.replace("NAME", NAME)).ok()?))
}

/// A sign and the line that shows it.
#[derive(Debug)]
pub(super) struct Found<'a> {
    pub cause: DownCause,
    pub line: &'a str,
    advice: Advice,
    /// Variables named there or close by.
    variables: Vec<String>,
}

pub(super) fn find(lines: &[String], still_runs: bool) -> Option<Found<'_>> {
    let listening = LISTENING.iter().filter(|_| still_runs);
    TABLE.iter().chain(listening).find_map(|(sign, pattern)| {
        let hit = |line: &&String| pattern.is_match(line) && !is_noise(sign.advice, line);
        let at = lines.iter().rposition(|line| hit(&line))?;
        let near = &lines[at.saturating_sub(2)..lines.len().min(at + 3)];
        let mut variables = variables(&lines[at]);
        if variables.is_empty() {
            variables = near.iter().flat_map(|line| self::variables(line)).collect();
        }
        Some(Found { cause: sign.cause, line: &lines[at], advice: sign.advice, variables })
    })
}

/// A parser's "token" is no credential, and a mere warning stops nobody.
fn is_noise(advice: Advice, line: &str) -> bool {
    let line = line.to_lowercase();
    let warning =
        line.starts_with("warn") || line.contains("npm warn") || line.contains("deprecat");
    let parser = line.contains("unexpected token") || line.contains("token in json");
    let variable = advice == Advice::SetCredential && parser;
    warning || variable
}

fn variables(line: &str) -> Vec<String> {
    static NAMES: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(&format!(r"KeyError: '([A-Z][A-Z0-9_]+)'|({NAME})")).ok());
    const OTHERS: &[&str] = &[
        "ERR_",
        "NODE_",
        "NPM_",
        "MODULE_NOT",
        "CERT_",
        "SSL_",
        "UND_ERR",
        "GLIBC",
        "SELF_SIGNED",
    ];
    let Some(names) = NAMES.as_ref() else { return Vec::new() };
    let mut found: Vec<String> = Vec::new();
    for hit in names.captures_iter(line) {
        let name = hit.get(1).or_else(|| hit.get(2)).map_or("", |m| m.as_str());
        if !OTHERS.iter().any(|o| name.starts_with(o)) && !found.iter().any(|f| f == name) {
            found.push(name.to_owned());
        }
    }
    found
}

impl Found<'_> {
    pub(super) fn way_out(&self, command: Option<&str>) -> String {
        let named = |pattern: &str, otherwise: &str| {
            captured(self.line, pattern).map_or_else(|| otherwise.to_owned(), |n| format!("`{n}`"))
        };
        match self.advice {
            Advice::Say(text) => text.to_owned(),
            Advice::PinPythonSdk => pin(command),
            Advice::InstallModule => format!(
                "install {} where the command runs, or start the server from its own directory with `--cwd`",
                named(MODULE, "the missing module")
            ),
            Advice::InstallProgram => {
                format!(
                    "install {} and make sure it is on the PATH",
                    named(PROGRAM, "what it names")
                )
            }
            Advice::SetCredential => self.credential(),
            Advice::AllowNetwork => format!(
                "run where {} can be reached, or with the proxy settings the server understands (`--env HTTPS_PROXY=…`)",
                named(HOST, "the network")
            ),
            Advice::UseUrl => format!(
                "it serves HTTP: start it yourself and assess it with `--url {}`, or find its stdio mode",
                captured(self.line, URL).unwrap_or("http://…/mcp")
            ),
        }
    }

    fn credential(&self) -> String {
        if let Some(flag) = captured(self.line, FLAG) {
            return format!("add `{flag} …` to the command line");
        }
        if self.variables.is_empty() {
            return "give it the credential it asks for with `--env NAME=…` or an argument; its README \
                    names them"
                .to_owned();
        }
        let wanted: Vec<String> =
            self.variables.iter().take(4).map(|name| format!("--env {name}=…")).collect();
        format!("pass it on with `{}`", wanted.join(" "))
    }
}

fn pin(command: Option<&str>) -> String {
    let why = "the server was written for version 1 of the Python SDK";
    match command.map(|c| c.rsplit('/').next().unwrap_or(c)) {
        Some("uvx") => format!("{why}: run it with `uvx --with 'mcp<2' …`"),
        Some("uv") => format!("{why}: run it with `uv run --with 'mcp<2' …`"),
        Some(_) | None => format!("{why}: install `mcp<2` beside it"),
    }
}

const MODULE: &str = r"(?:No module named|Cannot find (?:module|package)) '?([^' ]+)'?";
const HOST: &str = r"(?:https?://|ENOTFOUND |EAI_AGAIN )([A-Za-z0-9.-]+)";
const URL: &str = r"(https?://[^\s`'\x22,]+)";
const FLAG: &str = r"(--[a-z][a-z0-9-]*(?:key|token|secret|password)[a-z-]*)";
const PROGRAM: &str = r#"(?x)
    spawn\ (\S+)\ ENOENT
    | directory:\ '([^/'][^']*)'
    | ([\w.+-]+):\ (?:command\ )?not\ found
    | "([^"]+)":\ executable\ file\ not\ found
    | libraries:\ ([^:\s]+)
    | can't\ start\ .([^`']+)
    | ([\w.+-]+)\ is\ not\ installed
"#;

/// What the first group that took part holds.
fn captured<'a>(line: &'a str, pattern: &str) -> Option<&'a str> {
    let pattern = Regex::new(pattern).ok()?;
    let groups = pattern.captures(line)?;
    groups.iter().skip(1).flatten().next().map(|m| m.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        assert_eq!(TABLE.len(), SIGNS.len());
        assert!(LISTENING.is_some());
        assert_eq!(captured("sh: 1: deno: not found", PROGRAM), Some("deno"));
        for pattern in [MODULE, HOST, URL, FLAG] {
            assert!(Regex::new(pattern).is_ok(), "{pattern}");
        }
    }

    #[test]
    fn variables_are_told_from_error_codes() {
        assert_eq!(
            variables("ERR_MODULE_NOT_FOUND: set A_KEY, B_KEY or A_KEY"),
            ["A_KEY", "B_KEY"]
        );
        assert_eq!(variables("KeyError: 'TOKEN'"), ["TOKEN"]);
        assert_eq!(variables("nothing HERE"), [] as [String; 0]);
    }
}
