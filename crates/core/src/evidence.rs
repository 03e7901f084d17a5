//! Evidence: everything one run saw, and nothing it thought about it.

mod code;
mod conditions;
mod definitions;
mod dependencies;
mod digest;
mod exchange;
mod file;
mod frame;
mod inventory;
mod observation;
mod pieces;
mod reuse;
mod shared;
mod source;
mod startup;
mod tagged;
mod transcript;
mod visit;

pub use code::{
    Code, Distribution, Embedded, Flow, Habit, HabitKind, Language, LeftOut, Registration, Spot,
    Variable,
};
pub use conditions::{
    Canary, CanaryPlace, ClientCapabilities, ClientName, Conditions, Isolation, IsolationLevel,
    Policy, Profile, Scope, TokenKind, Usage,
};
pub use definitions::Definition;
pub use dependencies::{
    Advisories, Advisory, Affected, Bound, Dependencies, Ecosystem, LockFile, LockFormat, Locked,
    Rating,
};
pub(crate) use digest::steady;
pub use exchange::{
    EventStream, Exchange, ExchangeId, HttpFacts, Incoming, Reply, Skip, StreamEvent, Subject,
    SubjectKind,
};
pub use file::{EvidenceError, SCHEMA, json_schema};
pub use frame::{Anomaly, AnomalyKind, Direction, Frame, FrameId, Micros};
pub use inventory::{
    Inventory, ListState, Listing, Malformed, Prompt, PromptArgument, Resource, Template, Tool,
};
pub use observation::Observation;
pub use reuse::Reuse;
pub use shared::{EachReply, Shared};
pub use source::{Around, Document, FileLines, Package, Sizes, Source};
pub use startup::{Departure, DownCause, Exit, Handshake, Link, Push, ServerInfo, Startup};
pub use transcript::Transcript;
pub use visit::Visit;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::dimensions::ask::{AnswerBook, GeneratedCase};
use crate::probe::Risk;
use crate::revision::Revision;
use crate::target::Target;

/// One run, recorded. Serialises to an evidence file; checks judge nothing else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// Format and version, e.g. `proofmark.evidence/1.0`.
    pub schema: String,
    /// The version of Proofmark that gathered it.
    pub proofmark: String,
    pub target: Target,
    pub conditions: Conditions,
    pub startup: Startup,
    pub handshake: Option<Handshake>,
    /// Further connections, in the order they were opened.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<Link>,
    pub inventory: Inventory,
    /// Requests and notifications that the server started.
    pub incoming: Vec<Incoming>,
    /// What the wire saw and no exchange explains.
    pub anomalies: Vec<Anomaly>,
    pub stderr: Vec<String>,
    /// Lines of stderr beyond the limit, not kept.
    #[serde(default)]
    pub stderr_dropped: u64,
    /// Each time the server went away: crash, restart, shutdown.
    pub departures: Vec<Departure>,
    pub effects: Vec<Effect>,
    /// What the processes did during calls that were made alone, in the order of the transcript.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observations: Vec<Observation>,
    /// What single calls left behind, for those that were watched.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub traces: Vec<Trace>,
    /// What our own pages were asked for, in order of arrival.
    #[serde(default)]
    pub visits: Vec<Visit>,
    pub source: Option<Source>,
    /// Test cases that a model wrote for this run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub generated: Vec<GeneratedCase>,
    /// What a model answered about this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<AnswerBook>,
    /// What ordinary answers cost a model in tokens, counted when the evidence was gathered.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub answer_tokens: BTreeMap<ExchangeId, u32>,
    /// What was taken over from an earlier run, in an incremental one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reuse: Option<Reuse>,
    /// Ordered by plan, not by completion.
    // The long lists come last: a reader finds all else before them, and can read them apart.
    #[schemars(with = "Vec<Exchange>")]
    pub transcript: Transcript,
    /// Every raw frame, in order of arrival.
    pub frames: Vec<Frame>,
}

/// Something that changed on our side of the fence while the server ran.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Effect {
    FileCreated { path: String },
    FileChanged { path: String },
    FileDeleted { path: String },
}

impl Effect {
    pub fn path(&self) -> &str {
        match self {
            Effect::FileCreated { path }
            | Effect::FileChanged { path }
            | Effect::FileDeleted { path } => path,
        }
    }

    /// The same at another path.
    pub(crate) fn at(&self, path: String) -> Effect {
        match self {
            Effect::FileCreated { .. } => Effect::FileCreated { path },
            Effect::FileChanged { .. } => Effect::FileChanged { path },
            Effect::FileDeleted { .. } => Effect::FileDeleted { path },
        }
    }
}

/// What changed while one call was under way and nothing else was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    pub exchange: ExchangeId,
    /// Empty: watched, and nothing changed.
    #[serde(default)]
    pub effects: Vec<Effect>,
    /// Files that were there before and are longer now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grown: Vec<String>,
    /// Files that were there before and were written, if only with what they held.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rewritten: Vec<String>,
}

impl Evidence {
    /// An empty record of a run that is about to start.
    pub fn begin(target: Target, conditions: Conditions) -> Evidence {
        Evidence {
            schema: SCHEMA.to_owned(),
            proofmark: crate::VERSION.to_owned(),
            target,
            conditions,
            startup: Startup::NotTried,
            handshake: None,
            links: Vec::new(),
            inventory: Inventory::default(),
            transcript: Transcript::default(),
            incoming: Vec::new(),
            anomalies: Vec::new(),
            frames: Vec::new(),
            stderr: Vec::new(),
            stderr_dropped: 0,
            departures: Vec::new(),
            effects: Vec::new(),
            observations: Vec::new(),
            traces: Vec::new(),
            visits: Vec::new(),
            source: None,
            generated: Vec::new(),
            answers: None,
            answer_tokens: BTreeMap::new(),
            reuse: None,
        }
    }

    /// The exchanges of one probe, in plan order.
    pub fn of(&self, probe: &str) -> impl Iterator<Item = &Exchange> + use<'_> {
        self.transcript.of(probe)
    }

    /// What the server's processes did during a call, where that was seen.
    pub fn observed(&self, x: &Exchange) -> Option<&Observation> {
        self.observations.iter().find(|seen| seen.exchange == x.id)
    }

    /// The frames that came back for a call.
    pub fn received<'a>(&'a self, x: &'a Exchange) -> impl Iterator<Item = &'a Frame> {
        let frames = x.frames.iter().filter_map(|id| self.frames.get(id.0 as usize));
        frames.filter(|frame| frame.direction == Direction::Received)
    }

    /// The exchanges of one probe with one tool.
    pub fn of_tool<'a>(
        &'a self,
        probe: &'a str,
        tool: &'a str,
    ) -> impl Iterator<Item = &'a Exchange> {
        self.of(probe).filter(move |x| x.subject.tool() == Some(tool))
    }

    /// What a call left behind; `None` if it was not watched.
    pub fn trace(&self, id: ExchangeId) -> Option<&Trace> {
        self.traces.iter().find(|t| t.exchange == id)
    }

    pub fn exchange(&self, id: ExchangeId) -> Option<&Exchange> {
        self.transcript.get(id.0 as usize).filter(|x| x.id == id)
    }

    /// The tools of the inventory that the run's filters did not exclude.
    pub fn tools(&self) -> impl Iterator<Item = &Tool> {
        self.inventory.tools.iter().filter(|t| self.conditions.scope.includes_tool(&t.name))
    }

    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.inventory.tools.iter().find(|t| t.name == name)
    }

    pub fn revision(&self) -> Option<Revision> {
        self.handshake.as_ref().map(|h| h.revision)
    }

    pub fn is_up(&self) -> bool {
        matches!(self.startup, Startup::Up { .. })
    }

    /// What calling this tool may do, as far as we can guess.
    pub fn risk_of(&self, tool: &str) -> Risk {
        self.tool(tool).map_or(Risk::Writes, Risk::of_tool)
    }

    /// Why the tools are not known, if that is so.
    pub fn why_no_tools(&self) -> Option<String> {
        self.why_unseen().or_else(|| match &self.inventory.listing("tools/list")?.state {
            ListState::Failed { why } => Some(format!("tools/list gave no list: {why}")),
            ListState::Complete
            | ListState::NotOffered
            | ListState::Loop { .. }
            | ListState::Capped { .. } => None,
        })
    }

    /// Why nothing about the running server can be known, if that is so.
    pub fn why_unseen(&self) -> Option<String> {
        match &self.startup {
            Startup::Up { .. } => None,
            Startup::NotTried => Some("no server was started".to_owned()),
            Startup::Down { says, .. } => Some(format!("the server did not come up: {says}")),
        }
    }
}
