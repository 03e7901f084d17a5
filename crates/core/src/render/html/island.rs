//! JSON that can stand inside a script element, whatever its texts say.

use std::fmt::Write;

use serde::Serialize;

/// No character is left that could end the element, open a comment, or be read as a line break.
pub(super) fn json(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let text = serde_json::to_string(value)?;
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for c in text.chars() {
        if is_special(c) {
            let _ = write!(out, "\\u{:04x}", c as u32);
        } else {
            out.push(c);
        }
    }
    Ok(out)
}

/// How many bytes a text takes in there.
pub(super) fn cost(text: &str) -> usize {
    let one = |c: char| match c {
        '"' | '\\' | '\n' => 2,
        c if c.is_control() || is_special(c) => 6,
        c => c.len_utf8(),
    };
    text.chars().map(one).sum()
}

fn is_special(c: char) -> bool {
    matches!(c, '<' | '>' | '&' | '\u{2028}' | '\u{2029}')
}
