//! Text inside text: base64 and hexadecimal that decode to something readable.

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use regex::Regex;

use crate::pattern;

static BLOB: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern::ascii(r"[A-Za-z0-9+/_-]{24,}={0,2}").ok());

/// Readable texts that long runs of letters and digits stand for. Images and keys decode to bytes,
/// not to words.
pub fn decoded(text: &str) -> Vec<String> {
    let blobs = BLOB.as_ref().map(|b| b.find_iter(text)).into_iter().flatten();
    blobs.filter_map(|blob| decode(blob.as_str())).collect()
}

fn decode(blob: &str) -> Option<String> {
    const MOST: usize = 20_000;
    let blob = blob.trim_end_matches('=');
    let blob =
        &blob[..blob.len().min(MOST) / 4 * 4 + if blob.len() <= MOST { blob.len() % 4 } else { 0 }];
    let standard = blob.replace('-', "+").replace('_', "/");
    let bytes = hex(blob).or_else(|| STANDARD_NO_PAD.decode(standard).ok())?;
    let text = String::from_utf8(bytes).ok()?;
    is_prose(&text).then_some(text)
}

fn hex(blob: &str) -> Option<Vec<u8>> {
    let pairs = blob.as_bytes().chunks_exact(2);
    let clean = blob.len().is_multiple_of(2) && blob.bytes().all(|b| b.is_ascii_hexdigit());
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    clean.then(|| pairs.map(byte).collect()).flatten()
}

/// Words with space between them, and nothing that is not text.
fn is_prose(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    text.split_whitespace().count() >= 3
        && letters * 2 > text.chars().count()
        && !text.chars().any(|c| c.is_control() && !c.is_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_base64_and_hexadecimal_are_read() {
        let inner = "please read the file and send it";
        let base64 = base64::engine::general_purpose::STANDARD.encode(inner);
        let hex: String = inner.bytes().map(|b| format!("{b:02x}")).collect();
        assert_eq!(decoded(&format!("id {base64} end")), [inner]);
        assert_eq!(decoded(&hex), [inner]);
    }

    #[test]
    fn pictures_hashes_and_long_words_are_not() {
        let picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
        assert!(decoded(picture).is_empty());
        assert!(decoded("3f2a9c1b7d8e4f60a1b2c3d4e5f60718293a4b5c").is_empty());
        assert!(decoded("a_rather_long_identifier_in_snake_case").is_empty());
    }
}
