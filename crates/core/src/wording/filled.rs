//! What a parameter is to be filled with: all of something private, or what others answered.

use super::lexicon::Sort;
use super::objects::{Private, private};
use super::sentence::Sentence;

/// A parameter that is to hold all of something private.
pub(super) fn filled_with(s: &Sentence<'_>) -> f64 {
    const WHOLE: &[&str] = &[
        "begins",
        "complete",
        "content",
        "everything",
        "contents",
        "entire",
        "followed",
        "full",
        "opens",
        "output",
        "starts",
        "whatever",
        "whole",
    ];
    if !s.words.iter().any(|w| WHOLE.contains(&w.text.as_str())) {
        return 0.0;
    }
    if s.has(Sort::Key) && is_said(s) || of_tools(s) {
        return 0.8;
    }
    match private(s, 0, s.words.len(), false) {
        Private::Top => 0.8,
        Private::Strong if s.has(Sort::Key) => 0.8,
        Private::Strong => 0.4,
        Private::Weak | Private::No => 0.0,
    }
}

/// Nobody who wants a conversation for its topic wants the passwords in it, or what other servers said.
pub(super) fn wants_more(s: &Sentence<'_>) -> bool {
    s.has(Sort::Key) && is_said(s) || of_others(s)
}

/// What was said before is meant.
fn is_said(s: &Sentence<'_>) -> bool {
    const SAID: &[&str] =
        &["chat", "conversation", "dialog", "dialogue", "messages", "said", "session", "typed"];
    s.words.iter().any(|w| SAID.contains(&w.text.as_str()))
}

/// "the answers of all tools called so far".
fn of_tools(s: &Sentence<'_>) -> bool {
    const ANSWERS: &[&str] = &["answers", "outputs", "replies", "responses", "results", "returned"];
    const WHOSE: &[&str] = &["server", "servers", "tools"];
    let has = |list: &[&str]| s.words.iter().any(|w| list.contains(&w.text.as_str()));
    has(ANSWERS) && has(&["all", "any", "each", "every"]) && has(WHOSE)
}

/// "and of every other connected server": what is none of this one's business.
fn of_others(s: &Sentence<'_>) -> bool {
    let server = |i: usize| ["server", "servers"].contains(&s.word(i));
    let other =
        |i: usize| (i.saturating_sub(3)..i).any(|k| ["connected", "other"].contains(&s.word(k)));
    of_tools(s) && (0..s.words.len()).any(|i| server(i) && other(i))
}
