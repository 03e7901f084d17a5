//! What the two HTTP fronts share: the listener, sessions, and acts performed onto a stream.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::{get, post};
use axum::serve::ListenerExt;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::UnboundedReceiverStream;

use super::auth::Warden;
use super::line::Line;
use super::track::Track;
use super::{act, auth, slack, sse, streamable};
use crate::Error;
use crate::change::Change;
use crate::mode::{Act, Lock, Slack};
use crate::mutant::Flaw;
use crate::mutant::http::{Layer, around};
use crate::revision::Revision;
use crate::stage::{Pending, Played, Stage};
use crate::token;

/// No request is held longer, answered or not.
pub(crate) const LONGEST_HOLD: Duration = Duration::from_secs(120);
pub(crate) const LARGEST_BODY: usize = 64 << 20;

/// Which HTTP transport, and in which form it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HttpForm {
    /// Streamable HTTP at `/mcp`; answers are event streams, GET opens one.
    Streams,
    /// Streamable HTTP at `/mcp`; answers are JSON where one message suffices, GET is refused.
    Json,
    /// The transport of the first revision, at `/sse`.
    LegacySse,
}

/// A server that listens on loopback.
#[derive(Debug)]
pub struct HttpServer {
    listener: TcpListener,
    app: Arc<App>,
    warden: Option<Arc<Warden>>,
    url: String,
    layer: Option<Arc<Layer>>,
}

#[derive(Debug)]
pub(crate) struct App {
    stage: Mutex<Stage>,
    pub(crate) guarded: bool,
    slack: Slack,
    pub(crate) form: HttpForm,
    lines: Mutex<BTreeMap<String, Arc<Line>>>,
    /// Stateless subscriptions that are open.
    listeners: Mutex<Vec<Arc<Line>>>,
    events: AtomicU64,
    /// How many sessions there have been.
    sessions: AtomicU64,
}

impl HttpServer {
    /// Listens; the port of `addr` may be 0.
    pub async fn bind(
        mode: &str,
        addr: SocketAddr,
        form: HttpForm,
        delay: Option<Duration>,
    ) -> Result<HttpServer, Error> {
        HttpServer::on_stage(Stage::of(mode, delay)?, addr, form).await
    }

    /// The same with a defect from the rows in `mutants/`.
    pub async fn bind_mutant(
        mode: &str,
        mutant: &str,
        addr: SocketAddr,
        form: HttpForm,
    ) -> Result<HttpServer, Error> {
        HttpServer::on_stage(Stage::of(mode, None)?.mutated(mutant)?, addr, form).await
    }

    pub(crate) async fn on_stage(
        stage: Stage,
        addr: SocketAddr,
        form: HttpForm,
    ) -> Result<HttpServer, Error> {
        perform(stage.start(), &Track::new(0, false)).await;
        let layer = stage.mutant.clone().map(|engine| Arc::new(Layer::new(engine)));
        let open = stage.mutant.as_ref().is_some_and(|m| m.has(Flaw::BindsEverywhere))
            || stage.mode.slack == Slack::BindsEverywhere;
        let everywhere = SocketAddr::from(([0, 0, 0, 0], addr.port()));
        let listener = TcpListener::bind(if open { everywhere } else { addr }).await?;
        let path = match form {
            HttpForm::Streams | HttpForm::Json => "mcp",
            HttpForm::LegacySse => "sse",
        };
        let addr = SocketAddr::new(addr.ip(), listener.local_addr()?.port());
        let origin = format!("http://{addr}");
        let url = format!("{origin}/{path}");
        let lock = stage.mode.lock;
        let warden = (lock != Lock::Open).then(|| Arc::new(Warden::new(lock, origin, url.clone())));
        let app = App {
            guarded: stage.mode.guards_origin,
            slack: stage.mode.slack,
            stage: Mutex::new(stage),
            form,
            lines: Mutex::default(),
            listeners: Mutex::default(),
            events: AtomicU64::new(0),
            sessions: AtomicU64::new(0),
        };
        Ok(HttpServer { listener, app: Arc::new(app), warden, url, layer })
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// Tokens to test a guarded mode with, by kind; `full` opens it.
    pub fn tokens(&self) -> Vec<(&'static str, String)> {
        self.warden.as_ref().map(|warden| warden.samples()).unwrap_or_default()
    }

    pub async fn run(self) -> Result<(), Error> {
        let routes = match self.app.form {
            HttpForm::Streams | HttpForm::Json => Router::new().route(
                "/mcp",
                post(streamable::post).get(streamable::get).delete(streamable::delete),
            ),
            HttpForm::LegacySse => {
                Router::new().route("/sse", get(sse::open)).route("/messages", post(sse::post))
            }
        };
        let slack = self.app.slack;
        let mut routes = routes.layer(DefaultBodyLimit::max(LARGEST_BODY)).with_state(self.app);
        if slack != Slack::None {
            routes = routes.layer(from_fn_with_state(slack, slack::around));
        }
        if let Some(layer) = self.layer {
            routes = routes.layer(from_fn_with_state(layer, around));
        }
        if let Some(warden) = self.warden {
            let issuer = auth::routes(&warden);
            routes = routes.layer(from_fn_with_state(warden, auth::watch)).merge(issuer);
        }
        // The parts of an answer go out as they are written: waiting for one another, they would be
        // held back until the client's delayed acknowledgement, forty milliseconds each.
        let prompt = self.listener.tap_io(|stream| {
            let _ = stream.set_nodelay(true);
        });
        axum::serve(prompt, routes).await?;
        Ok(())
    }
}

impl App {
    /// Tools may block, so they run beside the reactor.
    pub(crate) async fn take(self: &Arc<App>, line: &Arc<Line>, frame: Vec<u8>) -> Played {
        let (app, line) = (Arc::clone(self), Arc::clone(line));
        let work = move || lock(&app.stage).take(&mut lock(&line.session), &frame);
        tokio::task::spawn_blocking(work).await.unwrap_or_default()
    }

    async fn resume(self: &Arc<App>, line: &Arc<Line>, pending: Pending) -> Played {
        tokio::time::sleep(pending.after).await;
        lock(&self.stage).resume(&mut lock(&line.session), pending)
    }

    /// Does what was played, and what follows from it, onto a track. A reader that is gone stops
    /// nothing after a handshake; without one, leaving is how a client cancels.
    pub(crate) async fn play(
        self: &Arc<App>,
        line: &Arc<Line>,
        played: Played,
        track: &Arc<Track>,
    ) {
        let stateless = lock(&line.session).revision.is_none();
        let mut played = played;
        loop {
            self.spread(line, &played.changes, track).await;
            perform(played.acts, track).await;
            match played.pending {
                Some(_) if stateless && self.form == HttpForm::Streams && track.is_deserted() => {
                    return;
                }
                Some(pending) => played = self.resume(line, pending).await,
                None => return,
            }
        }
    }

    /// Tells every client of the changes, each on one stream.
    async fn spread(&self, cause: &Arc<Line>, changes: &[Change], track: &Arc<Track>) {
        if changes.is_empty() {
            return;
        }
        let mut lines: Vec<Arc<Line>> = lock(&self.lines).values().cloned().collect();
        lines.extend(lock(&self.listeners).iter().cloned());
        for line in lines {
            let told = lock(&self.stage).tell(&lock(&line.session), changes);
            let own = Arc::ptr_eq(&line, cause).then_some(track);
            for aloud in told {
                if let Some(ear) = line.ear(&aloud, own) {
                    perform(aloud.acts, &ear).await;
                }
            }
        }
    }

    pub(crate) fn input_schema(&self, tool: &str) -> Option<Value> {
        lock(&self.stage).input_schema(tool)
    }

    pub(crate) fn listen(&self, line: &Arc<Line>) {
        lock(&self.listeners).push(Arc::clone(line));
    }

    pub(crate) fn stop_listening(&self, line: &Arc<Line>) {
        lock(&self.listeners).retain(|l| !Arc::ptr_eq(l, line));
    }

    /// A new stream of this line. After a handshake its events have ids, and 2025-11-25 opens
    /// with one that has no data.
    pub(crate) fn track(&self, line: &Line) -> Arc<Track> {
        let revision = lock(&line.session).revision;
        let numbered = revision.is_some() && self.form != HttpForm::LegacySse;
        let track = Arc::new(Track::new(self.events.fetch_add(1, Ordering::Relaxed), numbered));
        if numbered {
            line.keep(&track);
        }
        track
    }

    pub(crate) fn opens_with_id(&self, line: &Line) -> bool {
        lock(&line.session).revision == Some(Revision::V2025_11_25)
    }

    pub(crate) fn line(&self, id: &str) -> Option<Arc<Line>> {
        lock(&self.lines).get(id).cloned()
    }

    pub(crate) fn close(&self, id: &str) -> bool {
        lock(&self.lines).remove(id).is_some()
    }

    /// Files a line under an id that cannot be guessed, unless the mode is careless.
    pub(crate) fn open(&self, line: Arc<Line>, wanted: Option<&str>) -> String {
        let id = match (self.slack, wanted) {
            (Slack::ChosenIds, Some(wanted)) => wanted.to_owned(),
            (Slack::CountedIds, _) => {
                format!("session-{}", self.sessions.fetch_add(1, Ordering::Relaxed) + 1)
            }
            (_, _) => token::fresh(),
        };
        lock(&self.lines).insert(id.clone(), line);
        id
    }
}

/// A thread that panicked while holding a lock leaves data that is still good enough here.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Performs acts; frames go to the track.
pub(crate) async fn perform(acts: Vec<Act>, track: &Track) {
    for act in acts {
        match act {
            Act::Say(message) => track.send(message.to_string()),
            Act::Raw(text) => track.send(text),
            Act::Wait(time) => tokio::time::sleep(time).await,
            Act::Complain(text) => act::complain(&text),
            Act::CloseStdout => {}
            Act::Exit(code) => act::exit(code),
        }
    }
}

/// An event stream: the opening, then the events as they come.
pub(crate) fn event_stream(
    opening: String,
    events: mpsc::UnboundedReceiver<String>,
) -> Response<Body> {
    let events = UnboundedReceiverStream::new(events);
    let body = tokio_stream::once(opening).chain(events).map(Ok::<_, Infallible>);
    let mut response = plain(StatusCode::OK, Body::from_stream(body));
    let headers = response.headers_mut();
    headers.insert("content-type", axum::http::HeaderValue::from_static("text/event-stream"));
    headers.insert("cache-control", axum::http::HeaderValue::from_static("no-store"));
    headers.insert("x-accel-buffering", axum::http::HeaderValue::from_static("no"));
    response
}

pub(crate) fn plain(status: StatusCode, body: impl Into<Body>) -> Response<Body> {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response
}

pub(crate) fn json(status: StatusCode, body: &Value) -> Response<Body> {
    raw_json(status, body.to_string())
}

pub(crate) fn raw_json(status: StatusCode, body: String) -> Response<Body> {
    let mut response = plain(status, body);
    let kind = axum::http::HeaderValue::from_static("application/json");
    response.headers_mut().insert("content-type", kind);
    response
}
