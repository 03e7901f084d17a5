//! Values in plain text: `id: 42`, `branch 'main'`, URIs, the lines of a list.

use std::sync::LazyLock;

use regex::Regex;

use crate::pattern;
use crate::probe::words;

/// No text is read further than this many lines.
const LINES: usize = 200;

/// Each with the words it stood under; none for the line of a list.
pub(super) fn told(text: &str) -> Vec<(Vec<String>, String)> {
    let lines: Vec<&str> = text.lines().take(LINES).filter(|l| !l.trim().is_empty()).collect();
    let mut found = Vec::new();
    let Some(patterns) = PATTERNS.as_ref() else { return found };
    let troubled = ["error", "invalid", "failed", "warning", "exception"];
    for line in &lines {
        let lower = line.to_lowercase();
        if !troubled.iter().any(|w| lower.contains(w)) {
            patterns.read(line, &mut found);
        }
    }
    // A text of one word per line is a list without marks.
    let bare = |l: &&str| l.trim_start_matches(['*', ' ']).split_whitespace().count() == 1;
    if lines.len() > 1 && lines.iter().all(bare) {
        for line in &lines {
            found.push((Vec::new(), line.trim_matches(['*', ' ', '\r']).to_owned()));
        }
    }
    let rows = rows(&lines).into_iter().map(|handle| (vec!["id".to_owned()], handle.to_owned()));
    found.extend(rows);
    found.dedup();
    found
}

/// What the lines of a table without a frame begin with, if that names them: `T-1 open`, `e-311: Ada`.
/// Two of one shape are enough, among headings and sums.
fn rows<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let shape = |handle: &str| handle.split(|c: char| c.is_ascii_digit()).next().map(str::to_owned);
    let first = |line: &&'a str| {
        let line = line.trim_start_matches(['-', '*', ' ', '|']);
        let end = line.find(|c: char| c.is_whitespace() || ":,;|=".contains(c))?;
        let (handle, rest) = line.split_at(end);
        let digits = handle.bytes().filter(u8::is_ascii_digit).count();
        // A number alone may be anything; a moment is none.
        let named = digits > 0 && digits < handle.len() && handle.is_ascii() && handle.len() < 40;
        let plain = handle.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.#/".contains(&b));
        let dated = digits >= 8 && handle.matches('-').count() >= 2;
        (named && plain && !dated && rest.trim().len() > 1).then_some(handle)
    };
    let all: Vec<&str> = lines.iter().filter_map(first).collect();
    let alike = |one: &str| all.iter().filter(|h| shape(h) == shape(one)).count() > 1;
    let mut found: Vec<&str> = all.iter().copied().filter(|h| alike(h)).collect();
    found.dedup();
    found
}

/// Counted here and not by the pattern, which would take long to compile.
const LONGEST_VALUE: usize = 120;

struct Patterns {
    field: Regex,
    inline: Regex,
    quoted: Regex,
    uri: Regex,
    item: Regex,
}

static PATTERNS: LazyLock<Option<Patterns>> = LazyLock::new(|| {
    Some(Patterns {
        field: pattern::ascii(r"^\s*(?:[-*•]\s+)?([A-Za-z][\w\x80-\x{10FFFF} -]{0,30}?)\s*[:=]\s+(\S.*?)\s*$").ok()?,
        // The wide class keeps its case: folding all of Unicode takes 20 ms.
        inline: pattern::ascii(r#"(?i)\b(?:([a-z]\w*)[ _-])?(id|uuid|key|name)\b\s*(?:is\b|[:=#])?\s*["'`(]?((?-i:[\w\x80-\x{10FFFF}][\w\x80-\x{10FFFF}.:/-]*))"#)
            .ok()?,
        quoted: pattern::ascii(r#"\b([A-Za-z]\w*):? ["'`]([^"'`\s][^"'`]{0,80})["'`]"#).ok()?,
        uri: pattern::ascii(r#"\b[a-z][a-z0-9+.-]*://[^\s"'<>)\]},]+"#).ok()?,
        item: pattern::ascii(r"^\s*(?:[-*•]|\d{1,4}[.)]|\[[A-Za-z]{1,6}\])\s+([^\s:]{1,80})\s*$").ok()?,
    })
});

impl Patterns {
    fn read(&self, line: &str, found: &mut Vec<(Vec<String>, String)>) {
        if let Some(c) = self.item.captures(line) {
            found.push((Vec::new(), c[1].to_owned()));
        }
        if let Some(c) = self.field.captures(line) {
            let (key, value) = (words(&c[1]), c[2].trim_matches(['"', '\'', '`', ',']));
            if !value.contains(['"', '`']) && value.chars().count() <= LONGEST_VALUE {
                found.push((key, value.to_owned()));
            }
        }
        for c in self.inline.captures_iter(line) {
            let value = c[3].trim_end_matches(['.', ':', '-', '/']);
            // A word without a digit after "name" is as likely the next word of the sentence.
            if value.bytes().any(|b| b.is_ascii_digit()) {
                let mut key: Vec<String> = c.get(1).map(|w| words(w.as_str())).unwrap_or_default();
                key.retain(|w| {
                    !matches!(w.as_str(), "with" | "the" | "and" | "has" | "its" | "new")
                });
                key.push(c[2].to_lowercase());
                found.push((key, value.to_owned()));
            }
        }
        for c in self.quoted.captures_iter(line) {
            found.push((words(&c[1]), c[2].to_owned()));
        }
        for uri in self.uri.find_iter(line) {
            found.push((vec!["uri".to_owned()], uri.as_str().trim_end_matches('.').to_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(text: &str, key: &str, value: &str) -> bool {
        told(text).iter().any(|(k, v)| k.join(" ") == key && v == value)
    }

    #[test]
    fn sentences_fields_and_lists_tell_their_values() {
        assert!(has("Created note with id note-7.", "id", "note-7"));
        assert!(has("id: 42", "id", "42"));
        assert!(has("Saved as user id 17", "user id", "17"));
        assert!(has("Created branch 'sample-x' from 'main'", "branch", "sample-x"));
        assert!(has("Commit: 4381bcf3\nAuthor: A", "commit", "4381bcf3"));
        assert!(has("use demo://res/1.", "uri", "demo://res/1"));
        assert!(has("* main\n  warmer", "", "warmer"));
        assert!(has("1. alpha\n2. beta", "", "beta"));
        assert!(has("[FILE] notes.md", "", "notes.md"));
        assert!(has("Tickets\nT-1 open\nT-9 locked", "id", "T-9"));
        assert!(has("e-311: Ada, Sales\ne-312: Bo, Stock", "id", "e-311"));
    }

    #[test]
    fn prose_is_no_list_and_names_nothing() {
        assert_eq!(told("The name of the game.\nAll is well."), []);
        assert_eq!(told("done"), []);
        assert_eq!(told("2024-01-02 rain\n2024-01-03 sun"), []);
    }
}
