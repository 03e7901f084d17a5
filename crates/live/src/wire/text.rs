//! Bytes to text to JSON, saying what was wrong on the way.

use std::borrow::Cow;

use serde_json::Value;

/// The text of `bytes` and whether some of them were no UTF-8. A character that only our own `cut`
/// went through does not count.
pub(crate) fn decode(bytes: &[u8], cut: bool) -> (Cow<'_, str>, bool) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (Cow::Borrowed(text), false),
        Err(error) if cut && error.error_len().is_none() => {
            (String::from_utf8_lossy(&bytes[..error.valid_up_to()]), false)
        }
        Err(_) => (String::from_utf8_lossy(bytes), true),
    }
}

/// A JSON text as read.
#[derive(Debug)]
pub(crate) enum Read {
    Json(Value),
    /// JSON, but a string holds half of a surrogate pair. JavaScript servers write that when they
    /// cut a string in the middle of a character; the half stands as U+FFFD.
    LoneSurrogate(Value),
    Not {
        why: String,
    },
}

pub(crate) fn read(text: &str) -> Read {
    let error = match serde_json::from_str(text) {
        Ok(value) => return Read::Json(value),
        Err(error) => error,
    };
    if let Some(value) = mend_surrogates(text).and_then(|t| serde_json::from_str(&t).ok()) {
        return Read::LoneSurrogate(value);
    }
    let why = error.to_string();
    if why.starts_with("recursion limit exceeded") {
        return Read::Not { why: "nested deeper than 128 levels, the limit of this reader".into() };
    }
    Read::Not { why }
}

/// The text with every unpaired `\uD800`..`\uDFFF` replaced, if there is any.
fn mend_surrogates(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut done = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find('\\') {
        at += found;
        match (unit(text, at), unit(text, at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => at += 12,
            (Some(0xd800..=0xdfff), _) => {
                out.push_str(&text[done..at]);
                out.push_str("\\ufffd");
                at += 6;
                done = at;
            }
            (Some(_), _) => at += 6,
            // Another escape: its second character may itself be a backslash.
            (None, _) => at += 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
        }
    }
    (done > 0).then(|| out + &text[done..])
}

/// The code unit of a `\uXXXX` escape at this place.
fn unit(text: &str, at: usize) -> Option<u16> {
    let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
    digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_character_cut_by_us_is_not_the_servers_fault() {
        assert_eq!(decode(b"a\xe2\x82", true), ("a".into(), false));
        assert_eq!(decode(b"a\xe2\x82", false), ("a\u{fffd}".into(), true));
        assert!(decode(b"\xff\xe2\x82", true).1);
    }

    #[test]
    fn half_a_surrogate_pair_is_read_and_told() {
        let text = r#"{"a":"x\ud83d","b":"\ud83d\ude00","c":"\\ud83d","d":"\udc00\ud800\u0041é"}"#;
        match read(text) {
            Read::LoneSurrogate(value) => assert_eq!(
                value,
                json!({"a": "x\u{fffd}", "b": "😀", "c": "\\ud83d", "d": "\u{fffd}\u{fffd}Aé"})
            ),
            other @ (Read::Json(_) | Read::Not { .. }) => panic!("{other:?}"),
        }
    }

    #[test]
    fn escapes_at_the_end_of_a_broken_text_are_no_trouble() {
        for text in ["\\", "\"\\", "\"\\u", "\"\\ud83", "\"\\ud83d", "\"\\é", "\"\\ud83d\\é"] {
            assert!(matches!(read(text), Read::Not { .. }), "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_refused_with_the_limit() {
        match read(&"[".repeat(1_000_000)) {
            Read::Not { why } => assert!(why.contains("128"), "{why}"),
            other @ (Read::Json(_) | Read::LoneSurrogate(_)) => panic!("{other:?}"),
        }
    }
}
