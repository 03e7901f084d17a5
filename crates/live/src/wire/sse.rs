//! Legacy HTTP+SSE (2024-11-05): one stream brings all answers, messages are posted to the address
//! that its first event names.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reqwest::{Method, Response, Url};
use tokio::sync::oneshot;

use super::body::{self, Kind};
use super::intake::Intake;
use super::peer::{Peer, Request};
use super::sse_events::Event;
use super::tasks::Tasks;
use super::visit::{self, Visit};
use super::{Delivery, Outgoing, Sent, Shared, WireError};

#[derive(Debug)]
pub struct Sse {
    peer: Arc<Peer>,
    endpoint: Url,
    /// The stream has ended, so no answer can come.
    over: Arc<AtomicBool>,
    tasks: Tasks,
}

impl Sse {
    /// Opens the stream and waits, at most `wait`, for the address to post to.
    pub async fn open(
        connection: u32,
        url: &str,
        headers: &BTreeMap<String, String>,
        shared: Shared,
        deliver: Delivery,
        wait: Duration,
    ) -> Result<Sse, WireError> {
        let peer = Peer::new(url, headers, Intake::new(connection, shared, deliver))?;
        let peer = Arc::new(peer);
        match tokio::time::timeout(wait, Sse::connect(Arc::clone(&peer))).await {
            Ok(outcome) => outcome,
            Err(_) => Err(peer.unreachable(format!(
                "no `endpoint` event within {} s; if this is a Streamable HTTP address, use --url",
                wait.as_secs_f32()
            ))),
        }
    }

    pub fn connection(&self) -> u32 {
        self.peer.intake.connection()
    }

    /// Posts one message and returns at the head of the answer to the POST. The answer to the
    /// message comes on the stream, so there is no end to wait for.
    pub async fn send(&self, outgoing: Outgoing) -> Result<Sent, WireError> {
        if self.over.load(Ordering::Acquire) {
            return Err(WireError::Closed);
        }
        let plain = outgoing.verb.is_none() && outgoing.headers.is_empty();
        let request = self.prepare(outgoing)?;
        let frame = self.peer.record(&request);
        let response = self.peer.fetch(request, frame).await?;
        let http = self.peer.facts(&response);
        if plain && !response.status().is_success() {
            let detail = format!("a POST was answered {}, expected 202", response.status());
            self.peer.intake.transport(Some(frame), &detail);
        }
        let intake = self.peer.intake.answering(frame);
        self.tasks.spawn(async move { body::aside(response, &intake).await });
        Ok(Sent { frame, http: Some(http), ended: None })
    }

    /// One request beside the session: a GET goes to the address of the stream, all others to the
    /// one to post to.
    pub async fn visit(&self, outgoing: Outgoing) -> Result<Visit, WireError> {
        let mut request = self.prepare(outgoing)?;
        if request.verb == Method::GET {
            request.url = self.peer.url.clone();
        }
        let verb = request.verb.clone();
        let frame = self.peer.record(&request);
        let response = self.peer.fetch(request, frame).await?;
        Ok(visit::read(&verb, response, &self.peer, frame).await)
    }

    fn prepare(&self, outgoing: Outgoing) -> Result<Request, WireError> {
        let verb = outgoing.verb()?;
        let more = outgoing.headers.iter().map(|(n, v)| (n.as_str(), v.as_str()));
        let headers = self.peer.headers(&[("content-type", "application/json")], more)?;
        Ok(Request { verb, url: self.endpoint.clone(), headers, body: outgoing.text })
    }

    /// Leaves the stream.
    pub fn close(&self) {
        self.over.store(true, Ordering::Release);
        self.tasks.end();
    }

    async fn connect(peer: Arc<Peer>) -> Result<Sse, WireError> {
        let headers = peer.headers(&[("accept", "text/event-stream")], [])?;
        let url = peer.url.clone();
        let request = Request { verb: Method::GET, url, headers, body: String::new() };
        let frame = peer.record(&request);
        let response = peer.fetch(request, frame).await?;
        if !response.status().is_success() || Kind::of(&response) != Kind::EventStream {
            return Err(refuse(response, &peer).await);
        }
        let (over, tasks) = (Arc::<AtomicBool>::default(), Tasks::default());
        let (named, endpoint) = oneshot::channel();
        tasks.spawn(listen(response, Arc::clone(&peer), Arc::clone(&over), named));
        let endpoint = endpoint.await.map_err(|_| {
            peer.unreachable(
                "the stream ended before its `endpoint` event; look at the server's log",
            )
        })?;
        let endpoint = resolve(&peer, &endpoint)?;
        Ok(Sse { peer, endpoint, over, tasks })
    }
}

/// The server answers, but not as an HTTP+SSE server does.
async fn refuse(response: Response, peer: &Peer) -> WireError {
    let facts = peer.facts(&response);
    body::aside(response, &peer.intake).await;
    let kind = facts.headers.get("content-type").map_or("no content type", String::as_str);
    peer.unreachable(format!(
        "a GET was answered {} with {kind}, expected 200 with text/event-stream; if this is a Streamable HTTP address, use --url",
        facts.status
    ))
}

/// The address to post to. Another origin would be handed our headers, credentials included.
fn resolve(peer: &Peer, endpoint: &str) -> Result<Url, WireError> {
    let shown = peer.intake.shared().record.scrub().text(endpoint);
    let why = match peer.url.join(endpoint) {
        Ok(url) if url.origin() == peer.url.origin() => return Ok(url),
        Ok(_) => format!("the `endpoint` event names another origin: {shown}; refused"),
        Err(error) => format!("the `endpoint` event names no address: {shown}: {error}"),
    };
    peer.intake.transport(None, &why);
    Err(peer.unreachable(format!("{why}; the server should name a path on its own origin")))
}

async fn listen(
    mut response: Response,
    peer: Arc<Peer>,
    over: Arc<AtomicBool>,
    named: oneshot::Sender<String>,
) {
    let mut named = Some(named);
    let intake = &peer.intake;
    let end = body::events(&mut response, intake.limit(), |event| {
        take(event, intake, &mut named);
    })
    .await;
    over.store(true, Ordering::Release);
    end.note(intake);
    intake.closed();
}

fn take(event: Event, intake: &Intake, named: &mut Option<oneshot::Sender<String>>) {
    if event.name != "endpoint" {
        if named.is_some() && event.data.is_some() {
            intake
                .transport(None, "an event came before the `endpoint` event, which must be first");
        }
        intake.event(&event);
        return;
    }
    intake.aside(event.raw.as_bytes(), event.bytes);
    match named.take() {
        Some(named) => drop(named.send(event.data.unwrap_or_default().trim().to_owned())),
        None => intake.transport(None, "a second `endpoint` event; the first one counts"),
    }
}
