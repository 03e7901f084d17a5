//! How openly a tool offers files and addresses: what is offered without bounds is no hole, what is
//! offered within bounds has to stay there.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::door;
use crate::arguments::{Slot, described};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::pattern;
use crate::probe::words;
use crate::probes::benign::Tried;
use crate::probes::valid_call;
use crate::proof::payload;
use crate::target::Target;

type Pattern = LazyLock<Option<Regex>>;

static ANY_PATH: Pattern =
    LazyLock::new(|| pattern::ascii(r"absolute path|any (file|path)|full path|file ?system").ok());
static BOUNDS: Pattern = LazyLock::new(|| {
    pattern::ascii(r"allowed|within|inside|restricted|sandbox|workspace|\bonly\b|relative|below|under the|\bin the (\w+ )?(folder|directory)|from the (\w+ )?(folder|directory)|base (folder|directory)").ok()
});
/// What only a tool says whose job is to fetch what it is told to.
static FETCHES: Pattern = LazyLock::new(|| {
    pattern::ascii(r"\b(fetch|download|retrieve|scrape|crawl|browse|navigate|visit|request|read|load|get)(s|es)?\b.{0,40}\b(url|urls|web ?pages?|web ?sites?|internet|http|https|from the web)\b|\bhttp (get|request|client)|opens? (a|the) (url|page)").ok()
});
static PUBLIC_ONLY: Pattern = LazyLock::new(|| {
    pattern::ascii(r"\bpublic(ly)?\b|private (address|network|ip|host)|internal (address|network|host)|own network|loopback|localhost|allow-?list|ssrf|(allowed|trusted|known) (hosts?|domains?|sites?)|one of our|partner").ok()
});

static OF_ONE_SERVICE: Pattern = LazyLock::new(|| {
    pattern::ascii(r"\b(from|of|at|on) (the|our) ([\w-]+ ){1,2}(service|server|agency|agencies|provider|portal|registry|cdn|archive|catalogue|catalog|partner|supplier|carrier|bank)\b").ok()
});

/// "No other host is contacted", "from there and nowhere else"; not "or any other host".
static NOWHERE_ELSE: Pattern = LazyLock::new(|| {
    pattern::ascii(r"\bno other (host|site|server|domain|address|source)s?\b|\bother (host|site|server|domain|address|source|link|url)e?s (are|will be) (not|refused|rejected|blocked)|\bnowhere else\b|\bonly (from|of|on|to|reaches|contacts|fetches from) [\w-]+\.[\w.-]+|\bonly (links|addresses|urls|pages|feeds) (of|from|on|at)\b").ok()
});

fn says(pattern: &Pattern, text: &str) -> bool {
    pattern.as_ref().is_some_and(|p| p.is_match(text))
}

/// What the tool says of itself and of one parameter.
fn told(tool: &Tool, pointer: &str) -> String {
    let of_tool = tool.description.as_deref().unwrap_or_default();
    format!("{}. {of_tool}. {}", words(&tool.name).join(" "), of_parameter(tool, pointer))
        .to_lowercase()
}

fn last(pointer: &str) -> &str {
    pointer.split('/').rfind(|part| part.parse::<u32>().is_err()).unwrap_or_default()
}

/// The description of the parameter that a pointer, or a name, leads to.
pub fn of_parameter(tool: &Tool, pointer: &str) -> String {
    match pointer.starts_with('/') {
        true => described(tool, pointer),
        false => described(tool, &format!("/{pointer}")),
    }
}

/// Whether a parameter names a file by its name.
pub fn is_file(_: &Tool, pointer: &str) -> bool {
    const WORDS: &[&str] = &[
        "path",
        "paths",
        "file",
        "files",
        "filename",
        "filepath",
        "document",
        "resource",
        "uri",
        "folder",
        "directory",
        "dir",
        "attachment",
        "page",
        "template",
    ];
    words(last(pointer)).iter().any(|w| WORDS.contains(&w.as_str()))
}

/// The ending of the first name of a file in a text, with its dot.
pub fn ending(text: &str) -> Option<String> {
    static ENDING: Pattern = LazyLock::new(|| {
        pattern::ascii(r#"(?:^|[\w/\s`'"(*])(\.[a-z][a-z0-9]{1,4})(?:$|[\s,;:!?`'")]|\.\s|\.$)"#)
            .ok()
    });
    let found = ENDING.as_ref()?.captures(text)?;
    found.get(1).map(|m| m.as_str().to_owned())
}

/// The first host in a text that is not one of ours: of an address, or by itself.
pub fn host(text: &str) -> Option<String> {
    static HOST: Pattern = LazyLock::new(|| {
        pattern::ascii(r"(?:://|[@*.\s`'(]|^)((?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|invalid|example|test|internal|local))\b").ok()
    });
    let text = text.to_lowercase();
    let found = HOST.as_ref()?.captures_iter(&text);
    let mut hosts = found.filter_map(|c| c.get(1).map(|m| m.as_str().to_owned()));
    hosts.find(|host| !host.contains("proofmark"))
}

/// Whether a place is for the name of a file: by its own name, what is there, what is said of it or
/// what is said to a word that names none.
pub fn names_file(tool: &Tool, tried: &Tried<'_>) -> bool {
    let place = &tried.place;
    let about = of_parameter(tool, &place.pointer).to_lowercase();
    let of_tool = tool.description.as_deref().unwrap_or_default().to_lowercase();
    let reply = tried.word.reply.text().to_lowercase();
    let has = |text: &str, any: &[&str]| any.iter().any(|word| text.contains(word));
    place.slot == Slot::Text
        && (is_file(tool, &place.pointer)
            || place.text.contains('/')
            || ending(&place.text).is_some()
            || ending(&about).is_some()
            || (about.is_empty() || tool.parameters().count() == 1) && ending(&of_tool).is_some()
            || has(&about, &["file", "path", "folder", "directory"])
            || has(&reply, &["no such file", "file not found", "enoent", "not a file", "filename"])
            || ending(&reply).is_some())
}

/// A tool that promises to open any path, and names no bounds, on a server that was given no folder,
/// does so by design: for people to judge.
pub fn is_unconfined(evidence: &Evidence, x: &Exchange) -> bool {
    let Some((tool, pointer)) = parameter(evidence, x) else { return false };
    let text = told(&tool, &pointer);
    let any = says(&ANY_PATH, &text)
        || matches!(&x.subject, Subject::Resource { uri } if uri.starts_with("file:"));
    any && !says(&BOUNDS, &text) && !has_root(evidence)
}

/// Whether the server was started with a folder to stay in.
fn has_root(evidence: &Evidence) -> bool {
    let workspace = evidence.conditions.workspace.trim_end_matches('/');
    let given = |text: &String| text.contains(workspace);
    match &evidence.target {
        Target::Stdio { args, env, .. } => args.iter().any(given) || env.values().any(given),
        Target::Http { .. } | Target::Sse { .. } | Target::Source { .. } => false,
    }
}

/// The tool and the pointer of the parameter that a call is about; of a door, what it is dressed as.
pub fn parameter(evidence: &Evidence, x: &Exchange) -> Option<(Tool, String)> {
    match &x.subject {
        Subject::Param { tool, pointer } => Some((evidence.tool(tool)?.clone(), pointer.clone())),
        Subject::Resource { .. } | Subject::Prompt { .. } => {
            Some((door::dressed(evidence, &x.subject)?, String::new()))
        }
        Subject::Server | Subject::Tool { .. } | Subject::File { .. } => None,
    }
}

/// Whether a place is for an address: by what stands there, its name, what is said of it, or what is
/// said to a word that is none.
pub fn names_address(tool: &Tool, tried: &Tried<'_>) -> bool {
    const WORDS: &[&str] = &[
        "url", "urls", "uri", "link", "href", "endpoint", "webhook", "callback", "site", "website",
        "address", "feed", "host", "hostname", "domain", "page", "image", "avatar", "source",
        "src", "origin", "target",
    ];
    let place = &tried.place;
    let about = of_parameter(tool, &place.pointer).to_lowercase();
    let reply = tried.word.reply.text().to_lowercase();
    let has = |text: &str| ["url", "http", "link", "web address"].iter().any(|w| text.contains(w));
    place.slot == Slot::Text
        && (place.text.contains("://")
            || words(last(&place.pointer)).iter().any(|w| WORDS.contains(&w.as_str()))
            || has(&about)
            || has(&reply))
}

/// Whether a place is for a host by its name alone.
pub fn names_host(tool: &Tool, tried: &Tried<'_>) -> bool {
    const WORDS: &[&str] = &["host", "hostname", "domain", "server", "ip"];
    let place = &tried.place;
    let about = of_parameter(tool, &place.pointer).to_lowercase();
    let named = words(last(&place.pointer)).iter().any(|w| WORDS.contains(&w.as_str()));
    let told = ["domain", "host name", "hostname", "host:port"].iter().any(|w| about.contains(w));
    place.slot == Slot::Text && !place.text.contains("://") && (named || told)
}

/// Whether a parameter takes a pattern of the caller's.
pub fn names_pattern(tool: &Tool, pointer: &str) -> bool {
    const WORDS: &[&str] = &["pattern", "patterns", "regex", "regexp", "re"];
    let about = of_parameter(tool, pointer).to_lowercase();
    words(last(pointer)).iter().any(|w| WORDS.contains(&w.as_str()))
        || about.contains("regular expression")
        || about.contains("regex")
}

/// The switch that makes a pattern of the other texts.
pub fn pattern_switch(tool: &Tool) -> Option<&str> {
    let is_switch = |(_, schema): &(&str, &Value)| schema.get("type") == Some(&"boolean".into());
    let mut switches = tool.parameters().filter(is_switch);
    switches.find(|(name, _)| names_pattern(tool, &format!("/{name}"))).map(|(name, _)| name)
}

/// Whether a parameter takes something that is built of brackets.
pub fn names_formula(tool: &Tool, pointer: &str) -> bool {
    const WORDS: &[&str] = &[
        "calculation",
        "condition",
        "equation",
        "expr",
        "expression",
        "filter",
        "formula",
        "math",
        "query",
        "rule",
        "selector",
    ];
    let about = of_parameter(tool, pointer).to_lowercase();
    let names = [words(last(pointer)), words(&about)].concat();
    names.iter().any(|w| WORDS.contains(&w.as_str()))
}

/// Whether fetching what the caller names is the open job of the tool.
pub fn is_fetcher(tool: &Tool, pointer: &str) -> bool {
    const NAMES: &[&str] =
        &["fetch", "download", "scrape", "crawl", "browse", "navigate", "goto", "curl", "http"];
    let named = words(&tool.name).iter().any(|w| NAMES.contains(&w.as_str()));
    named
        || says(&FETCHES, &tool.description.as_deref().unwrap_or_default().to_lowercase())
        || is_prompted(tool, pointer)
}

/// A parameter that says that it is fetched, or that a content may be given by its address.
fn is_prompted(tool: &Tool, pointer: &str) -> bool {
    let about = of_parameter(tool, pointer).to_lowercase();
    ["url to fetch", "url to download", "url to open", "url to request", "url or data ur"]
        .iter()
        .any(|words| about.contains(words))
}

/// Whether it says that some addresses are out of bounds, or of what service they are.
pub fn promises_public(tool: &Tool, pointer: &str) -> bool {
    let told = told(tool, pointer);
    says(&PUBLIC_ONLY, &told) || says(&OF_ONE_SERVICE, &told) || says(&NOWHERE_ELSE, &told)
}

/// Whether an answer says that an address was refused for where it leads to. What merely could not be
/// reached was not refused.
pub fn forbids_inner(x: &Exchange) -> bool {
    static INNER: Pattern = LazyLock::new(|| {
        pattern::ascii(r"\b(internal|private|local|loopback|localhost|reserved|inner|non-?public)\b.{0,60}\b(not (allowed|permitted|accepted|supported)|forbidden|blocked|denied|refused|disallowed|off limits)|\b(not (allowed|permitted)|forbidden|blocked|refus\w+|disallow\w*)\b.{0,60}\b(internal|private|local|loopback|localhost|reserved|non-?public)\b").ok()
    });
    let said = x.reply.text().to_lowercase().replace(&payload(x).to_lowercase(), "");
    !valid_call::took(x) && says(&INNER, &said) && !said.contains("econnrefused")
}

/// Whether it openly takes addresses of files.
pub fn takes_files(tool: &Tool, pointer: &str) -> bool {
    let text = told(tool, pointer);
    ["file:", "local file", "file://"].iter().any(|words| text.contains(words))
}
