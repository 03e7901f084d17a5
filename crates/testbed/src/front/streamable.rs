//! Streamable HTTP at `/mcp`: sessions in the handshake revisions, headers that repeat the body in
//! the stateless one.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use serde_json::Value;
use tokio::sync::mpsc;

use super::guard::{self, header};
use super::headers;
use super::http::{self, App, HttpForm, LONGEST_HOLD, Line, lock};
use crate::mode::Act;
use crate::revision::Revision;
use crate::rpc::{self, INVALID_REQUEST, PARSE_ERROR, Refusal};
use crate::stage::Played;

pub(crate) const SESSION: &str = "mcp-session-id";

pub(crate) async fn post(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    if app.guarded && !guard::admits(&headers) {
        return http::plain(StatusCode::FORBIDDEN, "foreign origin");
    }
    if !guard::mentions(&headers, "content-type", &["application/json"]) {
        return http::plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, "send application/json");
    }
    if !guard::mentions(&headers, "accept", &["application/json", "text/event-stream", "*/*"]) {
        let why = "accept application/json and text/event-stream";
        return http::plain(StatusCode::NOT_ACCEPTABLE, why);
    }
    let Ok(message) = serde_json::from_slice::<Value>(&body) else {
        return refused(None, PARSE_ERROR, "the body is not valid JSON");
    };
    if headers::claim_stateless(&headers, &message) {
        stateless(&app, &headers, &message, &body).await
    } else {
        handshake(&app, &headers, &message, &body).await
    }
}

async fn stateless(
    app: &Arc<App>,
    headers: &HeaderMap,
    message: &Value,
    body: &Bytes,
) -> Response<Body> {
    let id = message.get("id");
    if let Some(why) = headers::mismatch(headers, message) {
        return refused(id, rpc::HEADER_MISMATCH, &why);
    }
    let line = Arc::new(Line::default());
    let played = app.take(&line, body.to_vec()).await;
    let status = headers::status(message, &played.acts);
    respond(app, headers, &line, message, played, status).await
}

async fn handshake(
    app: &Arc<App>,
    headers: &HeaderMap,
    message: &Value,
    body: &Bytes,
) -> Response<Body> {
    if message["method"] == "initialize" {
        let line = Arc::new(Line::default());
        let played = app.take(&line, body.to_vec()).await;
        let agreed = lock(&line.session).revision.is_some();
        let session = agreed.then(|| app.open(Arc::clone(&line)));
        let mut response = respond(app, headers, &line, message, played, StatusCode::OK).await;
        if let Some(value) = session.and_then(|s| HeaderValue::from_str(&s).ok()) {
            response.headers_mut().insert(SESSION, value);
        }
        return response;
    }
    match find_line(app, headers) {
        Ok((_, line)) => {
            let played = app.take(&line, body.to_vec()).await;
            respond(app, headers, &line, message, played, StatusCode::OK).await
        }
        Err((status, why)) => {
            let refusal = Refusal::new(INVALID_REQUEST, why);
            http::json(status, &rpc::error(message.get("id"), refusal))
        }
    }
}

type Found = Result<(String, Arc<Line>), (StatusCode, &'static str)>;

fn find_line(app: &App, headers: &HeaderMap) -> Found {
    if let Some(version) = header(headers, headers::VERSION) {
        // Without the header the session knows.
        if Revision::parse(version).is_none() {
            return Err((StatusCode::BAD_REQUEST, "unsupported MCP-Protocol-Version"));
        }
    }
    let Some(id) = header(headers, SESSION) else {
        return Err((StatusCode::BAD_REQUEST, "Mcp-Session-Id is missing; send initialize first"));
    };
    match app.line(id) {
        Some(line) => Ok((id.to_owned(), line)),
        None => Err((StatusCode::NOT_FOUND, "no such session; send initialize again")),
    }
}

/// Hands the acts to the HTTP response they belong to.
async fn respond(
    app: &Arc<App>,
    headers: &HeaderMap,
    line: &Arc<Line>,
    message: &Value,
    played: Played,
    status: StatusCode,
) -> Response<Body> {
    let batch = message.is_array() && !played.acts.is_empty();
    let request = message.get("id").is_some() && message.get("method").is_some();
    if !request && !batch {
        return accept(line, played).await;
    }
    let streams = app.form == HttpForm::Streams
        && status == StatusCode::OK
        && guard::mentions(headers, "accept", &["text/event-stream", "*/*"]);
    if streams || played.open {
        stream(app, line, played)
    } else {
        gather(app, line, played, status).await
    }
}

/// Answers with an event stream, message by message.
fn stream(app: &App, line: &Line, played: Played) -> Response<Body> {
    let (outlet, frames) = mpsc::unbounded_channel();
    if let (true, Some(id)) = (played.open, &played.of) {
        lock(&line.streams).insert(id.to_string(), outlet.clone());
    }
    // Nobody will come back to an answer that is left out, or to a stateless subscription.
    let stateless = lock(&line.session).revision.is_none();
    let held = !says_anything(&played.acts) || (played.open && stateless);
    tokio::spawn(async move {
        http::perform(played.acts, &outlet).await;
        if held {
            let _ = tokio::time::timeout(LONGEST_HOLD, outlet.closed()).await;
        }
    });
    http::event_stream(opening(app, line), frames)
}

/// Answers with JSON when it comes to one message, with a stream when it comes to more.
async fn gather(app: &App, line: &Line, played: Played, status: StatusCode) -> Response<Body> {
    let (outlet, mut frames) = mpsc::unbounded_channel();
    http::perform(played.acts, &outlet).await;
    if frames.is_empty() {
        tokio::time::sleep(LONGEST_HOLD).await;
        return http::plain(StatusCode::GATEWAY_TIMEOUT, "");
    }
    drop(outlet);
    match frames.len() {
        1 => http::raw_json(status, frames.recv().await.unwrap_or_default()),
        _ => http::event_stream(opening(app, line), frames),
    }
}

fn says_anything(acts: &[Act]) -> bool {
    acts.iter().any(|act| matches!(act, Act::Say(_) | Act::Raw(_)))
}

/// A notification, an answer to one of our requests, or something that is no message.
async fn accept(line: &Arc<Line>, played: Played) -> Response<Body> {
    let waiting = played.of.as_ref().and_then(|of| lock(&line.streams).remove(&of.to_string()));
    if let Some(outlet) = waiting {
        tokio::spawn(async move { http::perform(played.acts, &outlet).await });
        return http::plain(StatusCode::ACCEPTED, "");
    }
    let (outlet, mut frames) = mpsc::unbounded_channel();
    http::perform(played.acts, &outlet).await;
    drop(outlet);
    match frames.recv().await {
        Some(error) => http::raw_json(StatusCode::BAD_REQUEST, error),
        None => http::plain(StatusCode::ACCEPTED, ""),
    }
}

/// 2025-11-25 opens a stream with an event that has an id and no data.
fn opening(app: &App, line: &Line) -> String {
    if lock(&line.session).revision == Some(Revision::V2025_11_25) {
        format!("id: {}\ndata: \n\n", app.next_event())
    } else {
        String::new()
    }
}

fn refused(id: Option<&Value>, code: i64, why: &str) -> Response<Body> {
    let id = id.filter(|id| id.is_string() || id.is_number());
    http::json(StatusCode::BAD_REQUEST, &rpc::error(id, Refusal::new(code, why)))
}

/// A stream for messages outside any request; the servers here have none, so it only stays open.
pub(crate) async fn get(State(app): State<Arc<App>>, headers: HeaderMap) -> Response<Body> {
    if app.guarded && !guard::admits(&headers) {
        return http::plain(StatusCode::FORBIDDEN, "foreign origin");
    }
    if headers::names_stateless(&headers) || app.form == HttpForm::Json {
        return not_allowed();
    }
    if !guard::mentions(&headers, "accept", &["text/event-stream", "*/*"]) {
        return http::plain(StatusCode::NOT_ACCEPTABLE, "accept text/event-stream");
    }
    let id = match find_line(&app, &headers) {
        Ok((id, _)) => id,
        Err((status, why)) => return http::plain(status, why),
    };
    let (outlet, frames) = mpsc::unbounded_channel::<String>();
    tokio::spawn(async move {
        // An empty frame becomes a comment, which keeps the connection alive.
        while app.line(&id).is_some() && outlet.send(String::new()).is_ok() {
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    });
    http::event_stream(String::new(), frames)
}

pub(crate) async fn delete(State(app): State<Arc<App>>, headers: HeaderMap) -> Response<Body> {
    if app.guarded && !guard::admits(&headers) {
        return http::plain(StatusCode::FORBIDDEN, "foreign origin");
    }
    if headers::names_stateless(&headers) {
        return not_allowed();
    }
    match find_line(&app, &headers) {
        Ok((id, _)) => {
            app.close(&id);
            http::plain(StatusCode::NO_CONTENT, "")
        }
        Err((status, why)) => http::plain(status, why),
    }
}

fn not_allowed() -> Response<Body> {
    let mut response = http::plain(StatusCode::METHOD_NOT_ALLOWED, "");
    response.headers_mut().insert("allow", HeaderValue::from_static("POST"));
    response
}
