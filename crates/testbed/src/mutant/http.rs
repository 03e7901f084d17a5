//! The layer around the HTTP fronts in which a mutant changes heads and bodies.

mod body;
mod sessions;

use std::sync::{Arc, Mutex};

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, request};
use axum::middleware::Next;
use axum::response::Response;
use serde::Deserialize;
use serde_json::Value;

use self::body::Streams;
pub(super) use self::body::Text;
use self::sessions::Sessions;
use super::engine::{Counter, Engine};
use super::when::{Heard, When};
use crate::front::guard::header;
use crate::front::headers::VERSION;
use crate::front::http::{LARGEST_BODY, lock, plain};
use crate::revision::Revision;

/// A change to the head of a request. `$/…` stands for the body at that pointer, `$session` for
/// the session opened last.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) enum Request {
    Set {
        header: String,
        to: String,
    },
    Remove(String),
    /// Answers with this status, and the server never hears of it.
    Swallow(u16),
}

/// A change to a response.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) enum Reply {
    Status(u16),
    Set {
        header: String,
        to: String,
    },
    Remove(String),
    /// This text instead of the body.
    Body(String),
    /// A change to the body as it streams by.
    Text(Text),
}

/// What the layer keeps between requests.
#[derive(Debug)]
pub(crate) struct Layer {
    engine: Arc<Engine>,
    asked: Mutex<Counter>,
    replied: Mutex<Counter>,
    sessions: Mutex<Sessions>,
    streams: Streams,
}

/// One request, as it came.
struct Seen {
    verb: String,
    headers: HeaderMap,
    heard: Heard,
}

impl Layer {
    pub(crate) fn new(engine: Arc<Engine>) -> Layer {
        Layer {
            engine,
            asked: Mutex::default(),
            replied: Mutex::default(),
            sessions: Mutex::default(),
            streams: Streams::default(),
        }
    }

    fn see(&self, head: &request::Parts, body: &Bytes) -> Seen {
        let message = serde_json::from_slice::<Value>(body).ok();
        let agreed = header(&head.headers, VERSION).and_then(Revision::parse);
        let agreed = agreed.or_else(|| lock(&self.sessions).revision(&head.headers));
        Seen {
            verb: head.method.to_string(),
            headers: head.headers.clone(),
            heard: Heard::new(message.as_ref(), agreed),
        }
    }

    fn matches(&self, seen: &Seen, status: Option<StatusCode>, counter: &Mutex<Counter>) -> bool {
        let when = &self.engine.mutant.when;
        when.fits(seen, status) && self.engine.matches(&seen.heard, &mut lock(counter))
    }

    /// Changes the head; a status means that the server is not asked.
    fn ask(&self, seen: &Seen, headers: &mut HeaderMap) -> Option<StatusCode> {
        let edits = &self.engine.mutant.request;
        if edits.is_empty() || !self.matches(seen, None, &self.asked) {
            return None;
        }
        self.engine.fire();
        for edit in edits {
            match edit {
                Request::Set { header, to } => {
                    let value = match to.strip_prefix('$') {
                        Some("session") => lock(&self.sessions).last(),
                        Some(pointer) => seen.heard.at(pointer).map(|value| match value.as_str() {
                            Some(text) => text.to_owned(),
                            None => value.to_string(),
                        }),
                        None => Some(to.clone()),
                    };
                    set(headers, header, value.as_deref());
                }
                Request::Remove(header) => drop(headers.remove(header)),
                Request::Swallow(status) => return StatusCode::from_u16(*status).ok(),
            }
        }
        None
    }

    fn reply(&self, seen: &Seen, mut response: Response<Body>) -> Response<Body> {
        let edits = &self.engine.mutant.reply;
        if edits.is_empty() || !self.matches(seen, Some(response.status()), &self.replied) {
            return response;
        }
        for edit in edits {
            let before = response.headers().len();
            match edit {
                Reply::Status(status) => {
                    *response.status_mut() = StatusCode::from_u16(*status).unwrap_or_default();
                }
                Reply::Set { header, to } => set(response.headers_mut(), header, Some(to)),
                Reply::Remove(header) => {
                    response.headers_mut().remove(header);
                    if response.headers().len() == before {
                        continue;
                    }
                }
                Reply::Body(text) => *response.body_mut() = Body::from(text.clone()),
                Reply::Text(text) => response = self.streams.change(*text, seen.is_get(), response),
            }
            self.engine.fire();
        }
        response
    }
}

impl Seen {
    fn is_get(&self) -> bool {
        self.verb == "GET"
    }
}

impl When {
    fn fits(&self, seen: &Seen, status: Option<StatusCode>) -> bool {
        let shows = |(name, pattern): (&String, &String)| {
            let value = header(&seen.headers, name);
            match pattern.strip_suffix('*') {
                _ if pattern == "-" => value.is_none(),
                Some(start) => value.is_some_and(|value| value.starts_with(start)),
                None => value == Some(pattern),
            }
        };
        self.verb.as_ref().is_none_or(|verb| *verb == seen.verb)
            && self.header.iter().all(shows)
            && self.status.is_none_or(|wanted| status.is_some_and(|s| s.as_u16() == wanted))
    }
}

pub(crate) async fn around(
    State(layer): State<Arc<Layer>>,
    request: axum::extract::Request,
    next: Next,
) -> Response<Body> {
    let (mut head, body) = request.into_parts();
    let Ok(body) = to_bytes(body, LARGEST_BODY).await else {
        return plain(StatusCode::PAYLOAD_TOO_LARGE, "");
    };
    let seen = layer.see(&head, &body);
    lock(&layer.sessions).translate(&mut head.headers);
    if let Some(status) = layer.ask(&seen, &mut head.headers) {
        return plain(status, "");
    }
    let request = axum::extract::Request::from_parts(head, Body::from(body));
    let mut response = layer.reply(&seen, next.run(request).await);
    let mint = layer.engine.mutant.mint.as_deref();
    if lock(&layer.sessions).note(&seen.heard, mint, response.headers_mut()) {
        layer.engine.fire();
    }
    response
}

fn set(headers: &mut HeaderMap, name: &str, value: Option<&str>) {
    let name = HeaderName::from_bytes(name.as_bytes());
    let value = value.map(|value| HeaderValue::from_bytes(value.as_bytes()));
    if let (Ok(name), Some(Ok(value))) = (name, value) {
        headers.insert(name, value);
    }
}
