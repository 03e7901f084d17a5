//! How a text is packed in its place: as it stands, in Base64, or as one member of a JSON text, which
//! may be in Base64 itself.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::schema::pointer_to;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wrap {
    Plain,
    Base64,
    /// The pointer into the JSON text.
    Json(String),
    /// The same where the JSON text is in Base64, as tokens are.
    Coded(String),
}

/// Begins the inner location of what is in Base64.
const CODED: &str = "base64";

/// What is attacked within one JSON text, at most.
const MOST: usize = 3;

impl Wrap {
    /// Where within the text it is: the other way round is [`Wrap::within`].
    pub fn inner(&self) -> Option<String> {
        match self {
            Wrap::Plain | Wrap::Base64 => None,
            Wrap::Json(pointer) => Some(pointer.clone()),
            Wrap::Coded(pointer) => Some(format!("{CODED}{pointer}")),
        }
    }

    pub fn within(inner: &str) -> Wrap {
        match inner.strip_prefix(CODED) {
            Some(pointer) => Wrap::Coded(pointer.to_owned()),
            None => Wrap::Json(inner.to_owned()),
        }
    }

    /// The whole text with another one packed into it.
    pub fn packed(&self, whole: &str, with: &str) -> Option<String> {
        match self {
            Wrap::Plain => Some(with.to_owned()),
            Wrap::Base64 => Some(STANDARD.encode(with)),
            Wrap::Json(pointer) => {
                let mut document: Value = serde_json::from_str(whole).ok()?;
                *document.pointer_mut(pointer)? = with.into();
                Some(document.to_string())
            }
            Wrap::Coded(pointer) => {
                let inner = Wrap::Json(pointer.clone()).packed(&decoded(whole)?, with)?;
                Some(STANDARD.encode(inner))
            }
        }
    }

    /// What is packed into the whole text; empty where it is not packed as expected.
    pub fn unpacked(&self, whole: &str) -> String {
        match self {
            Wrap::Plain => whole.to_owned(),
            Wrap::Base64 => decoded(whole).unwrap_or_default(),
            Wrap::Json(pointer) => {
                let document: Option<Value> = serde_json::from_str(whole).ok();
                let inner = document.as_ref().and_then(|d| d.pointer(pointer)?.as_str());
                inner.unwrap_or_default().to_owned()
            }
            Wrap::Coded(pointer) => {
                let inner = decoded(whole).unwrap_or_default();
                Wrap::Json(pointer.clone()).unpacked(&inner)
            }
        }
    }
}

/// A text that is written in Base64.
pub fn decoded(text: &str) -> Option<String> {
    let bytes = STANDARD.decode(text.trim()).ok().filter(|bytes| !bytes.is_empty())?;
    let text = String::from_utf8(bytes).ok()?;
    let legible = text.chars().all(|c| !c.is_control() || c.is_whitespace());
    legible.then_some(text)
}

/// The ways to pack a text where this one stands, by its looks and by what is said of it.
pub(super) fn wraps(text: &str, about: &str) -> Vec<Wrap> {
    if about.to_lowercase().contains("base64") {
        return vec![Wrap::Base64];
    }
    let coded = decoded(text).map(|inner| within(&inner)).unwrap_or_default();
    let plain = within(text).into_iter().map(Wrap::Json);
    let inner = plain.chain(coded.into_iter().map(Wrap::Coded));
    std::iter::once(Wrap::Plain).chain(inner).collect()
}

/// Where texts stand in a JSON text.
fn within(text: &str) -> Vec<String> {
    let document = Some(text).filter(|t| t.trim_start().starts_with(['{', '[']));
    let document: Option<Value> = document.and_then(|t| serde_json::from_str(t).ok());
    let mut inner = Vec::new();
    document.iter().for_each(|d| collect(d, "", &mut inner));
    inner.truncate(MOST);
    inner
}

fn collect(value: &Value, at: &str, into: &mut Vec<String>) {
    match value {
        Value::String(_) => into.push(at.to_owned()),
        Value::Object(map) => {
            map.iter().for_each(|(name, v)| collect(v, &pointer_to(at, name), into));
        }
        Value::Array(items) => {
            items.first().iter().for_each(|v| collect(v, &format!("{at}/0"), into));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_in_a_json_text_is_packed_and_unpacked() {
        let text = r#"{"a": {"b": "c"}, "n": 1}"#;
        let found = wraps(text, "A query");
        assert_eq!(found, [Wrap::Plain, Wrap::Json("/a/b".to_owned())]);
        assert_eq!(found[1].unpacked(text), "c");
        assert_eq!(found[1].packed(text, "x\"y").unwrap(), r#"{"a":{"b":"x\"y"},"n":1}"#);
    }

    #[test]
    fn a_token_is_taken_apart_and_put_together_again() {
        let token = STANDARD.encode(r#"{"v":1,"draft":{"title":"one"}}"#);
        let found = wraps(&token, "The token");
        assert_eq!(found, [Wrap::Plain, Wrap::Coded("/draft/title".to_owned())]);
        assert_eq!(found[1].unpacked(&token), "one");
        let packed = found[1].packed(&token, "two").unwrap();
        assert_eq!(decoded(&packed).unwrap(), r#"{"v":1,"draft":{"title":"two"}}"#);
        let inner = found[1].inner().unwrap();
        assert_eq!(Wrap::within(&inner), found[1]);
    }

    #[test]
    fn what_is_said_to_be_base64_is_sent_so() {
        let found = wraps("bm90ZXMubWQ=", "Name in Base64");
        assert_eq!(found, [Wrap::Base64]);
        assert_eq!(found[0].unpacked("bm90ZXMubWQ="), "notes.md");
        assert_eq!(found[0].packed("", "notes.md").unwrap(), "bm90ZXMubWQ=");
        assert_eq!(wraps("plain", "Any text"), [Wrap::Plain]);
    }
}
