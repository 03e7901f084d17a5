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
/// What a name says of how well, and not of what.
const PRAISE: &str =
    "advanced better enhanced improved optimized pro robust safe secure smart v2 v3";
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
    let (mut pairs, mut praised): (Vec<(f64, String)>, Vec<String>) = Default::default();
    for (n, a) in all.iter().enumerate() {
        for b in &all[n + 1..] {
            let names = format!("{} and {}", a.tool.name, b.tool.name);
            if let Some(likeness) = likeness(a, b) {
                pairs.push((likeness, names));
            } else if only_praised(a, b) || only_praised(b, a) {
                praised.push(names);
            }
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let mut says = Vec::new();
    if let Some((closest, _)) = pairs.first() {
        let names: Vec<&str> = pairs.iter().map(|(_, names)| names.as_str()).collect();
        let (closest, names) = (closest * 100.0, names.join("; "));
        says.push(format!("described alike (up to {closest:.0} % of the words): {names}"));
    }
    if !praised.is_empty() {
        says.push(format!("told apart only by praise: {}", praised.join("; ")));
    }
    if says.is_empty() {
        return vec![Finding::pass(Subject::Server, "every description sets its tool apart")];
    }
    let fix =
        "say in each when to use it and not the other, or make them one tool with a parameter";
    let share = 1.0 - ((pairs.len() + praised.len()) * 2).min(all.len()) as f64 / all.len() as f64;
    vec![
        Finding::partial(Subject::Server, Grade::new(share), quote(&says.join("; ")), fix)
            .confidence(Confidence::Low),
    ]
}

/// Whether the one is the other with a word of praise in its name, and takes all that the other
/// takes: `add_note` and `add_note_enhanced`.
fn only_praised(one: &Told<'_>, other: &Told<'_>) -> bool {
    let praise: BTreeSet<String> = PRAISE.split(' ').map(str::to_owned).collect();
    let plain: BTreeSet<&String> = one.name.difference(&praise).collect();
    let takes = |name: &str| one.tool.parameters().any(|(parameter, _)| parameter == name);
    plain.len() < one.name.len()
        && plain.len() > 1
        && plain.iter().all(|word| other.name.contains(*word))
        && other.tool.parameters().next().is_some()
        && other.tool.parameters().all(|(name, _)| takes(name))
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
