//! The runner: makes the calls of one round. Reading tools run beside each other, one call per
//! tool at a time; everything else runs alone, in the order of the plan.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use proofmark_core::arguments::violates;
use proofmark_core::event::{Event, Watcher};
use proofmark_core::evidence::{Evidence, Exchange, ExchangeId, Reply, Skip};
use proofmark_core::probe::{Lane, Send};
use proofmark_core::probes::claims;
use proofmark_core::revision::Revision;
use tokio::sync::{Semaphore, watch};

use crate::breaker::Breaker;
use crate::connect::{Connector, Line};
use crate::isolate::Process;
use crate::observe::Load;
use crate::schedule::{Job, note_departure};
use crate::session::{Answered, Session};

const PING_TIMEOUT: Duration = Duration::from_secs(2);

pub(crate) struct Runner<'a> {
    line: Option<Line>,
    connector: &'a Connector,
    breaker: &'a Breaker,
    watcher: &'a Watcher,
    interrupt: watch::Receiver<bool>,
    pace: Pace,
}

impl std::fmt::Debug for Runner<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runner").field("line", &self.line).finish_non_exhaustive()
    }
}

/// One call, ready to go.
#[derive(Debug, Clone)]
struct Errand {
    id: ExchangeId,
    tool: Option<String>,
    send: Send,
    started: Event,
}

/// What became of an errand.
enum Fate {
    Answered(Box<Answered>),
    Skipped(Skip),
    /// In flight when the connection ended.
    Lost(Box<Answered>),
    /// The connection had ended before.
    Left,
}

impl<'a> Runner<'a> {
    pub(crate) fn new(
        line: Line,
        connector: &'a Connector,
        breaker: &'a Breaker,
        watcher: &'a Watcher,
        interrupt: watch::Receiver<bool>,
        rate: Option<f64>,
    ) -> Runner<'a> {
        Runner { line: Some(line), connector, breaker, watcher, interrupt, pace: Pace::new(rate) }
    }

    pub(crate) fn into_line(self) -> Option<Line> {
        self.line
    }

    pub(crate) async fn run(&mut self, evidence: &mut Evidence, jobs: Vec<Job>) {
        let (shared, alone): (Vec<Job>, Vec<Job>) =
            jobs.into_iter().partition(|j| j.lane == Lane::Shared);
        self.beside(evidence, shared.iter().map(|j| j.id).collect()).await;
        for job in alone {
            self.alone(evidence, job.id).await;
        }
    }

    /// Runs calls beside each other. If the server dies meanwhile, all that is not answered runs
    /// alone: that tells which call it dies of, whatever was in flight by chance.
    async fn beside(&mut self, evidence: &mut Evidence, ids: Vec<ExchangeId>) {
        let mut rest = Vec::new();
        if !ids.is_empty() && self.veto(None).is_none() && self.ensure_line(evidence).await {
            for (id, fate) in self.make(evidence, &ids).await {
                match fate {
                    Fate::Lost(_) | Fate::Left => rest.push(id),
                    Fate::Answered(answered) => settle(evidence, id, *answered),
                    Fate::Skipped(why) => skip(evidence, id, why),
                }
            }
            if !rest.is_empty() {
                self.breaker.unexplained();
            }
            self.mourn(evidence, None).await;
            self.doubt(evidence).await;
        } else {
            rest = ids;
        }
        for id in rest {
            self.alone(evidence, id).await;
        }
    }

    async fn make(&self, evidence: &Evidence, ids: &[ExchangeId]) -> Vec<(ExchangeId, Fate)> {
        let Some(line) = &self.line else {
            return ids.iter().map(|id| (*id, Fate::Left)).collect();
        };
        let mut queues: BTreeMap<Option<String>, Vec<Errand>> = BTreeMap::new();
        for id in ids {
            if let Some(errand) = self.errand(evidence, *id) {
                queues.entry(errand.tool.clone()).or_default().push(errand);
            }
        }
        let wanted = evidence.conditions.concurrency.max(1) as usize;
        let slots = Semaphore::new(if line.session.ids_are_unreliable() { 1 } else { wanted });
        let runs = queues.into_values().map(|queue| self.queue(&line.session, queue, &slots));
        let mut fates: Vec<_> = join_all(runs).await.into_iter().flatten().collect();
        fates.sort_by_key(|(id, _)| *id);
        fates
    }

    async fn queue(
        &self,
        session: &Session,
        queue: Vec<Errand>,
        slots: &Semaphore,
    ) -> Vec<(ExchangeId, Fate)> {
        let mut fates = Vec::with_capacity(queue.len());
        for errand in queue {
            let fate = match self.veto(errand.tool.as_deref()) {
                Some(why) => Fate::Skipped(why),
                None => {
                    // The semaphore is never closed; without a permit we would merely run beside.
                    let _permit = slots.acquire().await;
                    self.send(session, &errand).await
                }
            };
            fates.push((errand.id, fate));
        }
        fates
    }

    async fn send(&self, session: &Session, errand: &Errand) -> Fate {
        if session.is_closed() {
            return Fate::Left;
        }
        self.pace.wait().await;
        let answered = match self.within_budget(session, errand).await {
            Ok(answered) => answered,
            Err(why) => return Fate::Skipped(why),
        };
        self.breaker.count(errand.tool.as_deref(), &answered.reply);
        match answered.reply {
            Reply::Disconnected => Fate::Lost(Box::new(answered)),
            Reply::Result { .. }
            | Reply::Error { .. }
            | Reply::Malformed { .. }
            | Reply::Silence
            | Reply::TimedOut { .. }
            | Reply::Skipped { .. } => Fate::Answered(Box::new(answered)),
        }
    }

    /// One call with nothing beside it.
    async fn alone(&mut self, evidence: &mut Evidence, id: ExchangeId) {
        let Some(errand) = self.errand(evidence, id) else { return };
        if let Some(why) = self.veto(errand.tool.as_deref()) {
            skip(evidence, id, why);
            return;
        }
        if !self.ensure_line(evidence).await {
            skip(evidence, id, Skip::ServerGone { restarts: self.breaker.restarts() });
            return;
        }
        let Some(line) = &self.line else { return };
        let pid = line.process.as_ref().map(Process::pid);
        let load = pid.and_then(Load::of);
        let before = is_watched(evidence, id).then(|| self.connector.scratch.snapshot());
        let fate = self.send(&line.session, &errand).await;
        let later = pid.and_then(Load::of);
        evidence.observations.extend(load.zip(later).map(|(l, later)| l.until(later, id)));
        if let Some(before) = before {
            evidence.traces.push(self.connector.scratch.trace(id, &before));
        }
        match fate {
            Fate::Answered(answered) => {
                settle(evidence, id, *answered);
                self.shake(evidence, &errand).await;
            }
            Fate::Skipped(why) => skip(evidence, id, why),
            Fate::Lost(answered) => {
                settle(evidence, id, *answered);
                self.mourn(evidence, Some(id)).await;
                self.confirm(evidence, &errand).await;
            }
            Fate::Left => self.mourn(evidence, None).await,
        }
        self.doubt(evidence).await;
    }

    /// The server died during this call. Bad input is to blame only if it dies of it again.
    async fn confirm(&mut self, evidence: &mut Evidence, errand: &Errand) {
        if is_ordinary(evidence, errand.id) || !self.ensure_line(evidence).await {
            self.breaker.unexplained();
            return;
        }
        let Some(line) = &self.line else { return };
        match self.send(&line.session, errand).await {
            Fate::Lost(answered) => {
                settle(evidence, errand.id, *answered);
                self.breaker.died_of(errand.tool.as_deref());
                self.mourn(evidence, Some(errand.id)).await;
            }
            Fate::Answered(answered) => {
                settle(evidence, errand.id, *answered);
                self.breaker.unexplained();
            }
            Fate::Skipped(_) | Fate::Left => self.breaker.unexplained(),
        }
    }

    /// An open line, restarting the server if that is still allowed.
    async fn ensure_line(&mut self, evidence: &mut Evidence) -> bool {
        if self.line.as_ref().is_some_and(|l| l.session.is_closed()) {
            self.mourn(evidence, None).await;
        }
        if self.line.is_some() {
            return true;
        }
        let Some(restarts) = self.breaker.restart() else { return false };
        (self.watcher)(Event::Restarted { restarts });
        let discover = evidence.revision().is_some_and(Revision::is_stateless);
        match self.connector.open(discover).await {
            Ok((line, _)) => self.line = Some(line),
            Err(_) => self.breaker.give_up(),
        }
        self.line.is_some()
    }

    /// If the server is gone, writes down how.
    async fn mourn(&mut self, evidence: &mut Evidence, during: Option<ExchangeId>) {
        let gone = self.line.as_ref().is_some_and(|l| l.session.is_closed());
        if gone || during.is_some() {
            self.bury(evidence, during).await;
        }
    }

    async fn bury(&mut self, evidence: &mut Evidence, during: Option<ExchangeId>) {
        let Some(line) = self.line.take() else { return };
        let connection = line.connection;
        let at = self.connector.shared.record.now();
        let (exit, _) = line.end().await;
        note_departure(evidence, connection, during, exit, at);
    }

    /// After several unanswered calls in a row: is anyone there? If not, start anew.
    async fn doubt(&mut self, evidence: &mut Evidence) {
        if !self.breaker.doubts() {
            return;
        }
        if !self.is_anyone_there().await {
            self.breaker.unexplained();
            self.bury(evidence, None).await;
        }
    }

    /// After an attack without an answer: a server that is still at work on it would leave the calls
    /// that follow without one as well, and they would be blamed for it.
    async fn shake(&mut self, evidence: &mut Evidence, errand: &Errand) {
        let hung = |x: &Exchange| matches!(*x.reply, Reply::TimedOut { .. });
        let hung = evidence.exchange(errand.id).is_some_and(hung);
        if hung && !is_ordinary(evidence, errand.id) && !self.is_anyone_there().await {
            self.breaker.stuck_in(errand.tool.as_deref());
            self.bury(evidence, None).await;
        }
    }

    async fn is_anyone_there(&self) -> bool {
        let Some(line) = &self.line else { return true };
        let ping = Send::request("ping", None);
        let answered = line.session.call(&ping, ExchangeId(u32::MAX), PING_TIMEOUT).await;
        !matches!(answered.reply, Reply::TimedOut { .. } | Reply::Disconnected)
    }

    async fn within_budget(&self, session: &Session, errand: &Errand) -> Result<Answered, Skip> {
        let left = self.breaker.left();
        let patience = self.breaker.patience();
        (self.watcher)(errand.started.clone());
        let mut interrupt = self.interrupt.clone();
        let answered = tokio::select! {
            answered = session.call(&errand.send, errand.id, patience.min(left)) => answered,
            _ = interrupt.wait_for(|stop| *stop) => return Err(Skip::Interrupted),
        };
        (self.watcher)(Event::CallDone {
            id: errand.id,
            outcome: answered.reply.kind(),
            took_ms: answered.took.millis(),
        });
        match answered.reply {
            Reply::TimedOut { .. } if left < patience => Err(self.breaker.out_of_time()),
            Reply::Result { .. }
            | Reply::Error { .. }
            | Reply::Malformed { .. }
            | Reply::Silence
            | Reply::TimedOut { .. }
            | Reply::Disconnected
            | Reply::Skipped { .. } => Ok(answered),
        }
    }

    fn veto(&self, tool: Option<&str>) -> Option<Skip> {
        if *self.interrupt.borrow() { Some(Skip::Interrupted) } else { self.breaker.veto(tool) }
    }

    fn errand(&self, evidence: &Evidence, id: ExchangeId) -> Option<Errand> {
        let exchange = evidence.exchange(id)?;
        let tool = exchange.subject.tool().map(str::to_owned);
        let started = Event::CallStarted {
            id,
            probe: exchange.probe.clone(),
            subject: exchange.subject.clone(),
            label: exchange.label.clone(),
        };
        Some(Errand { id, tool, send: self.connector.reveal(&exchange.send), started })
    }
}

/// Whether the scratch area is looked at before and after this call.
fn is_watched(evidence: &Evidence, id: ExchangeId) -> bool {
    evidence.exchange(id).is_some_and(|x| claims::is_watched(evidence, x))
}

/// Valid by the tool's own schema and without a payload: what any caller might send.
fn is_ordinary(evidence: &Evidence, id: ExchangeId) -> bool {
    evidence.exchange(id).is_none_or(|x| {
        let tool = x.subject.tool().and_then(|t| evidence.tool(t));
        let valid =
            x.arguments().zip(tool).is_some_and(|(a, t)| violates(&t.input_schema, a).is_none());
        valid && x.oracle.is_none()
    })
}

pub(crate) fn settle(evidence: &mut Evidence, id: ExchangeId, answered: Answered) {
    if let Some(exchange) = evidence.transcript.get_mut(id.0 as usize) {
        exchange.reply = answered.reply.into();
        exchange.http = answered.http;
        exchange.frames = answered.frames;
        exchange.started = answered.started;
        exchange.took = answered.took;
    }
}

pub(crate) fn skip(evidence: &mut Evidence, id: ExchangeId, why: Skip) {
    if let Some(exchange) = evidence.transcript.get_mut(id.0 as usize) {
        exchange.reply = Reply::Skipped { why }.into();
    }
}

/// Keeps calls at least `1/rate` apart.
#[derive(Debug)]
struct Pace {
    gap: Option<Duration>,
    next: tokio::sync::Mutex<Instant>,
}

impl Pace {
    fn new(rate: Option<f64>) -> Pace {
        let gap = rate.filter(|r| *r > 0.0).map(|r| Duration::from_secs_f64(1.0 / r));
        Pace { gap, next: tokio::sync::Mutex::new(Instant::now()) }
    }

    async fn wait(&self) {
        let Some(gap) = self.gap else { return };
        let at = {
            let mut next = self.next.lock().await;
            let at = (*next).max(Instant::now());
            *next = at + gap;
            at
        };
        tokio::time::sleep_until(at.into()).await;
    }
}
