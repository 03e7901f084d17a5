//! Frames that are proper and too much: long, deep, odd numbers, keys that come twice. When a size
//! kills the server, smaller ones are tried until it lives.

use serde_json::json;

use crate::evidence::{Evidence, Exchange, Reply, Subject};
use crate::probe::{Call, Connection, Lane, Probe, Send, Side};
use crate::revision::Revision;
use crate::seed::Seed;
use crate::spec::{frame, sides};

pub const PROBE: Probe = Probe { id: "heavy-frames", hostile: true, lane: Lane::Alone, plan };

/// A series of frames of one kind, the largest first.
struct Series {
    says: &'static str,
    sizes: [usize; 3],
    /// The JSON text of this size.
    text: fn(usize) -> String,
}

const SERIES: [Series; 2] = [
    Series {
        says: "characters in a string",
        sizes: [1_000_000, 100_000, 10_000],
        text: |n| format!("\"{}\"", "a".repeat(n)),
    },
    Series {
        says: "levels of nesting",
        sizes: [10_000, 1_000, 100],
        text: |n| format!("{}{}", "[".repeat(n), "]".repeat(n)),
    },
];

const ODD: [(&str, &str); 2] = [
    ("numbers beyond 64 bits", "[18446744073709551616, -9223372036854775809, 1e400]"),
    ("a key that comes twice", "1, \"padding\": 2"),
];

/// Parsers do not change with the revision, so the newest one stands for all.
fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let Some((revision, connection)) = sides::spoken(evidence).pop() else { return Vec::new() };
    let call = |name: &str, text: &str, on: Connection| {
        let label = sides::tagged(name, revision);
        let send = padded(evidence, revision, name, text);
        Call::new(Subject::Server, label, send).on(on)
    };
    let mut calls: Vec<Call> =
        ODD.iter().map(|(name, text)| call(name, text, connection)).collect();
    // A fresh server for each try: the one before has died.
    let again = Connection::Side(Side { number: 3, ..Side::speaking(revision) });
    for series in &SERIES {
        let mut on = connection;
        for size in series.sizes {
            let name = format!("{size} {}", series.says);
            calls.push(call(&name, &(series.text)(size), on));
            on = again;
            let made = evidence.of(PROBE.id).find(|x| x.label == sides::tagged(&name, revision));
            if !made.is_some_and(|x| is_victim(evidence, x)) {
                break;
            }
        }
    }
    calls
}

/// A harmless request with this JSON in its params.
fn padded(evidence: &Evidence, revision: Revision, name: &str, text: &str) -> Send {
    let id = json!(format!("proofmark {name}"));
    let params = json!({"padding": "@"});
    let message = frame::request(revision, &id, frame::harmless(revision), Some(params));
    let text = message.to_string().replacen("\"@\"", text, 1);
    frame::send(evidence, revision, text, vec![id])
}

/// The server ended during this call, or answered nothing after it.
pub fn is_victim(evidence: &Evidence, x: &Exchange) -> bool {
    let died = || evidence.departures.iter().any(|d| d.unexpected && d.during == Some(x.id));
    match *x.reply {
        Reply::Disconnected => died(),
        Reply::TimedOut { .. } => true,
        Reply::Result { .. }
        | Reply::Error { .. }
        | Reply::Malformed { .. }
        | Reply::Silence
        | Reply::Skipped { .. } => false,
    }
}

/// What a label counts, and how many: equal kinds are one series.
pub fn size(label: &str) -> Option<(usize, &str)> {
    let (number, kind) = label.split_once(' ')?;
    let series = SERIES.iter().find(|s| kind.starts_with(s.says))?;
    Some((number.parse().ok()?, series.says))
}
