//! The wire: raw frames out and in, nothing forgiven, every byte stamped.

pub mod http;
pub mod sse;
pub mod stdio;

use std::sync::Arc;

use proofmark_core::evidence::{FrameId, HttpFacts};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use crate::record::Record;

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

/// One frame to send.
#[derive(Debug, Clone, Default)]
pub struct Outgoing {
    pub text: String,
    /// HTTP only: added to the usual headers; an empty value removes one.
    pub headers: Vec<(String, String)>,
    /// HTTP only: another verb than POST.
    pub verb: Option<String>,
}

/// A frame on its way.
#[derive(Debug)]
pub struct Sent {
    /// The frame as recorded.
    pub frame: FrameId,
    /// HTTP: status and headers of the answer.
    pub http: Option<HttpFacts>,
    /// HTTP: resolves when the body of the answer has ended; all its frames are delivered by then.
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
