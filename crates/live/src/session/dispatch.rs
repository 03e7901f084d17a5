//! The desk where frames arrive: answers go to whoever waits, requests of the server are answered
//! by policy, and everything odd is written down.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use proofmark_core::evidence::{AnomalyKind, ExchangeId, FrameId, Incoming, Reply};
use serde_json::{Value, json};
use tokio::sync::{oneshot, watch};

use super::Policy;
use crate::wire::{Inbound, Inbox, Outgoing, Shared, Wire};

/// An answer on its way to the caller.
#[derive(Debug)]
pub(super) struct Got {
    pub(super) frame: FrameId,
    pub(super) reply: Reply,
}

/// Who waits for what.
#[derive(Debug, Default)]
pub(super) struct Table {
    rows: Mutex<Rows>,
    last_id: AtomicU64,
    unknown_ids: AtomicBool,
}

#[derive(Debug, Default)]
struct Rows {
    waiting: BTreeMap<String, Waiting>,
    /// Ids that were answered or given up, to tell duplicates and latecomers.
    done: BTreeMap<String, Done>,
    stray: Vec<oneshot::Sender<Got>>,
    garbage: Option<String>,
}

#[derive(Debug)]
struct Waiting {
    id: Value,
    exchange: ExchangeId,
    answer: oneshot::Sender<Got>,
}

#[derive(Debug, Clone, Copy)]
struct Done {
    exchange: ExchangeId,
    answered: bool,
}

impl Table {
    pub(super) fn next_id(&self) -> Value {
        json!(self.last_id.fetch_add(1, Ordering::Relaxed) + 1)
    }

    pub(super) fn expect(&self, id: &Value, exchange: ExchangeId) -> oneshot::Receiver<Got> {
        let (answer, receiver) = oneshot::channel();
        self.lock().waiting.insert(id.to_string(), Waiting { id: id.clone(), exchange, answer });
        receiver
    }

    pub(super) fn expect_stray(&self) -> oneshot::Receiver<Got> {
        let (answer, receiver) = oneshot::channel();
        self.lock().stray.push(answer);
        receiver
    }

    /// Whatever this exchange still waits for is not waited for any more.
    pub(super) fn give_up(&self, exchange: ExchangeId) {
        let mut rows = self.lock();
        let over: Vec<String> = rows
            .waiting
            .iter()
            .filter(|(_, w)| w.exchange == exchange)
            .map(|(key, _)| key.clone())
            .collect();
        for key in over {
            rows.waiting.remove(&key);
            rows.done.insert(key, Done { exchange, answered: false });
        }
        rows.stray.retain(|s| !s.is_closed());
    }

    pub(super) fn last_garbage(&self) -> Option<String> {
        self.lock().garbage.take()
    }

    pub(super) fn saw_unknown_ids(&self) -> bool {
        self.unknown_ids.load(Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, Rows> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All the dispatcher needs.
#[derive(Debug)]
pub(super) struct Desk {
    pub(super) wire: Arc<Wire>,
    pub(super) table: Arc<Table>,
    pub(super) shared: Shared,
    pub(super) policy: Arc<Policy>,
    pub(super) closing: watch::Sender<bool>,
}

pub(super) async fn run(mut inbox: Inbox, desk: Desk) {
    while let Some(inbound) = inbox.recv().await {
        match inbound {
            Inbound::Message { frame, value: Value::Array(items) } => {
                desk.note(AnomalyKind::Batch, frame, None, "an array of messages");
                for item in items {
                    desk.message(frame, item);
                }
            }
            Inbound::Message { frame, value } => desk.message(frame, value),
            Inbound::Garbage { frame, text } => {
                let mut rows = desk.table.lock();
                rows.garbage = Some(text.clone());
                let why = "not JSON".to_owned();
                deliver_stray(&mut rows, frame, Reply::Malformed { raw: text, why });
            }
            Inbound::Closed => break,
        }
    }
    let _ = desk.closing.send(true);
}

fn deliver_stray(rows: &mut Rows, frame: FrameId, reply: Reply) -> bool {
    while let Some(waiter) = rows.stray.pop() {
        if waiter.send(Got { frame, reply: reply.clone() }).is_ok() {
            return true;
        }
    }
    false
}

impl Desk {
    fn message(&self, frame: FrameId, value: Value) {
        let Some(object) = value.as_object() else {
            self.note(AnomalyKind::NotAMessage, frame, None, &value.to_string());
            return;
        };
        if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            self.note(AnomalyKind::IllFormedMessage, frame, None, "`jsonrpc` is not \"2.0\"");
        }
        if object.contains_key("method") {
            self.initiated(frame, &value);
        } else if object.contains_key("result") || object.contains_key("error") {
            self.response(frame, &value);
        } else if object.contains_key("jsonrpc") || object.contains_key("id") {
            let detail = "neither `method` nor `result` nor `error`";
            self.note(AnomalyKind::IllFormedMessage, frame, None, detail);
        } else {
            self.note(AnomalyKind::NotAMessage, frame, None, &value.to_string());
        }
    }

    fn response(&self, frame: FrameId, value: &Value) {
        let id = value.get("id").unwrap_or(&Value::Null);
        let mut rows = self.table.lock();
        let Some(key) = self.find(&rows, frame, id) else {
            self.unclaimed(&mut rows, frame, id, value);
            return;
        };
        let Some(waiting) = rows.waiting.remove(&key) else { return };
        rows.done.insert(key, Done { exchange: waiting.exchange, answered: true });
        drop(rows);
        let reply = read_response(value);
        if let Reply::Malformed { why, .. } = &reply {
            self.note(AnomalyKind::IllFormedMessage, frame, Some(waiting.exchange), why);
        }
        let _ = waiting.answer.send(Got { frame, reply });
    }

    /// The waiting call that this id means: exactly, by value with another type, or because
    /// nobody else is waiting.
    fn find(&self, rows: &Rows, frame: FrameId, id: &Value) -> Option<String> {
        let exact = id.to_string();
        if rows.waiting.contains_key(&exact) {
            return Some(exact);
        }
        if rows.done.contains_key(&exact) {
            return None;
        }
        let same = |a: &Value| loose(a).is_some() && loose(a) == loose(id);
        if let Some((key, w)) = rows.waiting.iter().find(|(_, w)| same(&w.id)) {
            let detail = format!("asked with id {}, answered with {id}", w.id);
            self.note(AnomalyKind::IdTypeChanged, frame, Some(w.exchange), &detail);
            return Some(key.clone());
        }
        if !rows.stray.is_empty() {
            return None;
        }
        let mut all = rows.waiting.iter();
        let (Some((key, only)), None) = (all.next(), all.next()) else { return None };
        let detail = format!("asked with id {}, answered with {id}", only.id);
        self.note(AnomalyKind::UnknownId, frame, Some(only.exchange), &detail);
        self.table.unknown_ids.store(true, Ordering::Relaxed);
        Some(key.clone())
    }

    fn unclaimed(&self, rows: &mut Rows, frame: FrameId, id: &Value, value: &Value) {
        match rows.done.get(&id.to_string()).copied() {
            Some(Done { exchange, answered: true }) => {
                let detail = format!("a second answer to id {id}");
                self.note(AnomalyKind::DuplicateAnswer, frame, Some(exchange), &detail);
            }
            Some(Done { exchange, answered: false }) => {
                let detail = format!("an answer to id {id} after we stopped waiting");
                self.note(AnomalyKind::LateAnswer, frame, Some(exchange), &detail);
            }
            None => {
                if deliver_stray(rows, frame, read_response(value)) {
                    return;
                }
                self.table.unknown_ids.store(true, Ordering::Relaxed);
                self.note(AnomalyKind::UnknownId, frame, None, &format!("id {id} was never asked"));
            }
        }
    }

    fn initiated(&self, frame: FrameId, value: &Value) {
        let Some(method) = value.get("method").and_then(Value::as_str) else {
            self.note(AnomalyKind::IllFormedMessage, frame, None, "`method` is not a string");
            return;
        };
        let params = value.get("params").cloned();
        let id = value.get("id").filter(|id| !id.is_null());
        let answer = id.map(|id| {
            let mut message = self.policy.answer(method, params.as_ref());
            message["jsonrpc"] = json!("2.0");
            message["id"] = id.clone();
            message
        });
        self.shared.record.incoming(Incoming {
            connection: self.wire.connection(),
            method: method.to_owned(),
            params,
            answer: answer.clone(),
            frame: Some(frame),
            within: self.wire.request_of(frame),
            at: self.shared.record.now(),
        });
        if let Some(answer) = answer {
            let wire = Arc::clone(&self.wire);
            // Not awaited here: a server that does not read must not stop us from reading.
            tokio::spawn(async move {
                let out = Outgoing { text: answer.to_string(), ..Outgoing::default() };
                let _ = wire.send(out).await;
            });
        }
    }

    fn note(&self, kind: AnomalyKind, frame: FrameId, exchange: Option<ExchangeId>, detail: &str) {
        self.shared.record.anomaly(kind, self.wire.connection(), Some(frame), exchange, detail);
    }
}

/// An id by value alone: 7, 7.0 and "7" are the same.
fn loose(id: &Value) -> Option<String> {
    match id {
        Value::Number(n) => n.as_f64().map(|f| format!("{f}")),
        Value::String(s) => Some(s.parse::<f64>().map_or_else(|_| s.clone(), |f| format!("{f}"))),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

pub(super) fn read_response(value: &Value) -> Reply {
    let malformed = |why: &str| Reply::Malformed { raw: value.to_string(), why: why.to_owned() };
    match (value.get("result"), value.get("error")) {
        (Some(_), Some(_)) => malformed("both `result` and `error`"),
        (Some(result), None) => Reply::Result { value: result.clone() },
        (None, Some(error)) => {
            let Some(error) = error.as_object() else {
                return malformed("`error` is not an object");
            };
            let Some(code) = error.get("code").and_then(Value::as_i64) else {
                return malformed("`error.code` is not an integer");
            };
            let Some(message) = error.get("message").and_then(Value::as_str) else {
                return malformed("`error.message` is not a string");
            };
            Reply::Error { code, message: message.to_owned(), data: error.get("data").cloned() }
        }
        (None, None) => malformed("neither `result` nor `error`"),
    }
}
