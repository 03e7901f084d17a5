//! What a parameter is for, guessed from its name, its description and the tool's name.

mod clock;
mod code;
mod files;
mod git;
mod people;
mod plain;
mod web;
mod world;

use super::context::Context;
use crate::probe::words;
use crate::seed::Seed;

/// The kinds of text that have a natural sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Meaning {
    // files
    File,
    NewFile,
    Folder,
    RelativeFile,
    // git
    Repository,
    Revision,
    Branch,
    Remote,
    GitTag,
    CommitMessage,
    // web
    Url,
    Host,
    Ip,
    Port,
    Email,
    MimeType,
    HttpMethod,
    UserAgent,
    // clock
    Timezone,
    ClockTime,
    Date,
    DateTime,
    Duration,
    Cron,
    Weekday,
    Month,
    Year,
    // people
    FullName,
    Username,
    Phone,
    Company,
    Secret,
    // world
    Language,
    Locale,
    Country,
    City,
    Address,
    Coordinates,
    Postcode,
    Currency,
    Unit,
    Stock,
    // code
    Sql,
    Table,
    Column,
    Code,
    ProgrammingLanguage,
    Expression,
    Command,
    Pattern,
    Glob,
    Json,
    Yaml,
    Xml,
    Html,
    Css,
    JsonPath,
    Markdown,
    Base64,
    Hash,
    Version,
    Package,
    Sheet,
    Cell,
    CellRange,
    Formula,
    // plain
    /// Text to be replaced.
    SpareWord,
    Query,
    Uuid,
    Id,
    Colour,
    Percentage,
    Switch,
    Count,
    SortOrder,
    Status,
    Encoding,
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

/// One line of a family's table.
#[derive(Debug)]
struct Row {
    means: Meaning,
    /// Words or phrases of a name, as `words` splits it, with bars between.
    names: &'static str,
    /// Words or phrases of a description.
    about: &'static str,
    texts: Texts,
}

impl Row {
    const fn of(means: Meaning, names: &'static str, about: &'static str, texts: Texts) -> Row {
        Row { means, names, about, texts }
    }
}

#[derive(Debug)]
enum Texts {
    /// One for each position in a list, then again from the start.
    Fixed(&'static [&'static str]),
    Made(fn(Hint<'_>, &Context, Seed) -> String),
}

/// In the order in which descriptions are searched.
const FAMILIES: &[&[Row]] = &[
    clock::ROWS,
    web::ROWS,
    git::ROWS,
    files::ROWS,
    code::ROWS,
    people::ROWS,
    world::ROWS,
    plain::ROWS,
];

fn rows() -> impl Iterator<Item = &'static Row> {
    FAMILIES.iter().copied().flatten()
}

impl Meaning {
    pub(super) fn of(hint: Hint<'_>, context: &Context) -> Option<Meaning> {
        let asked = Asked::of(hint, context);
        if asked.name.is_empty() {
            return None;
        }
        files::of(&asked)
            .or_else(|| git::of(&asked))
            .or_else(|| code::of(&asked))
            .or_else(|| web::of(&asked))
            .or_else(|| by_phrase(&asked.name))
            .or_else(|| asked.telling.first().and_then(|w| by_word(w)))
            .or_else(|| clock::of(&asked))
            .or_else(|| asked.telling.iter().skip(1).find_map(|w| by_word(w)))
            .or_else(|| by_description(&asked.about).filter(|m| !(asked.is_id() && m.is_planted())))
            .or_else(|| asked.vague.iter().find_map(|w| by_word(w)))
    }

    /// We planted it, so no example from somebody else's machine is better.
    pub(super) fn is_planted(self) -> bool {
        matches!(
            self,
            Meaning::File
                | Meaning::NewFile
                | Meaning::Folder
                | Meaning::RelativeFile
                | Meaning::Repository
                | Meaning::Revision
                | Meaning::Branch
                | Meaning::Url
                | Meaning::Host
                | Meaning::Ip
                | Meaning::Email
                | Meaning::SpareWord
        )
    }

    /// So little is known that any mention in the description tells more.
    pub(super) fn is_vague(self) -> bool {
        matches!(self, Meaning::Name | Meaning::Text | Meaning::Status)
    }

    pub(super) fn text(self, hint: Hint<'_>, context: &Context, seed: Seed) -> String {
        match rows().find(|row| row.means == self).map(|row| &row.texts) {
            Some(Texts::Fixed(texts)) => {
                let n = hint.index + usize::from(is_later(hint.name));
                texts[n % texts.len()].to_owned()
            }
            Some(Texts::Made(make)) => make(hint, context, seed),
            None => "sample".to_owned(),
        }
    }
}

/// The words of a question, split once.
#[derive(Debug)]
struct Asked<'a> {
    context: &'a Context,
    name: Vec<String>,
    /// Words that say something, last first; `branch_name` is a branch.
    telling: Vec<String>,
    /// Words that go with anything.
    vague: Vec<String>,
    about: Vec<String>,
    tool: Vec<String>,
}

impl<'a> Asked<'a> {
    fn of(hint: Hint<'_>, context: &'a Context) -> Asked<'a> {
        let name = words(hint.name);
        let (vague, telling) = name.iter().rev().cloned().partition(|w| {
            matches!(w.as_str(), "address" | "name" | "value" | "string" | "text" | "input")
        });
        let (about, tool) = (words(hint.about), words(&context.tool));
        Asked { context, name, telling, vague, about, tool }
    }

    /// "from the staff directory" names no folder where an id is asked for.
    fn is_id(&self) -> bool {
        let last = self.name.last().map_or("", String::as_str);
        ["code", "id", "key", "login", "number", "uid", "username", "uuid"].contains(&last)
    }

    fn named(&self, any: &[&str]) -> bool {
        self.name.iter().any(|w| any.contains(&w.as_str()))
    }

    fn ends(&self, any: &[&str]) -> bool {
        self.name.last().is_some_and(|w| any.contains(&w.as_str()))
    }

    fn says(&self, phrase: &str) -> bool {
        holds(&self.about, phrase)
    }

    fn tool_has(&self, any: &[&str]) -> bool {
        self.tool.iter().any(|w| any.contains(&w.as_str()))
    }
}

/// Whether the words of a phrase stand side by side.
fn holds(words: &[String], phrase: &str) -> bool {
    let wanted: Vec<&str> = phrase.split(' ').filter(|w| !w.is_empty()).collect();
    !wanted.is_empty()
        && words.windows(wanted.len()).any(|w| w.iter().zip(&wanted).all(|(a, b)| a == b))
}

/// A phrase of two words or more says more than any word.
fn by_phrase(name: &[String]) -> Option<Meaning> {
    let long = |row: &&Row| row.names.split('|').any(|n| n.contains(' ') && holds(name, n));
    rows().find(long).map(|row| row.means)
}

fn by_word(word: &str) -> Option<Meaning> {
    let named = |word: &str| {
        let row = rows().find(|row| row.names.split('|').any(|n| n == word && !n.is_empty()));
        row.map(|row| row.means)
    };
    // `commit1` is a commit, but `base64` is no base.
    named(word).or_else(|| named(word.trim_end_matches(|c: char| c.is_ascii_digit())))
}

fn by_description(about: &[String]) -> Option<Meaning> {
    rows().find(|row| row.about.split('|').any(|phrase| holds(about, phrase))).map(|row| row.means)
}

/// The second of a pair, as in `start` and `end`.
pub(super) fn is_later(name: &str) -> bool {
    const LATER: &[&str] =
        &["end", "until", "to", "before", "finish", "stop", "due", "checkout", "return"];
    words(name).iter().any(|w| LATER.contains(&w.as_str()))
}

pub(super) fn uuid(seed: Seed, hint: Hint<'_>) -> String {
    let bits = seed.number(&format!("{}/{}", hint.name, hint.index));
    format!("{:08x}-{:04x}-4000-8000-{:012x}", bits >> 32, bits >> 16 & 0xffff, bits & 0xffff_ffff)
}

#[cfg(test)]
mod tests;
