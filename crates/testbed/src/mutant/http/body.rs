//! Changes to a body as it streams by, event by event.

use std::sync::Mutex;

use axum::body::{Body, Bytes};
use axum::response::Response;
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::UnboundedReceiverStream;

use crate::front::http::lock;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::mutant) enum Text {
    /// The stream stays open after its last event.
    Endless,
    /// Events without a message are left out.
    NoOpening,
    /// Every event has the same id.
    SameEventId,
    /// `endpoint` events are named otherwise.
    NoEndpoint,
    /// `message` events are named otherwise.
    NoMessageName,
    /// What answers a POST also goes to every GET stream.
    AlsoOnGet,
    /// Notifications go to every GET stream as well.
    NotesAlsoOnGet,
}

/// The open GET streams.
#[derive(Debug, Default)]
pub(super) struct Streams {
    open: Mutex<Vec<mpsc::UnboundedSender<Bytes>>>,
}

type Event = Result<Bytes, axum::Error>;

impl Streams {
    pub(super) fn change(
        &self,
        text: Text,
        is_get: bool,
        response: Response<Body>,
    ) -> Response<Body> {
        let (head, body) = response.into_parts();
        let events = body.into_data_stream();
        let body = match text {
            Text::Endless => Body::from_stream(events.chain(tokio_stream::pending::<Event>())),
            Text::AlsoOnGet | Text::NotesAlsoOnGet if is_get => {
                let (copies, arriving) = mpsc::unbounded_channel();
                lock(&self.open).push(copies);
                let arriving = UnboundedReceiverStream::new(arriving).map(Event::Ok);
                Body::from_stream(events.merge(arriving))
            }
            Text::AlsoOnGet | Text::NotesAlsoOnGet => {
                let open = lock(&self.open).clone();
                let wanted = if text == Text::AlsoOnGet { "\"result\"" } else { "\"method\"" };
                Body::from_stream(events.map(move |event| {
                    let copied = event.as_ref().ok().filter(|e| says(e, wanted));
                    for stream in copied.iter().flat_map(|_| &open) {
                        let _ = stream.send(copied.cloned().unwrap_or_default());
                    }
                    event
                }))
            }
            Text::NoOpening => Body::from_stream(
                events.filter(|event| event.as_ref().map_or(true, |e| says(e, "event:"))),
            ),
            Text::SameEventId | Text::NoEndpoint | Text::NoMessageName => {
                Body::from_stream(events.map(move |event| event.map(|e| rewritten(text, &e))))
            }
        };
        Response::from_parts(head, body)
    }
}

fn says(event: &Bytes, what: &str) -> bool {
    String::from_utf8_lossy(event).contains(what)
}

fn rewritten(text: Text, event: &Bytes) -> Bytes {
    let event = String::from_utf8_lossy(event);
    let lines = event.split_inclusive('\n').map(|line| match (text, line.trim_end()) {
        (Text::SameEventId, id) if id.starts_with("id:") => "id: 1\n",
        (Text::NoEndpoint, "event: endpoint") => "event: hello\n",
        (Text::NoMessageName, "event: message") => "event: reply\n",
        (_, _) => line,
    });
    Bytes::from(lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use axum::body::Bytes;

    use super::{Text, rewritten};

    #[test]
    fn only_the_named_line_of_an_event_is_rewritten() {
        let event = Bytes::from_static(b"id: 7\nevent: message\ndata: id: 7\n\n");
        assert_eq!(rewritten(Text::SameEventId, &event), "id: 1\nevent: message\ndata: id: 7\n\n");
        assert_eq!(rewritten(Text::NoMessageName, &event), "id: 7\nevent: reply\ndata: id: 7\n\n");
        assert_eq!(rewritten(Text::NoEndpoint, &event), event);
    }
}
