//! The wire: raw frames out and in, nothing forgiven, every byte stamped.

mod aside;
mod body;
pub mod http;
mod intake;
mod lines;
mod peer;
pub mod sse;
mod sse_events;
pub mod stdio;
mod tasks;
mod text;
mod visit;

use std::sync::Arc;

use proofmark_core::evidence::{FrameId, HttpFacts};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use crate::record::Record;

pub use visit::Visit;

/// What all connections of a run share.
#[derive(Debug, Clone)]
pub struct Shared {
    pub record: Arc<Record>,
    /// A received frame over this size is cut and noted as an anomaly.
    pub max_frame: usize,
}

/// One open connection.
#[derive(Debug)]
pub enum Wire {
    Stdio(stdio::Stdio),
    Http(http::Http),
    Sse(sse::Sse),
}

impl Wire {
    /// Which connection of the run this is; 0 is the main one.
    pub fn connection(&self) -> u32 {
        match self {
            Wire::Stdio(stdio) => stdio.connection(),
            Wire::Http(http) => http.connection(),
            Wire::Sse(sse) => sse.connection(),
        }
    }

    /// Sends one frame. It has no time limit of its own: wait as long as you like, then drop it.
    pub async fn send(&self, outgoing: Outgoing) -> Result<Sent, WireError> {
        match self {
            Wire::Stdio(stdio) => stdio.send(outgoing).await,
            Wire::Http(http) => http.send(outgoing).await,
            Wire::Sse(sse) => sse.send(outgoing).await,
        }
    }

    /// Makes one HTTP request beside the session: its answer is read for its own sake and delivered
    /// to nobody. A stream that does not end is listened to for a while, then left.
    pub async fn visit(&self, outgoing: Outgoing) -> Result<Visit, WireError> {
        match self {
            Wire::Stdio(_) => Err(WireError::Unsupported),
            Wire::Http(http) => http.visit(outgoing).await,
            Wire::Sse(sse) => sse.visit(outgoing).await,
        }
    }

    /// The sent frame that a received one came in answer to, whatever id it carries. Only Streamable
    /// HTTP tells.
    pub fn request_of(&self, frame: FrameId) -> Option<FrameId> {
        self.http()?.request_of(frame)
    }

    /// Says goodbye: closes the server's stdin, ends the session, leaves the stream. On stdio what
    /// the server still says is read until it ends; over HTTP nothing more is delivered.
    pub async fn close(&self) {
        match self {
            Wire::Stdio(stdio) => stdio.close_input().await,
            Wire::Http(http) => http.close().await,
            Wire::Sse(sse) => sse.close(),
        }
    }

    /// The connection as Streamable HTTP, for session ids, lasting headers and the GET stream.
    pub fn http(&self) -> Option<&http::Http> {
        match self {
            Wire::Http(http) => Some(http),
            Wire::Stdio(_) | Wire::Sse(_) => None,
        }
    }
}

/// TLS needs one cryptography provider for the whole process; whoever comes first sets it.
pub fn install_tls() {
    // An error says that there is one already, which is what we want.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// One frame to send.
#[derive(Debug, Clone, Default)]
pub struct Outgoing {
    pub text: String,
    /// HTTP only: added to the usual headers; an empty value removes one.
    pub headers: Vec<(String, String)>,
    /// HTTP only: another verb than POST.
    pub verb: Option<String>,
}

impl Outgoing {
    fn verb(&self) -> Result<reqwest::Method, WireError> {
        let verb = self.verb.as_deref().unwrap_or("POST");
        reqwest::Method::from_bytes(verb.as_bytes()).map_err(|_| WireError::Unsupported)
    }
}

/// A frame on its way.
#[derive(Debug)]
pub struct Sent {
    /// The frame as recorded.
    pub frame: FrameId,
    /// HTTP: status and headers of the answer.
    pub http: Option<HttpFacts>,
    /// Streamable HTTP: resolves when the body of the answer has ended; all its frames are delivered
    /// by then. It fails when the connection is dropped before.
    pub ended: Option<oneshot::Receiver<()>>,
}

/// What arrives. Delivered in order of arrival through the channel given at connect time.
#[derive(Debug)]
pub enum Inbound {
    /// One JSON value: a line, an HTTP body or an SSE event.
    Message { frame: FrameId, value: Value },
    /// Text that is not JSON; the anomaly is recorded already.
    Garbage { frame: FrameId, text: String },
    /// The connection is over: end of file, reset. Nothing follows.
    Closed,
}

pub type Inbox = mpsc::UnboundedReceiver<Inbound>;
pub type Delivery = mpsc::UnboundedSender<Inbound>;

/// Our side of the wire failed, or the peer is not there.
#[derive(Debug, Clone, thiserror::Error)]
pub enum WireError {
    #[error("the connection is closed")]
    Closed,
    #[error("can't reach {url}: {why}")]
    Unreachable { url: String, why: String },
    #[error("{0} is no usable URL: {1}; give an address such as http://127.0.0.1:8080/mcp")]
    BadUrl(String, String),
    #[error("header `{0}` can't be sent: {1}")]
    BadHeader(String, String),
    #[error("this transport can't carry the call")]
    Unsupported,
}
