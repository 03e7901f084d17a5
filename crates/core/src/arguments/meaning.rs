//! What a parameter is for, guessed from its name, its description and the tool's name.

use super::context::Context;
use crate::probe::{Risk, words};
use crate::seed::Seed;

/// The kinds of text that have a natural sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Meaning {
    Url,
    File,
    NewFile,
    Folder,
    Repository,
    RelativeFile,
    /// Text to be replaced.
    SpareWord,
    Glob,
    Pattern,
    Query,
    Sql,
    Revision,
    Branch,
    Timezone,
    ClockTime,
    Date,
    DateTime,
    Email,
    Host,
    Language,
    Country,
    City,
    Currency,
    Colour,
    Stock,
    Uuid,
    Id,
    Command,
    Code,
    Json,
    Name,
    Title,
    Text,
}

/// What may be known of one parameter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hint<'a> {
    /// The closest property name.
    pub name: &'a str,
    /// Its description, or nothing.
    pub about: &'a str,
    /// Position within an array, so that items can differ.
    pub index: usize,
}

impl Meaning {
    pub(super) fn of(hint: Hint<'_>, context: &Context) -> Option<Meaning> {
        let name = words(hint.name);
        let about = hint.about.to_lowercase();
        let has = |any: &[&str]| name.iter().any(|w| any.contains(&w.as_str()));
        if has(&["repo", "repository"]) && (has(&["path", "dir"]) || about.contains("path")) {
            return Some(Meaning::Repository);
        }
        if let Some(path) = path(&name, &about, context) {
            return Some(path);
        }
        let in_git = words(&context.tool).iter().any(|w| w == "git");
        if in_git && name.len() == 1 && has(&["target", "base", "object", "source"]) {
            return Some(Meaning::Revision);
        }
        if has(&["old"]) && has(&["text", "string", "str", "content"]) {
            return Some(Meaning::SpareWord);
        }
        let runs_sql = words(&context.tool).iter().any(|w| w == "sql") || about.contains("sql");
        if runs_sql && has(&["query", "statement", "sql"]) {
            return Some(Meaning::Sql);
        }
        // `branch_name` is a branch: words that go with anything speak last.
        let (vague, telling): (Vec<&String>, Vec<&String>) = name
            .iter()
            .rev()
            .partition(|w| matches!(w.as_str(), "name" | "value" | "string" | "text"));
        let first = telling.first().and_then(|w| by_word(w));
        first
            .or_else(|| clock(&name, &about))
            .or_else(|| telling.into_iter().chain(vague).find_map(|w| by_word(w)))
            .or_else(|| by_description(&about))
    }

    /// We planted it, so no example from somebody else's machine is better.
    pub(super) fn is_planted(self) -> bool {
        matches!(
            self,
            Meaning::File
                | Meaning::NewFile
                | Meaning::Folder
                | Meaning::Repository
                | Meaning::RelativeFile
                | Meaning::Revision
                | Meaning::Branch
                | Meaning::Url
        )
    }

    pub(super) fn text(self, hint: Hint<'_>, context: &Context, seed: Seed) -> String {
        let n = hint.index;
        let word = || seed.word(hint.name, 6);
        let nth = |options: &[&str]| options[n % options.len()].to_owned();
        match self {
            Meaning::Url => format!("{}{}", context.pages, nth(&["/", "/index.html"])),
            Meaning::File if context.risk == Risk::Reads => match n {
                0 => context.file(),
                1 => context.spare_file(),
                n => context.fresh(&format!("notes-{n}.md")),
            },
            Meaning::File => context.spare_file(),
            Meaning::NewFile => context.fresh(&format!("sample-{}.txt", word())),
            Meaning::Folder if context.risk == Risk::Reads => context.folder(),
            Meaning::Folder => context.fresh(&format!("folder-{}", word())),
            Meaning::Repository => context.repository.clone(),
            Meaning::RelativeFile => nth(&["README.md", "notes.md", "data.csv"]),
            Meaning::SpareWord => context.spare_word().to_owned(),
            Meaning::Glob => nth(&["*.md", "*.txt", "**/*"]),
            Meaning::Pattern => nth(&["notes", "sample", "e"]),
            Meaning::Query => nth(&["notes", "sample", "example"]),
            Meaning::Sql => "SELECT 1".to_owned(),
            Meaning::Revision => "HEAD".to_owned(),
            Meaning::Branch if makes_new(context) => format!("sample-{}", word()),
            Meaning::Branch => "main".to_owned(),
            Meaning::Timezone => nth(&["Europe/Berlin", "UTC", "America/New_York"]),
            Meaning::ClockTime => nth(&["14:30", "09:15", "18:00"]),
            Meaning::Date => nth(&["2024-05-15", "2024-06-15", "2024-07-15"]),
            Meaning::DateTime => nth(&["2024-05-15T12:00:00Z", "2024-06-15T12:00:00Z"]),
            Meaning::Email => format!("sample{n}@example.com"),
            Meaning::Host => "127.0.0.1".to_owned(),
            Meaning::Language => nth(&["en", "de", "fr"]),
            Meaning::Country => nth(&["DE", "US", "FR"]),
            Meaning::City => nth(&["Berlin", "Paris", "New York"]),
            Meaning::Currency => nth(&["EUR", "USD", "GBP"]),
            Meaning::Colour => nth(&["#336699", "#993366", "#669933"]),
            Meaning::Stock => nth(&["AAPL", "MSFT", "KO"]),
            Meaning::Uuid => uuid(seed, hint),
            Meaning::Id => (n + 1).to_string(),
            Meaning::Command => "echo sample".to_owned(),
            Meaning::Code => "1 + 1".to_owned(),
            Meaning::Json => "{}".to_owned(),
            Meaning::Name => format!("sample-{}{}", word(), suffix(n)),
            Meaning::Title => format!("Sample title{}", suffix(n)),
            Meaning::Text => format!("A short sample text.{}", suffix(n)),
        }
    }
}

fn makes_new(context: &Context) -> bool {
    words(&context.tool).iter().any(|w| matches!(w.as_str(), "create" | "new" | "add"))
}

fn suffix(index: usize) -> String {
    if index == 0 { String::new() } else { format!(" {}", index + 1) }
}

pub(super) fn uuid(seed: Seed, hint: Hint<'_>) -> String {
    let bits = seed.number(&format!("{}/{}", hint.name, hint.index));
    format!("{:08x}-{:04x}-4000-8000-{:012x}", bits >> 32, bits >> 16 & 0xffff, bits & 0xffff_ffff)
}

/// Paths: whether a file or a folder is meant often stands only in the tool's name.
fn path(name: &[String], about: &str, context: &Context) -> Option<Meaning> {
    let has = |any: &[&str]| name.iter().any(|w| any.contains(&w.as_str()));
    let ends = |any: &[&str]| name.last().is_some_and(|w| any.contains(&w.as_str()));
    let tool = words(&context.tool);
    let tool_has = |any: &[&str]| tool.iter().any(|w| any.contains(&w.as_str()));
    let on_files = tool_has(&["file", "files", "move", "copy", "rename", "directory"]);
    let pathlike = ends(&["path", "paths", "filepath", "filename", "file", "files"])
        || ends(FOLDERS)
        || (has(&["source", "destination", "dest"])
            && (on_files || about.contains("path") || about.contains("file")));
    if has(&["json", "jsonpath", "xpath"]) || !pathlike {
        return None;
    }
    let names_file = has(&["file", "files", "filepath", "filename"]);
    if tool_has(&["git"]) {
        return Some(if names_file { Meaning::RelativeFile } else { Meaning::Repository });
    }
    let of_folders = tool_has(FOLDERS) || tool_has(&["tree", "list", "ls", "search"]);
    if has(FOLDERS) || (of_folders && !names_file) {
        return Some(Meaning::Folder);
    }
    let fresh = has(&["destination", "output", "dest"])
        || (context.risk != Risk::Reads
            && tool_has(&["write", "create", "save", "export", "new", "add"]));
    Some(if fresh { Meaning::NewFile } else { Meaning::File })
}

const FOLDERS: &[&str] =
    &["directory", "directories", "dir", "folder", "folders", "dirpath", "cwd", "workdir"];

/// A time of day, a date or an instant: only the description tells which.
fn clock(name: &[String], about: &str) -> Option<Meaning> {
    let has = |any: &[&str]| name.iter().any(|w| any.contains(&w.as_str()));
    if !has(&["time", "date", "day", "since", "until", "after", "before", "timestamp", "at"]) {
        return None;
    }
    if about.contains("hh:mm") && !about.contains("yyyy") {
        return Some(Meaning::ClockTime);
    }
    if about.contains("yyyy-mm-dd") && !about.contains("hh:mm") && !about.contains("thh") {
        return Some(Meaning::Date);
    }
    match name {
        [only] if only == "time" && !about.contains("iso") => Some(Meaning::ClockTime),
        _ if has(&["date", "day"]) => Some(Meaning::Date),
        _ => Some(Meaning::DateTime),
    }
}

fn by_word(word: &str) -> Option<Meaning> {
    Some(match word.trim_end_matches(|c: char| c.is_ascii_digit()) {
        "url" | "urls" | "uri" | "uris" | "link" | "endpoint" | "webhook" | "href" => Meaning::Url,
        "glob" | "globs" => Meaning::Glob,
        "pattern" | "patterns" | "regex" | "regexp" => Meaning::Pattern,
        "query" | "q" | "search" | "keyword" | "keywords" | "term" | "terms" => Meaning::Query,
        "sql" => Meaning::Sql,
        "revision" | "commit" | "ref" | "sha" => Meaning::Revision,
        "branch" => Meaning::Branch,
        "timezone" | "tz" | "zone" => Meaning::Timezone,
        "email" | "mail" | "recipient" => Meaning::Email,
        "host" | "hostname" | "ip" | "domain" => Meaning::Host,
        "language" | "lang" | "locale" => Meaning::Language,
        "country" => Meaning::Country,
        "city" | "location" | "place" | "address" => Meaning::City,
        "currency" => Meaning::Currency,
        "color" | "colour" => Meaning::Colour,
        "ticker" | "tickers" | "symbol" | "symbols" | "stock" => Meaning::Stock,
        "uuid" | "guid" => Meaning::Uuid,
        "id" | "ids" | "identifier" | "key" | "number" => Meaning::Id,
        "command" | "cmd" => Meaning::Command,
        "code" | "expression" | "formula" | "script" => Meaning::Code,
        "json" => Meaning::Json,
        "name" | "names" | "user" | "username" | "owner" | "label" | "tag" | "tags" | "type" => {
            Meaning::Name
        }
        "title" | "subject" | "topic" => Meaning::Title,
        "text" | "message" | "content" | "contents" | "body" | "prompt" | "description"
        | "comment" | "note" | "input" | "value" | "data" | "thought" | "summary"
        | "observations" => Meaning::Text,
        _ => return None,
    })
}

fn by_description(about: &str) -> Option<Meaning> {
    let clues: &[(&str, Meaning)] = &[
        ("timezone", Meaning::Timezone),
        ("iana", Meaning::Timezone),
        ("yyyy-mm-dd", Meaning::Date),
        ("iso 8601", Meaning::DateTime),
        ("url", Meaning::Url),
        ("branch or commit", Meaning::Revision),
        ("commit", Meaning::Revision),
        ("e-mail", Meaning::Email),
        ("email", Meaning::Email),
        ("glob", Meaning::Glob),
        ("regular expression", Meaning::Pattern),
        ("json", Meaning::Json),
        ("search", Meaning::Query),
        ("identifier", Meaning::Id),
        ("name of", Meaning::Name),
    ];
    clues.iter().find(|(clue, _)| about.contains(clue)).map(|(_, meaning)| *meaning)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(tool: &str, risk: Risk, name: &str, about: &str) -> Option<Meaning> {
        let context = Context {
            tool: tool.to_owned(),
            risk,
            root: "/w".to_owned(),
            repository: "/w/repo".to_owned(),
            pages: "http://127.0.0.1".to_owned(),
            about: Default::default(),
        };
        Meaning::of(Hint { name, about, index: 0 }, &context)
    }

    #[test]
    fn a_path_means_what_the_tool_does_with_it() {
        assert_eq!(of("read_text_file", Risk::Reads, "path", ""), Some(Meaning::File));
        assert_eq!(of("list_directory", Risk::Reads, "path", ""), Some(Meaning::Folder));
        assert_eq!(of("write_file", Risk::Writes, "path", ""), Some(Meaning::NewFile));
        assert_eq!(of("move_file", Risk::Writes, "source", ""), Some(Meaning::File));
        assert_eq!(of("move_file", Risk::Writes, "destination", ""), Some(Meaning::NewFile));
        assert_eq!(of("git_status", Risk::Reads, "repo_path", ""), Some(Meaning::Repository));
        assert_eq!(of("git_add", Risk::Writes, "files", ""), Some(Meaning::RelativeFile));
        assert_eq!(of("git_log", Risk::Reads, "directory", ""), Some(Meaning::Repository));
        assert_eq!(of("search_flights", Risk::Reads, "destination", ""), None);
    }

    #[test]
    fn names_and_descriptions_tell_times_apart() {
        let t = |name, about| of("convert", Risk::Reads, name, about);
        assert_eq!(t("time", "in 24-hour format (HH:MM)"), Some(Meaning::ClockTime));
        assert_eq!(t("source_timezone", "IANA name"), Some(Meaning::Timezone));
        assert_eq!(t("start_date", ""), Some(Meaning::Date));
        assert_eq!(t("createdAt", ""), Some(Meaning::DateTime));
    }

    #[test]
    fn the_telling_word_of_a_name_decides() {
        assert_eq!(of("git_checkout", Risk::Writes, "branch_name", ""), Some(Meaning::Branch));
        assert_eq!(of("x", Risk::Reads, "query_text", ""), Some(Meaning::Query));
        assert_eq!(of("x", Risk::Reads, "commit1", ""), Some(Meaning::Revision));
        assert_eq!(of("execute_sql", Risk::Writes, "query", ""), Some(Meaning::Sql));
    }

    #[test]
    fn a_word_nobody_knows_means_nothing() {
        assert_eq!(of("x", Risk::Reads, "frobnication", ""), None);
    }
}
