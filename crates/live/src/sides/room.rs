//! One side: its line, what was asked there, and what became of it.

use std::time::Duration;

use futures_util::future::join_all;
use proofmark_core::event::Event;
use proofmark_core::evidence::{Departure, Evidence, ExchangeId, Link, Reply, Skip, Trace};
use proofmark_core::probe::{Lane, Send, Side};
use proofmark_core::probes::claims;

use super::World;
use crate::connect::{Connector, Line, NoLine};
use crate::runner::settle;
use crate::schedule::Job;
use crate::session::{Answered, Said, Wish};

/// What a server does not answer on a side it hardly ever does later.
const PATIENCE: Duration = Duration::from_secs(4);
/// A side whose server dies or hangs is opened again this often in all.
const OPENINGS: u32 = 4;
/// For so many deaths that one frame explains there are two more: the death and its confirmation.
const EXPLAINED: u32 = 3;
/// After so many calls without an answer in a row the server is started anew.
const HUNG: u32 = 2;

/// One side: its open line, if any, and what happened there in this round.
#[derive(Debug)]
pub(super) struct Room {
    connector: Connector,
    pub(super) line: Option<Line>,
    openings: u32,
    /// Deaths of which one frame is the cause.
    explained: u32,
    /// The place of its opening in the transcript.
    opening: Option<ExchangeId>,
    said: Option<Said>,
    links: Vec<Link>,
    departures: Vec<Departure>,
    traces: Vec<Trace>,
    unanswered: u32,
    /// Nothing has been said on the line yet.
    untried: bool,
}

/// One call, ready to go.
pub(super) struct Errand {
    id: ExchangeId,
    lane: Lane,
    send: Send,
    started: Event,
    /// What it leaves behind is looked at.
    watched: bool,
}

pub(super) type Fate = (ExchangeId, Result<Answered, Skip>);

impl Room {
    pub(super) fn new(connector: Connector, opening: Option<ExchangeId>) -> Room {
        Room {
            connector,
            line: None,
            openings: 0,
            explained: 0,
            opening,
            said: None,
            links: Vec::new(),
            departures: Vec::new(),
            traces: Vec::new(),
            unanswered: 0,
            untried: false,
        }
    }

    pub(super) fn errand(&self, evidence: &Evidence, job: Job) -> Option<Errand> {
        let exchange = evidence.exchange(job.id)?;
        let started = Event::CallStarted {
            id: job.id,
            probe: exchange.probe.clone(),
            subject: exchange.subject.clone(),
            label: exchange.label.clone(),
        };
        let send = self.connector.reveal(&exchange.send);
        let watched = job.lane != Lane::Shared && claims::is_watched(evidence, exchange);
        Some(Errand { id: job.id, lane: job.lane, send, started, watched })
    }

    pub(super) async fn warm(&mut self, world: &World<'_>, side: Side) {
        if self.openings == 0 && world.veto().is_none() && world.connector.starts_processes() {
            let _permit = world.starts.acquire().await.ok();
            self.ensure(world, side).await;
        }
    }

    /// All calls of this side: those that may run beside each other do, as long as they stand
    /// beside each other in the plan. What stands behind a time to listen waits for its end.
    pub(super) async fn play(
        &mut self,
        world: &World<'_>,
        side: Side,
        queue: Vec<Errand>,
    ) -> Vec<Fate> {
        let mut fates = Vec::with_capacity(queue.len());
        let together = |a: &Errand, b: &Errand| a.lane == Lane::Shared && b.lane == Lane::Shared;
        for group in queue.chunk_by(together) {
            // Kept until the first answer. The semaphore is never closed; without a permit we would
            // merely start beside more than we meant to.
            let starts = self.line.is_none() && world.connector.starts_processes();
            let _permit = if starts { world.starts.acquire().await.ok() } else { None };
            let veto = match world.veto() {
                Some(why) => Some(why),
                None if self.ensure(world, side).await => None,
                None => Some(Skip::ServerGone { restarts: self.openings.saturating_sub(1) }),
            };
            match veto {
                Some(why) => fates.extend(group.iter().map(|e| (e.id, Err(why.clone())))),
                None => fates.extend(self.make(world, side, group).await),
            }
        }
        fates
    }

    async fn make(&mut self, world: &World<'_>, side: Side, group: &[Errand]) -> Vec<Fate> {
        let Some(line) = &self.line else { return Vec::new() };
        let first = std::mem::take(&mut self.untried);
        let watched = group.iter().find(|errand| errand.watched);
        let before = watched.map(|errand| (errand.id, self.connector.scratch.snapshot()));
        let mut elapsed = Duration::ZERO;
        let sent = group.iter().map(|errand| {
            let wait = elapsed;
            if let Send::Listen { ms } = errand.send {
                elapsed += Duration::from_millis(u64::from(ms));
            }
            async move {
                // Even a sleep of nothing lasts until the next tick of the timer.
                if !wait.is_zero() {
                    tokio::time::sleep(wait).await;
                }
                send(world, line, errand, first).await
            }
        });
        let answers = join_all(sent).await;
        let left = before.map(|(id, before)| self.connector.scratch.trace(id, &before));
        self.traces.extend(left);
        let lost = answers.iter().any(|a| a.reply == Reply::Disconnected);
        let hung = answers.iter().any(|a| matches!(a.reply, Reply::TimedOut { .. }));
        self.unanswered = if hung { self.unanswered + 1 } else { 0 };
        let mut fates: Vec<Fate> =
            group.iter().zip(answers).map(|(errand, answer)| (errand.id, Ok(answer))).collect();
        if lost || self.line.as_ref().is_some_and(|l| l.session.is_closed()) {
            self.bury(world, None).await;
            if let ([errand], [fate]) = (group, fates.as_mut_slice()) {
                self.confirm(world, side, errand, fate).await;
            }
        } else if self.unanswered >= HUNG {
            self.unanswered = 0;
            self.leave(world).await;
        }
        fates
    }

    /// The server died during this call. The call is to blame only if it dies of it again.
    async fn confirm(&mut self, world: &World<'_>, side: Side, errand: &Errand, fate: &mut Fate) {
        if !self.ensure(world, side).await {
            return;
        }
        let Some(line) = &self.line else { return };
        let first = std::mem::take(&mut self.untried);
        let again = send(world, line, errand, first).await;
        // Of several requests in one frame some may have been answered before it died.
        if again.reply == Reply::Disconnected || line.session.is_closed() {
            self.bury(world, Some(errand.id)).await;
            // What it died of is known, and need not cost the calls that are left.
            self.explained += 1;
        }
        fate.1 = Ok(again);
    }

    /// An open line, if one can still be had.
    async fn ensure(&mut self, world: &World<'_>, side: Side) -> bool {
        if self.line.as_ref().is_some_and(|l| l.session.is_closed()) {
            self.bury(world, None).await;
        }
        if self.line.is_none() && self.openings < OPENINGS + 2 * self.explained.min(EXPLAINED) {
            self.openings += 1;
            self.open(world, side).await;
        }
        self.line.is_some()
    }

    async fn open(&mut self, world: &World<'_>, side: Side) {
        let connector = &self.connector;
        let Some(revision) = side.handshake else {
            if let Ok(line) = connector.reach(side.client).await {
                self.links.push(Link { connection: line.connection, side, handshake: None });
                self.line = Some(line);
                self.untried = true;
            }
            return;
        };
        let timeout = connector.startup_timeout.min(world.breaker.left());
        let first = self.opening.unwrap_or(ExchangeId(u32::MAX));
        let wish = Wish { pinned: Some(revision), discover: true, timeout, first };
        let said = match connector.open_as(&wish, side.client).await {
            Ok((line, mut opening)) => {
                let (connection, handshake) = (line.connection, Some(opening.handshake));
                self.links.push(Link { connection, side, handshake });
                self.line = Some(line);
                opening.said.pop()
            }
            Err(NoLine::Refused { mut refusal, process }) => {
                drop(process);
                // What it refuses now it refuses again.
                self.openings = OPENINGS;
                self.explained = 0;
                refusal.said.pop()
            }
            Err(NoLine::Launch(_) | NoLine::Wire(_)) => None,
        };
        if self.said.is_none() {
            self.said = said;
        }
    }

    /// The server is gone.
    async fn bury(&mut self, world: &World<'_>, during: Option<ExchangeId>) {
        self.part(world, true, during).await;
    }

    /// We go, because it does not answer.
    async fn leave(&mut self, world: &World<'_>) {
        self.part(world, false, None).await;
    }

    async fn part(&mut self, world: &World<'_>, unexpected: bool, during: Option<ExchangeId>) {
        let Some(line) = self.line.take() else { return };
        let (connection, at) = (line.connection, world.connector.shared.record.now());
        let (exit, needed) = line.end().await;
        let needed = needed.filter(|_| !unexpected);
        self.departures.push(Departure { connection, unexpected, during, exit, needed, at });
    }

    /// Writes down what happened here since the last time.
    pub(super) fn report(&mut self, evidence: &mut Evidence) {
        if let (Some(id), Some(said)) = (self.opening.take(), self.said.take()) {
            if let Some(exchange) = evidence.transcript.get_mut(id.0 as usize) {
                exchange.send = said.send;
            }
            settle(evidence, id, said.answered);
        }
        evidence.links.append(&mut self.links);
        evidence.departures.append(&mut self.departures);
        evidence.traces.append(&mut self.traces);
    }
}

async fn send(world: &World<'_>, line: &Line, errand: &Errand, first: bool) -> Answered {
    (world.watcher)(errand.started.clone());
    // A process on which nothing has been said yet has its start still before it.
    let starting = match first {
        true => world.starting,
        false => Duration::ZERO,
    };
    let patience = match errand.send {
        Send::Listen { ms } => Duration::from_millis(u64::from(ms)) + PATIENCE,
        // Such a request reads a stream for a while after the answer.
        Send::Http { .. } => PATIENCE * 2,
        Send::Request { .. }
        | Send::Notification { .. }
        | Send::Raw { .. }
        | Send::Aside { .. } => PATIENCE.min(world.breaker.patience()),
    };
    let patience = patience.max(starting).min(world.breaker.left());
    let answered = line.session.call(&errand.send, errand.id, patience).await;
    (world.watcher)(Event::CallDone {
        id: errand.id,
        outcome: answered.reply.kind(),
        took_ms: answered.took.millis(),
    });
    answered
}
