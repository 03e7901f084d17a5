//! What can be wrong with a rubric file: where, what, and the way out.

use std::fmt;
use std::ops::Range;

use super::Rubric;
use crate::check::Facet;

/// A rubric that can't be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}: {problem}", Place(self))]
pub struct RubricError {
    pub file: String,
    /// Counted from 1.
    pub line: Option<usize>,
    pub problem: Problem,
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Problem {
    #[error("{why}; docs/rubrics.md lists every key with an example")]
    Format { why: String },
    #[error("no rubric is called `{id}`; use {}, or a file with --rubric FILE", known(&Rubric::BUILTIN))]
    NoSuchRubric { id: String },
    #[error(
        "the weights of {of} sum to {sum}, expected 100; change `weight` of {keys} by {} in all",
        signed(100.0 - sum)
    )]
    Weights { of: String, sum: f64, keys: String },
    #[error("`{key}` is {found}, expected {expected}; change it")]
    Value { key: String, found: String, expected: String },
    #[error("unknown facet `{name}`; {}", suggest(name))]
    UnknownFacet { name: String },
    #[error("{what} `{id}` stands twice; give each its own `id`")]
    Twice { what: &'static str, id: String },
    #[error("{of} has no {what}; add at least {least}, e.g. {example}")]
    Empty { of: String, what: &'static str, least: &'static str, example: &'static str },
    #[error(
        "band `{level}` at {at} does not lie below `{above}` at {above_at}; list bands from best to worst"
    )]
    BandOrder { level: String, at: f64, above: String, above_at: f64 },
    #[error(
        "the last band `{level}` begins at {at}, so lower scores have no level; let it begin at 0"
    )]
    BandGap { level: String, at: f64 },
    #[error("{curve} {what}; {fix}")]
    Curve { curve: &'static str, what: String, fix: String },
}

/// A problem and the bytes of the file it is about.
#[derive(Debug)]
pub(super) struct At {
    pub(super) span: Option<Range<usize>>,
    pub(super) problem: Problem,
}

impl At {
    pub(super) fn new(span: Range<usize>, problem: Problem) -> At {
        At { span: Some(span), problem }
    }

    pub(super) fn into_error(self, file: &str, text: &str) -> RubricError {
        let line =
            self.span.map(|s| 1 + text.bytes().take(s.start).filter(|b| *b == b'\n').count());
        RubricError { file: file.to_owned(), line, problem: self.problem }
    }
}

impl RubricError {
    pub(super) fn no_such_rubric(id: &str) -> RubricError {
        let problem = Problem::NoSuchRubric { id: id.to_owned() };
        RubricError { file: "--rubric".to_owned(), line: None, problem }
    }
}

struct Place<'a>(&'a RubricError);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.line {
            Some(line) => write!(f, "{}:{line}", self.0.file),
            None => f.write_str(&self.0.file),
        }
    }
}

fn known(names: &[&str]) -> String {
    names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
}

fn signed(number: f64) -> String {
    // Six digits hide the noise of summing, and no weight is finer than that.
    let number = (number * 1e6).round() / 1e6;
    format!("{number:+}")
}

fn suggest(name: &str) -> String {
    let nearest = Facet::ALL.iter().map(|f| (distance(name, f.as_str()), f)).min();
    let all: Vec<&str> = Facet::ALL.iter().map(|f| f.as_str()).collect();
    match nearest {
        Some((far, facet)) if far <= 2 + name.chars().count() / 3 => {
            format!("did you mean `{facet}`?")
        }
        Some(_) | None => format!("known are {}", known(&all)),
    }
}

/// Edits that turn one word into the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
