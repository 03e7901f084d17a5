//! The wire against real pipes and loopback sockets.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests may fail loudly"
)]

mod http;
mod http_broken;
mod responder;
mod sse;
mod stdio;
mod stdio_load;
mod visit;

use std::sync::Arc;
use std::time::Duration;

use proofmark_core::evidence::{AnomalyKind, Direction};
use proofmark_core::scrub::Scrub;
use proofmark_live::record::Record;
use proofmark_live::wire::{Inbound, Inbox, Outgoing, Shared};
use serde_json::Value;

fn shared(max_frame: usize) -> Shared {
    let mut scrub = Scrub::default();
    scrub.add("hunter2hunter2", "[redacted]");
    Shared { record: Arc::new(Record::new(scrub)), max_frame }
}

fn frame(text: impl Into<String>) -> Outgoing {
    Outgoing { text: text.into(), ..Outgoing::default() }
}

/// The next delivery, or a panic instead of a test that hangs.
async fn next(inbox: &mut Inbox) -> Inbound {
    tokio::time::timeout(Duration::from_secs(20), inbox.recv())
        .await
        .expect("nothing was delivered for 20 s")
        .expect("the inbox was closed")
}

async fn message(inbox: &mut Inbox) -> Value {
    match next(inbox).await {
        Inbound::Message { value, .. } => value,
        other @ (Inbound::Garbage { .. } | Inbound::Closed) => panic!("expected JSON: {other:?}"),
    }
}

async fn garbage(inbox: &mut Inbox) -> String {
    match next(inbox).await {
        Inbound::Garbage { text, .. } => text,
        other @ (Inbound::Message { .. } | Inbound::Closed) => panic!("expected text: {other:?}"),
    }
}

async fn assert_closed(inbox: &mut Inbox) {
    let last = next(inbox).await;
    assert!(matches!(last, Inbound::Closed), "expected the end: {last:?}");
}

/// Kind and detail of every anomaly so far.
fn anomalies(shared: &Shared) -> Vec<(AnomalyKind, String)> {
    shared.record.kept().anomalies.into_iter().map(|a| (a.kind, a.detail)).collect()
}

fn kinds(shared: &Shared) -> Vec<AnomalyKind> {
    anomalies(shared).into_iter().map(|(kind, _)| kind).collect()
}

/// The recorded texts of one direction.
fn texts(shared: &Shared, direction: Direction) -> Vec<String> {
    let frames = shared.record.kept().frames;
    frames.into_iter().filter(|f| f.direction == direction).map(|f| f.text).collect()
}
