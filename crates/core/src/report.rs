//! The report: what machines read, and what every renderer draws from. A pure function of
//! evidence and rubric, so judging again gives the same bytes.

mod accuracy;
mod build;
mod code;
mod evaluation;
mod findings;
mod modules;
mod recommend;
mod reproduce;
mod requirements;
mod responses;
mod reuse;
mod select;
mod tools;

pub use accuracy::{AccuracyReport, CheckAccuracy};
pub use evaluation::{DimensionReport, EvaluationReport, EvaluationTimings, OpinionReport};
pub use modules::{ModuleReport, ModuleStatus};
pub use responses::{ClassificationReport, MetadataReport, ScenarioCounts};
pub use reuse::ReuseReport;
pub use select::by_check;
pub use tools::is_benign_answer;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::capabilities::{Capable, Leg};
use crate::check::{Class, Confidence, Facet, Measure, Outcome, Severity, Standing, Topic};
use crate::evidence::{
    Dependencies, Distribution, Effect, ExchangeId, Isolation, Language, LeftOut, Profile,
    Registration, Scope, Spot, Startup, Subject,
};
use crate::gate::GateReport;
use crate::proof::Proof;
use crate::response::Category;
use crate::revision::Revision;
use crate::seed::Seed;
use crate::sieve::{Settled, SieveReport};
use crate::spec::{Level, Origin, Verdict};
use crate::suggest::Suggestion;
use crate::target::{AuditKind, Target, Transport};

/// Format and version of the JSON report.
pub const SCHEMA: &str = "proofmark.report/1.0";

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Report {
    pub schema: &'static str,
    pub proofmark: String,
    pub rubric: RubricName,
    pub target: Target,
    pub server: ServerSummary,
    pub conditions: ConditionsSummary,
    pub startup: Startup,
    /// `None` when nothing at all could be seen.
    pub score: Option<f64>,
    /// Lowest and highest the score could be, had everything been seen.
    pub bounds: [f64; 2],
    pub level: String,
    /// Why the top level was withheld although the score reaches it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_back: Option<String>,
    /// Share of what the rubric asks for that was seen, 0 to 100.
    pub coverage: f64,
    /// How much was looked at, 0 to 100: full at 50 calls of tools, 20 scenarios, 100 responses.
    pub confidence: f64,
    /// The other opinions over the same evidence, by rubric id.
    pub scores: BTreeMap<String, ScoreSummary>,
    pub areas: Vec<AreaReport>,
    /// The calls judged case by case in five dimensions; `None` when no tool was called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<EvaluationReport>,
    /// The modules of the scoring guide, with a status each.
    pub modules: Vec<ModuleReport>,
    pub tools: Vec<ToolReport>,
    pub findings: Vec<FindingReport>,
    /// How right the checks behind the findings are, measured on servers of which the truth is known.
    pub accuracy: AccuracyReport,
    /// What the tools can do together: those that read private data, bring in untrusted content, or
    /// can carry text out.
    pub capabilities: BTreeMap<Leg, Vec<Capable>>,
    /// What became of files in the scratch area, by path: nothing else was within reach.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Effect>,
    pub requirements: Vec<RequirementReport>,
    pub recommendations: Vec<Recommendation>,
    /// Better definitions for the tools that need it most, where they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<Suggestion>,
    /// What suppressions, the floor of confidence and the baseline came to, where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sieve: Option<SieveReport>,
    /// What the report was asked to reach, and whether it did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gates: Vec<GateReport>,
    /// What is of an earlier run, in an incremental one. Comparison of runs ignores it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reuse: Option<ReuseReport>,
    pub evidence_digest: String,
    /// What it is built from; drawn by the bill of materials, too long for the report.
    #[serde(skip)]
    pub dependencies: Option<Dependencies>,
    /// Everything that depends on the clock. Comparison of runs ignores it.
    pub timings: Timings,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RubricName {
    pub id: String,
    pub version: String,
    pub title: String,
}

/// What the server says of itself, and which SDK it seems to be built on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct ServerSummary {
    pub name: Option<String>,
    pub version: Option<String>,
    pub sdk: Option<SdkSummary>,
    /// How people get it, as far as it shows.
    pub distribution: Vec<Distribution>,
    /// What was read of its source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<CodeSummary>,
    pub tools: usize,
    pub resources: usize,
    pub templates: usize,
    pub prompts: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CodeSummary {
    pub files: BTreeMap<Language, u32>,
    pub left_out: BTreeMap<LeftOut, u32>,
    /// Tools that the source registers, with their places.
    pub tools: Vec<Registration>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SdkSummary {
    pub name: String,
    pub version: Option<String>,
    pub confidence: Confidence,
    pub because: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ConditionsSummary {
    pub isolation: Isolation,
    pub revision: Option<String>,
    pub transport: Transport,
    pub audit: AuditKind,
    pub seed: Seed,
    pub profile: Profile,
    pub passive: bool,
    pub disposable: bool,
    /// What the run was told to look at.
    #[serde(default, skip_serializing_if = "Scope::is_everything")]
    pub scope: Scope,
    pub budget: BudgetSummary,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BudgetSummary {
    pub max_calls: u64,
    /// Without the calls that are only made for their timing; see [`Timings`].
    pub planned: u64,
    pub made: u64,
    pub skipped: u64,
    pub restarts: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ScoreSummary {
    pub score: Option<f64>,
    pub level: String,
    pub bounds: [f64; 2],
    pub coverage: f64,
    /// How it came about, for those who draw it; the JSON has it of the report's own rubric only.
    #[serde(skip)]
    pub areas: Vec<AreaReport>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AreaReport {
    pub id: String,
    pub title: String,
    pub score: Option<f64>,
    pub bounds: [f64; 2],
    pub weight: f64,
    pub coverage: f64,
    pub status: AreaStatus,
    pub level: Option<String>,
    pub parts: Vec<PartReport>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AreaStatus {
    Scored,
    /// Nobody looked, or nothing could be seen.
    Unobserved,
    /// The audit type excludes it, or there is nothing of the kind to judge.
    NotApplicable,
    /// Shown, never counted.
    Info,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PartReport {
    pub id: String,
    pub title: String,
    pub score: Option<f64>,
    pub bounds: [f64; 2],
    pub weight: f64,
    pub coverage: f64,
    pub status: AreaStatus,
    pub facets: Vec<Facet>,
    pub passed: usize,
    pub failed: usize,
    pub unseen: usize,
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ToolVerdict {
    Working,
    PartiallyWorking,
    Broken,
    Unexercised,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ToolReport {
    pub name: String,
    pub verdict: ToolVerdict,
    pub why: String,
    pub calls: usize,
    pub latency_ms: Option<Latency>,
    /// What its definition costs a model; `None` when nobody counted.
    pub tokens: Option<u32>,
    /// `None` when no valid call came to anything.
    pub classification: Option<ClassificationReport>,
    /// `None` when no scenario got a result.
    pub metadata: Option<MetadataReport>,
    /// Scenarios by category and outcome.
    pub scenarios: BTreeMap<Category, ScenarioCounts>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Latency {
    pub p50: f64,
    pub p95: f64,
    pub max: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FindingReport {
    /// Stable fingerprint: check and subject, not wording.
    pub id: String,
    pub check: &'static str,
    pub title: &'static str,
    pub topic: Topic,
    pub facet: Facet,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<Class>,
    /// The number of the class in the Common Weakness Enumeration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwe: Option<&'static str>,
    /// Its entries in the OWASP Top 10 for LLM applications and for MCP.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owasp: Option<&'static [&'static str]>,
    pub severity: Severity,
    pub outcome: Outcome,
    pub standing: Standing,
    pub confidence: Confidence,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grade: Option<f64>,
    pub subject: Subject,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requirement: Option<&'static str>,
    pub says: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
    /// A command line that shows a proven hole again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reproduce: Option<String>,
    pub seen_in: Vec<ExchangeId>,
    /// The line of the source that is to blame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Spot>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measure: Option<Measure>,
    /// What the user has settled about it.
    #[serde(flatten)]
    pub settled: Settled,
}

/// One requirement of the spec in one revision that the server speaks.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RequirementReport {
    pub id: &'static str,
    pub revision: Revision,
    pub level: Level,
    pub verdict: Verdict,
    /// Passed, but not quite as required.
    pub partial: bool,
    pub says: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
    /// Whether a fault, failed or tolerated, comes with the SDK.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    pub seen_in: Vec<ExchangeId>,
}

impl RequirementReport {
    /// Failed, or tolerated only.
    pub fn is_fault(&self) -> bool {
        self.verdict == Verdict::Fail || self.partial
    }
}

/// One thing to do, with what it is worth.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Recommendation {
    pub check: &'static str,
    pub fix: String,
    /// How many failing findings it would clear.
    pub clears: usize,
    /// Points the score would gain.
    pub gain: f64,
    pub severity: Severity,
}

impl Recommendation {
    /// Points over effort: what fails at many places takes longer, though less than in proportion.
    pub fn worth(&self) -> f64 {
        self.gain / (1.0 + (self.clears as f64).ln())
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Timings {
    /// Seconds since the epoch.
    pub began: u64,
    pub wall_ms: f64,
    pub startup_ms: Option<f64>,
    /// Calls that were only made for their timing. How often one is repeated is the clock's doing.
    pub timed_calls: usize,
    /// What those calls left in the scratch area, apart from `changes` of the report.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Effect>,
    /// What the evaluation comes to with the times of this run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<EvaluationTimings>,
    /// Ordinary calls of tools answered per second while one was under way, as many at a time as
    /// the run made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls_per_second: Option<f64>,
}

/// The JSON Schema of the report, as published in `docs/`.
pub fn json_schema() -> serde_json::Value {
    schemars::schema_for!(Report).to_value()
}
