//! A request beside the session: all of its answer is kept, as it came.

use std::time::Duration;

use proofmark_core::evidence::{EventStream, FrameId, HttpFacts, StreamEvent};
use reqwest::{Method, Response};
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use super::body::{self, Kind};
use super::intake::Intake;
use super::peer::Peer;
use super::sse_events::{Event, Parser};

/// How long a stream is listened to that owes no answer.
const LISTEN: Duration = Duration::from_millis(1_000);
/// How long an answer may take to come.
const ANSWER: Duration = Duration::from_secs(3);
/// How long a stream may stay open after the answer it was for.
const LINGER: Duration = Duration::from_secs(2);
/// What is kept of a body.
const KEPT: usize = 4 << 10;

/// What came of it.
#[derive(Debug)]
pub struct Visit {
    /// The request first.
    pub frames: Vec<FrameId>,
    pub http: HttpFacts,
    /// The first JSON-RPC response in the answer.
    pub response: Option<Value>,
}

/// Reads the answer to a request of this verb.
pub(crate) async fn read(
    verb: &Method,
    response: Response,
    peer: &Peer,
    request: FrameId,
) -> Visit {
    let intake = peer.intake.answering(request);
    let http = peer.facts(&response);
    let visit = Visit { frames: vec![request], http, response: None };
    match Kind::of(&response) {
        Kind::EventStream => visit.listen(verb, response, &intake).await,
        Kind::Json | Kind::Other(_) | Kind::Unnamed => visit.gather(response, &intake).await,
    }
}

impl Visit {
    async fn gather(mut self, mut response: Response, intake: &Intake) -> Visit {
        let limit = Instant::now() + ANSWER;
        let Ok(whole) = timeout_at(limit, body::gather(&mut response, intake.limit())).await else {
            return self;
        };
        if whole.bytes == 0 {
            return self;
        }
        self.frames.extend(intake.aside(&whole.kept, whole.bytes));
        let text = String::from_utf8_lossy(&whole.kept);
        self.response = answer_in(&text);
        let text = intake.shared().record.scrub().text(&text);
        self.http.body = Some(text.chars().take(KEPT).collect());
        self
    }

    async fn listen(mut self, verb: &Method, mut response: Response, intake: &Intake) -> Visit {
        let mut parser = Parser::new(intake.limit());
        let mut stream = EventStream::default();
        let mut limit = Instant::now() + if verb == Method::POST { ANSWER } else { LISTEN };
        while let Ok(chunk) = timeout_at(limit, response.chunk()).await {
            let Ok(Some(chunk)) = chunk else {
                stream.ended = true;
                break;
            };
            parser.feed(&chunk, |event| {
                self.frames.extend(intake.aside(event.raw.as_bytes(), event.bytes));
                let answer = event.data.as_deref().and_then(answer_in);
                if self.response.is_none() && answer.is_some() {
                    self.response = answer;
                    limit = Instant::now() + LINGER;
                }
                stream.events.extend(kept(event, intake));
            });
        }
        self.http.stream = Some(stream);
        self
    }
}

/// An event as evidence; comments are none.
fn kept(event: Event, intake: &Intake) -> Option<StreamEvent> {
    let Event { id, name, data, retry, .. } = event;
    let something = id.is_some() || data.is_some() || retry.is_some();
    let data = data.map(|d| intake.shared().record.scrub().text(&d));
    something.then_some(StreamEvent { id, name, data, retry })
}

fn answer_in(text: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(text).ok()?;
    (value.get("result").is_some() || value.get("error").is_some()).then_some(value)
}
