//! What an error text tells of. Words decide, since neither codes nor channels do: most SDKs put
//! every failure under one of them.

use std::sync::LazyLock;

use regex::Regex;

use super::told::told;
use crate::pattern::{self, Test};

/// The reason behind an error, as far as its words tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trouble {
    /// The shape of the arguments was refused: type, presence.
    Shape,
    /// A key, a login or a right is missing.
    Credential,
    /// Something could not be reached.
    Network,
    /// Too many calls.
    Limit,
    /// The server's own code failed.
    Bug,
    /// A program or service it needs is not there.
    Software,
    /// It may not write where it wants to.
    Storage,
    /// The thing we named does not exist.
    NotFound,
    /// Something has to be done first, or has been done already.
    State,
    /// The value was refused for what it means.
    Value,
    Other,
}

impl Trouble {
    pub fn of(text: &str) -> Trouble {
        let words = told(text);
        if is_key_error(&words) {
            return Trouble::Bug;
        }
        // "Unknown error" is the opposite of a reason, and often stands before one.
        let lower =
            VAGUE.iter().fold(words.to_lowercase(), |text, v| v.replace_all(&text, "").into());
        let told = TABLE.iter().find(|(_, pattern)| pattern.is_match(&lower));
        let silent = if has_stack_trace(text) { Trouble::Bug } else { Trouble::Other };
        told.map_or(silent, |(trouble, _)| *trouble)
    }

    /// What a caller would need so that the tool can be exercised; `None` when the tool itself is
    /// at fault.
    pub fn needs(self) -> Option<&'static str> {
        match self {
            Trouble::Credential => Some("a credential"),
            Trouble::Network => Some("something to connect to"),
            Trouble::Limit => Some("a higher rate limit"),
            Trouble::Software => Some("other software"),
            Trouble::Storage => Some("a place it may write to"),
            Trouble::NotFound => Some("the name or id of something that exists"),
            Trouble::State => Some("an earlier step"),
            Trouble::Value => Some("a value that means something to it"),
            Trouble::Shape | Trouble::Bug | Trouble::Other => None,
        }
    }
}

/// Asked in this order: the first that fits decides.
const WORDS: &[(Trouble, &str)] = &[
    (
        Trouble::Shape,
        r"input validation error|validation errors? for|invalid_type|invalid arguments? for|invalid params|unrecognized_keys|expected \w+, (received|got)",
    ),
    // Not a right that is missing: characters that may not be used.
    (Trouble::Value, r"\bare forbidden\b"),
    (
        Trouble::Credential,
        r"\b401\b|\b403\b|unauthori[sz]ed|unauthenticated|forbidden|api[ _-]?key|access token|auth(entication|orization)? (failed|required|error|token)|not authenticated|invalid (token|credentials?)|credentials?\b|log ?in (first|required)|not logged in|please log ?in|environment variable|env var|only (for )?(the |an? )?(admin|administrator|owner|operator|manager|supervisor|staff)s?\b|\b(admin|administrator|owner|operator|manager|supervisor)s? only|(requires?|needs?|must be) (an? )?(admin|administrator)\b|insufficient (permissions?|privileges?|rights)|not (authori[sz]ed|permitted) to",
    ),
    (
        Trouble::Network,
        r"econnrefused|enotfound|eai_again|econnreset|etimedout|enetunreach|ehostunreach|getaddrinfo|fetch failed|connection (refused|error|failed|reset|issue|attempts failed)|failed to connect|connection not available|(could not|couldn't|cannot|can't|unable to) (connect|reach|resolve)|name resolution|name or service not known|network (is )?(error|unreachable)|networkerror|max retries exceeded|connecterror|connect timeout|err_internet_disconnected|err_connection|failed to fetch|socket hang up|no route to host|robots\.txt",
    ),
    (Trouble::Limit, r"\b429\b|rate.?limit|too many requests|quota exceeded"),
    (
        Trouble::Shape,
        r"missing required|required (property|parameter|argument|field)|(is|are) required|field required|required at|expected (string|number|integer|boolean|array|object)|unexpected keyword argument|must be (a |an |of type )?(string|number|integer|boolean|array|object)|is not of type|unrecognized key|additional properties",
    ),
    (
        Trouble::Bug,
        r"traceback \(most recent|\btypeerror\b|attributeerror|object has no attribute|\bkeyerror\b|nameerror|referenceerror|indexerror|syntaxerror: unexpected|nullpointer|cannot read propert|is not a function|undefined is not|'nonetype'|panicked at|nil pointer|unhandled exception|internal (server )?error|stack overflow|maximum call stack|assertion failed|not implemented",
    ),
    (
        Trouble::Software,
        r"command not found|not installed|spawn \S+ enoent|executable (file )?not found|docker daemon|is it running|browser .*(not found|is not)|kubeconfig|no such module|modulenotfounderror",
    ),
    (
        Trouble::Storage,
        r"\berofs\b|read-only file ?system|readonly database|enospc|no space left|disk full",
    ),
    (
        Trouble::NotFound,
        r"not found|notfound|no \w+ (was |were |is )?found|there (is|are) no |no \w+ (is|has|with|by|goes by|of) |no \w+ (called|named) |does ?n[o']t exist|no such|enoent|\b404\b|could ?n[o']t find|could not find|cannot find|can't find|unable to find|unknown|no (matching|results?|entities|match|records?|data)|nonexistent|non-existent|not a valid (id|uuid)|isn't (known|registered)|did not match|did not resolve|didn't match|not a git repository|not in the|不存在|未找到|找不到|没有找到",
    ),
    (
        Trouble::State,
        r"already exists|eexist|nothing to (commit|do|add|undo|show)|no changes|not (yet )?(initiali[sz]ed|connected|running|started|open|active|configured|selected|enabled)|must (first|be (called|started|opened|connected))|call \S+ first|no (active|open|current|default)|is empty|not empty|eisdir|enotdir|conflict|\block(ed)?\b|client does not support|已存在|已经存在",
    ),
    (
        Trouble::Value,
        r"invalid|illegal|malformed|mismatch|constraint (fails|failed|violat)|not allowed|access denied|permission denied|eacces|outside|must (be|have|contain|match|start|not)|cannot be|can't be|out of range|unsupported|not supported|bad request|\b400\b|unable to parse|failed to parse|could not parse|too (long|short|large|small|many)|exceed|cannot specify both|mutually exclusive|enametoolong|ambiguous|rejected|syntax error|parse error|refus|cannot identify|is not a (directory|file|valid)|not a directory|nothing to repeat|无效|必须|不能为空",
    ),
];

static VAGUE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern::ascii("(unknown|unexpected|unspecified) (error|failure|problem)").ok()
});

/// All that Python says of a missing key is the key.
fn is_key_error(words: &str) -> bool {
    let key = words.trim().strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    key.is_some_and(|key| !key.is_empty() && !key.contains(['\'', ' ', '\n']))
}

static TABLE: LazyLock<Vec<(Trouble, Test)>> = LazyLock::new(|| {
    WORDS.iter().filter_map(|(trouble, words)| Some((*trouble, Test::new(words)?))).collect()
});

/// Whether a text carries the frames of a call stack.
pub fn has_stack_trace(text: &str) -> bool {
    static FRAMES: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern::ascii(
            r#"(?m)Traceback \(most recent call last\)|^\s*File ".+", line \d+|\bat .+\(?[^()\s]+:\d+:\d+\)?|^\s*at [\w$.<>]+\([\w.]+:\d+\)|goroutine \d+ \[|thread '.*' panicked at|\.rs:\d+:\d+|^\s+at .* in .*:line \d+"#,
        )
        .ok()
    });
    FRAMES.as_ref().is_some_and(|frames| frames.is_match(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        assert_eq!(TABLE.len(), WORDS.len());
    }

    #[test]
    fn texts_of_real_servers_are_told_apart() {
        let cases = [
            (
                "MCP error -32602: Input validation error: Invalid arguments for tool echo",
                Trouble::Shape,
            ),
            ("1 validation error for call[add]\na\n  Field required", Trouble::Shape),
            ("Error: TAVILY_API_KEY environment variable is required", Trouble::Credential),
            ("Request failed with status code 401", Trouble::Credential),
            ("Only administrators may export contacts.", Trouble::Credential),
            ("TypeError: fetch failed", Trouble::Network),
            (
                "Failed to fetch robots.txt http://127.0.0.1/robots.txt due to a connection issue",
                Trouble::Network,
            ),
            ("TypeError: Cannot read properties of undefined (reading 'split')", Trouble::Bug),
            ("EROFS: read-only file system, open '/opt/memory.jsonl'", Trouble::Storage),
            ("ENOENT: no such file or directory, open '/w/x'", Trouble::NotFound),
            ("Entity with name sample not found", Trouble::NotFound),
            ("No item found with id sample", Trouble::NotFound),
            ("There is no page '5'.", Trouble::NotFound),
            ("No photo is filed under that.", Trouble::NotFound),
            ("EEXIST: file already exists", Trouble::State),
            ("Access denied - path outside allowed directories: /x not in /y", Trouble::Value),
            ("Invalid timezone: 'Mars/Base'", Trouble::Value),
            ("Something went wrong", Trouble::Other),
            ("File sample.txt 不存在", Trouble::NotFound),
            ("An unknown error occurred", Trouble::Other),
            ("Unexpected error: index out of range", Trouble::Value),
            ("'--' and '..' are forbidden", Trouble::Value),
            ("403 Forbidden", Trouble::Credential),
            ("Error executing tool search: 'orientation'", Trouble::Bug),
            ("{\"error\": \"'Api' object has no attribute 'find'\"}", Trouble::Bug),
            ("{\"message\": \"\\u6587\\u4ef6\\u4e0d\\u5b58\\u5728\"}", Trouble::NotFound),
        ];
        let wrong: Vec<_> = cases
            .into_iter()
            .filter(|(text, expected)| Trouble::of(text) != *expected)
            .map(|(text, expected)| (text, expected, Trouble::of(text)))
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn call_stacks_of_several_languages_are_recognised_and_plain_errors_are_not() {
        assert!(has_stack_trace("Error: x\n    at Object.read (/srv/app/fs.js:88:13)"));
        assert!(has_stack_trace("Traceback (most recent call last):\n  File \"/a.py\", line 3"));
        assert!(has_stack_trace("thread 'main' panicked at src/main.rs:3:5"));
        assert!(!has_stack_trace("the meeting is at 12:30, room 4"));
        assert!(!has_stack_trace("path must be a string"));
    }
}
