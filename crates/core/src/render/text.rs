//! Text of unknown origin made safe to show, measured and cut by display width.

use std::fmt::Write;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Makes every character visible that could steer a terminal or hide from the reader: controls,
/// bidirectional marks, zero-width characters, tags. All text in a report passes here.
pub fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() && (c as u32) < 0x100 => {
                let _ = write!(out, "\\x{:02x}", c as u32);
            }
            c if is_hidden(c) => escape(&mut out, c),
            c => out.push(c),
        }
    }
    out
}

/// As [`clean`], but with nothing beyond ASCII left.
pub fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in clean(text).chars() {
        match c {
            c if c.is_ascii() => out.push(c),
            '·' | '•' => out.push('-'),
            '–' | '—' => out.push('-'),
            '…' => out.push_str("..."),
            '→' => out.push_str("->"),
            '×' => out.push('x'),
            '≤' => out.push_str("<="),
            '≥' => out.push_str(">="),
            '“' | '”' | '„' => out.push('"'),
            '‘' | '’' => out.push('\''),
            c => escape(&mut out, c),
        }
    }
    out
}

fn escape(out: &mut String, c: char) {
    let _ = write!(out, "\\u{{{:x}}}", c as u32);
}

fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Columns on a terminal.
pub fn width(text: &str) -> usize {
    text.width()
}

/// Cut to at most `limit` columns, with `mark` at the end when something was cut.
pub fn clip(text: &str, limit: usize, mark: &str) -> String {
    if width(text) <= limit {
        return text.to_owned();
    }
    let (mut out, _) = split_at_width(text, limit.saturating_sub(width(mark)));
    out = out.trim_end().to_owned();
    out.push_str(mark);
    out
}

/// The longest head of at most `limit` columns, and the rest.
pub fn split_at_width(text: &str, limit: usize) -> (String, String) {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += c.width().unwrap_or(0);
        if used > limit {
            return (text[..at].to_owned(), text[at..].to_owned());
        }
    }
    (text.to_owned(), String::new())
}

/// Padded with spaces to `columns`.
pub fn pad(text: &str, columns: usize) -> String {
    let mut out = text.to_owned();
    out.extend(std::iter::repeat_n(' ', columns.saturating_sub(width(text))));
    out
}

/// A number of points or per cent: one decimal, and none where it is whole.
pub fn points(value: f64) -> String {
    let text = format!("{:.1}", value + 0.0);
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// `1 call`, `2 calls`.
pub fn count(n: usize, noun: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_come_out_visible() {
        assert_eq!(clean("a\x1b[2Jb\nc\x07\u{9b}"), "a\\x1b[2Jb\\nc\\x07\\x9b");
    }

    #[test]
    fn bidirectional_zero_width_and_tag_characters_come_out_visible() {
        assert_eq!(clean("x\u{202e}y\u{200b}z\u{e0041}"), "x\\u{202e}y\\u{200b}z\\u{e0041}");
    }

    #[test]
    fn ordinary_text_of_any_script_is_left_alone() {
        assert_eq!(clean("naïve 日本語 — ok"), "naïve 日本語 — ok");
    }

    #[test]
    fn ascii_leaves_nothing_beyond_ascii() {
        let text = ascii("82 · “ok” → 日");
        assert!(text.is_ascii());
        assert_eq!(text, "82 - \"ok\" -> \\u{65e5}");
    }

    #[test]
    fn clipping_counts_columns_and_not_characters() {
        assert_eq!(clip("日本語テキスト", 7, "…"), "日本語…");
        assert_eq!(clip("short", 7, "…"), "short");
    }

    #[test]
    fn points_drop_a_zero_decimal() {
        assert_eq!(points(86.3), "86.3");
        assert_eq!(points(100.0), "100");
        assert_eq!(points(-0.0), "0");
    }
}
