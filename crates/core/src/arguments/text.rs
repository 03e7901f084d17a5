//! Strings: by format, by meaning, within length and pattern.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use super::context::Context;
use super::meaning::{Hint, Meaning, uuid};
use super::schema::Matchers;
use super::{described, format, given, pattern};
use crate::attack::archive::Container;
use crate::attack::xml;
use crate::probe::words;
use crate::promise::holds;
use crate::seed::Seed;

/// The text whose turn it is among those that the schema allows.
pub(super) fn text(
    schema: &Map<String, Value>,
    hint: Hint<'_>,
    context: &Context,
    seed: Seed,
    matchers: &Matchers,
    turn: usize,
) -> Option<Value> {
    let pattern = schema.get("pattern").and_then(Value::as_str);
    let matcher = pattern.and_then(|pattern| matchers.of(pattern));
    // Generic shapes stand before made ones, which know nothing of dates; most often neither is
    // needed, so they are made late.
    let shapes = pattern.into_iter().flat_map(|_| {
        let generic = GENERIC.iter().map(|s| fit((*s).to_owned(), schema));
        generic.chain([uuid(seed, hint)])
    });
    let made = pattern.into_iter().flat_map(|pattern| {
        let (least, most) = lengths(schema);
        pattern::strings(pattern, least, most, hint.index)
    });
    let legal =
        |text: &String| matcher.as_ref().is_none_or(|m| m.is_valid(&Value::String(text.clone())));
    let mut distinct: Vec<String> = Vec::new();
    let natural = candidates(schema, hint, context, seed).into_iter();
    for text in natural.chain(shapes).chain(made).filter(legal) {
        if distinct.len() > turn {
            break;
        }
        if !distinct.contains(&text) {
            distinct.push(text);
        }
    }
    distinct.get(turn % distinct.len().max(1)).cloned().map(Value::String)
}

/// Texts of a legal length, best first; the pattern is not looked at.
fn candidates(
    schema: &Map<String, Value>,
    hint: Hint<'_>,
    context: &Context,
    seed: Seed,
) -> Vec<String> {
    let mut found = Vec::new();
    let meaning = Meaning::of(hint, context);
    let format = schema.get("format").and_then(Value::as_str);
    found.extend(format.and_then(|f| format::text(f, hint, context, seed)));
    found.extend(encoded(schema));
    found.extend(archive(hint.about));
    found.extend(document(hint));
    let natural = meaning.map(|m| m.text(hint, context, seed));
    if context.as_told && hint.index == 0 {
        found.extend(as_told(hint, context));
    }
    if meaning.is_some_and(Meaning::is_planted) {
        found.extend(natural.clone());
    }
    if hint.index == 0 {
        let usable = |text: &String| {
            let planted = meaning.is_some_and(Meaning::is_planted);
            !(given::is_remote(text) || planted && given::is_absolute_path(text))
        };
        found.extend(
            described::texts(hint.about, meaning.is_none_or(Meaning::is_vague))
                .into_iter()
                .filter(usable),
        );
    }
    found.extend(natural);
    found.push(Meaning::Name.text(hint, context, seed));
    found.push(Meaning::Text.text(hint, context, seed));
    found.into_iter().map(|s| fit(s, schema)).collect()
}

/// What is said of the parameter, else of the tool, gives as an example; of a list its first item.
fn as_told(hint: Hint<'_>, context: &Context) -> Vec<String> {
    let element = [hint.about, &context.said].into_iter().find_map(xml::example);
    if let (Some((_, text)), true) = (element, hint.name.to_lowercase().contains("xml")) {
        return vec![text.to_owned()];
    }
    let item = |text: String| match serde_json::from_str(&text) {
        Ok(Value::Array(items)) => items.first().and_then(Value::as_str).map(str::to_owned),
        Ok(_) | Err(_) => Some(text),
    };
    let named = |about: &str| {
        let listed = described::enumerated(about);
        described::texts(about, true).into_iter().chain(listed).filter_map(item)
    };
    let own: Vec<String> = named(hint.about).collect();
    let lent = own.is_empty() && context.alone;
    let told = if lent { named(&context.said).collect() } else { own };
    told.into_iter().filter(|text| !given::is_remote(text)).collect()
}

/// `contentEncoding` and `contentMediaType`, which draft-07 validators enforce.
fn encoded(schema: &Map<String, Value>) -> Option<String> {
    let says = |key: &str, what: &str| schema.get(key).and_then(Value::as_str) == Some(what);
    match (says("contentEncoding", "base64"), says("contentMediaType", "application/json")) {
        (true, _) => Some("e30=".to_owned()),
        (false, true) => Some("{}".to_owned()),
        (false, false) => None,
    }
}

/// A small document, where one of a known kind is asked for by its text: "RSS document".
fn document(hint: Hint<'_>) -> Option<String> {
    const TEXTS: &str = "content contents data document documents markup source xml";
    let words = words(hint.about);
    let remote = holds(&words, "address link links url urls uri");
    let wanted = holds(&words, TEXTS) && !remote;
    xml::named(hint.about).filter(|_| wanted).map(str::to_owned)
}

/// A small archive with one text in it, where one is asked for in Base64.
fn archive(about: &str) -> Option<String> {
    Container::asked_for(about).map(|kind| STANDARD.encode(kind.small("sample.txt")))
}

/// Common shapes of short identifiers, for patterns.
const GENERIC: &[&str] = &[
    "abc",
    "ABC",
    "123",
    "1",
    "en",
    "en-US",
    "US",
    "USD",
    "main",
    "HEAD",
    "1.0.0",
    "v1.0.0",
    "v1",
    "2024-05-15",
    "2024-05-15T12:00:00Z",
    "2024-05-15 12:00:00",
    "2024-05",
    "2024",
    "20240515",
    "12:30",
    "12:30:00",
    "#336699",
    "336699",
    "0x1f",
    "127.0.0.1",
    "http://127.0.0.1/",
    "sample@example.com",
    "+15550100000",
    "1h",
    "30m",
    "7d",
    "5s",
    "10%",
    "50",
    "1.5",
    "$1",
    "@sample",
    "#sample",
    "/sample",
    "./sample",
    "sample.txt",
    "sample.md",
    "sample.json",
    "sample.png",
    "A1",
    "A1:C3",
    "52.52,13.405",
    "us-east-1",
    "owner/repo",
    "AB-123",
    "sample-text",
    "sample_text",
    "Sample text",
    "true",
    "*",
];

fn lengths(schema: &Map<String, Value>) -> (usize, Option<usize>) {
    // A longer string than this is no sample any more; the validator then says no.
    const MOST: usize = 100_000;
    let bound =
        |key: &str| schema.get(key).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
    (bound("minLength").unwrap_or(0).min(MOST), bound("maxLength"))
}

/// Cut or padded to the legal length, counted in characters.
fn fit(text: String, schema: &Map<String, Value>) -> String {
    let (low, high) = lengths(schema);
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
    fn a_text_is_cut_and_padded_by_characters() {
        let schema = |s: Value| s.as_object().cloned().unwrap();
        assert_eq!(fit("äöü".into(), &schema(json!({"maxLength": 2}))), "äö");
        assert_eq!(fit("äb".into(), &schema(json!({"minLength": 5}))), "äbäbä");
    }
}
