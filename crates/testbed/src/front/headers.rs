//! The headers with which a stateless request repeats its body, and the status its answer gets.

use axum::http::{HeaderMap, StatusCode};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::guard::header;
use crate::mode::Act;
use crate::revision::Revision;
use crate::rpc;
use crate::server::{CAPABILITIES_KEY, VERSION_KEY};

pub(crate) const VERSION: &str = "mcp-protocol-version";

pub(crate) fn names_stateless(headers: &HeaderMap) -> bool {
    let version = header(headers, VERSION).and_then(Revision::parse);
    version.is_some_and(Revision::is_stateless)
}

pub(crate) fn claim_stateless(headers: &HeaderMap, message: &Value) -> bool {
    let meta = &message["params"]["_meta"];
    names_stateless(headers)
        || meta.get(VERSION_KEY).is_some()
        || meta.get(CAPABILITIES_KEY).is_some()
        || message["method"] == "server/discover"
}

/// How the headers contradict the body, if they do. What the body itself lacks is for the server
/// to say.
pub(crate) fn mismatch(headers: &HeaderMap, message: &Value) -> Option<String> {
    let params = &message["params"];
    let method = message["method"].as_str();
    let named = match method {
        Some("tools/call" | "prompts/get") => params["name"].as_str(),
        Some("resources/read") => params["uri"].as_str(),
        Some(_) | None => None,
    };
    [
        ("MCP-Protocol-Version", params["_meta"][VERSION_KEY].as_str()),
        ("Mcp-Method", method),
        ("Mcp-Name", named),
    ]
    .into_iter()
    .find_map(|(name, expected)| {
        let expected = expected?;
        match header(headers, name).map(decoded) {
            Some(value) if value == expected => None,
            Some(_) => Some(format!("header {name} does not match the body")),
            None => Some(format!("header {name} is missing")),
        }
    })
}

/// How the `Mcp-Param-*` headers contradict the arguments of a call, if they do: each parameter
/// that the schema marks is repeated when it has a value, and only then.
pub(crate) fn param_mismatch(
    headers: &HeaderMap,
    schema: &Value,
    arguments: &Value,
) -> Option<String> {
    let properties = schema["properties"].as_object()?;
    properties.iter().find_map(|(property, schema)| {
        let argument = &arguments[property];
        let Some(mark) = schema["x-mcp-header"].as_str() else {
            return param_mismatch(headers, schema, argument);
        };
        let name = format!("Mcp-Param-{mark}");
        let expected = match argument {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
                Some(argument.to_string())
            }
        };
        match (header(headers, &name).map(decoded), expected) {
            (given, expected) if given == expected => None,
            (None, _) => Some(format!("header {name} is missing or unreadable")),
            (Some(_), _) => Some(format!("header {name} does not match the body")),
        }
    })
}

/// Values that are not plain ASCII travel as `=?base64?…?=`.
fn decoded(value: &str) -> String {
    value
        .strip_prefix("=?base64?")
        .and_then(|v| v.strip_suffix("?="))
        .and_then(|v| STANDARD.decode(v).ok())
        .and_then(|v| String::from_utf8(v).ok())
        .unwrap_or_else(|| value.to_owned())
}

/// The HTTP status the stateless revision ties to an answer.
pub(crate) fn status(message: &Value, acts: &[Act]) -> StatusCode {
    let code = acts.iter().find_map(|act| match act {
        Act::Say(said) => said["error"]["code"].as_i64(),
        Act::Raw(_) | Act::Wait(_) | Act::Complain(_) | Act::CloseStdout | Act::Exit(_) => None,
    });
    let meta = &message["params"]["_meta"];
    let complete = meta[VERSION_KEY].is_string() && meta[CAPABILITIES_KEY].is_object();
    match code {
        Some(rpc::METHOD_NOT_FOUND) => StatusCode::NOT_FOUND,
        Some(
            rpc::UNSUPPORTED_VERSION
            | rpc::MISSING_CLIENT_CAPABILITY
            | rpc::INVALID_REQUEST
            | rpc::PARSE_ERROR,
        ) => StatusCode::BAD_REQUEST,
        Some(rpc::INVALID_PARAMS) if !complete => StatusCode::BAD_REQUEST,
        Some(_) | None => StatusCode::OK,
    }
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn only_a_whole_sentinel_is_decoded() {
        assert_eq!(decoded("=?base64?bm90ZQ==?="), "note");
        assert_eq!(decoded("=?base64?not base64?="), "=?base64?not base64?=");
        assert_eq!(decoded("note"), "note");
    }
}
