//! An error that asks for an earlier step: the step is taken, then the call made again.

use super::chain::{latest, numbered, why_failed};
use super::{PROBE, RETRIED, working};
use crate::evidence::{Evidence, Tool};
use crate::probe::{Call, Risk, words};
use crate::response::Trouble;

/// Steps that need steps themselves are followed this far.
const MOST: usize = 2;

pub(super) fn calls(evidence: &Evidence, tool: &Tool) -> Vec<Call> {
    let count = |label: &str| {
        let of_tool = evidence.of(PROBE.id).filter(|x| x.label.starts_with(label));
        of_tool.collect::<Vec<_>>()
    };
    let retried = count(RETRIED).iter().filter(|x| x.subject.tool() == Some(&tool.name)).count();
    let before = format!("before {}", tool.name);
    let taken = count(&before).len();
    let again = || {
        let arguments = latest(evidence, tool)?;
        Some(Call::tool(&tool.name, numbered(RETRIED, retried), arguments.clone()))
    };
    let Some(text) = why_failed(evidence, tool) else { return Vec::new() };
    if taken > retried {
        return again().into_iter().collect();
    }
    let first = (retried < MOST).then(|| earlier(evidence, tool, &text)).flatten();
    let step = first.and_then(|first| {
        let arguments = working(evidence, &first.name)?.arguments()?;
        Some(Call::tool(&first.name, numbered(&before, taken), arguments.clone()))
    });
    // Calls to reading tools run before all others of a round, so there the retry waits.
    let waits = evidence.risk_of(&tool.name) == Risk::Reads;
    match step {
        Some(step) if waits => vec![step],
        Some(step) => [Some(step), again()].into_iter().flatten().collect(),
        None => Vec::new(),
    }
}

/// The tool that the error names, else the one whose name says what is missing.
fn earlier<'a>(evidence: &'a Evidence, tool: &Tool, text: &str) -> Option<&'a Tool> {
    let able: Vec<&Tool> = evidence
        .tools()
        .filter(|t| t.name != tool.name && evidence.risk_of(&t.name) == Risk::Writes)
        .filter(|t| working(evidence, &t.name).is_some())
        .collect();
    let named = able.iter().filter_map(|t| Some((place(text, &t.name)?, *t)));
    let first = named.min_by_key(|(at, _)| *at).map(|(_, t)| t);
    first.or_else(|| (Trouble::of(text) == Trouble::State).then(|| alluded(&able, tool, text))?)
}

/// Where the name stands in the text as a word of its own.
fn place(text: &str, name: &str) -> Option<usize> {
    places(text, name).next().filter(|_| name.len() > 3)
}

/// All places where it does.
pub(super) fn places(text: &str, name: &str) -> impl Iterator<Item = usize> {
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).map(|(at, name)| (at, at + name.len())).filter_map(move |(at, end)| {
        (!text[..at].ends_with(joins) && !text[end..].starts_with(joins)).then_some(at)
    })
}

/// "Not connected" asks for `connect`, "no active session" for `start_session`.
fn alluded<'a>(able: &[&'a Tool], tool: &Tool, text: &str) -> Option<&'a Tool> {
    let own = words(&tool.name);
    let said: Vec<String> =
        words(text).into_iter().filter(|w| w.len() > 3 && !own.contains(w)).collect();
    let hits = |t: &Tool| {
        let stem = |w: &String| w.len() > 3 && said.iter().any(|s| s.starts_with(w.as_str()));
        words(&t.name).iter().filter(|w| !own.contains(w)).filter(|w| stem(w)).count()
    };
    let best = able.iter().map(|t| hits(t)).max().filter(|most| *most > 0)?;
    able.iter().find(|t| hits(t) == best).copied()
}
