//! Tools between which a model can only guess.

use std::collections::BTreeSet;

use crate::check::{Check, Confidence, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject, Tool};
use crate::probe::words;
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "usability/tools-distinguishable",
    title: "No two tools are described alike",
    facet: Facet::Practice,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("tools_distinguishable.md"),
    judge,
};

/// Share of words in common from which two descriptions are alike.
const ALIKE: f64 = 0.85;
/// With fewer words, chance makes them alike.
const FEWEST: usize = 5;
/// More tools than this are compared only in part.
const MOST: usize = 300;

struct Told<'a> {
    tool: &'a Tool,
    name: BTreeSet<String>,
    words: BTreeSet<String>,
}

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let all: Vec<Told<'_>> = evidence.tools().take(MOST).map(told).collect();
    if all.len() < 2 {
        return Vec::new();
    }
    let mut pairs: Vec<(f64, String)> = Vec::new();
    for (n, a) in all.iter().enumerate() {
        for b in &all[n + 1..] {
            pairs.extend(
                likeness(a, b).map(|l| (l, format!("{} and {}", a.tool.name, b.tool.name))),
            );
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let Some((closest, _)) = pairs.first() else {
        return vec![Finding::pass(Subject::Server, "every description sets its tool apart")];
    };
    let names: Vec<&str> = pairs.iter().map(|(_, names)| names.as_str()).collect();
    let says = format!(
        "described alike (up to {:.0} % of the words): {}",
        closest * 100.0,
        quote(&names.join("; "))
    );
    let fix =
        "say in each when to use it and not the other, or make them one tool with a parameter";
    let share = 1.0 - (pairs.len() * 2).min(all.len()) as f64 / all.len() as f64;
    vec![
        Finding::partial(Subject::Server, Grade::new(share), says, fix).confidence(Confidence::Low),
    ]
}

fn told(tool: &Tool) -> Told<'_> {
    let stems =
        |text: &str| words(text).iter().map(|w| w.trim_end_matches('s').to_owned()).collect();
    let words = stems(tool.description.as_deref().unwrap_or_default());
    Told { tool, name: stems(&tool.name), words }
}

/// How much two descriptions have in common, where it is too much. Words that differ as the names
/// differ are what sets them apart: "creates an issue", "creates a label".
fn likeness(a: &Told<'_>, b: &Told<'_>) -> Option<f64> {
    if a.words.len().min(b.words.len()) < FEWEST {
        return None;
    }
    let (few, many) = (a.words.len().min(b.words.len()), a.words.len().max(b.words.len()));
    if (few as f64) < ALIKE * many as f64 {
        return None;
    }
    let common = a.words.intersection(&b.words).count();
    let likeness = common as f64 / (a.words.len() + b.words.len() - common) as f64;
    let apart = |x: &Told<'_>, y: &Told<'_>| {
        x.words
            .difference(&y.words)
            .any(|w| x.name.iter().any(|n| n.contains(w.as_str()) || w.contains(n.as_str())))
    };
    (likeness >= ALIKE && !(apart(a, b) || apart(b, a))).then_some(likeness)
}
