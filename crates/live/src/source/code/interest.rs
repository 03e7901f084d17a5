//! Whether a file is worth a parser: what its text does not name, its tree can't show. Most files of
//! a large tree name nothing, and a search for words is twenty times faster than a tree.

use std::sync::LazyLock;

use regex::bytes::Regex;

/// How the SDKs have tools, resources and prompts registered.
const ENTRIES: &str = r"\.\s*(?:tool|resource|prompt)\b|call_tool|add_tool|Tool\b|register(?:Resource|Prompt)|setRequestHandler|input_?[sS]chema|#\[(?:rmcp::)?tool";
/// SDKs, and methods of the protocol.
const SIGNS: &str = r"mcp|modelcontextprotocol|tools/(?:list|call)";
const VARIABLES: &str =
    r"\benviron\b|[gG]etenv|LookupEnv|\b(?:process|meta|Bun|Deno)\s*\.\s*env\b|env::var|env!";
/// Habits with a name of their own, or a telling pair of a name and a value.
const HABITS: &str = r#"0\.0\.0\.0|["'`\[]::["'`\]]|ListenAndServe|set_trace|breakpoint|debugger|(?:debug|DEBUG)[\s\S]{0,40}True|unverified_context|danger_accept|(?:verify|verify_ssl|check_hostname)[\s\S]{0,40}False|CERT_NONE|rejectUnauthorized|strictSSL|InsecureSkipVerify|NODE_TLS_REJECT|["'`](?:/Users/|/home/|/tmp|[A-Za-z]:(?:\\\\|/))"#;
const PLATFORMS: &str = r"(?:import|from)\b[^\n]*\b(?:fcntl|pwd|grp|termios|resource|winreg|msvcrt|_winapi|win32api)\b|\bsyscall\b|windll|std::os::|x/sys/windows|fork|get(?:e?uid)|setuid|startfile|osascript|pbcopy|pbpaste|xdg-open|powershell|cmd\.exe|xclip";

// That it can be compiled is tested below; without it every file would be parsed, which is only slow.
static WORDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let all = [ENTRIES, SIGNS, VARIABLES, HABITS, PLATFORMS].join("|");
    Regex::new(&format!("(?-u){all}")).ok()
});

/// How servers are told to speak over standard input and output.
const STDIO: &str = r#"StdioServerTransport|stdio_server|transport=["']stdio|mcp\.run\(\)|ServeStdio|NewStdioServer|StdioTransport|transport::(?:io::)?stdio|sys\.stdin|process\.stdin|transportType: "stdio""#;
static SPEAKS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(STDIO).ok());

pub(super) fn speaks_stdio(text: &str) -> bool {
    SPEAKS.as_ref().is_some_and(|words| words.is_match(text.as_bytes()))
}

/// Whether a tree of this text may show anything.
pub(super) fn any(text: &str) -> bool {
    WORDS.as_ref().is_none_or(|words| words.is_match(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_code_is_passed_over_and_what_counts_is_not() {
        assert!(WORDS.is_some() && SPEAKS.is_some());
        assert!(speaks_stdio("mcp.run(transport='stdio')") && !speaks_stdio("mcp.run(app)"));
        assert!(!any("import { sum } from './sum';\nexport const total = (x) => sum(x);\n"));
        assert!(!any("class Cart:\n    def add(self, item: str) -> None:\n        print(item)\n"));
        for text in ["server\n  .tool('a', f)", "os.environ['X']", "debug=True", "host = \"::\""] {
            assert!(any(text), "{text}");
        }
    }
}
