//! The body of an HTTP answer, read as its content type says.

use std::error::Error;

use proofmark_core::evidence::AnomalyKind;
use reqwest::Response;
use reqwest::header::CONTENT_TYPE;

use super::intake::Intake;
use super::sse_events::{Event, Parser};

/// How much more than the limit is read of an oversized body, to know its true size.
const DRAIN: u64 = 4;

/// What the content type of an answer promises.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    Json,
    EventStream,
    Other(String),
    Unnamed,
}

impl Kind {
    pub(crate) fn of(response: &Response) -> Kind {
        let Some(value) = response.headers().get(CONTENT_TYPE) else { return Kind::Unnamed };
        let value = String::from_utf8_lossy(value.as_bytes());
        let essence = value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match essence.as_str() {
            "application/json" => Kind::Json,
            "text/event-stream" => Kind::EventStream,
            _ => Kind::Other(value.into_owned()),
        }
    }
}

/// Reads the answer to a message and delivers what is in it.
pub(crate) async fn answer(mut response: Response, intake: &Intake) {
    let success = response.status().is_success();
    let strange = match Kind::of(&response) {
        Kind::EventStream => {
            stream(response, intake).await;
            return;
        }
        Kind::Json => None,
        Kind::Other(name) => Some(format!("an answer of content type `{name}`")),
        Kind::Unnamed => Some("an answer without a content type".to_owned()),
    };
    let whole = gather(&mut response, intake.limit()).await;
    let expected = "expected application/json or text/event-stream";
    match (whole.broken, strange) {
        (Some(why), _) if whole.bytes == 0 => intake.transport(None, &why),
        (None, _) if whole.bytes == 0 => {}
        (Some(why), _) => {
            intake.garbage(&whole.kept, whole.bytes, Some((AnomalyKind::Transport, &why)));
        }
        (None, None) => intake.json(&whole.kept, whole.bytes),
        (None, Some(strange)) => {
            let detail = format!("{strange}; {expected}");
            // An error page is what it is; the status says enough.
            let why = success.then_some((AnomalyKind::Transport, detail.as_str()));
            intake.garbage(&whole.kept, whole.bytes, why);
        }
    }
}

/// Reads a stream of messages to its end and delivers them.
pub(crate) async fn stream(mut response: Response, intake: &Intake) {
    let end = events(&mut response, intake.limit(), |event| intake.event(&event)).await;
    end.note(intake);
}

/// Reads an answer that carries no message: recorded, delivered to nobody.
pub(crate) async fn aside(mut response: Response, intake: &Intake) {
    let whole = gather(&mut response, intake.limit()).await;
    if whole.bytes > 0 {
        intake.aside(&whole.kept, whole.bytes);
    }
    if let Some(why) = whole.broken {
        intake.transport(None, &why);
    }
}

/// How a stream of events ended.
#[derive(Debug)]
pub(crate) struct End {
    leftover: Option<Event>,
    broken: Option<String>,
}

impl End {
    pub(crate) fn note(&self, intake: &Intake) {
        if let Some(event) = &self.leftover {
            intake.leftover(event);
        }
        if let Some(why) = &self.broken {
            intake.transport(None, why);
        }
    }
}

pub(crate) async fn events(
    response: &mut Response,
    limit: usize,
    mut take: impl FnMut(Event),
) -> End {
    let mut parser = Parser::new(limit);
    let broken = loop {
        match response.chunk().await {
            Ok(Some(chunk)) => parser.feed(&chunk, &mut take),
            Ok(None) => break None,
            Err(error) => break Some(broke_off(&error)),
        }
    };
    End { leftover: parser.finish(), broken }
}

#[derive(Debug, Default)]
pub(crate) struct Whole {
    pub(crate) kept: Vec<u8>,
    pub(crate) bytes: u64,
    broken: Option<String>,
}

pub(crate) async fn gather(response: &mut Response, limit: usize) -> Whole {
    let mut whole = Whole::default();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) => {
                let room = limit.saturating_sub(whole.kept.len());
                whole.kept.extend_from_slice(&chunk[..chunk.len().min(room)]);
                whole.bytes += chunk.len() as u64;
                if whole.bytes > (limit as u64).saturating_mul(DRAIN) {
                    let why = format!("the body had no end after {} bytes; left", whole.bytes);
                    whole.broken = Some(why);
                    return whole;
                }
            }
            Ok(None) => return whole,
            Err(error) => {
                whole.broken = Some(broke_off(&error));
                return whole;
            }
        }
    }
}

fn broke_off(error: &reqwest::Error) -> String {
    format!("the body of the answer broke off: {}", cause(error))
}

/// The innermost reason; the outer ones only repeat the address.
pub(crate) fn cause(error: &reqwest::Error) -> String {
    let mut deepest: &dyn Error = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    deepest.to_string()
}
