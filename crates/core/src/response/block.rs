//! The content blocks of a tool result.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::quote;
use crate::revision::Revision;

/// What is wrong with one content block in this revision.
pub fn block_flaw(block: &Value, revision: Revision) -> Option<String> {
    let text = |of: &Value, key: &str| of.get(key).and_then(Value::as_str).map(str::to_owned);
    let lacks = |of: &Value, key: &str| match text(of, key) {
        None => Some(format!("`{key}` is missing or not a string")),
        Some(_) => None,
    };
    let Some(kind) = text(block, "type") else { return Some("it has no `type`".to_owned()) };
    match kind.as_str() {
        "text" => lacks(block, "text"),
        "image" => media_flaw(block),
        "audio" if revision >= Revision::V2025_03_26 => media_flaw(block),
        "resource_link" if revision >= Revision::V2025_06_18 => {
            lacks(block, "uri").or_else(|| lacks(block, "name"))
        }
        "resource" => match block.get("resource") {
            Some(r) => lacks(r, "uri").or_else(|| lacks(r, "text").and(lacks(r, "blob"))),
            None => Some("`resource` is missing".to_owned()),
        },
        other => Some(format!("type `{}` is unknown in {revision}", quote(other))),
    }
}

fn media_flaw(block: &Value) -> Option<String> {
    let text = |key: &str| block.get(key).and_then(Value::as_str);
    match (text("data"), text("mimeType")) {
        (None, _) => Some("`data` is missing or not a string".to_owned()),
        (_, None | Some("")) => Some("`mimeType` is missing".to_owned()),
        (Some(data), Some(_)) => {
            STANDARD.decode(data).is_err().then(|| "`data` is not base64".to_owned())
        }
    }
}
