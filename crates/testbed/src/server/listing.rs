//! The four listings and their pages.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::terms::Terms;
use super::{Server, resources};
use crate::rpc::Refusal;

pub(super) fn tools(server: &Server, terms: &Terms, params: &Value) -> Result<Value, Refusal> {
    let offered = server.tools.iter().filter(|t| t.is_offered(&server.world, terms.revision));
    let entries = offered.map(|t| t.listed(terms.revision)).collect();
    page("tools", entries, server.page_size, params)
}

pub(super) fn resources(server: &Server, terms: &Terms, params: &Value) -> Result<Value, Refusal> {
    let fixed = server.resources.iter().map(|r| r.listed(terms.revision));
    let entries = fixed.chain(resources::pinned(server, terms.revision)).collect();
    page("resources", entries, server.page_size, params)
}

pub(super) fn templates(server: &Server, terms: &Terms, params: &Value) -> Result<Value, Refusal> {
    let entries = server.templates.iter().map(|t| t.listed(terms.revision)).collect();
    page("resourceTemplates", entries, server.page_size, params)
}

pub(super) fn prompts(server: &Server, terms: &Terms, params: &Value) -> Result<Value, Refusal> {
    let offered = server.prompts.iter().filter(|p| p.is_offered(&server.world, terms.revision));
    let entries = offered.map(|p| p.listed(terms.revision)).collect();
    page("prompts", entries, server.page_size, params)
}

pub(super) fn page(
    key: &str,
    entries: Vec<Value>,
    size: usize,
    params: &Value,
) -> Result<Value, Refusal> {
    let start = match params.get("cursor") {
        None => 0,
        Some(cursor) => cursor
            .as_str()
            .and_then(|c| offset(key, c))
            .filter(|at| *at < entries.len())
            .ok_or_else(|| Refusal::invalid_params("`cursor` was not given out by this server"))?,
    };
    let end = entries.len().min(start + size);
    let mut result = json!({ key: entries[start..end] });
    if end < entries.len() {
        result["nextCursor"] = json!(URL_SAFE_NO_PAD.encode(format!("{key}:{end}")));
    }
    Ok(result)
}

fn offset(key: &str, cursor: &str) -> Option<usize> {
    let decoded = String::from_utf8(URL_SAFE_NO_PAD.decode(cursor).ok()?).ok()?;
    decoded.strip_prefix(key)?.strip_prefix(':')?.parse().ok()
}
