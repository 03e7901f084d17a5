//! Strings: by format, by meaning, within length and pattern.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};

use super::context::Context;
use super::meaning::{Hint, Meaning, uuid};
use crate::seed::Seed;

/// Strings worth trying for the schema, best first. All have a legal length; a pattern is left to
/// the caller, who has the validator.
pub(super) fn candidates(
    schema: &Map<String, Value>,
    hint: Hint<'_>,
    context: &Context,
    seed: Seed,
) -> Vec<String> {
    let mut found = Vec::new();
    let meaning = Meaning::of(hint, context);
    if let Some(text) =
        schema.get("format").and_then(Value::as_str).and_then(|f| format(f, hint, context, seed))
    {
        found.push(text);
    }
    let natural = meaning.map(|m| m.text(hint, context, seed));
    if meaning.is_some_and(Meaning::is_planted) {
        found.extend(natural.clone());
    }
    if hint.index == 0 {
        found.extend(example_in(hint.about));
        if matches!(meaning, None | Some(Meaning::Name)) {
            found.extend(option_in(hint.about));
        }
    }
    found.extend(natural);
    found.push(Meaning::Name.text(hint, context, seed));
    if schema.contains_key("pattern") {
        found.extend(GENERIC.iter().map(|s| (*s).to_owned()));
        found.push(uuid(seed, hint));
        let length = |key: &str| schema.get(key).and_then(Value::as_u64);
        let n = length("minLength").or_else(|| length("maxLength")).unwrap_or(8).min(64) as usize;
        found.extend(["a", "A", "1", "f"].map(|c| c.repeat(n.max(1))));
    }
    found.into_iter().map(|s| fit(s, schema)).collect()
}

/// Common shapes of short identifiers, for patterns.
const GENERIC: &[&str] = &[
    "a",
    "A",
    "1",
    "abc",
    "ABC",
    "123",
    "0",
    "a1",
    "A1",
    "a-b",
    "a_b",
    "a.b",
    "a/b",
    "a:b",
    "abc123",
    "AB-123",
    "ABC-1",
    "en",
    "en-US",
    "US",
    "USD",
    "main",
    "HEAD",
    "1.0.0",
    "v1.0.0",
    "v1",
    "1.5",
    "2024-05-15",
    "2024-05-15T12:00:00Z",
    "2024-05",
    "2024",
    "12:30",
    "12:30:00",
    "#336699",
    "336699",
    "0x1f",
    "127.0.0.1",
    "http://127.0.0.1/",
    "https://127.0.0.1/",
    "sample@example.com",
    "+15550100000",
    "1h",
    "30m",
    "7d",
    "5s",
    "10%",
    "50",
    "$1",
    "@sample",
    "#sample",
    "/sample",
    "./sample",
    "sample.txt",
    "sample.md",
    "sample.json",
    "*",
    "{}",
    "[]",
    "arn:aws:s3:::sample",
    "us-east-1",
    "eu-west-1",
    "i-0123456789abcdef0",
    "0123456789abcdef0123456789abcdef01234567",
    "Sample text",
    "sample text",
    "CamelCase",
    "UPPER_CASE",
    "kebab-case-1",
    "true",
    "-1",
];

fn format(format: &str, hint: Hint<'_>, context: &Context, seed: Seed) -> Option<String> {
    let n = hint.index;
    Some(match format {
        "date" => "2024-05-15".to_owned(),
        "time" => "12:30:00Z".to_owned(),
        "date-time" => "2024-05-15T12:00:00Z".to_owned(),
        "duration" => "PT1S".to_owned(),
        "email" | "idn-email" => format!("sample{n}@example.com"),
        "hostname" | "idn-hostname" => "localhost".to_owned(),
        "ipv4" => "127.0.0.1".to_owned(),
        "ipv6" => "::1".to_owned(),
        "uri" | "url" | "iri" => Meaning::Url.text(hint, context, seed),
        "uri-reference" | "iri-reference" => "/sample".to_owned(),
        "uri-template" => "/sample/{id}".to_owned(),
        "uuid" => uuid(seed, hint),
        "json-pointer" => "/sample".to_owned(),
        "relative-json-pointer" => "0/sample".to_owned(),
        "regex" => "sample".to_owned(),
        "byte" | "base64" => "c2FtcGxl".to_owned(),
        _ => return None,
    })
}

/// A quoted example in the description: `e.g. 'America/New_York'`.
fn example_in(about: &str) -> Option<String> {
    static QUOTED: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r#"(?i)(?:e\.g\.?,?|for example|example:?|examples:?|such as)\s*[:,(]?\s*(?:'([^']{1,80})'|"([^"]{1,80})"|`([^`]{1,80})`)"#,
        )
        .ok()
    });
    let found = QUOTED.as_ref()?.captures(about)?;
    found.iter().skip(1).flatten().next().map(|m| m.as_str().to_owned())
}

/// The first of several quoted words: `('local'), remote ('remote')` lists options.
fn option_in(about: &str) -> Option<String> {
    static QUOTED: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"['"`]([A-Za-z][A-Za-z0-9_-]{0,30})['"`]"#).ok());
    let found: Vec<&str> =
        QUOTED.as_ref()?.captures_iter(about).filter_map(|c| Some(c.get(1)?.as_str())).collect();
    if found.len() >= 2 { found.first().map(|s| (*s).to_owned()) } else { None }
}

/// Cut or padded to the legal length, counted in characters.
fn fit(text: String, schema: &Map<String, Value>) -> String {
    let bound =
        |key: &str| schema.get(key).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
    // A longer string than this is no sample any more; the validator then says no.
    const MOST: usize = 100_000;
    let (low, high) = (bound("minLength").unwrap_or(0).min(MOST), bound("maxLength"));
    let length = text.chars().count();
    if let Some(high) = high.filter(|high| length > *high) {
        return text.chars().take(high).collect();
    }
    if length < low {
        let filler = if text.is_empty() { "x".to_owned() } else { text.clone() };
        return text.chars().chain(filler.chars().cycle()).take(low).collect();
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_example_in_the_description_is_found_in_any_quotes() {
        assert_eq!(
            example_in("The zone (e.g., 'America/New_York')"),
            Some("America/New_York".into())
        );
        assert_eq!(example_in("Symbol, for example \"AAPL\""), Some("AAPL".into()));
        assert_eq!(example_in("Don't use e.g. this"), None);
    }

    #[test]
    fn several_quoted_words_are_options_and_one_is_a_mention() {
        assert_eq!(
            option_in("local branches ('local') or remote ('remote')"),
            Some("local".into())
        );
        assert_eq!(option_in("see 'help' for more"), None);
    }

    #[test]
    fn a_text_is_cut_and_padded_by_characters() {
        let schema = |s: Value| s.as_object().cloned().unwrap();
        assert_eq!(fit("äöü".into(), &schema(json!({"maxLength": 2}))), "äö");
        assert_eq!(fit("äb".into(), &schema(json!({"minLength": 5}))), "äbäbä");
    }
}
