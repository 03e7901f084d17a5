//! Target in, evidence out: the stages of a run in order.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::future::join_all;
use proofmark_core::check::Check;
use proofmark_core::event::{Event, Watcher};
use proofmark_core::evidence::{
    Anomaly, AnomalyKind, Departure, Direction, DownCause, Evidence, Isolation, Reply, Reuse,
    Startup,
};
use proofmark_core::fixtures::FixtureError;
use proofmark_core::spec::Door;
use proofmark_core::target::Target;
use tokio::sync::watch;

use crate::connect::{Connector, Line, NoLine, Opening};
use crate::options::Options;
use crate::schedule::Open;
use crate::session::Said;
use crate::site::Site;
use crate::startup::{self, Facts, diagnose};
use crate::{advisories, inventory, listening, program, rehearsal, schedule, source, tokens};

/// Name of the probe in the transcript.
const HANDSHAKE: &str = "handshake";
/// Lists come from servers that may still be warming up.
const LIST_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a dying server may take to say why.
const LAST_WORDS: Duration = Duration::from_millis(500);
const STDERR_TAIL: usize = 40;

/// We or the user are wrong; there is no evidence. A server that misbehaves is never an error here.
#[derive(Debug, thiserror::Error)]
pub enum GatherError {
    #[error("can't prepare the scratch area: {0}; check that the temporary directory is writable")]
    Scratch(#[from] std::io::Error),
    #[error("{0}")]
    Wire(#[from] crate::wire::WireError),
    #[error("{0}")]
    Fixture(#[from] FixtureError),
}

/// Runs every probe that the checks need and returns what was seen. `interrupt` turning true ends
/// the run early: what was not made is recorded as skipped, and everything started is ended.
pub async fn gather(
    target: &Target,
    options: &Options,
    checks: &[&'static Check],
    watcher: &Watcher,
    interrupt: watch::Receiver<bool>,
) -> Result<Evidence, GatherError> {
    let began = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let site = Site::prepare(target, options)?;
    let mut evidence = Evidence::begin(site.shown(target), site.conditions(target, options));
    evidence.conditions.usage.began = began;
    evidence.generated.clone_from(&options.generated);
    if !matches!(target, Target::Source { .. }) {
        let connector = site.connector(target, options);
        watcher(Event::Starting { target: evidence.target.line() });
        let (like, due) = (evidence.clone(), checks.to_vec());
        tokio::task::spawn_blocking(move || rehearsal::rehearse(like, &due));
        tokio::task::spawn_blocking(tokens::load);
        let run = Run { site: &site, connector: &connector, options, checks, watcher };
        if options.incremental.is_some() {
            let program = program::fingerprint(target);
            evidence.reuse = Some(Reuse { program, ..Reuse::default() });
        }
        run.visit(&mut evidence, interrupt).await?;
    }
    // Only now: a package runner downloads the package when the server is started.
    let dir = options.source.as_deref();
    evidence.source = source::read(target, dir);
    if let Some(source) = &mut evidence.source {
        source::study(target, dir, source, watcher);
    }
    let dependencies = evidence.source.as_mut().and_then(|s| s.dependencies.as_mut());
    if let (Some(dependencies), Some(lookup)) = (dependencies, &options.lookup) {
        advisories::look_up(dependencies, lookup).await;
    }
    close(&mut evidence, &site);
    watcher(Event::Done { wall_ms: evidence.conditions.usage.wall.millis() });
    Ok(evidence)
}

/// What one run works with.
struct Run<'a> {
    site: &'a Site,
    connector: &'a Connector,
    options: &'a Options,
    checks: &'a [&'static Check],
    watcher: &'a Watcher,
}

impl Run<'_> {
    /// Everything that happens while the server is there.
    async fn visit(
        &self,
        evidence: &mut Evidence,
        mut interrupt: watch::Receiver<bool>,
    ) -> Result<(), GatherError> {
        let opening = tokio::select! {
            opening = open(self.connector) => opening,
            _ = interrupt.wait_for(|stop| *stop) => return Ok(()),
        };
        let line = match opening {
            Ok((line, opening)) => {
                self.welcome(evidence, &line, opening);
                line
            }
            Err((no_line, said)) => {
                self.turned_away(evidence, no_line, said).await;
                self.at_the_door(evidence, interrupt).await;
                return Ok(());
            }
        };
        let patience = self.options.call_timeout.max(LIST_TIMEOUT);
        inventory::take(&line.session, evidence, patience).await;
        let inventory = &evidence.inventory;
        (self.watcher)(Event::Inventory {
            tools: inventory.tools.len(),
            resources: inventory.resources.len(),
            prompts: inventory.prompts.len(),
        });
        match self.options.fixtures.check(&evidence.inventory.tools) {
            Ok(notes) => notes.into_iter().for_each(|text| (self.watcher)(Event::Note { text })),
            Err(error) => {
                line.end().await;
                return Err(error.into());
            }
        }
        let open = schedule::run(
            evidence,
            line,
            self.connector,
            self.checks,
            self.watcher,
            interrupt,
            self.options,
        );
        let Open { main, sides } = open.await;
        if let Some(process) = main.as_ref().and_then(|line| line.process.as_ref()) {
            evidence.conditions.listens = listening::of_tree(process.pid());
        }
        self.part(evidence, sides.into_iter().chain(main)).await;
        Ok(())
    }

    /// Ends every line, all at once, and writes down how hard that was: some stay for a while.
    async fn part(&self, evidence: &mut Evidence, lines: impl Iterator<Item = Line>) {
        let ends = lines.map(|line| async {
            let (connection, at) = (line.connection, self.connector.shared.record.now());
            let (exit, needed) = line.end().await;
            Departure { connection, unexpected: false, during: None, exit, needed, at }
        });
        evidence.departures.extend(join_all(ends).await);
    }

    /// A server that wants a credential can still be asked how it wants it.
    async fn at_the_door(&self, evidence: &mut Evidence, interrupt: watch::Receiver<bool>) {
        let Startup::Down { cause: DownCause::Unauthorized, .. } = evidence.startup else { return };
        let Ok(line) = self.connector.reach(self.options.client).await else { return };
        let about =
            |check: &&&'static Check| check.requirements.iter().any(|r| r.door == Door::Locked);
        let checks: Vec<&'static Check> = self.checks.iter().filter(about).copied().collect();
        let options = &Options { incremental: None, ..self.options.clone() };
        let (connector, watcher) = (self.connector, self.watcher);
        let open = schedule::run(evidence, line, connector, &checks, watcher, interrupt, options);
        let Open { main, sides } = open.await;
        self.part(evidence, sides.into_iter()).await;
        if let Some(line) = main {
            line.end().await;
        }
    }

    fn welcome(&self, evidence: &mut Evidence, line: &Line, opening: Opening) {
        let took = self.connector.shared.record.now();
        said_into(evidence, opening.said);
        if let Some(process) = &line.process {
            self.isolated(evidence, process.isolation());
        }
        let server = &opening.handshake.server;
        (self.watcher)(Event::Up {
            server: server.name.clone().unwrap_or_else(|| "unnamed server".to_owned()),
            revision: opening.handshake.revision.to_string(),
            took_ms: took.millis(),
        });
        evidence.startup = Startup::Up { took };
        evidence.handshake = Some(opening.handshake);
    }

    fn isolated(&self, evidence: &mut Evidence, isolation: &Isolation) {
        evidence.conditions.policy = self.site.allowed(self.options, isolation);
        evidence.conditions.isolation = isolation.clone();
        let Isolation { level, notes } = isolation.clone();
        (self.watcher)(Event::Isolated { level, notes });
    }

    async fn turned_away(&self, evidence: &mut Evidence, no_line: NoLine, said: Vec<Said>) {
        if let NoLine::Refused { process: Some(process), .. } = &no_line {
            self.isolated(evidence, process.isolation());
        }
        evidence.startup = down(self.connector, no_line, &said).await;
        said_into(evidence, said);
        if let Startup::Down { cause, says, .. } = &evidence.startup {
            (self.watcher)(Event::Down { cause: cause.to_string(), says: says.clone() });
        }
    }
}

pub(crate) type Tried = (NoLine, Vec<Said>);

/// Opens the session; a server that dies of the newest question gets the older one alone.
pub(crate) async fn open(connector: &Connector) -> Result<(Line, Opening), Tried> {
    match connector.open(true).await {
        Ok(open) => Ok(open),
        Err(NoLine::Refused { refusal, process }) if refusal.died_of_discover => {
            drop(process);
            let first = refusal.said;
            match connector.open(false).await {
                Ok((line, mut opening)) => {
                    let shift = u32::try_from(first.len()).unwrap_or(0);
                    opening.handshake.exchange.0 += shift;
                    opening.said = first.into_iter().chain(opening.said).collect();
                    Ok((line, opening))
                }
                Err(no_line) => Err(split(no_line, first)),
            }
        }
        Err(no_line) => Err(split(no_line, Vec::new())),
    }
}

fn split(mut no_line: NoLine, mut said: Vec<Said>) -> Tried {
    if let NoLine::Refused { refusal, .. } = &mut no_line {
        said.append(&mut refusal.said);
    }
    (no_line, said)
}

fn said_into(evidence: &mut Evidence, said: Vec<Said>) {
    for one in said {
        inventory::record(evidence, HANDSHAKE, one.label.to_owned(), one.send, one.answered);
    }
}

/// The verdict on a server that did not come up.
pub(crate) async fn down(connector: &Connector, no_line: NoLine, said: &[Said]) -> Startup {
    let record = &connector.shared.record;
    let mut facts = Facts { waited: connector.startup_timeout, ..Facts::default() };
    match &connector.target {
        Target::Stdio { command, .. } => facts.command = Some(command.clone()),
        Target::Http { url, .. } | Target::Sse { url, .. } => {
            facts.url = Some(record.scrub().text(url))
        }
        Target::Source { .. } => {}
    }
    match no_line {
        NoLine::Launch(error) => facts.launch = Some(error),
        NoLine::Wire(error) => facts.unreachable = Some(error.to_string()),
        NoLine::Refused { refusal, process } => {
            facts.unreachable = refusal.error.map(|e| e.to_string());
            if let Some(mut process) = process {
                // Only one that hung up on us has ended by itself; the others end because we
                // have closed their input.
                let hung_up = said.last().is_some_and(|s| s.answered.reply == Reply::Disconnected);
                if hung_up {
                    facts.exit = process.wait_exit(LAST_WORDS).await;
                }
                facts.stderr_tail = process.stderr_tail(STDERR_TAIL);
                process.end().await;
            }
        }
    }
    let last = said.iter().rev().find_map(|s| s.answered.http.as_ref());
    facts.status = last.map(|h| h.status);
    facts.location = last.and_then(|h| h.headers.get("location").cloned());
    facts.refusal = said.iter().rev().find_map(|s| match &s.answered.reply {
        Reply::Error { code, message, .. } if s.label == "initialize" => {
            Some(startup::Refusal { code: *code, message: message.clone() })
        }
        Reply::Error { .. }
        | Reply::Result { .. }
        | Reply::Malformed { .. }
        | Reply::Silence
        | Reply::TimedOut { .. }
        | Reply::Disconnected
        | Reply::Skipped { .. } => None,
    });
    let kept = record.kept();
    facts.heard = kept
        .frames
        .iter()
        .any(|f| f.direction == Direction::Received && f.text.contains("\"jsonrpc\""));
    let odd = |kind| matches!(kind, AnomalyKind::NotJson | AnomalyKind::NotAMessage);
    let text = |a: &Anomaly| kept.frames.get(a.frame?.0 as usize).map(|f| f.text.clone());
    facts.garbage = kept.anomalies.iter().filter(|a| odd(a.kind)).filter_map(text).collect();
    diagnose(&facts)
}

/// Freezes the evidence.
fn close(evidence: &mut Evidence, site: &Site) {
    let kept = site.record.kept();
    evidence.frames = kept.frames;
    evidence.anomalies = kept.anomalies;
    evidence.incoming = kept.incoming;
    evidence.stderr = kept.stderr;
    evidence.stderr_dropped = kept.stderr_dropped;
    evidence.effects = site.effects();
    tokens::count(&mut evidence.inventory.tools);
    tokens::count_answers(evidence);
    evidence.visits = site.visits();
    let skipped =
        evidence.transcript.iter().filter(|x| matches!(*x.reply, Reply::Skipped { .. })).count()
            as u64;
    let usage = &mut evidence.conditions.usage;
    usage.planned = evidence.transcript.len() as u64;
    usage.skipped = skipped;
    usage.made = usage.planned - skipped;
    usage.wall = site.record.now();
}
