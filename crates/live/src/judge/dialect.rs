//! The two ways services are spoken to, and what their answers say.

use proofmark_core::dimensions::ask::Fault;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use serde_json::{Value, json};
use std::time::Duration;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    OpenAi,
    Anthropic,
}

/// An answer as the service gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) text: Result<String, Fault>,
    pub(super) tokens_in: u64,
    pub(super) tokens_out: u64,
}

/// A service that wants us to wait longer than this is not there for us.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

impl Dialect {
    pub const ALL: [Dialect; 2] = [Dialect::OpenAi, Dialect::Anthropic];

    pub fn name(self) -> &'static str {
        match self {
            Dialect::OpenAi => "openai",
            Dialect::Anthropic => "anthropic",
        }
    }

    pub fn key_variable(self) -> &'static str {
        match self {
            Dialect::OpenAi => "OPENAI_API_KEY",
            Dialect::Anthropic => "ANTHROPIC_API_KEY",
        }
    }

    /// The address to ask: of the public service, or below the address given.
    pub(super) fn endpoint(self, base: Option<&str>) -> String {
        let (public, path) = match self {
            Dialect::OpenAi => ("https://api.openai.com/v1", "/chat/completions"),
            Dialect::Anthropic => ("https://api.anthropic.com/v1", "/messages"),
        };
        let base = base.unwrap_or(public).trim_end_matches('/');
        if base.ends_with(path) {
            return base.to_owned();
        }
        let versioned = if base.ends_with("/v1") { "" } else { "/v1" };
        format!("{base}{versioned}{path}")
    }

    pub(super) fn headers(self, key: Option<&str>) -> Option<HeaderMap> {
        let mut headers = HeaderMap::new();
        let secret = |text: String| {
            let mut value = HeaderValue::from_str(&text).ok()?;
            value.set_sensitive(true);
            Some(value)
        };
        match self {
            Dialect::OpenAi => {
                if let Some(key) = key {
                    headers.insert(AUTHORIZATION, secret(format!("Bearer {key}"))?);
                }
            }
            Dialect::Anthropic => {
                let version = HeaderName::from_static("anthropic-version");
                headers.insert(version, HeaderValue::from_static("2023-06-01"));
                if let Some(key) = key {
                    headers.insert(HeaderName::from_static("x-api-key"), secret(key.to_owned())?);
                }
            }
        }
        Some(headers)
    }

    /// The request; `schema` only where the service is known to take it.
    pub(super) fn body(
        self,
        model: &str,
        system: &str,
        user: &str,
        schema: Option<&Value>,
        most_tokens: u64,
    ) -> Value {
        match self {
            Dialect::OpenAi => {
                let mut body = json!({
                    "model": model,
                    "messages": [
                        {"role": "system", "content": system},
                        {"role": "user", "content": user},
                    ],
                    "temperature": 0,
                    "stream": false,
                    "max_tokens": most_tokens,
                });
                if let Some(schema) = schema {
                    let named = json!({"name": "answers", "strict": true, "schema": schema});
                    body["response_format"] = json!({"type": "json_schema", "json_schema": named});
                }
                body
            }
            Dialect::Anthropic => json!({
                "model": model,
                "system": system,
                "messages": [{"role": "user", "content": user}],
                "temperature": 0,
                "stream": false,
                "max_tokens": most_tokens,
            }),
        }
    }

    pub(super) fn read(self, body: &Value) -> Said {
        let number = |pointer: &str| body.pointer(pointer).and_then(Value::as_u64).unwrap_or(0);
        match self {
            Dialect::OpenAi => Said {
                text: openai_text(body),
                tokens_in: number("/usage/prompt_tokens"),
                tokens_out: number("/usage/completion_tokens"),
            },
            Dialect::Anthropic => Said {
                text: anthropic_text(body),
                // What came out of a cache is counted apart, and was sent all the same.
                tokens_in: number("/usage/input_tokens")
                    + number("/usage/cache_creation_input_tokens")
                    + number("/usage/cache_read_input_tokens"),
                tokens_out: number("/usage/output_tokens"),
            },
        }
    }
}

fn openai_text(body: &Value) -> Result<String, Fault> {
    let choice = body.pointer("/choices/0").ok_or(Fault::Malformed)?;
    let refusal = choice.pointer("/message/refusal").and_then(Value::as_str);
    match choice.get("finish_reason").and_then(Value::as_str) {
        _ if refusal.is_some_and(|r| !r.is_empty()) => Err(Fault::Refused),
        Some("content_filter") => Err(Fault::Refused),
        Some("length") => Err(Fault::CutShort),
        Some(_) | None => {
            let text = choice.pointer("/message/content").and_then(Value::as_str);
            text.map(str::to_owned).ok_or(Fault::Malformed)
        }
    }
}

fn anthropic_text(body: &Value) -> Result<String, Fault> {
    match body.get("stop_reason").and_then(Value::as_str) {
        Some("refusal") => return Err(Fault::Refused),
        Some("max_tokens") => return Err(Fault::CutShort),
        Some(_) | None => {}
    }
    let blocks = body.get("content").and_then(Value::as_array).ok_or(Fault::Malformed)?;
    let texts: Vec<&str> = blocks.iter().filter_map(|b| b.get("text")?.as_str()).collect();
    if texts.is_empty() { Err(Fault::Malformed) } else { Ok(texts.concat()) }
}

/// How long a service asks us to wait, within reason.
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds: f64 = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    let wait = Duration::try_from_secs_f64(seconds).ok()?;
    Some(wait.min(LONGEST_WAIT))
}
