//! Pages: the Markdown beside a check, which is its documentation and its test.
//!
//! A page is `# title`, prose sections (`## Why it matters` and `## How to fix` at least), then
//! `## Cases`. A case is `### a sentence`, one `json` block (see [`snippet`]) and one `text` block
//! with the findings expected, one per line (see [`Expected`]).

mod expected;
mod short;
mod snippet;

pub use expected::{Expected, Verdict};
pub use snippet::evidence;

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Parser, Tag, TagEnd};

use crate::check::{Check, Finding, judge};
use crate::evidence::Evidence;

const WHY: &str = "Why it matters";
const FIX: &str = "How to fix";
const CASES: &str = "Cases";

/// A parsed page.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// States the good case; the same as the title of the check.
    pub title: String,
    /// Markdown, without its heading.
    pub why: String,
    /// Markdown, without its heading.
    pub fix: String,
    /// Other prose between title and cases, as heading and Markdown.
    pub more: Vec<(String, String)>,
    pub cases: Vec<Case>,
}

/// A piece of evidence and what the check must say about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// A sentence.
    pub name: String,
    /// The line of its heading in the page.
    pub line: usize,
    /// The evidence snippet, as written.
    pub given: String,
    pub expected: Vec<Expected>,
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PageError {
    #[error("the page has no title; begin it with `# …`")]
    NoTitle,
    #[error("the page has no section `## {0}`; add it")]
    NoSection(&'static str),
    #[error("line {line}: case `{case}` has {found} {kind} blocks, expected one")]
    Blocks { case: String, line: usize, kind: &'static str, found: usize },
    #[error(
        "line {line}: case `{case}` holds a `{language}` block; use one `json` and one `text` block"
    )]
    Language { case: String, line: usize, language: String },
    #[error("line {line}: case `{case}`: {why}")]
    Expectation { case: String, line: usize, why: String },
    #[error("line {line}: case `{case}`: snippet {why}")]
    Snippet { case: String, line: usize, why: String },
    #[error("line {line}: two cases are called `{case}`; give each its own sentence")]
    Twice { case: String, line: usize },
}

impl Page {
    pub fn parse(text: &str) -> Result<Page, PageError> {
        let blocks = blocks(text);
        let title = blocks
            .iter()
            .find_map(|b| match &b.kind {
                Kind::Heading(HeadingLevel::H1, name) => Some(name.clone()),
                Kind::Heading(..) | Kind::Code(..) => None,
            })
            .ok_or(PageError::NoTitle)?;
        let mut page =
            Page { title, why: String::new(), fix: String::new(), more: vec![], cases: vec![] };
        let mut seen_cases = false;
        for section in sections(&blocks, text.len()) {
            let body = text[section.body.clone()].trim().to_owned();
            match section.name.as_str() {
                WHY => page.why = body,
                FIX => page.fix = body,
                CASES => {
                    seen_cases = true;
                    page.cases = cases(text, &blocks, &section.body)?;
                }
                _ => page.more.push((section.name, body)),
            }
        }
        let missing =
            [(page.why.is_empty(), WHY), (page.fix.is_empty(), FIX), (!seen_cases, CASES)];
        match missing.into_iter().find(|(absent, _)| *absent) {
            Some((_, name)) => Err(PageError::NoSection(name)),
            None => Ok(page),
        }
    }
}

impl Check {
    /// The parsed page. The catalogue test makes sure that every page parses.
    pub fn page(&self) -> Result<Page, PageError> {
        Page::parse(self.page)
    }
}

impl Case {
    /// The snippet, expanded into a full piece of evidence.
    pub fn evidence(&self) -> Result<Evidence, PageError> {
        snippet::evidence(&self.given).map_err(|why| PageError::Snippet {
            case: self.name.clone(),
            line: self.line,
            why,
        })
    }

    /// Runs the check on the snippet; `Err` says what was expected and what was found.
    pub fn run(&self, check: &'static Check) -> Result<(), String> {
        let evidence = self.evidence().map_err(|e| e.to_string())?;
        let judged = judge(&evidence, &[check]);
        let found: Vec<&Finding> = judged.iter().flat_map(|j| &j.findings).collect();
        if expected::all_met(&self.expected, &found) {
            return Ok(());
        }
        let list = |lines: Vec<String>| match lines.is_empty() {
            true => "  none".to_owned(),
            false => lines.iter().map(|l| format!("  {l}")).collect::<Vec<_>>().join("\n"),
        };
        Err(format!(
            "line {}: case `{}`\nexpected:\n{}\nfound:\n{}",
            self.line,
            self.name,
            list(self.expected.iter().map(ToString::to_string).collect()),
            list(found.iter().map(|f| expected::line_of(f)).collect()),
        ))
    }
}

struct Block {
    kind: Kind,
    range: Range<usize>,
}

enum Kind {
    Heading(HeadingLevel, String),
    /// Language and content.
    Code(String, String),
}

/// Headings and fenced code, in order.
#[expect(clippy::wildcard_enum_match_arm, reason = "a parser's events, not our enum")]
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut content = String::new();
    for (event, range) in Parser::new(text).into_offset_iter() {
        if let Event::Start(Tag::Heading { .. } | Tag::CodeBlock(_)) = &event {
            content.clear();
        }
        match event {
            Event::Text(t) | Event::Code(t) => content.push_str(&t),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                blocks.push(Block { kind: Kind::Code(language.to_string(), String::new()), range });
            }
            Event::End(TagEnd::CodeBlock) => {
                if let Some(Block { kind: Kind::Code(_, body), .. }) = blocks.last_mut() {
                    *body = std::mem::take(&mut content);
                }
            }
            Event::End(TagEnd::Heading(level)) => {
                let kind = Kind::Heading(level, content.trim().to_owned());
                blocks.push(Block { kind, range });
            }
            _ => {}
        }
    }
    blocks
}

struct Section {
    name: String,
    body: Range<usize>,
}

fn sections(blocks: &[Block], end: usize) -> Vec<Section> {
    headings(blocks, HeadingLevel::H2, &(0..end))
}

/// The headings of one level within a range, each with what stands below it.
fn headings(blocks: &[Block], level: HeadingLevel, within: &Range<usize>) -> Vec<Section> {
    let starts: Vec<(&Range<usize>, &String)> = blocks
        .iter()
        .filter(|b| within.contains(&b.range.start))
        .filter_map(|b| match &b.kind {
            Kind::Heading(l, name) if *l == level => Some((&b.range, name)),
            Kind::Heading(..) | Kind::Code(..) => None,
        })
        .collect();
    let ends = starts.iter().skip(1).map(|(r, _)| r.start).chain([within.end]);
    starts
        .iter()
        .zip(ends)
        .map(|((range, name), end)| Section { name: (*name).clone(), body: range.end..end })
        .collect()
}

fn cases(text: &str, blocks: &[Block], within: &Range<usize>) -> Result<Vec<Case>, PageError> {
    let mut cases: Vec<Case> = Vec::new();
    for section in headings(blocks, HeadingLevel::H3, within) {
        let line = text[..section.body.start.saturating_sub(1)].lines().count();
        let case = read_case(section, line, blocks)?;
        if cases.iter().any(|c| c.name == case.name) {
            return Err(PageError::Twice { case: case.name, line });
        }
        cases.push(case);
    }
    Ok(cases)
}

fn read_case(section: Section, line: usize, blocks: &[Block]) -> Result<Case, PageError> {
    let case = section.name;
    let (mut given, mut wanted) = (Vec::new(), Vec::new());
    for block in blocks.iter().filter(|b| section.body.contains(&b.range.start)) {
        let Kind::Code(language, body) = &block.kind else { continue };
        match language.as_str() {
            "json" => given.push(body),
            "text" => wanted.push(body),
            other => {
                return Err(PageError::Language { case, line, language: other.to_owned() });
            }
        }
    }
    let (&[given], &[wanted]) = (given.as_slice(), wanted.as_slice()) else {
        let (kind, found) =
            if given.len() == 1 { ("text", wanted.len()) } else { ("json", given.len()) };
        return Err(PageError::Blocks { case, line, kind, found });
    };
    let expected = expected::parse(wanted).map_err(|why| PageError::Expectation {
        case: case.clone(),
        line,
        why,
    })?;
    Ok(Case { name: case, line, given: given.clone(), expected })
}
