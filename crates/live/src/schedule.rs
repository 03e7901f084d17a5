//! The schedule: rounds of planning, the risk gate, budgets, lanes and circuit breakers. A call
//! that is planned is in the transcript, made or skipped.

use std::collections::BTreeSet;
use std::sync::Arc;

use proofmark_core::check::{self, Check, Outcome, Topic};
use proofmark_core::event::{Event, Watcher, is_watched};
use proofmark_core::evidence::{
    Departure, Evidence, Exchange, ExchangeId, Micros, Profile, Reply, Skip, Subject,
};
use proofmark_core::probe::{Call, Connection, Lane, Probe, Risk};
use proofmark_core::probes::{claims, generated};
use proofmark_core::seed::Seed;
use proofmark_core::target::Transport;
use tokio::sync::watch;

use crate::breaker::Breaker;
use crate::canary::plant_neighbours;
use crate::connect::{Connector, Line};
use crate::inventory::next_id;
use crate::options::Options;
use crate::runner::Runner;
use crate::sides::Sides;
use crate::takeover::Takeover;

/// The plain valid call of each tool goes first of all.
const VALID: &str = proofmark_core::probes::valid_call::PROBE.id;
const TASKS: &str = proofmark_core::probes::tasks::PROBE.id;

/// Its quickest ordinary call took so long.
const SLOW: Micros = Micros(750_000);
/// With three attacks of each kind, a tool that is slower than this would take half a minute and more.
const SLOWER: Micros = Micros(1_250_000);

/// Planning ends here at the latest; every honest planner is content earlier.
const MAX_ROUNDS: u32 = 20;

/// What is done at once is done in so few steps.
const MAX_STEPS: u32 = 2;

/// The probes that the checks need, each once: benign before hostile, then in the order of the
/// topics, so that what works is seen before anything that may break it.
pub fn probes(checks: &[&'static Check], evidence: &Evidence) -> Vec<&'static Probe> {
    let mut wanted: Vec<(bool, Topic, &'static Probe)> = check::due(checks, evidence)
        .flat_map(|c| c.needs.iter().map(|p| (p.hostile, c.topic(), *p)))
        .collect();
    if !evidence.generated.is_empty() {
        let written: [&'static Probe; 2] = [&generated::PROBE, &generated::HOSTILE];
        wanted.extend(written.map(|p| (p.hostile, Topic::Functionality, p)));
    }
    // A task goes on by itself while everything else is asked.
    let first = |probe: &Probe| [VALID, TASKS].iter().position(|id| *id == probe.id).unwrap_or(2);
    wanted.sort_by_key(|(hostile, topic, probe)| (*hostile, *topic, first(probe), probe.id));
    let mut seen = BTreeSet::new();
    wanted.into_iter().map(|(_, _, probe)| probe).filter(|p| seen.insert(p.id)).collect()
}

/// A call with its place in the transcript.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Job {
    pub(crate) id: ExchangeId,
    pub(crate) probe: &'static Probe,
    pub(crate) lane: Lane,
    pub(crate) on: Connection,
}

/// The lines that are still open when all rounds are over.
#[derive(Debug)]
pub struct Open {
    pub main: Option<Line>,
    pub sides: Vec<Line>,
}

/// Runs all rounds.
pub async fn run(
    evidence: &mut Evidence,
    line: Line,
    connector: &Connector,
    checks: &[&'static Check],
    watcher: &Watcher,
    interrupt: watch::Receiver<bool>,
    options: &Options,
) -> Open {
    let breaker = Breaker::new(&evidence.conditions);
    let seed = evidence.conditions.seed;
    let probes = probes(checks, evidence);
    let takeover = Takeover::begin(evidence, options, &connector.shared.record, line.connection);
    let mut sides = Sides::new(connector, &breaker, watcher, interrupt.clone());
    let mut runner = Runner::new(line, connector, &breaker, watcher, interrupt, options.rate);
    // Where nobody asks how long calls take, processes may start beside the many of the first round.
    let timed = check::due(checks, evidence).any(|c| c.topic() == Topic::Performance);
    let (last, probes): (Vec<_>, Vec<_>) = probes.into_iter().partition(|p| p.lane == Lane::Last);
    let (at_once, probes): (Vec<_>, Vec<_>) =
        probes.into_iter().partition(|p| p.lane == Lane::AtOnce);
    let mut planted = false;
    for round in 1..=MAX_ROUNDS {
        let mut jobs = plan(evidence, &probes, seed);
        if jobs.is_empty() {
            jobs = plan(evidence, &last, seed);
        }
        if jobs.is_empty() {
            break;
        }
        evidence.conditions.usage.rounds = round;
        watcher(Event::Planned { round, calls: evidence.transcript.len() as u64 });
        let (main, side): (Vec<Job>, Vec<Job>) =
            jobs.into_iter().partition(|job| job.on == Connection::Main);
        let (held, main) = match &takeover {
            Some(takeover) => takeover.hold(evidence, main),
            None => (Vec::new(), main),
        };
        if !planted && connector.starts_processes() && main.iter().any(|job| job.probe.hostile) {
            // Only now: ordinary use is to find the server's folders as it made them.
            planted = true;
            evidence.conditions.canaries.extend(plant_neighbours(&connector.grounds, seed));
        }
        sides.prepare(evidence, &side);
        if timed || round > 1 {
            runner.run(evidence, main).await;
        } else {
            tokio::join!(runner.run(evidence, main), sides.warm());
        }
        if let Some(takeover) = &takeover {
            let left = takeover.settle(evidence, held);
            runner.run(evidence, left).await;
        }
        sides.run(evidence, side).await;
        for _ in 0..MAX_STEPS {
            let next = plan(evidence, &at_once, seed);
            if next.is_empty() {
                break;
            }
            sides.prepare(evidence, &next);
            sides.run(evidence, next).await;
        }
        announce(evidence, checks, watcher);
    }
    if let Some(takeover) = &takeover {
        takeover.end(evidence);
    }
    evidence.conditions.usage.restarts = breaker.restarts();
    Open { main: runner.into_line(), sides: sides.into_lines() }
}

/// Asks every probe what it wants; new wishes enter the transcript, gated ones as skipped.
pub(crate) fn plan(evidence: &mut Evidence, probes: &[&'static Probe], seed: Seed) -> Vec<Job> {
    let mut known: BTreeSet<(String, Subject, String)> = evidence
        .transcript
        .iter()
        .map(|x| (x.probe.clone(), x.subject.clone(), x.label.clone()))
        .collect();
    let mut jobs = Vec::new();
    // One after the other: what one wishes for is news to the next, which may have it go first.
    for probe in probes {
        for call in (probe.plan)(evidence, seed.part(probe.id)) {
            let key = (probe.id.to_owned(), call.subject.clone(), call.label.clone());
            if !known.insert(key) {
                continue;
            }
            let gate = gate(evidence, probe, &call);
            let id = next_id(evidence);
            let lane = lane(evidence, probe, &call);
            evidence.conditions.usage.planned += 1;
            match &gate {
                Some(_) => evidence.conditions.usage.skipped += 1,
                None => {
                    evidence.conditions.usage.made += 1;
                    jobs.push(Job { id, probe, lane, on: call.on });
                }
            }
            let why = gate.unwrap_or(Skip::Interrupted);
            evidence.transcript.push(exchange(id, probe.id, call, Reply::Skipped { why }));
        }
    }
    jobs
}

/// Why this call must not be made, if so.
fn gate(evidence: &Evidence, probe: &Probe, call: &Call) -> Option<Skip> {
    let conditions = &evidence.conditions;
    if conditions.policy.passive {
        return Some(Skip::Passive);
    }
    if let Some(tool) = call.subject.tool() {
        let risk = evidence.risk_of(tool);
        let policy = &conditions.policy;
        let allowed = if probe.hostile { policy.allow_hostile } else { policy.allow };
        // A name that is not in the inventory is our own invention: no tool, no risk.
        if risk > allowed && evidence.tool(tool).is_some() {
            return Some(Skip::Risk { tool: risk, allowed });
        }
    }
    if conditions.usage.made >= conditions.max_calls {
        return Some(Skip::CallBudget { max: conditions.max_calls });
    }
    slow(evidence, probe, call)
}

/// A tool that takes its time would have the whole run for itself.
fn slow(evidence: &Evidence, probe: &Probe, call: &Call) -> Option<Skip> {
    let tool = call.subject.tool().filter(|_| probe.hostile)?;
    let ordinary = evidence.of_tool(VALID, tool).filter(|x| x.reply.result().is_some());
    let quickest = ordinary.map(|x| x.took).min()?;
    let most = match evidence.conditions.profile {
        Profile::Quick => 1,
        Profile::Standard if quickest < SLOWER => 3,
        Profile::Standard => 1,
        Profile::Deep => 20,
    };
    let made = || evidence.of_tool(probe.id, tool).count();
    (quickest >= SLOW && made() >= most).then_some(Skip::SlowTool { calls: most })
}

/// Tools that may change something are never called beside another call: with the order of
/// effects fixed, the same seed gives the same answers.
fn lane(evidence: &Evidence, probe: &Probe, call: &Call) -> Lane {
    let reads = || call.subject.tool().is_none_or(|t| evidence.risk_of(t) == Risk::Reads);
    let tool = || call.subject.tool().and_then(|name| evidence.tool(name));
    // What a process does to its own folders can be seen of one we started.
    let watched = || {
        evidence.conditions.transport == Transport::Stdio
            && tool().is_some_and(|tool| claims::is_first(tool, probe.id, &call.label))
    };
    if probe.lane == Lane::Shared && (!reads() || watched()) { Lane::Alone } else { probe.lane }
}

fn exchange(id: ExchangeId, probe: &str, call: Call, reply: Reply) -> Exchange {
    Exchange {
        id,
        probe: probe.to_owned(),
        label: call.label,
        subject: call.subject,
        send: call.send,
        on: call.on,
        reply: reply.into(),
        control: call.control,
        oracle: call.oracle,
        http: None,
        frames: Vec::new(),
        started: Micros(0),
        took: Micros(0),
    }
}

/// Records that the server went away by itself.
pub(crate) fn note_departure(
    evidence: &mut Evidence,
    connection: u32,
    during: Option<ExchangeId>,
    exit: Option<proofmark_core::evidence::Exit>,
    at: Micros,
) {
    evidence.departures.push(Departure {
        connection,
        unexpected: true,
        during,
        exit,
        needed: None,
        at,
    });
}

/// Tells watchers what the checks say so far, beside the run: judging must not hold it up.
fn announce(evidence: &Evidence, checks: &[&'static Check], watcher: &Watcher) {
    if !is_watched(watcher) {
        return;
    }
    let (evidence, checks, watcher) = (evidence.clone(), checks.to_vec(), Arc::clone(watcher));
    tokio::task::spawn_blocking(move || {
        let (mut failed, mut passed, mut unseen) = (0, 0, 0);
        for judged in check::judge(&evidence, &checks) {
            for finding in &judged.findings {
                match finding.outcome() {
                    Outcome::Fail => failed += 1,
                    Outcome::Pass => passed += 1,
                    Outcome::Unseen => unseen += 1,
                }
            }
        }
        watcher(Event::Findings { failed, passed, unseen });
    });
}
