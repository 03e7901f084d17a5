//! Session: one open connection that speaks a revision. Requests pipeline by id; whatever the
//! server says that no request explains is recorded, never dropped.

mod aside;
mod dispatch;
mod marks;
mod negotiate;
mod policy;
mod stateless;
mod visit;

pub use negotiate::{Opened, Refusal, Said, Wish, negotiate};
pub use policy::Policy;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use proofmark_core::evidence::{ExchangeId, FrameId, HttpFacts, Micros, Reply, Skip};
use proofmark_core::probe::{Awaits, Send};
use proofmark_core::revision::Revision;
use serde_json::{Value, json};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;

use crate::wire::{Inbox, Outgoing, Sent, Shared, Wire, WireError};
use dispatch::{Got, Table};

/// How long a frame that need not be answered is listened after, where nothing else tells.
const QUIET: Duration = Duration::from_millis(300);
/// What the dispatcher and a busy server need to hand over what is there already.
const TURN: Duration = Duration::from_millis(10);
/// Rounds of "the server needs more input" that we go along with.
const INPUT_ROUNDS: u32 = 5;

/// What came of one call.
#[derive(Debug, Clone)]
pub struct Answered {
    pub reply: Reply,
    pub http: Option<HttpFacts>,
    pub frames: Vec<FrameId>,
    pub started: Micros,
    pub took: Micros,
}

#[derive(Debug)]
pub struct Session {
    wire: Arc<Wire>,
    table: Arc<Table>,
    shared: Shared,
    policy: Arc<Policy>,
    revision: Option<Revision>,
    marks: marks::Marks,
    closed: watch::Receiver<bool>,
    error: Mutex<Option<WireError>>,
    dispatcher: JoinHandle<()>,
}

impl Drop for Session {
    fn drop(&mut self) {
        self.dispatcher.abort();
    }
}

impl Session {
    /// Takes a fresh connection; nothing has been said yet.
    pub fn new(wire: Wire, inbox: Inbox, shared: Shared, policy: Arc<Policy>) -> Session {
        let wire = Arc::new(wire);
        let table = Arc::new(Table::default());
        let (closing, closed) = watch::channel(false);
        let dispatcher = tokio::spawn(dispatch::run(
            inbox,
            dispatch::Desk {
                wire: Arc::clone(&wire),
                table: Arc::clone(&table),
                shared: shared.clone(),
                policy: Arc::clone(&policy),
                closing,
            },
        ));
        let (error, marks) = (Mutex::default(), marks::Marks::default());
        Session { wire, table, shared, policy, revision: None, marks, closed, error, dispatcher }
    }

    pub fn revision(&self) -> Option<Revision> {
        self.revision
    }

    pub fn wire(&self) -> &Wire {
        &self.wire
    }

    pub fn is_closed(&self) -> bool {
        *self.closed.borrow()
    }

    /// Answers came back under ids nobody asked: then only one call at a time can be told apart.
    pub fn ids_are_unreliable(&self) -> bool {
        self.table.saw_unknown_ids()
    }

    /// Makes one call and waits for what comes of it, at most `timeout`.
    pub async fn call(&self, send: &Send, exchange: ExchangeId, timeout: Duration) -> Answered {
        let started = self.shared.record.now();
        let mut trace = Trace::default();
        let work = async {
            match send {
                Send::Request { method, params, id } => {
                    self.request(method, params.as_ref(), id.as_ref(), exchange, &mut trace).await
                }
                Send::Notification { method, params } => {
                    let text = self.notification(method, params.as_ref()).to_string();
                    let out = self.outgoing(text, Some(method), params.as_ref());
                    self.loose(out, &[], exchange, &mut trace).await
                }
                Send::Raw { text, awaits: Awaits::Id { id } } => {
                    let out = self.outgoing(text.clone(), None, None);
                    self.exchange(out, id, exchange, &mut trace).await
                }
                Send::Raw { text, awaits: Awaits::Ids { ids } } => {
                    let out = self.outgoing(text.clone(), None, None);
                    self.loose(out, ids, exchange, &mut trace).await
                }
                Send::Raw { text, awaits: Awaits::Stray } => {
                    let out = self.outgoing(text.clone(), None, None);
                    self.loose(out, &[], exchange, &mut trace).await
                }
                Send::Http { verb, headers, body } => {
                    let out = Outgoing {
                        text: body.clone().unwrap_or_default(),
                        headers: headers.clone(),
                        verb: Some(verb.clone()),
                    };
                    self.visit(out, &mut trace).await
                }
                Send::Aside { verb, url, headers, body } => {
                    let text = body.clone().unwrap_or_default();
                    let (headers, verb) = (headers.clone(), Some(verb.clone()));
                    self.aside(url, Outgoing { text, headers, verb }, &mut trace).await
                }
                Send::Listen { ms } => {
                    tokio::time::sleep(Duration::from_millis(u64::from(*ms))).await;
                    Reply::Silence
                }
            }
        };
        let reply = match tokio::time::timeout(timeout, work).await {
            Ok(reply) => reply,
            Err(_) if self.is_closed() => Reply::Disconnected,
            Err(_) => {
                Reply::TimedOut { after_ms: u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX) }
            }
        };
        self.table.give_up(exchange);
        let took = Micros(self.shared.record.now().0.saturating_sub(started.0));
        let mut reply = reply;
        self.scrub(&mut reply);
        trace.frames.sort();
        trace.frames.dedup();
        Answered { reply, http: trace.http, frames: trace.frames, started, took }
    }

    /// Polite end: HTTP sessions are deleted, stdin is closed.
    pub async fn close(&self) {
        self.wire.close().await;
    }

    async fn request(
        &self,
        method: &str,
        params: Option<&Value>,
        id: Option<&Value>,
        exchange: ExchangeId,
        trace: &mut Trace,
    ) -> Reply {
        let mut params = params.cloned();
        for _ in 0..INPUT_ROUNDS {
            let id = id.cloned().unwrap_or_else(|| self.table.next_id());
            let message = self.request_message(&id, method, params.as_ref());
            let out = self.outgoing(message.to_string(), Some(method), params.as_ref());
            let reply = self.exchange(out, &id, exchange, trace).await;
            if let Some(listed) = reply.result().filter(|_| method == "tools/list") {
                self.marks.learn(listed);
            }
            let Some(more) = self.answer_input(&reply, params.as_ref()) else { return reply };
            params = Some(more);
        }
        let mut reply = Reply::Malformed {
            raw: String::new(),
            why: format!("still asks for input after {INPUT_ROUNDS} rounds"),
        };
        self.scrub(&mut reply);
        reply
    }

    fn request_message(&self, id: &Value, method: &str, params: Option<&Value>) -> Value {
        let mut message = json!({ "jsonrpc": "2.0", "id": id, "method": method });
        if let Some(params) = self.dress(params) {
            message["params"] = params;
        }
        message
    }

    fn notification(&self, method: &str, params: Option<&Value>) -> Value {
        let mut message = json!({ "jsonrpc": "2.0", "method": method });
        if let Some(params) = params {
            message["params"] = params.clone();
        }
        message
    }

    /// Sends one frame and waits for the answer with this id.
    async fn exchange(
        &self,
        out: Outgoing,
        id: &Value,
        exchange: ExchangeId,
        trace: &mut Trace,
    ) -> Reply {
        let answer = self.table.expect(id, exchange);
        let sent = match self.send(out).await {
            Ok(sent) => sent,
            Err(reply) => return reply,
        };
        trace.take(&sent);
        self.wait(answer, sent.ended, trace).await
    }

    async fn wait(
        &self,
        mut answer: oneshot::Receiver<Got>,
        ended: Option<oneshot::Receiver<()>>,
        trace: &mut Trace,
    ) -> Reply {
        let mut closed = self.closed.clone();
        let over = async {
            match ended {
                // The frames of an ended body are in the inbox; give the dispatcher its turn.
                Some(ended) => {
                    let _ = ended.await;
                    tokio::time::sleep(QUIET).await;
                }
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            got = &mut answer => trace.got(got),
            _ = closed.wait_for(|c| *c) => match answer.try_recv() {
                Ok(got) => trace.got(Ok(got)),
                Err(_) => Reply::Disconnected,
            },
            () = over => {
                let status = trace.http.as_ref().map(|h| h.status);
                Reply::Malformed {
                    raw: self.table.last_garbage().unwrap_or_default(),
                    why: match status {
                        Some(status) => format!("HTTP {status} without a JSON-RPC answer"),
                        None => "no JSON-RPC answer".to_owned(),
                    },
                }
            }
        }
    }

    /// Sends one frame that nothing need answer, and listens for these ids and for what no request
    /// explains, until the server has shown that it is past the frame.
    async fn loose(
        &self,
        out: Outgoing,
        ids: &[Value],
        exchange: ExchangeId,
        trace: &mut Trace,
    ) -> Reply {
        let stray = self.table.expect_stray();
        let mut answers: FuturesUnordered<_> =
            ids.iter().map(|id| self.table.expect(id, exchange)).collect();
        let sent = match self.send(out).await {
            Ok(sent) => sent,
            Err(reply) => return reply,
        };
        trace.take(&sent);
        let mut closed = self.closed.clone();
        let mut first = None;
        let past = self.past(sent.ended, exchange);
        tokio::pin!(stray, past);
        loop {
            tokio::select! {
                biased;
                Some(got) = answers.next() => {
                    let reply = trace.got(got);
                    first.get_or_insert(reply);
                    // What dies of a race does so after the answers.
                    if answers.is_empty() && ids.len() < 2 {
                        break;
                    }
                }
                got = &mut stray => {
                    let reply = trace.got(got);
                    return first.unwrap_or(reply);
                }
                _ = closed.wait_for(|c| *c) => return first.unwrap_or(Reply::Disconnected),
                () = &mut past => break,
            }
        }
        first.unwrap_or(Reply::Silence)
    }

    /// Returns when the answer to a frame would have come: after the body of its own answer, after
    /// the server has answered what was asked later, or, where nothing can be asked yet, after a
    /// while.
    async fn past(&self, ended: Option<oneshot::Receiver<()>>, exchange: ExchangeId) {
        if let Some(ended) = ended {
            let _ = ended.await;
            tokio::time::sleep(TURN).await;
        } else if let Some(revision) = self.revision {
            let method = if revision.is_stateless() { "server/discover" } else { "ping" };
            // Twice: under load the pause between them grows with everything else.
            for _ in 0..2 {
                let id = self.table.next_id();
                let answer = self.table.expect(&id, exchange);
                let message = self.request_message(&id, method, None).to_string();
                if self.send(self.outgoing(message, Some(method), None)).await.is_ok() {
                    let _ = answer.await;
                }
                tokio::time::sleep(TURN).await;
            }
        } else {
            tokio::time::sleep(QUIET).await;
        }
    }

    async fn send(&self, out: Outgoing) -> Result<Sent, Reply> {
        self.wire.send(out).await.map_err(|error| self.unsent(error))
    }

    fn unsent(&self, error: WireError) -> Reply {
        let reply = match &error {
            WireError::Closed | WireError::Unreachable { .. } => Reply::Disconnected,
            WireError::BadUrl(..) | WireError::BadHeader(..) | WireError::Unsupported => {
                Reply::Skipped { why: Skip::Transport }
            }
        };
        *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        reply
    }

    /// Why the last frame could not be sent, if so.
    fn take_error(&self) -> Option<WireError> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn scrub(&self, reply: &mut Reply) {
        let scrub = self.shared.record.scrub();
        match reply {
            Reply::Result { value } => scrub.value(value),
            Reply::Error { message, data, .. } => {
                *message = scrub.text(message);
                if let Some(data) = data {
                    scrub.value(data);
                }
            }
            Reply::Malformed { raw, why } => {
                *raw = scrub.text(raw);
                *why = scrub.text(why);
            }
            Reply::Silence
            | Reply::TimedOut { .. }
            | Reply::Disconnected
            | Reply::Skipped { .. } => {}
        }
    }
}

/// What belongs to one call besides its reply.
#[derive(Debug, Default)]
struct Trace {
    frames: Vec<FrameId>,
    http: Option<HttpFacts>,
}

impl Trace {
    fn take(&mut self, sent: &Sent) {
        self.frames.push(sent.frame);
        self.http.clone_from(&sent.http);
    }

    fn got(&mut self, got: Result<Got, oneshot::error::RecvError>) -> Reply {
        match got {
            Ok(got) => {
                self.frames.push(got.frame);
                got.reply
            }
            Err(_) => Reply::Disconnected,
        }
    }
}
