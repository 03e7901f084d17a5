//! One side of a comparison: what a report of any 1.x says, as far as it can be compared.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::check::{Outcome, Severity, Standing, Topic};
use crate::evidence::{Evidence, Profile, Scope, Subject};
use crate::pin::Pin;
use crate::report::{Latency, Report, ToolVerdict};

const FORMAT: &str = "proofmark.report/1.";

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Snapshot {
    pub proofmark: String,
    pub rubric: RubricRef,
    pub server: Named,
    pub conditions: Look,
    pub startup: Started,
    pub score: Option<f64>,
    pub level: String,
    #[serde(default)]
    pub held_back: Option<String>,
    pub scores: BTreeMap<String, Score>,
    pub areas: Vec<Area>,
    pub tools: Vec<Tool>,
    pub findings: Vec<Found>,
    /// In an incremental run.
    #[serde(default)]
    pub reuse: Option<TakenOver>,
    /// A report alone holds no definitions.
    #[serde(skip)]
    pub pin: Option<Pin>,
}

/// Answers that are of an earlier run still.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct TakenOver {
    pub reused: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RubricRef {
    pub id: String,
    pub version: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    pub name: Option<String>,
    pub version: Option<String>,
}

/// How the run looked at the server.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Look {
    pub revision: Option<String>,
    pub transport: String,
    pub profile: Profile,
    pub passive: bool,
    pub disposable: bool,
    #[serde(default)]
    pub scope: Scope,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Started {
    Up,
    Down,
    NotTried,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Score {
    pub score: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Area {
    pub id: String,
    pub title: String,
    pub score: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Tool {
    pub name: String,
    pub verdict: ToolVerdict,
    pub latency_ms: Option<Latency>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Found {
    pub id: String,
    pub check: String,
    pub topic: Topic,
    pub severity: Severity,
    pub outcome: Outcome,
    pub standing: Standing,
    pub subject: Subject,
    pub says: String,
    #[serde(default)]
    pub suppressed: Option<String>,
}

impl Found {
    pub fn is_counted(&self) -> bool {
        self.outcome == Outcome::Fail
            && self.standing != Standing::Suspected
            && self.suppressed.is_none()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    #[error(
        "not a report: field `schema` is {found}, expected `{}`; `-o FILE.json` writes one",
        crate::report::SCHEMA
    )]
    Foreign { found: String },
    #[error("field `{field}`: {why}; the report was changed or is damaged: write it again")]
    Field { field: String, why: String },
}

impl Snapshot {
    /// Reads a JSON report; the error says what is wrong with it.
    pub fn from_value(value: Value) -> Result<Snapshot, SnapshotError> {
        match value.get("schema") {
            Some(Value::String(text)) if text.starts_with(FORMAT) => {}
            Some(other) => return Err(SnapshotError::Foreign { found: other.to_string() }),
            None => return Err(SnapshotError::Foreign { found: "missing".to_owned() }),
        }
        serde_path_to_error::deserialize(value).map_err(|e| SnapshotError::Field {
            field: e.path().to_string(),
            why: e.inner().to_string(),
        })
    }

    /// Of a report as it is now.
    pub fn of(report: &Report) -> Result<Snapshot, SnapshotError> {
        let value = serde_json::to_value(report)
            .map_err(|e| SnapshotError::Field { field: "report".to_owned(), why: e.to_string() })?;
        Snapshot::from_value(value)
    }

    /// The same with the definitions the evidence holds.
    pub fn of_run(report: &Report, evidence: &Evidence) -> Result<Snapshot, SnapshotError> {
        Ok(Snapshot { pin: Some(Pin::of(evidence)), ..Snapshot::of(report)? })
    }
}
