//! Texts that match a regular expression, as far as it can be read. What is made here is a guess:
//! the validator decides.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind};

use super::schema::spelt;

/// Longer texts are no samples.
const LONGEST: usize = 4_096;
/// How often an open repetition is repeated beyond its least, in the order of trying.
const STRETCHES: &[usize] = &[1, 0, 2, 3, 4, 6, 9, 15];

/// Texts worth trying, best first; those of a legal length.
pub(super) fn strings(
    pattern: &str,
    least: usize,
    most: Option<usize>,
    start: usize,
) -> Vec<String> {
    let spelt = spelt(pattern);
    let known = || parsed(&spelt).or_else(|| parsed(&without_look_around(&spelt)));
    let Some(hir) = parsed(pattern).or_else(known) else {
        return Vec::new();
    };
    let mut found: Vec<String> = Vec::new();
    let stretches = STRETCHES.iter().copied().chain((least > 0).then_some(least));
    for (variant, stretch) in stretches.flat_map(|s| [(start, s), (start + 1, s)]) {
        let mut made = Making { variant, stretch, out: String::new(), drawn: start };
        if made.add(&hir).is_none() {
            continue;
        }
        let length = made.out.chars().count();
        let legal = length >= least && most.is_none_or(|most| length <= most);
        if legal && !found.contains(&made.out) {
            found.push(made.out);
        }
    }
    found
}

fn parsed(pattern: &str) -> Option<Hir> {
    let parse = |unicode| {
        ParserBuilder::new().unicode(unicode).utf8(false).nest_limit(64).build().parse(pattern).ok()
    };
    // Without Unicode `\w` is what people mean by it; `\p{L}` needs it.
    parse(false).or_else(|| parse(true))
}

struct Making {
    /// Which of several alternatives.
    variant: usize,
    stretch: usize,
    out: String,
    /// Characters drawn so far, so that neighbours differ.
    drawn: usize,
}

impl Making {
    fn add(&mut self, hir: &Hir) -> Option<()> {
        if self.out.len() > LONGEST {
            return None;
        }
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(text) => self.out.push_str(std::str::from_utf8(&text.0).ok()?),
            HirKind::Class(class) => {
                self.out.push(drawn(class, self.drawn)?);
                self.drawn += 1;
            }
            HirKind::Repetition(repetition) => {
                let least = repetition.min as usize;
                let room = repetition.max.map_or(usize::MAX, |max| max as usize - least);
                for _ in 0..least + self.stretch.min(room) {
                    self.add(&repetition.sub)?;
                }
            }
            HirKind::Capture(group) => self.add(&group.sub)?,
            HirKind::Concat(parts) => parts.iter().try_for_each(|part| self.add(part))?,
            HirKind::Alternation(options) => {
                self.add(options.get(self.variant % options.len())?)?
            }
        }
        Some(())
    }
}

/// A plain character of the class where it has one: a letter, else a digit, else what there is.
fn drawn(class: &Class, n: usize) -> Option<char> {
    let contains = |c: char| match class {
        Class::Unicode(class) => class.iter().any(|r| (r.start()..=r.end()).contains(&c)),
        Class::Bytes(class) => {
            u8::try_from(c).is_ok_and(|b| class.iter().any(|r| (r.start()..=r.end()).contains(&b)))
        }
    };
    for plain in ["abcdefghjkmnprstuvwxyz", "123456789", "ABCDEFGHJKMNPRSTUVWXYZ", "0-_.", " "] {
        let usable: Vec<char> = plain.chars().filter(|c| contains(*c)).collect();
        if !usable.is_empty() {
            return usable.get(n % usable.len()).copied();
        }
    }
    match class {
        Class::Unicode(class) => {
            class.iter().next().map(regex_syntax::hir::ClassUnicodeRange::start)
        }
        Class::Bytes(class) => {
            class.iter().map(|r| char::from(r.start())).find(char::is_ascii).filter(|c| *c != '\0')
        }
    }
}

/// The pattern without `(?=…)` and its kin, which the parser does not know.
fn without_look_around(pattern: &str) -> String {
    let chars: Vec<char> = pattern.chars().collect();
    let starts = |at: usize, text: &str| {
        text.chars().enumerate().all(|(i, c)| chars.get(at + i) == Some(&c))
    };
    let mut out = String::new();
    let mut at = 0;
    while at < chars.len() {
        if ["(?=", "(?!", "(?<=", "(?<!"].iter().any(|look| starts(at, look)) {
            at = group_end(&chars, at);
            continue;
        }
        if chars[at] == '\\' {
            out.push('\\');
            at += 1;
        }
        if let Some(c) = chars.get(at) {
            out.push(*c);
        }
        at += 1;
    }
    out
}

/// One past the bracket that closes the group opened at `start`.
fn group_end(chars: &[char], start: usize) -> usize {
    let (mut depth, mut in_class, mut at) = (0_usize, false, start);
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 1,
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => depth += 1,
            ')' if !in_class => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    chars.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::schema::matcher;

    #[test]
    fn what_is_made_matches() {
        for pattern in [
            "^qx{3}z[0-9]{2}!$",
            "^[A-Z]{2,}-\\d+$",
            "^(foo|bar)_[a-z]+$",
            "^\\w+@\\w+\\.com$",
            "^[^/\\s]+/[^/\\s]+$",
            "^(?!-)[a-z0-9-]{1,63}$",
            "^\\p{L}+$",
            "^v?(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)$",
            "^[0-9a-f]{8}-[0-9a-f]{4}$",
            "^\\/[a-z]+\\/$",
            "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==)?$",
            "\\A[a-z]{1,20}\\Z",
        ] {
            let matcher = matcher(pattern).unwrap();
            let made = strings(pattern, 0, None, 0);
            assert!(
                made.iter().any(|s| matcher.is_valid(&s.as_str().into())),
                "{pattern}: {made:?}"
            );
        }
    }

    #[test]
    fn lengths_are_kept() {
        let made = strings("^[a-z]+$", 20, Some(30), 0);
        assert!(!made.is_empty());
        assert!(made.iter().all(|s| (20..=30).contains(&s.len())), "{made:?}");
    }

    #[test]
    fn what_can_not_be_read_gives_nothing() {
        assert!(strings("(", 0, None, 0).is_empty());
        assert!(strings("^(a)\\1$", 0, None, 0).is_empty());
    }
}
