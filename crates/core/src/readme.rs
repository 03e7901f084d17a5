//! A README, read by its structure: headings, lists, tables, code, links, and names that stand out
//! from the prose.

mod calls;
mod json;
mod links;
mod lists;
mod reader;
mod shown;
mod uses;

pub use json::loose_json;
pub use lists::Company;
pub use shown::{Entry, ShownCall, client_entries, shown_calls};

use std::collections::BTreeSet;
use std::ops::Range;

use serde_json::Value;

use crate::evidence::{Document, Evidence};
use crate::percent;

/// What the documentation checks look at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Readme {
    /// Lower case, in order.
    pub headings: Vec<String>,
    pub code: Vec<Code>,
    /// Texts that are set off from prose: headings, inline code, bold, links, table cells.
    pub marked: Vec<String>,
    /// All that a reader sees, as one text, without code blocks.
    pub prose: String,
    /// The same with code blocks; spans of items are places in it.
    pub text: String,
    /// Headings, entries of lists and rows of tables, in order.
    pub items: Vec<Item>,
    /// Where links and images lead, in order.
    pub links: Vec<String>,
    /// What links within the page can lead to.
    pub anchors: BTreeSet<String>,
}

/// Anchors that sites have by themselves.
const BUILT_IN: &[&str] =
    &["top", "readme", "readme-ov-file", "repo-content-pjax-container", "start-of-content"];

/// A code block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// Lower case; empty when the fence names none.
    pub language: String,
    pub text: String,
    /// Where it stands in the text of the README.
    pub at: usize,
}

/// A heading with all that stands under it, an entry of a list, or a row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    pub kind: Kind,
    /// The name it begins with, set off by code, bold, link or cell; of a heading, all of it.
    pub head: String,
    /// Items with the same number stand beside each other: in one list, table, or under one heading.
    pub group: usize,
    pub span: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Heading { level: u8 },
    Entry,
    Row,
}

impl Readme {
    /// `Err` says why there is no README to look at.
    pub fn of(evidence: &Evidence) -> Result<Readme, String> {
        match &evidence.source {
            None => Err("no source or installed package was found to read a README from (give one with --source DIR)".to_owned()),
            Some(source) => match &source.readme {
                None => Err(format!("{} has no README", source.origin)),
                Some(document) => Ok(Readme::parse(&document.text).with(document, &source.pages)),
            },
        }
    }

    /// For what holds a README against the tools: `Err` also when there are none to be seen.
    pub fn beside_tools(evidence: &Evidence) -> Result<Readme, String> {
        evidence.why_no_tools().map_or_else(|| Readme::of(evidence), Err)
    }

    pub fn parse(text: &str) -> Readme {
        reader::read(text)
    }

    /// With what further pages say. Their links are their own.
    fn with(self, readme: &Document, pages: &[Document]) -> Readme {
        if pages.is_empty() {
            return self;
        }
        let all: Vec<&str> = [readme].into_iter().chain(pages).map(|p| p.text.as_str()).collect();
        Readme { links: self.links, anchors: self.anchors, ..Readme::parse(&all.join("\n\n")) }
    }

    /// Whether some heading contains one of these words, as the beginning of a word.
    pub fn has_heading(&self, words: &[&str]) -> bool {
        self.headings.iter().any(|h| words.iter().any(|w| begins_a_word(h, w)))
    }

    /// Whether a tool is named. A name of one plain word, such as `add`, must be set off from the
    /// prose, since prose uses such words in their own right.
    pub fn names(&self, tool: &str) -> bool {
        let plain = tool.chars().all(|c| c.is_ascii_lowercase());
        // The key of a configuration and the name of an image are those of the server.
        let shown = self.code.iter().filter(|c| !c.sets_up()).map(|c| &c.text);
        let set_off = self.marked.iter().chain(shown);
        set_off.into_iter().any(|t| holds_word(t, tool))
            || (!plain && holds_word(&self.prose, tool))
    }

    /// The items that are about this name, with all that stands in or under them. A heading may
    /// say more than the name: "Web search (`web_search`)".
    pub fn about(&self, name: &str) -> impl Iterator<Item = &Item> {
        let plain = name.chars().all(|c| c.is_ascii_lowercase());
        self.items.iter().filter(move |item| match item.kind {
            Kind::Heading { .. } => item.head == name || (!plain && holds_word(&item.head, name)),
            Kind::Entry | Kind::Row => item.head == name,
        })
    }

    /// All from an item to the next that is about something else of its kind, within its section:
    /// what belongs to an entry is not always indented far enough to stand in it.
    pub fn region(&self, item: &Item, other: &dyn Fn(&Item) -> bool) -> Range<usize> {
        let start = item.span.start;
        let headings = self.items.iter().filter(|i| matches!(i.kind, Kind::Heading { .. }));
        let section = headings.filter(|h| h.span.contains(&start)).map(|h| h.span.end).min();
        // Items stand in the order of the text.
        let after = self.items.iter().find(|i| i.span.start > start && other(i));
        let next = after.map_or(self.text.len(), |i| i.span.start);
        start..next.min(section.unwrap_or(self.text.len())).max(start)
    }

    /// How the README spells a name with other separators or capitals: `list-all` for `list_all`.
    pub fn misspelt(&self, name: &str) -> Option<&str> {
        self.misspelt_set_off(name).or_else(|| spelt(self.prose.as_str(), name))
    }

    /// The same where it stands out from the prose: as code, in bold, in a heading.
    pub fn misspelt_set_off(&self, name: &str) -> Option<&str> {
        self.marked.iter().find_map(|text| spelt(text, name))
    }

    /// What stands in and under an item.
    pub fn text_of(&self, item: &Item) -> &str {
        self.text.get(item.span.clone()).unwrap_or_default()
    }

    /// The values of all code blocks that are meant as JSON; `None` for one that does not parse.
    pub fn json(&self) -> impl Iterator<Item = (&Code, Option<Vec<Value>>)> {
        self.code.iter().filter(|c| c.is_json()).map(|c| (c, loose_json(&c.text)))
    }

    /// Links within the page that lead nowhere.
    pub fn dead_anchors(&self) -> Vec<&str> {
        let leads = |target: &str| {
            // What makes a character an emoji stays in some anchors and not in others.
            let target = percent::decoded(target).to_lowercase().replace('\u{fe0f}', "");
            let bare = target.strip_prefix("user-content-").unwrap_or(&target);
            bare.is_empty() || BUILT_IN.contains(&bare) || self.anchors.contains(bare)
        };
        self.links.iter().filter_map(|l| l.strip_prefix('#')).filter(|a| !leads(a)).collect()
    }

    /// Links to files beside the README, without query and anchor.
    pub fn relative_links(&self) -> BTreeSet<String> {
        self.links.iter().filter_map(|link| links::relative(link)).collect()
    }
}

impl Code {
    pub fn is_json(&self) -> bool {
        let braced = self.text.trim_start().starts_with(['{', '"']) && self.text.contains("\":");
        matches!(self.language.as_str(), "json" | "jsonc" | "json5")
            || (self.language.is_empty() && braced)
    }
}

/// The word of a text that is a name but for separators and capitals.
fn spelt<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    fn letters(text: &str) -> impl Iterator<Item = char> {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
    }
    // A sentence begins with a capital; a name has one in its middle.
    let apart =
        |word: &str| word.contains(['_', '-']) || word.chars().skip(1).any(char::is_uppercase);
    let alike = |word: &&str| letters(word).eq(letters(name)) && (apart(name) || apart(word));
    text.split(|c: char| !(c.is_alphanumeric() || "_-.".contains(c))).find(alike)
}

fn begins_a_word(text: &str, word: &str) -> bool {
    text.match_indices(word)
        .any(|(at, _)| !text[..at].chars().next_back().is_some_and(char::is_alphanumeric))
}

/// Whether a text holds a name as a whole word.
pub fn holds_word(text: &str, word: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    !word.is_empty()
        && text.match_indices(word).any(|(at, found)| {
            let before = text[..at].chars().next_back();
            let after = text[at + found.len()..].chars().next();
            !before.is_some_and(inside) && !after.is_some_and(inside)
        })
}

#[cfg(test)]
mod tests;
