//! Names that a model mixes up.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "usability/names-distinct",
    title: "No two tool names differ by next to nothing",
    facet: Facet::Naming,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("names_distinct.md"),
    judge,
};

/// More tools than this are compared only in part.
const MOST: usize = 400;
/// Shorter names differ much by one letter.
const LONG: usize = 8;

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let names: Vec<&str> = evidence.tools().map(|t| t.name.as_str()).take(MOST).collect();
    if names.len() < 2 {
        return Vec::new();
    }
    let mut pairs = Vec::new();
    for (n, a) in names.iter().enumerate() {
        pairs.extend(names[n + 1..].iter().filter(|b| alike(a, b)).map(|b| format!("{a} and {b}")));
    }
    if pairs.is_empty() {
        return vec![Finding::pass(
            Subject::Server,
            format!("{} names, all distinct", names.len()),
        )];
    }
    let says = format!("differ by next to nothing: {}", quote(&pairs.join("; ")));
    let fix = "rename one of each pair so that the difference is a word, or make them one tool with a parameter";
    let share = 1.0 - (pairs.len() * 2).min(names.len()) as f64 / names.len() as f64;
    vec![Finding::partial(Subject::Server, Grade::new(share), says, fix)]
}

/// The same letters, or all but one. Digits tell versions apart, and a last `s` one from many.
fn alike(a: &str, b: &str) -> bool {
    let letters = |name: &str| -> Vec<char> {
        name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let (a, b) = (letters(a), letters(b));
    if a == b {
        return true;
    }
    let (short, long) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
    if short.len() < LONG || long.len() > short.len() + 1 {
        return false;
    }
    let head = short.iter().zip(long.iter()).take_while(|(x, y)| x == y).count();
    let tail = |skip_short: usize, skip_long: usize| {
        short.get(head + skip_short..) == long.get(head + skip_long..)
    };
    let odd = [short.get(head), long.get(head)];
    let telling = odd.iter().flatten().any(|c| c.is_ascii_digit()) || odd == [None, Some(&'s')];
    let one_apart = if short.len() == long.len() { tail(1, 1) } else { tail(0, 1) };
    one_apart && !telling
}
