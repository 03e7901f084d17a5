//! Target in, evidence out: the stages of a run in order.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use proofmark_core::check::Check;
use proofmark_core::event::{Event, Watcher};
use proofmark_core::evidence::{
    Anomaly, AnomalyKind, Conditions, Departure, Direction, Evidence, Isolation, IsolationLevel,
    Policy as Allowed, Profile, Reply, Startup, Usage,
};
use proofmark_core::probe::Risk;
use proofmark_core::scrub::{SCRATCH, Scrub};
use proofmark_core::target::Target;
use tokio::sync::watch;

use crate::canary::{Planted, plant};
use crate::connect::{Connector, Line, NoLine, Opening};
use crate::isolate::Scratch;
use crate::options::Options;
use crate::record::Record;
use crate::session::{Policy, Said};
use crate::startup::{self, Facts, diagnose};
use crate::wire::Shared;
use crate::{inventory, schedule, source};

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
    if !matches!(target, Target::Source { .. }) {
        let connector = site.connector(target, options);
        watcher(Event::Starting { target: evidence.target.line() });
        let run = Run { site: &site, connector: &connector, options, checks, watcher };
        run.visit(&mut evidence, interrupt).await;
    }
    // Only now: a package runner downloads the package when the server is started.
    evidence.source = source::read(target, options.source.as_deref());
    close(&mut evidence, &site);
    watcher(Event::Done { wall_ms: evidence.conditions.usage.wall.millis() });
    Ok(evidence)
}

/// The ground on which a run takes place.
struct Site {
    scratch: Arc<Scratch>,
    planted: Planted,
    record: Arc<Record>,
    before: crate::isolate::Snapshot,
}

impl Site {
    fn prepare(target: &Target, options: &Options) -> Result<Site, GatherError> {
        let scratch = Scratch::new()?;
        let planted = plant(&scratch, options.seed.part("canaries"))?;
        let mut scrub = Scrub::default();
        scrub.learn(target);
        for (real, placeholder) in scratch.placeholders() {
            scrub.add(real, placeholder);
        }
        let before = scratch.snapshot();
        Ok(Site {
            scratch: Arc::new(scratch),
            planted,
            record: Arc::new(Record::new(scrub)),
            before,
        })
    }

    /// The target as the evidence shows it.
    fn shown(&self, target: &Target) -> Target {
        self.record.scrub().target(&self.expanded(target))
    }

    /// `{workspace}` and `{repo}` in arguments and variables name planted places.
    fn expanded(&self, target: &Target) -> Target {
        let mut names = Scrub::default();
        let workspace = self.scratch.workspace();
        names.add("{workspace}", workspace.to_string_lossy());
        names.add("{repo}", workspace.join("repo").to_string_lossy());
        names.target(target)
    }

    fn connector(&self, target: &Target, options: &Options) -> Connector {
        let target = self.expanded(target);
        Connector {
            target,
            scratch: Arc::clone(&self.scratch),
            planted: self.planted.env.clone(),
            isolation: options.isolation,
            shim: options.shim.clone(),
            shared: Shared { record: Arc::clone(&self.record), max_frame: options.max_frame },
            policy: Policy {
                client: options.client,
                workspace: self.scratch.workspace(),
                seed: options.seed.part("policy"),
            },
            pinned: options.protocol,
            startup_timeout: options.startup_timeout,
            opened: AtomicU32::new(0),
        }
    }

    /// What may be called: everything where nothing of value is in reach, else only what reads.
    ///
    /// Credentials reach beyond the sandbox, so with them a run is disposable only by the user's
    /// word.
    fn allowed(&self, options: &Options, isolation: &Isolation) -> Allowed {
        let credentials = self.record.scrub().knows_secrets();
        let walled = isolation.level >= IsolationLevel::Confined && !credentials;
        let disposable = options.disposable || walled;
        let default = if disposable { Risk::Destroys } else { Risk::Reads };
        let allow = options.allow.unwrap_or(default);
        Allowed {
            passive: options.passive,
            allow,
            allow_hostile: if disposable { allow } else { Risk::Reads },
            disposable,
        }
    }

    fn conditions(&self, target: &Target, options: &Options) -> Conditions {
        // For a server we start ourselves, what was reached is known once it runs.
        let isolation = Isolation {
            level: IsolationLevel::None,
            notes: vec!["the server runs elsewhere; nothing of it is isolated".to_owned()],
        };
        let profile = options.profile;
        let max_time = options.max_time.unwrap_or_else(|| default_time(profile));
        Conditions {
            seed: options.seed,
            profile,
            transport: target.transport(),
            audit: options.audit.unwrap_or_else(|| target.audit_kind()),
            policy: self.allowed(options, &isolation),
            scope: options.scope.clone(),
            isolation,
            client: options.client,
            pinned: options.protocol,
            call_timeout_ms: millis(options.call_timeout),
            max_calls: options.max_calls.unwrap_or_else(|| default_calls(profile)),
            max_time_ms: millis(max_time),
            concurrency: options.concurrency,
            canaries: self.planted.canaries.clone(),
            workspace: format!("{SCRATCH}/workspace"),
            usage: Usage::default(),
        }
    }
}

fn default_calls(profile: Profile) -> u64 {
    match profile {
        Profile::Quick => 500,
        Profile::Standard => 5_000,
        Profile::Deep => 50_000,
    }
}

fn default_time(profile: Profile) -> Duration {
    match profile {
        Profile::Quick => Duration::from_secs(60),
        Profile::Standard => Duration::from_secs(300),
        Profile::Deep => Duration::from_secs(1_800),
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
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
    async fn visit(&self, evidence: &mut Evidence, mut interrupt: watch::Receiver<bool>) {
        let opening = tokio::select! {
            opening = open(self.connector) => opening,
            _ = interrupt.wait_for(|stop| *stop) => return,
        };
        let line = match opening {
            Ok((line, opening)) => {
                self.welcome(evidence, &line, opening);
                line
            }
            Err((no_line, said)) => {
                self.turned_away(evidence, no_line, said).await;
                return;
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
        let line = schedule::run(
            evidence,
            line,
            self.connector,
            self.checks,
            self.watcher,
            interrupt,
            self.options.rate,
        );
        if let Some(line) = line.await {
            let (connection, at) = (line.connection, self.connector.shared.record.now());
            let (exit, needed) = line.end().await;
            let farewell =
                Departure { connection, unexpected: false, during: None, exit, needed, at };
            evidence.departures.push(farewell);
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

type Tried = (NoLine, Vec<Said>);

/// Opens the session; a server that dies of the newest question gets the older one alone.
async fn open(connector: &Connector) -> Result<(Line, Opening), Tried> {
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
async fn down(connector: &Connector, no_line: NoLine, said: &[Said]) -> Startup {
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
    facts.status = said.iter().rev().find_map(|s| s.answered.http.as_ref()).map(|h| h.status);
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
    evidence.effects = site.scratch.changes_since(&site.before);
    let skipped =
        evidence.transcript.iter().filter(|x| matches!(x.reply, Reply::Skipped { .. })).count()
            as u64;
    let usage = &mut evidence.conditions.usage;
    usage.planned = evidence.transcript.len() as u64;
    usage.skipped = skipped;
    usage.made = usage.planned - skipped;
    usage.wall = site.record.now();
}
