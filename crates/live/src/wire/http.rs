//! Streamable HTTP: every message is a POST of its own, answered by JSON or by a stream of events.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use proofmark_core::evidence::{FrameId, HttpFacts};
use reqwest::{Method, Response};
use tokio::sync::oneshot;

use super::body::{self, Kind};
use super::intake::Intake;
use super::peer::{Peer, Request};
use super::tasks::Tasks;
use super::visit::{self, Visit};
use super::{Delivery, Outgoing, Sent, Shared, WireError};

const SESSION: &str = "mcp-session-id";
pub(super) const ACCEPT_BOTH: &str = "application/json, text/event-stream";
/// How long the server may take to end the session when we leave.
const GOODBYE: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub struct Http {
    peer: Arc<Peer>,
    session: Session,
    /// Sent with every request from now on.
    lasting: Mutex<BTreeMap<String, String>>,
    closed: AtomicBool,
    tasks: Tasks,
}

/// The session id the server gave us last.
#[derive(Debug, Clone, Default)]
struct Session(Arc<Mutex<Option<String>>>);

impl Session {
    fn get(&self) -> Option<String> {
        lock(&self.0).clone()
    }

    /// An id beside an error names no session: some servers open one for the request and close it.
    fn learn(&self, response: &Response) {
        let id = response.headers().get(SESSION).filter(|_| response.status().is_success());
        if let Some(id) = id {
            *lock(&self.0) = Some(String::from_utf8_lossy(id.as_bytes()).into_owned());
        }
    }
}

impl Http {
    /// Nothing is sent yet. Must be called within a tokio runtime.
    pub fn open(
        connection: u32,
        url: &str,
        headers: &BTreeMap<String, String>,
        shared: Shared,
        deliver: Delivery,
    ) -> Result<Http, WireError> {
        let peer = Peer::new(url, headers, Intake::new(connection, shared, deliver))?;
        Ok(Http {
            peer: Arc::new(peer),
            session: Session::default(),
            lasting: Mutex::default(),
            closed: AtomicBool::new(false),
            tasks: Tasks::default(),
        })
    }

    pub fn connection(&self) -> u32 {
        self.peer.intake.connection()
    }

    /// The request whose answer brought this frame; `None` for what came on the GET stream.
    pub fn request_of(&self, frame: FrameId) -> Option<FrameId> {
        self.peer.intake.request_of(frame)
    }

    pub fn session_id(&self) -> Option<String> {
        self.session.get()
    }

    /// For a new handshake: the next request carries no session id.
    pub fn forget_session(&self) {
        lock(&self.session.0).take();
    }

    /// Sends this header with every request from now on.
    pub fn set_header(&self, name: &str, value: &str) -> Result<(), WireError> {
        self.peer.headers(&[], [(name, value)])?;
        lock(&self.lasting).insert(name.to_ascii_lowercase(), value.to_owned());
        Ok(())
    }

    pub fn clear_header(&self, name: &str) {
        lock(&self.lasting).remove(&name.to_ascii_lowercase());
    }

    /// Sends one request and returns at the head of its answer; the body is delivered as it comes.
    /// Dropping the future does not end the request: a late answer is still delivered.
    ///
    /// The session id of an answer is remembered, unless the request named a session header itself:
    /// such a request is a probe beside the session.
    pub async fn send(&self, outgoing: Outgoing) -> Result<Sent, WireError> {
        let beside = names_session(&outgoing);
        let request = self.prepare(outgoing)?;
        let (peer, session) = (Arc::clone(&self.peer), self.session.clone());
        let frame = peer.record(&request);
        let (head, answered) = oneshot::channel();
        let (end, ended) = oneshot::channel();
        self.tasks.spawn(async move {
            let response = match peer.fetch(request, frame).await {
                Ok(response) => response,
                Err(error) => {
                    let _ = head.send(Err(error));
                    return;
                }
            };
            if !beside {
                session.learn(&response);
            }
            let _ = head.send(Ok(peer.facts(&response)));
            body::answer(response, &peer.intake.answering(frame)).await;
            let _ = end.send(());
        });
        let http = answered.await.map_err(|_| WireError::Closed)??;
        Ok(Sent { frame, http: Some(http), ended: Some(ended) })
    }

    /// One request beside the session, read to its end or for a while. Like with [`Http::send`], a
    /// session id in the answer is remembered unless the request named one.
    pub async fn visit(&self, outgoing: Outgoing) -> Result<Visit, WireError> {
        let beside = names_session(&outgoing);
        let request = self.prepare(outgoing)?;
        let verb = request.verb.clone();
        let frame = self.peer.record(&request);
        let response = self.peer.fetch(request, frame).await?;
        if !beside {
            self.session.learn(&response);
        }
        Ok(visit::read(&verb, response, &self.peer, frame).await)
    }

    /// Opens the stream on which the server may start messages (2025-03-26 to 2025-11-25) and reads
    /// it until the server or we end it. A server without one answers 405; that is no error.
    pub async fn open_stream(&self) -> Result<HttpFacts, WireError> {
        let accept = [("accept", "text/event-stream")];
        let (frame, facts, response) = self.ask(Method::GET, &accept).await?;
        let intake = self.peer.intake.clone();
        self.tasks.spawn(async move {
            if response.status().is_success() && Kind::of(&response) == Kind::EventStream {
                body::stream(response, &intake).await;
            } else {
                body::aside(response, &intake.answering(frame)).await;
            }
        });
        Ok(facts)
    }

    /// Ends the session, if there is one, and forgets it.
    pub async fn delete_session(&self) -> Result<Option<HttpFacts>, WireError> {
        if self.session_id().is_none() {
            return Ok(None);
        }
        let (frame, facts, response) = self.ask(Method::DELETE, &[]).await?;
        self.forget_session();
        body::aside(response, &self.peer.intake.answering(frame)).await;
        Ok(Some(facts))
    }

    /// Ends the session and every request under way.
    pub async fn close(&self) {
        if !self.closed.load(Ordering::Relaxed) {
            // An answer would change nothing: we leave either way.
            let _ = tokio::time::timeout(GOODBYE, self.delete_session()).await;
        }
        self.closed.store(true, Ordering::Relaxed);
        self.tasks.end();
    }

    fn prepare(&self, outgoing: Outgoing) -> Result<Request, WireError> {
        let verb = outgoing.verb()?;
        let ours = [("content-type", "application/json"), ("accept", ACCEPT_BOTH)];
        self.request(verb, &ours, &outgoing.headers, outgoing.text)
    }

    async fn ask(
        &self,
        verb: Method,
        ours: &[(&'static str, &'static str)],
    ) -> Result<(FrameId, HttpFacts, Response), WireError> {
        let request = self.request(verb, ours, &[], String::new())?;
        let frame = self.peer.record(&request);
        let response = self.peer.fetch(request, frame).await?;
        Ok((frame, self.peer.facts(&response), response))
    }

    pub(super) fn peer(&self) -> &Peer {
        &self.peer
    }

    pub(super) fn request(
        &self,
        verb: Method,
        ours: &[(&'static str, &'static str)],
        more: &[(String, String)],
        body: String,
    ) -> Result<Request, WireError> {
        if self.closed.load(Ordering::Relaxed) {
            return Err(WireError::Closed);
        }
        let session = self.session.get();
        let lasting = lock(&self.lasting);
        let all = session
            .iter()
            .map(|id| (SESSION, id.as_str()))
            .chain(lasting.iter().map(|(n, v)| (n.as_str(), v.as_str())))
            .chain(more.iter().map(|(n, v)| (n.as_str(), v.as_str())));
        let headers = self.peer.headers(ours, all)?;
        Ok(Request { verb, url: self.peer.url.clone(), headers, body })
    }
}

fn names_session(outgoing: &Outgoing) -> bool {
    outgoing.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case(SESSION))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
