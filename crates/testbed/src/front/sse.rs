//! The transport of 2024-11-05: one event stream out, POSTs in.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;

use super::guard;
use super::http::{self, App};
use super::line::Line;

pub(crate) async fn open(State(app): State<Arc<App>>, headers: HeaderMap) -> Response<Body> {
    if app.guarded && !guard::admits(&headers) {
        return http::plain(StatusCode::FORBIDDEN, "foreign origin");
    }
    let line = Arc::new(Line::default());
    let track = app.track(&line);
    let events = track.attach(0);
    line.stand(&track);
    let id = app.open(line, None);
    let path = format!("/messages?session={id}");
    tokio::spawn(async move {
        track.deserted().await;
        app.close(&id);
    });
    http::event_stream(format!("event: endpoint\ndata: {path}\n\n"), events)
}

pub(crate) async fn post(
    State(app): State<Arc<App>>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    if app.guarded && !guard::admits(&headers) {
        return http::plain(StatusCode::FORBIDDEN, "foreign origin");
    }
    let id = uri.query().and_then(|q| q.strip_prefix("session="));
    let Some(line) = id.and_then(|id| app.line(id)) else {
        return http::plain(StatusCode::NOT_FOUND, "unknown session");
    };
    let Some(track) = line.standing() else {
        return http::plain(StatusCode::NOT_FOUND, "the stream is closed");
    };
    let played = app.take(&line, body.to_vec()).await;
    tokio::spawn(async move { app.play(&line, played, &track).await });
    http::plain(StatusCode::ACCEPTED, "Accepted")
}
