//! Secrets by their shape, and how sure the shape makes us.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use crate::pattern;

/// How sure a shape is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// Something that is called a password, and looks random.
    Weak,
    /// The shape of a known issuer.
    Likely,
    /// A shape that nothing else has: a private key, a token whose checksum is right.
    Certain,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secret {
    /// What it is, e.g. `GitHub token`.
    pub kind: &'static str,
    pub text: String,
    pub strength: Strength,
}

/// The issuer, and the shape with the random part as group 1.
const SHAPES: &[(&str, &str)] = &[
    ("OpenAI or Anthropic key", r"\bsk-(?:[a-z]+\d*-)*([A-Za-z0-9_]{20,})"),
    ("Stripe live key", r"\b[rs]k_live_([A-Za-z0-9]{20,})"),
    ("GitHub token", r"\bgh[pousr]_([A-Za-z0-9]{36,})"),
    ("GitHub token", r"\bgithub_pat_([A-Za-z0-9_]{50,})"),
    ("GitLab token", r"\bglpat-([A-Za-z0-9_-]{20,})"),
    ("Slack token", r"\bxox[abprs]-([A-Za-z0-9-]{20,})"),
    ("AWS key id", r"\bA[KS]IA([0-9A-Z]{16})\b"),
    ("Google API key", r"\bAIza([0-9A-Za-z_-]{35})"),
    ("npm token", r"\bnpm_([A-Za-z0-9]{36})\b"),
    ("PyPI token", r"\bpypi-([A-Za-z0-9_-]{50,})"),
    ("Hugging Face token", r"\bhf_([A-Za-z0-9]{30,})"),
    ("SendGrid key", r"\bSG\.[A-Za-z0-9_-]{10,}\.([A-Za-z0-9_-]{30,})"),
    ("DigitalOcean token", r"\bdo[opr]_v1_([a-f0-9]{64})"),
    ("Shopify token", r"\bshp(?:at|ca|pa|ss)_([a-fA-F0-9]{32})"),
    ("JSON web token", r"\beyJ[\w-]{15,}\.eyJ[\w-]{15,}\.([\w-]{20,})"),
    ("private key", r"-----BEGIN [A-Z ]*PRIVATE KEY-----\s+([A-Za-z0-9+/=\s]{64,})"),
];

const IN_HEADER: &str = "key in a header";
const IN_ADDRESS: &str = "password in an address";

/// A value that is named a secret, and the credentials of an address.
const NAMED: &[(&str, &str)] = &[
    (IN_ADDRESS, r"\b[a-z][a-z0-9+]{2,15}://[^\s:/@]{1,64}:([^\s:/@$%{}<>*]{6,64})@[\w.-]{2,}"),
    (
        IN_HEADER,
        r#"(?i)\bauthorization["']?\s{0,2}[:=]\s{0,2}["']?(?:bearer|token)\s([A-Za-z0-9+/_.~=-]{16,})"#,
    ),
    (
        "named secret",
        r#"(?i)\b[\w-]*(?:secret|passwd|password|api[_-]?key|access[_-]?key|auth[_-]?token|private[_-]?token)[\w-]{0,16}["']?\s{0,3}[:=]\s{0,3}["']?([A-Za-z0-9+/_.!#%-]{12,80})"#,
    ),
];

type Patterns = Vec<(&'static str, Regex)>;

fn compiled(list: &'static [(&'static str, &'static str)]) -> Patterns {
    list.iter().filter_map(|(name, shape)| Some((*name, pattern::ascii(shape).ok()?))).collect()
}

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| compiled(SHAPES));
static NAMES: LazyLock<Patterns> = LazyLock::new(|| compiled(NAMED));

/// All secrets of a text, the surest first.
pub fn secrets(text: &str) -> Vec<Secret> {
    // Line breaks inside JSON come escaped.
    let text = &text.replace("\\n", "\n");
    let mut found: Vec<Secret> = Vec::new();
    for (kind, pattern) in PATTERNS.iter() {
        for hit in pattern.captures_iter(text) {
            let (Some(whole), Some(random)) = (hit.get(0), hit.get(1)) else { continue };
            if !is_placeholder(whole.as_str()) && is_random(random.as_str()) {
                let text = whole.as_str().to_owned();
                let strength = strength(kind, &text);
                found.push(Secret { kind, text, strength });
            }
        }
    }
    for (kind, pattern) in NAMES.iter() {
        for hit in pattern.captures_iter(text) {
            let Some(value) = hit.get(1).map(|m| m.as_str()) else { continue };
            let known = found.iter().any(|s| s.text.contains(value) || value.contains(&s.text));
            if !known && !is_placeholder(value) && is_random(value) {
                // An address or a header with a key in it opens something; a name beside a value may not.
                let opens = [IN_ADDRESS, IN_HEADER].contains(kind);
                let strength = if opens { Strength::Likely } else { Strength::Weak };
                found.push(Secret { kind, text: value.to_owned(), strength });
            }
        }
    }
    found.sort_by_key(|s| std::cmp::Reverse(s.strength));
    found
}

fn strength(kind: &str, text: &str) -> Strength {
    let sure = match kind {
        "private key" => true,
        "GitHub token" | "npm token" => checksum_holds(text),
        _ => false,
    };
    if sure { Strength::Certain } else { Strength::Likely }
}

/// GitHub and npm end their tokens with a CRC-32 of the random part, in base 62.
fn checksum_holds(token: &str) -> bool {
    const DIGITS: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let Some((_, body)) = token.split_once('_').filter(|(_, body)| body.len() == 36) else {
        return false;
    };
    let (random, sum) = body.split_at(30);
    let told = sum.bytes().try_fold(0u64, |n, b| {
        let digit = DIGITS.iter().position(|d| *d == b)? as u64;
        Some(n * 62 + digit)
    });
    told == Some(u64::from(crc32(random.as_bytes())))
}

/// As archives and tokens have it.
pub fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        (0..8)
            .fold(crc ^ u32::from(*byte), |c, _| (c >> 1) ^ (0xedb8_8320 & (c & 1).wrapping_neg()))
    };
    !bytes.iter().fold(!0, step)
}

pub(super) fn is_placeholder(text: &str) -> bool {
    const SIGNS: &[&str] = &[
        "example",
        "your",
        "xxxx",
        "placeholder",
        "dummy",
        "redacted",
        "sample",
        "secret",
        "12345",
        "abcde",
        "change",
        "insert",
        "token_here",
        "password",
        "process.env",
        "os.environ",
        "getenv",
    ];
    let lower = text.to_lowercase();
    SIGNS.iter().any(|sign| lower.contains(sign))
}

/// Shannon entropy per character, corrected for short texts, and both letters and digits.
fn is_random(text: &str) -> bool {
    let mut counts: BTreeMap<char, f64> = BTreeMap::new();
    text.chars().for_each(|c| *counts.entry(c).or_default() += 1.0);
    let total = text.chars().count() as f64;
    let entropy: f64 = counts.values().map(|n| -(n / total) * (n / total).log2()).sum();
    let mixed = text.contains(|c: char| c.is_ascii_digit())
        && text.contains(|c: char| c.is_ascii_alphabetic());
    mixed && entropy >= total.log2().min(5.0) * 0.7
}

/// The beginning only: a report must not spread what it warns of.
pub fn mask(secret: &str) -> String {
    let shown: String = secret.chars().take(7).collect();
    format!("{shown}… ({} characters)", secret.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_tells_a_real_token_from_a_made_up_one() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert!(!checksum_holds("ghp_NqVwYS81VP7Hb1DX8pPd5khxE3pyIgKpaUnA"));
    }

    #[test]
    fn credentials_in_an_address_are_likely_and_named_values_weak() {
        let found = secrets("postgres://app:h7Qw9zR2mK4x@db:5432/x and API_KEY=Zx81kLmQp02vNc77");
        let kinds: Vec<&str> = found.iter().map(|s| s.kind).collect();
        assert_eq!(kinds, [IN_ADDRESS, "named secret"]);
        let sure: Vec<Strength> = found.iter().map(|s| s.strength).collect();
        assert_eq!(sure, [Strength::Likely, Strength::Weak]);
        assert!(
            secrets("password: ********, api_key = YOUR_API_KEY_HERE1, secret: none").is_empty()
        );
    }
}
