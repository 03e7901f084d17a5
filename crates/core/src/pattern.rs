//! Regular expressions whose classes are ASCII. The Unicode tables behind `\w`, `\d`, `\s` and
//! `\b` take longer to compile than reading a whole run, and error texts need none of them.

use std::ops::Range;

use regex::{Error, Regex};
use regex_automata::meta;
use regex_automata::nfa::thompson::WhichCaptures;

/// Compiles a pattern. Its letters of ASCII are folded and matched as ASCII, too: the Unicode cases
/// of them take most of the time. Where other letters have cases, all but the classes is Unicode.
pub(crate) fn ascii(pattern: &str) -> Result<Regex, Error> {
    built(pattern, Regex::new)
}

/// A pattern that texts are held against, without groups. It leaves out what makes long searches
/// faster: preparing that takes longer than all the short texts of a run together.
#[derive(Debug)]
pub(crate) struct Test(meta::Regex);

impl Test {
    /// Written and read as [`ascii`] does; `None` if it is no pattern.
    pub(crate) fn new(pattern: &str) -> Option<Test> {
        let config = meta::Config::new()
            .auto_prefilter(false)
            .onepass(false)
            .which_captures(WhichCaptures::Implicit);
        let build = |pattern: &str| {
            meta::Builder::new().configure(config.clone()).build(pattern).map_err(drop)
        };
        built(pattern, build).ok().map(Test)
    }

    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }

    /// Where the first match is.
    pub(crate) fn find(&self, text: &str) -> Option<Range<usize>> {
        self.0.find(text).map(|found| found.range())
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
    fn a_test_reads_patterns_alike_and_says_where() {
        let test = Test::new(r"(?i)(error|不存)\s\d+").unwrap();
        assert!(test.is_match("ERROR 42") && !test.is_match("error: 42"));
        assert_eq!(test.find("é 不存 7!"), Some(3..11));
        assert!(Test::new("(").is_none());
    }

    #[test]
    fn everything_else_stays_unicode() {
        assert!(ascii("(?i)^ÉTÉ.[^a]$").unwrap().is_match("été不存"));
    }
}
