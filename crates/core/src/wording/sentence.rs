//! Text into sentences, and sentences into words.

use super::lexicon::{Sort, Sorts, is, sorts};

/// One sentence, its words in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence<'a> {
    pub raw: &'a str,
    pub words: Vec<Word>,
    /// What any of the words is.
    sorts: Sorts,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    pub text: String,
    sorts: Sorts,
    /// A comma, colon, dash or bracket stands before it: a new clause may begin.
    pub opens: bool,
    /// A colon or an exclamation mark does: whoever was named is spoken to.
    pub called: bool,
    /// A path, an address, an identifier, or something in quotes: a name rather than a word.
    pub is_name: bool,
}

impl Word {
    pub(super) fn is(&self, sort: Sort) -> bool {
        self.sorts.has(sort)
    }
}

impl Sentence<'_> {
    pub fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |w| w.text.as_str())
    }

    pub(super) fn is(&self, at: usize, sort: Sort) -> bool {
        self.words.get(at).is_some_and(|w| w.is(sort))
    }

    /// An item of a list, or a part of one that goes on behind a quotation.
    pub(super) fn is_listed(&self) -> bool {
        let bare = self.raw.trim_start_matches(['"', '”', '\'', ')', '/']).trim_start();
        let mark = bare.split(char::is_whitespace).next().unwrap_or_default();
        let number = mark.trim_start_matches('(').trim_end_matches([')', '.', ':']);
        let numbered = number.len() < mark.len() && number.len() <= 2 && !number.is_empty();
        bare.len() < self.raw.len() || numbered || ["-", "*", "•", "–"].contains(&mark)
    }

    pub(super) fn has(&self, sort: Sort) -> bool {
        self.sorts.has(sort)
    }

    /// Whether the words of one of these phrases follow each other somewhere.
    pub(super) fn says(&self, phrases: &[&str]) -> bool {
        self.has(Sort::First) && say(&self.words, phrases)
    }
}

/// Whether the words of one of the phrases follow each other; the lexicon must know that they are
/// looked for. Few words begin a phrase, so those are sought first.
pub(super) fn say(words: &[Word], phrases: &[&str]) -> bool {
    let first = |phrase: &&str| phrase.split(' ').next().is_some_and(|w| is(w, Sort::First));
    debug_assert!(phrases.iter().all(first), "not all of these are in a list of phrases");
    let follows = |at: usize, phrase: &str| {
        let mut wanted = phrase.split(' ').zip(at..);
        wanted.all(|(word, at)| words.get(at).is_some_and(|w| w.text == word))
    };
    let begins = words.iter().enumerate().filter(|(_, word)| word.is(Sort::First));
    let found = |(at, word): (usize, &Word)| {
        phrases.iter().any(|phrase| phrase.starts_with(word.text.as_str()) && follows(at, phrase))
    };
    begins.into_iter().any(found)
}

pub fn sentences(text: &str) -> Vec<Sentence<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let end = at + c.len_utf8();
        let next = rest.peek().map(|(_, c)| *c);
        let ends = match c {
            '。' | '！' | '？' | '\0' => true,
            '.' | '!' | '?' => {
                let after = text[end..].trim_start_matches(['"', '\'', ')', '”', '*']);
                after.starts_with(char::is_whitespace) && !continues(after) || after.is_empty()
            }
            ';' => next.is_some_and(char::is_whitespace),
            '\n' => !continues(&text[end..]),
            '<' | '[' => text[end..].starts_with(['/', '!']),
            _ => false,
        };
        if ends {
            push(&text[start..end], &mut found);
            start = end;
        }
    }
    push(&text[start..], &mut found);
    found
}

/// The text without what it quotes; `None` if it quotes nothing but names and single words.
pub(super) fn unquoted(text: &str) -> Option<String> {
    const MARKS: &[(char, char)] = &[('“', '”'), ('„', '“'), ('«', '»'), ('"', '"')];
    const LEAST: usize = 3;
    let mut bare = text.to_owned();
    for (open, close) in MARKS {
        let mut from = 0;
        while let Some(at) = bare[from..].find(*open).map(|at| from + at) {
            let inside = at + open.len_utf8();
            let Some(end) = bare[inside..].find(*close).map(|end| inside + end) else { break };
            let words = bare[inside..end].split_whitespace().count();
            if words >= LEAST {
                bare.replace_range(inside..end, "…");
                from = inside + "…".len() + close.len_utf8();
            } else {
                from = end + close.len_utf8();
            }
        }
    }
    (bare != text).then_some(bare)
}

/// The next visible character is a small letter: the sentence goes on.
fn continues(after: &str) -> bool {
    !after.starts_with('\n') && after.trim_start().starts_with(char::is_lowercase)
}

fn push<'a>(raw: &'a str, found: &mut Vec<Sentence<'a>>) {
    let words = words(raw);
    if !words.is_empty() {
        let sorts = words.iter().fold(Sorts::default(), |all, w| all.or(w.sorts));
        found.push(Sentence { raw: raw.trim(), words, sorts });
    }
}

fn words(raw: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let (mut opens, mut called) = (true, false);
    let word = |text: String, opens: bool, called: bool, is_name: bool| Word {
        sorts: sorts(&text),
        text,
        opens,
        called,
        is_name,
    };
    let chunks = raw.split(|c: char| c.is_whitespace() || is_invisible(c));
    for chunk in chunks.filter(|chunk| !chunk.is_empty()) {
        let quoted = chunk.starts_with(['`', '\'', '"', '‘', '“']);
        let bare = chunk.trim_matches(|c: char| !c.is_alphanumeric() && !"~/._@".contains(c));
        let bare = bare.trim_end_matches(['.', '/']);
        let opened = chunk.starts_with(['(', '[', '<', '{', '-', '–', '—', '*', '#', '"']);
        opens |= opened;
        if is_name(bare) {
            words.push(word(lower(bare), opens, called, true));
            (opens, called) = (false, false);
        } else {
            let parts = bare.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
            for part in parts.filter(|p| !p.is_empty()) {
                words.push(word(lower(part), opens, called, quoted));
                (opens, called) = (chunk.starts_with('<'), false);
            }
        }
        let closes = chunk.ends_with([',', ':', ')', ']', '>', '–', '—', '-', '，', '、', '：']);
        opens |= closes || chunk.starts_with('<');
        called |= chunk.ends_with([':', '：']);
    }
    words
}

/// Most words are of plain letters, and those are changed in one go.
fn lower(word: &str) -> String {
    if word.is_ascii() {
        word.to_ascii_lowercase()
    } else {
        word.to_lowercase().replace('’', "'")
    }
}

fn is_name(chunk: &str) -> bool {
    let inner = chunk.trim_matches(['.', '_']);
    let has = |c: u8| inner.as_bytes().contains(&c);
    chunk.starts_with(['~', '/']) && chunk.len() > 1
        || has(b'@')
        || has(b'_')
        || has(b'\\')
        || has(b':') && inner.contains("://")
        || chunk.starts_with('.') && inner.len() > 2
        || has(b'/') && has(b'.')
        || inner.split_once('.').is_some_and(|(a, b)| a.len() > 1 && b.len() > 1)
        || inner
            .chars()
            .zip(inner.chars().skip(1))
            .any(|(a, b)| a.is_lowercase() && b.is_uppercase())
}

/// Characters put between letters so that a word is not found.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Vec<&str> {
        sentences(text).iter().map(|s| s.raw).collect()
    }

    #[test]
    fn full_stops_inside_names_and_abbreviations_end_nothing() {
        let text = "Reads ~/.ssh/config, e.g. for hosts. See https://a.example/b.html.\nThen stop";
        let found =
            ["Reads ~/.ssh/config, e.g. for hosts.", "See https://a.example/b.html.", "Then stop"];
        assert_eq!(raw(text), found);
    }

    #[test]
    fn a_line_that_goes_on_in_small_letters_is_one_sentence() {
        assert_eq!(raw("do not\ntell anyone\n\nnow").len(), 2);
    }

    #[test]
    fn paths_addresses_and_identifiers_are_single_words() {
        let all = sentences("put ~/.ssh/id_rsa, a@b.example and `read_file` into fooBar");
        let names: Vec<&str> =
            all[0].words.iter().filter(|w| w.is_name).map(|w| w.text.as_str()).collect();
        assert_eq!(names, ["~/.ssh/id_rsa", "a@b.example", "read_file", "foobar"]);
    }
}
