//! Characters that a model reads and a person does not see.

use std::collections::BTreeMap;

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::proof::Proof;
use crate::response::quote;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "security/hidden-unicode",
    title: "Definitions hide no characters",
    facet: Facet::ModelSafety,
    severity: Severity::High,
    class: Some(Class::HiddenUnicode),
    requirements: &[served("SEC-09")],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("hidden_unicode.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let mut found: BTreeMap<Subject, Finding> = BTreeMap::new();
    for text in evidence.definitions() {
        if let Some((rule, shown)) = hidden(text.text) {
            let says = format!("{} hides {rule}: \"{}\"", text.pointer, quote(&shown));
            let fix = "remove the invisible characters; type the text anew rather than paste it";
            let proof = Proof::Quoted { text: quote(&shown), rule: rule.to_owned() };
            found
                .entry(text.subject.clone())
                .or_insert_with(|| Finding::fail(text.subject, says, fix).proven(proof));
        }
    }
    if found.is_empty() {
        return vec![Finding::pass(
            Subject::Server,
            "every character of the definitions is visible",
        )];
    }
    found.into_values().collect()
}

/// The rule that fired, and the text with what is hidden made visible.
fn hidden(text: &str) -> Option<(&'static str, String)> {
    if text.is_ascii() {
        return None;
    }
    let chars: Vec<char> = text.chars().collect();
    let at = (0..chars.len()).find(|i| rule(&chars, *i).is_some())?;
    let from = at.saturating_sub(20);
    let shown = (from..chars.len().min(at + 60)).map(|i| match (rule(&chars, i), chars[i]) {
        // Tag characters are ASCII in disguise.
        (Some(_), c @ '\u{e0020}'..='\u{e007e}') => {
            format!("⟨{}⟩", char::from(u8::try_from(c as u32 - 0xe0000).unwrap_or(b'?')))
        }
        (Some(_), c) => format!("⟨U+{:04X}⟩", c as u32),
        (None, c) => c.to_string(),
    });
    Some((rule(&chars, at)?, shown.collect()))
}

fn rule(chars: &[char], at: usize) -> Option<&'static str> {
    let before = || at.checked_sub(1).and_then(|i| chars.get(i)).copied();
    let after = || chars.get(at + 1).copied();
    let beside = |test: fn(char) -> bool| before().is_some_and(test) && after().is_some_and(test);
    match chars[at] {
        '\u{e0000}'..='\u{e007f}' if !in_flag(chars, at) => Some("tag characters"),
        '\u{200b}' | '\u{2060}' | '\u{180e}' => Some("zero-width characters"),
        // A mark of byte order may open a text.
        '\u{feff}' if at > 0 => Some("zero-width characters"),
        // Joiners shape emoji sequences and the letters of many scripts.
        '\u{200c}' | '\u{200d}' if !beside(may_join) => Some("zero-width characters"),
        '\u{202d}' | '\u{202e}' => Some("a text direction override"),
        '\u{202a}'..='\u{202c}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' => {
            (!chars.iter().any(|c| is_right_to_left(*c)))
                .then_some("direction marks in left-to-right text")
        }
        '\u{2061}'..='\u{2064}' => Some("invisible operators"),
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => Some("blank filler letters"),
        // They choose a glyph of the ideograph before them; elsewhere they carry data.
        '\u{e0100}'..='\u{e01ef}' => {
            let ideograph = before()
                .is_some_and(|c| matches!(c, '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}'));
            (!ideograph).then_some("variation selectors without ideograph")
        }
        _ => None,
    }
}

/// A flag such as Scotland's: a black flag, tags, the closing tag.
fn in_flag(chars: &[char], at: usize) -> bool {
    let tag = |c: &char| matches!(c, '\u{e0020}'..='\u{e007f}');
    let start = chars[..at].iter().rposition(|c| !tag(c));
    let length = start.map(|i| chars[i + 1..].iter().take_while(|c| tag(c)).count());
    start.is_some_and(|i| chars[i] == '\u{1f3f4}') && length.is_some_and(|n| n <= 7)
}

fn may_join(c: char) -> bool {
    matches!(c, '\u{0600}'..='\u{08ff}' | '\u{0900}'..='\u{0dff}' | '\u{0f00}'..='\u{109f}' | '\u{1780}'..='\u{18af}'
        | '\u{2190}'..='\u{2bff}' | '\u{fb50}'..='\u{fdff}' | '\u{fe0f}' | '\u{fe70}'..='\u{fefc}' | '\u{1f000}'..='\u{1faff}')
}

fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{0590}'..='\u{08ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}
