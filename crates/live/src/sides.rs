//! Further connections beside the main one: each is opened once, shared by the calls that name it,
//! and kept until the end. They run beside each other; on each, everything is in plan order. Processes
//! have a ground each; on one server behind a URL, who watches what changes does so alone.

mod room;

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::future::join_all;
use proofmark_core::event::Watcher;
use proofmark_core::evidence::{
    Evidence, Exchange, ExchangeId, Micros, Reply, Skip, Startup, Subject,
};
use proofmark_core::probe::{Connection, Lane, Send, Side};
use proofmark_core::revision::Revision;
use tokio::sync::{Semaphore, watch};

use self::room::{Errand, Fate, Room};
use crate::breaker::Breaker;
use crate::connect::{Connector, Line};
use crate::inventory::next_id;
use crate::runner::{settle, skip};
use crate::schedule::Job;

/// How long a process may take to come up before its first answer; some say nothing at first.
const STARTING: Duration = Duration::from_secs(15);
/// Or so many times what the first start took: a loaded machine is no fault of the server.
const SLOWER: u32 = 8;
/// So many start at a time: a dozen at once would only wait for each other.
const STARTS: usize = 4;

pub(crate) struct Sides<'a> {
    world: World<'a>,
    rooms: BTreeMap<Side, Room>,
}

impl std::fmt::Debug for Sides<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sides").field("rooms", &self.rooms).finish_non_exhaustive()
    }
}

/// What all sides share.
struct World<'a> {
    connector: &'a Connector,
    breaker: &'a Breaker,
    watcher: &'a Watcher,
    interrupt: watch::Receiver<bool>,
    starts: Semaphore,
    /// How long a process may take before its first answer.
    starting: Duration,
}

impl<'a> Sides<'a> {
    pub(crate) fn new(
        connector: &'a Connector,
        breaker: &'a Breaker,
        watcher: &'a Watcher,
        interrupt: watch::Receiver<bool>,
    ) -> Sides<'a> {
        let starts = Semaphore::new(STARTS);
        let world = World { connector, breaker, watcher, interrupt, starts, starting: STARTING };
        Sides { world, rooms: BTreeMap::new() }
    }

    /// Makes room for the sides of these calls.
    pub(crate) fn prepare(&mut self, evidence: &mut Evidence, jobs: &[Job]) {
        if let Startup::Up { took } = evidence.startup {
            let slower = Duration::from_micros(took.0) * SLOWER;
            self.world.starting = slower.max(STARTING).min(self.world.connector.startup_timeout);
        }
        let mut new: Vec<Side> = Vec::new();
        for job in jobs {
            match job.on {
                Connection::Side(side)
                    if !self.rooms.contains_key(&side) && !new.contains(&side) =>
                {
                    new.push(side);
                }
                Connection::Side(_) | Connection::Main => {}
            }
        }
        // Now, while nothing is under way on the ground that is copied.
        for (side, connector) in new.iter().zip(self.world.connector.beside(new.len())) {
            let opening = side.handshake.map(|r| reserve(evidence, *side, r));
            self.rooms.insert(*side, Room::new(connector, opening));
        }
    }

    /// Opens what is not open yet, before anything is asked there.
    pub(crate) async fn warm(&mut self) {
        let world = &self.world;
        join_all(self.rooms.iter_mut().map(|(side, room)| room.warm(world, *side))).await;
    }

    /// Makes the calls of one round. Who watches what changes comes first: what is asked otherwise may
    /// wait for a task, which goes on meanwhile. But one server behind a URL has one state: there that is
    /// done by one side after the other, so that two runs agree, and comes last, since it tells all sides
    /// of a change, and must not while one of them is still being opened.
    pub(crate) async fn run(&mut self, evidence: &mut Evidence, jobs: Vec<Job>) {
        let (turns, beside): (Vec<Job>, Vec<Job>) =
            jobs.into_iter().partition(|job| job.lane == Lane::Turn);
        if self.world.connector.starts_processes() {
            self.beside(evidence, turns).await;
            return self.beside(evidence, beside).await;
        }
        self.beside(evidence, beside).await;
        for own in turns.chunk_by(|a, b| a.on == b.on) {
            self.beside(evidence, own.to_vec()).await;
        }
    }

    async fn beside(&mut self, evidence: &mut Evidence, jobs: Vec<Job>) {
        let mut queues: BTreeMap<Side, Vec<Errand>> = BTreeMap::new();
        for job in jobs {
            let Connection::Side(side) = job.on else { continue };
            let room = self.rooms.get(&side);
            if let Some(errand) = room.and_then(|room| room.errand(evidence, job)) {
                queues.entry(side).or_default().push(errand);
            }
        }
        let world = &self.world;
        let runs = self.rooms.iter_mut().filter_map(|(side, room)| {
            queues.remove(side).map(|queue| room.play(world, *side, queue))
        });
        let fates: Vec<Fate> = join_all(runs).await.into_iter().flatten().collect();
        for (id, fate) in fates {
            match fate {
                Ok(answered) => settle(evidence, id, answered),
                Err(why) => skip(evidence, id, why),
            }
        }
        self.rooms.values_mut().for_each(|room| room.report(evidence));
    }

    /// What is still open.
    pub(crate) fn into_lines(self) -> Vec<Line> {
        self.rooms.into_values().filter_map(|room| room.line).collect()
    }
}

/// The place in the transcript where the opening of a side will stand.
fn reserve(evidence: &mut Evidence, side: Side, revision: Revision) -> ExchangeId {
    let id = next_id(evidence);
    let stateless = revision.is_stateless();
    let method = if stateless { "server/discover" } else { "initialize" };
    evidence.transcript.push(Exchange {
        id,
        probe: "handshake".to_owned(),
        label: format!("{} {revision}", if stateless { "discover" } else { method }),
        subject: Subject::Server,
        send: Send::request(method, None),
        on: Connection::Side(side),
        reply: Reply::Skipped { why: Skip::Interrupted }.into(),
        control: None,
        oracle: None,
        http: None,
        frames: Vec::new(),
        started: Micros(0),
        took: Micros(0),
    });
    id
}

impl World<'_> {
    fn veto(&self) -> Option<Skip> {
        if *self.interrupt.borrow() { Some(Skip::Interrupted) } else { self.breaker.veto(None) }
    }
}
