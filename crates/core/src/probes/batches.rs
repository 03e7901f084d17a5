//! Arrays of messages: required of one revision, taken back by the next.

use serde_json::{Value, json};

use crate::evidence::Evidence;
use crate::probe::{Call, Lane, Probe};
use crate::revision::Revision;
use crate::seed::Seed;
use crate::spec::{frame, sides};

pub const PROBE: Probe = Probe { id: "batches", hostile: true, lane: Lane::Alone, plan };

pub const TWO: &str = "a batch of two requests";
pub const EMPTY: &str = "an empty batch";
pub const OPENING: &str = "a batch with initialize";

/// The ids in the batch of two.
pub fn ids() -> [Value; 2] {
    [json!("proofmark batch 1"), json!("proofmark batch 2")]
}

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    sides::on_each(evidence, |revision| {
        let whole = |messages: Vec<Value>| Value::Array(messages).to_string();
        let asked = |id: &Value| frame::request(revision, id, frame::harmless(revision), None);
        let two = whole(ids().iter().map(asked).collect());
        let mut batches = vec![
            (TWO, frame::send(evidence, revision, two, ids().to_vec())),
            (EMPTY, frame::send(evidence, revision, "[]".to_owned(), Vec::new())),
        ];
        if revision == Revision::V2025_03_26 {
            let id = json!("proofmark batch 3");
            let params = json!({"protocolVersion": revision, "capabilities": {},
                "clientInfo": {"name": "proofmark", "version": crate::VERSION}});
            let text = whole(vec![frame::request(revision, &id, "initialize", Some(params))]);
            batches.push((OPENING, frame::send(evidence, revision, text, vec![id])));
        }
        batches
    })
}
