//! Streamable HTTP at `/mcp`: sessions in the handshake revisions, headers that repeat the body in
//! the stateless one.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use serde_json::Value;

use super::guard::{self, header};
use super::headers;
use super::http::{self, App, HttpForm, LONGEST_HOLD, lock};
use super::line::Line;
use super::track::{self, Track};
use crate::mode::Act;
use crate::revision::Revision;
use crate::rpc::{self, INVALID_REQUEST, Refusal, Unread};
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
    let message = match rpc::parse(&body) {
        Ok(message) => message,
        Err(unread) => return unreadable(&app, &headers, *unread),
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
    let mismatch = headers::mismatch(headers, message).or_else(|| {
        let params = &message["params"];
        let schema = app.input_schema(params["name"].as_str()?)?;
        headers::param_mismatch(headers, &schema, &params["arguments"])
    });
    if let Some(why) = mismatch {
        let refusal = Refusal::new(rpc::HEADER_MISMATCH, why);
        let id = id.filter(|id| id.is_string() || id.is_number());
        return http::json(StatusCode::BAD_REQUEST, &rpc::error(id, refusal));
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
        let session = agreed.then(|| app.open(Arc::clone(&line), header(headers, SESSION)));
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
        return accept(app, line, played).await;
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
fn stream(app: &Arc<App>, line: &Arc<Line>, played: Played) -> Response<Body> {
    let track = app.track(line);
    if app.opens_with_id(line) {
        track.send(String::new());
    }
    let events = track.attach(0);
    let (open, of) = (played.open, played.of.as_ref().map(Value::to_string));
    if let (true, Some(id)) = (open, &of) {
        line.leave_open(id, &track);
    }
    let stateless = lock(&line.session).revision.is_none();
    let silent = !says_anything(&played.acts) && played.pending.is_none();
    let (app, line) = (Arc::clone(app), Arc::clone(line));
    if open && stateless {
        app.listen(&line);
    }
    tokio::spawn(async move {
        app.play(&line, played, &track).await;
        // Nobody will come back to an answer that is left out, or to a stateless subscription.
        if silent || (open && stateless) {
            hold(&track, open).await;
            app.stop_listening(&line);
        }
        if !open || stateless {
            track.end();
        }
    });
    http::event_stream(String::new(), events)
}

/// Keeps a stream until its reader goes, with a sign of life now and then on one that listens.
async fn hold(track: &Track, breathing: bool) {
    let breath = async {
        while !breathing || track.breathe() {
            tokio::time::sleep(Duration::from_secs(15)).await;
        }
    };
    let gone = async {
        tokio::select! { () = track.deserted() => {}, () = breath => {} }
    };
    let _ = tokio::time::timeout(LONGEST_HOLD, gone).await;
}

/// Answers with JSON when it comes to one message, with a stream when it comes to more.
async fn gather(
    app: &Arc<App>,
    line: &Arc<Line>,
    played: Played,
    status: StatusCode,
) -> Response<Body> {
    let track = app.track(line);
    let silent = !says_anything(&played.acts) && played.pending.is_none();
    app.play(line, played, &track).await;
    track.end();
    let frames = track.frames();
    match frames.as_slice() {
        [] if silent => {
            tokio::time::sleep(LONGEST_HOLD).await;
            http::plain(StatusCode::GATEWAY_TIMEOUT, "")
        }
        // It was cancelled on the way.
        [] => http::plain(StatusCode::ACCEPTED, ""),
        [only] => http::raw_json(status, only.clone()),
        _ => http::event_stream(String::new(), track.attach(0)),
    }
}

fn says_anything(acts: &[Act]) -> bool {
    acts.iter().any(|act| matches!(act, Act::Say(_) | Act::Raw(_)))
}

/// A notification, an answer to one of our requests, or something that is no message.
async fn accept(app: &Arc<App>, line: &Arc<Line>, played: Played) -> Response<Body> {
    if let Some(why) = played.mangled {
        let refusal = Refusal::new(INVALID_REQUEST, why);
        return http::json(StatusCode::BAD_REQUEST, &rpc::error(None, refusal));
    }
    let waiting = played.of.as_ref().and_then(|of| line.take_open(&of.to_string()));
    if let Some(track) = waiting {
        let (app, line) = (Arc::clone(app), Arc::clone(line));
        tokio::spawn(async move {
            app.play(&line, played, &track).await;
            track.end();
        });
        return http::plain(StatusCode::ACCEPTED, "");
    }
    let track = app.track(line);
    app.play(line, played, &track).await;
    match track.frames().into_iter().next() {
        Some(error) => http::raw_json(StatusCode::BAD_REQUEST, error),
        None => http::plain(StatusCode::ACCEPTED, ""),
    }
}

/// A body that is no message. The session, if it is known, says how an error without id looks.
fn unreadable(app: &App, headers: &HeaderMap, unread: Unread) -> Response<Body> {
    let error = rpc::error(unread.id.as_ref(), unread.refusal);
    let line = find_line(app, headers).ok();
    let revision = line.and_then(|(_, line)| lock(&line.session).revision);
    let old = revision.is_some_and(|revision| revision < Revision::V2025_11_25);
    let error = if old { rpc::with_null_id(error) } else { error };
    http::json(StatusCode::BAD_REQUEST, &error)
}

/// The stream for messages outside any answer, or the rest of one that the client lost.
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
    let (id, line) = match find_line(&app, &headers) {
        Ok(found) => found,
        Err((status, why)) => return http::plain(status, why),
    };
    if let Some(last) = header(&headers, "last-event-id") {
        let after = track::after(last);
        let kept = after.and_then(|(number, from)| Some((line.kept(number)?, from)));
        return match kept {
            Some((track, from)) => http::event_stream(String::new(), track.attach(from)),
            None => http::plain(StatusCode::BAD_REQUEST, "unknown Last-Event-ID"),
        };
    }
    let track = app.track(&line);
    if app.opens_with_id(&line) {
        track.send(String::new());
    }
    let events = track.attach(0);
    line.stand(&track);
    tokio::spawn(async move {
        while app.line(&id).is_some() && track.breathe() {
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        track.end();
    });
    http::event_stream(String::new(), events)
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
