//! Earlier instructions that a text sets aside.

use super::heads::Deed;
use super::lexicon::{Sort, is};
use super::sentence::Sentence;

/// What binds a model and hardly anything else; other rules may be those of a firewall.
const BINDING: &[&str] = &[
    "directives",
    "guardrails",
    "guideline",
    "guidelines",
    "instruction",
    "instructions",
    "programming",
    "prompt",
    "prompts",
    "restrictions",
    "safeguards",
    "safety",
    "told",
    "training",
];

const VOIDED: &[&str] = &["no longer apply", "no longer valid"];

/// All phrases that are looked for here.
pub(super) const PHRASES: &[&[&str]] = &[VOIDED];

/// "Ignore all previous instructions", however it is put.
pub(super) fn overrides(s: &Sentence<'_>, deeds: &[Deed]) -> f64 {
    let weight = |deed: &Deed| {
        let words = deed.at + 1..s.words.len().min(deed.at + 10);
        let rule = words.clone().find(|i| s.is(*i, Sort::Rule));
        let Some(rule) = rule else { return 0.0 };
        if is_about_something(s, rule) {
            return 0.3;
        }
        let prior = (deed.at + 1..=rule + 3).any(|i| s.is(i, Sort::Prior));
        let settings = ["override", "bypass", "stop", "drop"].contains(&deed.verb);
        let binding = words.clone().any(|i| BINDING.contains(&s.word(i)));
        let personal =
            words.clone().any(|i| ["your", "user", "user's", "you"].contains(&s.word(i)));
        match (prior || personal, binding || personal || deed.to_model, deed.plain && settings) {
            (true, true, false) => 1.0,
            (true, _, _) => 0.5,
            (false, _, _) => 0.3,
        }
    };
    let told = deeds.iter().filter(|d| !d.negated && is(d.verb, Sort::Skip));
    let void = s.says(VOIDED) || s.has(Sort::Void);
    let ours = s.has(Sort::Prior) || s.words.iter().any(|w| w.text == "safety");
    let voided = if void && ours && s.has(Sort::Rule) { 0.8 } else { 0.0 };
    told.map(weight).fold(voided, f64::max)
}

/// "The previous instructions in the wiki": they are somebody's, about something.
fn is_about_something(s: &Sentence<'_>, rule: usize) -> bool {
    const OF: &[&str] = &["about", "concerning", "for", "in", "on", "regarding"];
    // What instructions of a model are in, and what they are about.
    const MODEL: &[&str] = &[
        "above",
        "assistant",
        "chat",
        "confidentiality",
        "context",
        "conversation",
        "developer",
        "favor",
        "favour",
        "message",
        "model",
        "privacy",
        "prompt",
        "safety",
        "secrecy",
        "security",
        "session",
        "system",
        "this",
        "training",
        "user",
        "users",
        "you",
        "your",
    ];
    let after = rule + 2..rule + 7;
    OF.contains(&s.word(rule + 1))
        && !s.word(rule + 2).is_empty()
        && !after.into_iter().any(|i| MODEL.contains(&s.word(i)))
}
