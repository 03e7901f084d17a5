//! The contents of a resource, as `resources/read` answers them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::quote;

/// What is wrong with the result of `resources/read`.
pub fn contents_flaw(result: &Value) -> Option<String> {
    let Some(contents) = result.get("contents").and_then(Value::as_array) else {
        return Some("`contents` is not an array".to_owned());
    };
    if contents.is_empty() {
        return Some("`contents` is empty".to_owned());
    }
    (0..).zip(contents).find_map(|(i, part): (usize, _)| {
        let flaw = part_flaw(part)?;
        Some(if contents.len() == 1 { flaw } else { format!("part {i}: {flaw}") })
    })
}

fn part_flaw(part: &Value) -> Option<String> {
    let text = |key: &str| part.get(key).and_then(Value::as_str);
    if text("uri").is_none_or(str::is_empty) {
        return Some("`uri` is missing or not a string".to_owned());
    }
    let mime = part.get("mimeType").filter(|m| !m.is_null());
    let mime = match mime.map(Value::as_str) {
        Some(Some(mime)) if !is_mime(mime) => {
            return Some(format!("`mimeType` \"{}\" is no media type", quote(mime)));
        }
        Some(None) => return Some("`mimeType` is not a string".to_owned()),
        Some(Some(mime)) => mime,
        None => "",
    };
    match (text("text"), text("blob")) {
        (None, None) => Some("it has neither `text` nor `blob`".to_owned()),
        (Some(_), Some(_)) => Some("it has both `text` and `blob`".to_owned()),
        (Some(body), None) => text_flaw(mime, body),
        (None, Some(blob)) => match STANDARD.decode(blob) {
            Err(_) => Some("`blob` is not base64".to_owned()),
            Ok(bytes) => blob_flaw(mime, &bytes),
        },
    }
}

fn is_mime(mime: &str) -> bool {
    let essence = mime.split(';').next().unwrap_or_default().trim();
    let token = |s: &str| {
        !s.is_empty() && s.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$&^_.+-".contains(&b))
    };
    essence.split_once('/').is_some_and(|(kind, rest)| token(kind) && token(rest))
}

fn text_flaw(mime: &str, body: &str) -> Option<String> {
    let is_json = mime == "application/json" || mime.starts_with("application/json;");
    let broken = is_json && serde_json::from_str::<Value>(body).is_err();
    broken.then(|| "`mimeType` says JSON, and `text` is none".to_owned())
}

/// Only types with an unmistakable beginning.
fn blob_flaw(mime: &str, bytes: &[u8]) -> Option<String> {
    let magic: &[u8] = match mime {
        "image/png" => b"\x89PNG",
        "image/jpeg" => b"\xff\xd8",
        "image/gif" => b"GIF8",
        "application/pdf" => b"%PDF",
        "application/gzip" => b"\x1f\x8b",
        "application/zip" => b"PK",
        _ => return None,
    };
    (!bytes.starts_with(magic)).then(|| format!("`mimeType` says {mime}, and `blob` is none"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn flaw(part: Value) -> Option<String> {
        contents_flaw(&json!({"contents": [part]}))
    }

    #[test]
    fn text_and_blob_are_held_to_their_media_type() {
        assert_eq!(
            flaw(json!({"uri": "a:b", "text": "", "mimeType": "text/plain; charset=utf-8"})),
            None
        );
        assert_eq!(flaw(json!({"uri": "a:b", "blob": "aGk="})), None);
        assert!(flaw(json!({"uri": "a:b", "blob": "not base64!"})).is_some());
        assert!(flaw(json!({"uri": "a:b", "blob": "aGk=", "mimeType": "image/png"})).is_some());
        assert!(flaw(json!({"uri": "a:b", "text": "{", "mimeType": "application/json"})).is_some());
        assert!(flaw(json!({"uri": "a:b", "text": "x", "mimeType": "markdown"})).is_some());
    }

    #[test]
    fn a_part_has_a_uri_and_one_content() {
        assert!(flaw(json!({"text": "x"})).is_some());
        assert!(flaw(json!({"uri": "a:b"})).is_some());
        assert!(flaw(json!({"uri": "a:b", "text": "x", "blob": ""})).is_some());
        assert!(contents_flaw(&json!({"contents": []})).is_some());
        assert!(contents_flaw(&json!({})).is_some());
    }
}
