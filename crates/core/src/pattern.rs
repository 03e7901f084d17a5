//! Regular expressions whose classes are ASCII. The Unicode tables behind `\w`, `\d`, `\s` and
//! `\b` take longer to compile than reading a whole run, and error texts need none of them.

use std::panic::{RefUnwindSafe, UnwindSafe};

use regex::{Error, Regex};
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::{self, WhichCaptures};
use regex_automata::util::pool::Pool;
use regex_automata::{Anchored, Input};

/// Compiles a pattern. Its letters of ASCII are folded and matched as ASCII, too: the Unicode cases
/// of them take most of the time. Where other letters have cases, all but the classes is Unicode.
pub(crate) fn ascii(pattern: &str) -> Result<Regex, Error> {
    built(pattern, Regex::new)
}

/// A pattern that texts are held against, without groups. Where a match begins is not told: that
/// would need the pattern once more, backwards, and preparing patterns takes longer than holding all
/// the short texts of a run against them.
#[derive(Debug)]
pub(crate) struct Test {
    automaton: DFA,
    /// Its states as far as texts led to them; each thread has its own.
    known: Pool<Cache, MakeCache>,
}

type MakeCache = Box<dyn Fn() -> Cache + Send + Sync + UnwindSafe + RefUnwindSafe>;

impl Test {
    /// Written and read as [`ascii`] does; `None` if it is no pattern.
    pub(crate) fn new(pattern: &str) -> Option<Test> {
        let config = thompson::Config::new().which_captures(WhichCaptures::None).shrink(false);
        let build =
            |pattern: &str| DFA::builder().thompson(config.clone()).build(pattern).map_err(drop);
        let automaton = built(pattern, build).ok()?;
        let again = automaton.clone();
        let known = Pool::new(Box::new(move || again.create_cache()) as MakeCache);
        Some(Test { automaton, known })
    }

    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.end(&Input::new(text).earliest(true)).is_some()
    }

    /// The text after what matches at its beginning.
    pub(crate) fn stripped<'a>(&self, text: &'a str) -> Option<&'a str> {
        text.get(self.end(&Input::new(text).anchored(Anchored::Yes))?..)
    }

    /// An automaton only fails where it was told to give up, which this one was not.
    fn end(&self, input: &Input<'_>) -> Option<usize> {
        let found = self.automaton.try_search_fwd(&mut self.known.get(), input).ok()?;
        found.map(|half| half.offset())
    }
}

fn built<R, E>(pattern: &str, build: impl Fn(&str) -> Result<R, E>) -> Result<R, E> {
    let plain = || build(&rewritten(pattern, false));
    let cased = |c: char| !c.is_ascii() && (c.is_lowercase() || c.is_uppercase());
    if pattern.contains(cased) {
        return plain();
    }
    build(&rewritten(pattern, true)).or_else(|_| plain())
}

/// With classes spelt out. `bytes`: all is ASCII but what must match whole characters.
fn rewritten(pattern: &str, bytes: bool) -> String {
    let mut plain = String::with_capacity(pattern.len() * 2);
    if bytes {
        plain.push_str("(?-u)");
    }
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let (piece, whole_characters, folds) = match c {
            '\\' => {
                let class = rest[1..].chars().next().unwrap_or('\\');
                rest = rest.get(1 + class.len_utf8()..).unwrap_or_default();
                (escaped(class, false), negates(class), true)
            }
            '[' => {
                let class = Class::read(rest);
                rest = class.after;
                (class.spelt, class.wide, class.letters)
            }
            _ => {
                rest = &rest[c.len_utf8()..];
                // Without Unicode there is no folding beyond ASCII, and nothing to fold.
                (c.to_string(), c == '.', !bytes || c.is_ascii())
            }
        };
        let flags = match (bytes && whole_characters, folds) {
            (false, true) => "",
            (true, true) => "u",
            (false, false) => "-i",
            (true, false) => "u-i",
        };
        if flags.is_empty() {
            plain.push_str(&piece);
        } else {
            plain.push_str(&format!("(?{flags}:{piece})"));
        }
    }
    plain
}

/// What stands in brackets.
struct Class<'a> {
    /// With its classes spelt out.
    spelt: String,
    /// It matches more than ASCII.
    wide: bool,
    /// Letters are named that may have another case. The classes have both, and folding a range up
    /// to the last character takes longer than all the rest.
    letters: bool,
    after: &'a str,
}

impl Class<'_> {
    /// From the bracket that a text begins with to the one that closes it.
    fn read(text: &str) -> Class<'_> {
        let wide = text.starts_with("[^");
        let mut class = Class { spelt: String::new(), wide, letters: false, after: text };
        while let Some(c) = class.after.chars().next() {
            class.after = &class.after[c.len_utf8()..];
            if c == '\\' {
                class.escape();
                continue;
            }
            class.spelt.push(c);
            class.wide |= !c.is_ascii();
            class.letters |= c.is_alphabetic();
            if c == ']' {
                break;
            }
        }
        class
    }

    /// What follows a backslash. A number is no letter: `\x{10ffff}`.
    fn escape(&mut self) {
        let class = self.after.chars().next().unwrap_or('\\');
        let number = self.after.strip_prefix("x{").and_then(|number| number.split_once('}'));
        self.spelt.push_str(&escaped(class, true));
        if let Some((number, after)) = number {
            self.spelt.push_str(&format!("{{{number}}}"));
            self.after = after;
        } else {
            self.after = self.after.get(class.len_utf8()..).unwrap_or_default();
        }
        self.wide |= negates(class);
    }
}

fn negates(class: char) -> bool {
    matches!(class, 'W' | 'D' | 'S')
}

fn escaped(class: char, in_brackets: bool) -> String {
    let range = match class.to_ascii_lowercase() {
        'w' => "0-9A-Za-z_",
        'd' => "0-9",
        's' => r"\t-\r\x20",
        'b' if !in_brackets => return format!(r"(?-u:\{class})"),
        _ => return format!("\\{class}"),
    };
    match (class.is_ascii_uppercase(), in_brackets) {
        (true, _) => format!("[^{range}]"),
        (false, false) => format!("[{range}]"),
        (false, true) => range.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_mean_their_ascii_part_inside_and_outside_brackets() {
        let is_match = |pattern: &str, text: &str| ascii(pattern).unwrap().is_match(text);
        assert!(is_match(r"^\w+\s\d\d\b", "room\t42."));
        assert!(is_match(r"^[\w.-]+$", "a-b.c_9"));
        assert!(is_match(r"^[^\s:]+\S\W$", "ab!"));
        assert!(is_match(r"^[\S]$", "x") && !is_match(r"^[\S]$", " "));
        assert!(is_match(r"\(\[\d\]\)\\", r"([7])\"));
        assert!(!is_match(r"^\w$", "é") && !is_match(r"^\d$", "٣"));
    }

    #[test]
    fn letters_of_ascii_are_folded_as_ascii_and_characters_stay_whole() {
        let is_match = |pattern: &str, text: &str| ascii(pattern).unwrap().is_match(text);
        assert!(is_match("(?i)^task$", "TASK") && !is_match("(?i)^task$", "tas\u{212a}"));
        assert!(is_match(r"^a.b[^c]d\S\W$", "aéb不dü!"));
        assert!(is_match(r"(?i)^[^\s\]]+ (?-i:ok)$", "É ok"));
        assert!(is_match("(?i)^(不存|error.?)+$", "ERROR不存"));
        assert!(is_match(r"(?i)^[\w\x{80}-\x{10FFFF}]+[:：]$", "größE："));
        assert!(!is_match(r"(?i)^[^\w\x{80}-\x{10FFFF}]+$", "é"));
        assert!(is_match("(?i)^[a-c]+[^x-z]$", "ABCé") && !is_match("(?i)^[^x-z]$", "Y"));
    }

    #[test]
    fn a_test_reads_patterns_alike_and_strips_what_matches_first() {
        let test = Test::new(r"(?i)(error|不存)\s\d+").unwrap();
        assert!(test.is_match("ERROR 42") && !test.is_match("error: 42"));
        assert!(test.is_match("é 不存 7!") && test.stripped("é 不存 7!").is_none());
        assert_eq!(test.stripped("不存 17!"), Some("!"));
        assert!(Test::new("(").is_none());
    }

    #[test]
    fn everything_else_stays_unicode() {
        assert!(ascii("(?i)^ÉTÉ.[^a]$").unwrap().is_match("été不存"));
    }
}
