//! Characters that a model reads and a person does not see, or takes for others.

use super::Context;

/// The rule that fired, and the text with what is hidden made visible.
pub fn hidden(text: &str, context: Context) -> Option<(&'static str, String)> {
    if is_plain(text) {
        return None;
    }
    let chars: Vec<char> = text.chars().collect();
    let at = (0..chars.len()).find(|i| rule(&chars, *i, context).is_some())?;
    let from = at.saturating_sub(20);
    let shown =
        (from..chars.len().min(at + 60)).map(|i| match (rule(&chars, i, context), chars[i]) {
            // Tag characters are ASCII in disguise.
            (Some(_), c @ '\u{e0020}'..='\u{e007e}') => {
                format!("⟨{}⟩", char::from(u8::try_from(c as u32 - 0xe0000).unwrap_or(b'?')))
            }
            (Some(_), c) => format!("⟨U+{:04X}⟩", c as u32),
            (None, c) => c.to_string(),
        });
    Some((rule(&chars, at, context)?, shown.collect()))
}

/// Nothing but what a keyboard of ASCII writes: that hides nothing.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b' '..=b'~' | b'\n' | b'\r' | b'\t'))
}

/// How many characters of an answer are hidden.
pub fn hidden_count(text: &str) -> usize {
    if is_plain(text) {
        return 0;
    }
    let chars: Vec<char> = text.chars().collect();
    (0..chars.len()).filter(|i| rule(&chars, *i, Context::Answer).is_some()).count()
}

/// Single joiners and marks come with texts from the web; data takes a row of them.
fn is_alone(chars: &[char], at: usize) -> bool {
    const ROW: usize = 4;
    let thin = |c: &char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202c}' | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    let before = chars[..at].iter().rev().take_while(|c| thin(c)).count();
    let after = chars[at..].iter().take_while(|c| thin(c)).count();
    after > 0 && before + after < ROW
}

fn rule(chars: &[char], at: usize, context: Context) -> Option<&'static str> {
    if context == Context::Answer && is_alone(chars, at) {
        return None;
    }
    let before = || at.checked_sub(1).and_then(|i| chars.get(i)).copied();
    let after = || chars.get(at + 1).copied();
    let beside = |test: fn(char) -> bool| before().is_some_and(test) && after().is_some_and(test);
    match chars[at] {
        '\u{1b}' => escape(&chars[at + 1..], context),
        '\u{8}' => Some("backspaces"),
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
        '\u{fe00}'..='\u{fe0f}' => {
            let row = [before(), after()].into_iter().flatten();
            row.into_iter()
                .any(|c| matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}'))
                .then_some("variation selectors in a row")
        }
        _ => None,
    }
}

/// Terminals obey these. Colours in an answer are harmless, concealment and overwriting are not.
fn escape(rest: &[char], context: Context) -> Option<&'static str> {
    let found = Some("terminal escapes");
    let Some('[') = rest.first() else { return found };
    let end = rest.iter().position(char::is_ascii_alphabetic);
    let Some(end) = end else { return found };
    let codes: String = rest[1..end].iter().collect();
    let colour = rest[end] == 'm' && codes.split(';').all(|code| code != "8");
    if context == Context::Answer && (colour || rest[end] == 'K' && end <= 2) {
        None
    } else {
        found
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

/// Letters of other scripts that look like Latin ones.
const TWINS: &[(char, char)] = &[
    ('а', 'a'),
    ('е', 'e'),
    ('о', 'o'),
    ('р', 'p'),
    ('с', 'c'),
    ('у', 'y'),
    ('х', 'x'),
    ('і', 'i'),
    ('ѕ', 's'),
    ('ј', 'j'),
    ('ԁ', 'd'),
    ('һ', 'h'),
    ('ո', 'n'),
    ('ӏ', 'l'),
    ('ԛ', 'q'),
    ('ԝ', 'w'),
    ('А', 'A'),
    ('В', 'B'),
    ('Е', 'E'),
    ('К', 'K'),
    ('М', 'M'),
    ('Н', 'H'),
    ('О', 'O'),
    ('Р', 'P'),
    ('С', 'C'),
    ('Т', 'T'),
    ('Х', 'X'),
    ('ο', 'o'),
    ('ν', 'v'),
    ('Α', 'A'),
    ('Ε', 'E'),
    ('Ι', 'I'),
    ('Ο', 'O'),
    ('Ρ', 'P'),
    ('Τ', 'T'),
    ('ɡ', 'g'),
    ('ı', 'i'),
    ('ɑ', 'a'),
];

fn twin(c: char) -> Option<char> {
    let wide = |from: char, first: u8| {
        let offset = (c as u32).checked_sub(from as u32).filter(|n| *n < 26)?;
        Some(char::from(first + u8::try_from(offset).ok()?))
    };
    let listed = TWINS.iter().find(|(odd, _)| *odd == c).map(|(_, plain)| *plain);
    listed.or_else(|| wide('ａ', b'a')).or_else(|| wide('Ａ', b'A'))
}

/// A word of Latin letters in which some are of another script, as it pretends to read.
pub fn lookalike(text: &str) -> Option<(&str, String)> {
    if text.is_ascii() {
        return None;
    }
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.find_map(|word| {
        let latin = word.chars().filter(char::is_ascii_alphabetic).count();
        let odd = word.chars().filter(|c| twin(*c).is_some()).count();
        let rest = word.chars().filter(|c| c.is_alphabetic()).count() - latin - odd;
        let plain = || word.chars().map(|c| twin(c).unwrap_or(c)).collect();
        (latin >= 2 && odd >= 1 && rest == 0).then(|| (word, plain()))
    })
}

/// What a name looks like at a glance: two names with the same skeleton are easily confused.
pub fn skeleton(name: &str) -> String {
    let folded = name.chars().map(|c| twin(c).unwrap_or(c)).flat_map(char::to_lowercase);
    let glance = folded.filter(|c| c.is_alphanumeric()).map(|c| match c {
        '0' => 'o',
        '1' | 'i' => 'l',
        '5' => 's',
        other => other,
    });
    glance.collect::<String>().replace("rn", "m").replace("vv", "w")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_borrowed_letter_is_seen_and_honest_scripts_are_not() {
        assert_eq!(lookalike("reаd_file"), Some(("reаd_file", "read_file".to_owned())));
        for honest in ["читать файл", "Ελλάδα", "5 µs", "Δt", "東京tower", "naïve", "Ωm"]
        {
            assert_eq!(lookalike(honest), None, "{honest}");
        }
    }

    #[test]
    fn colours_in_an_answer_pass_and_concealment_does_not() {
        assert_eq!(hidden("\u{1b}[31mred\u{1b}[0m", Context::Answer), None);
        assert!(hidden("\u{1b}[31mred\u{1b}[0m", Context::Definition).is_some());
        assert!(hidden("\u{1b}[8mhidden", Context::Answer).is_some());
        assert!(hidden("safe\u{1b}[1A\u{1b}[2Kgone", Context::Answer).is_some());
        assert!(hidden("\u{1b}]52;c;aGk=\u{7}", Context::Answer).is_some());
    }

    #[test]
    fn selectors_that_carry_data_are_seen_and_those_of_emoji_are_not() {
        assert!(hidden("hi\u{fe01}\u{fe02}\u{fe03}", Context::Definition).is_some());
        assert_eq!(hidden("❤\u{fe0f} 1\u{fe0f}\u{20e3}", Context::Definition), None);
    }
}
