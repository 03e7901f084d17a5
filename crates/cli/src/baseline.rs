//! An earlier time to compare with: a pin, the evidence of a run, or its report.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use proofmark_core::check::Outcome;
use proofmark_core::diff::Snapshot;
use proofmark_core::evidence::Evidence;
use proofmark_core::pin::Pin;
use proofmark_core::report::Report;
use proofmark_core::rubric::Rubric;
use proofmark_live::store;
use serde_json::Value;

/// What the file tells of that time.
#[derive(Debug, Default)]
pub(crate) struct Baseline {
    /// A report has no definitions.
    pub(crate) pin: Option<Pin>,
    /// A pin has nothing else.
    pub(crate) run: Option<Snapshot>,
}

impl Baseline {
    pub(crate) fn read(path: &Path, rubric: &Rubric) -> Result<Baseline> {
        let shown = path.display();
        let bytes = store::read_bytes(path)?;
        let value: Value = serde_json::from_slice(&bytes)
            .map_err(|e| anyhow!("--baseline {shown}: not JSON ({e}); {}", expected()))?;
        let schema = value.get("schema").and_then(Value::as_str).unwrap_or_default().to_owned();
        match schema.split('/').next() {
            Some("proofmark.pin") => {
                let pin = Pin::from_value(value).map_err(|e| anyhow!("--baseline {shown}: {e}"))?;
                Ok(Baseline { pin: Some(pin), run: None })
            }
            Some("proofmark.evidence" | "proofmark.report") => {
                let run = run(&bytes, value, rubric).map_err(|e| anyhow!("{shown}: {e:#}"))?;
                Ok(Baseline { pin: run.pin.clone(), run: Some(run) })
            }
            Some(_) | None => bail!("--baseline {shown}: {}; {}", found(&schema), expected()),
        }
    }

    /// Fingerprints of what failed then.
    pub(crate) fn known(&self) -> Option<BTreeSet<String>> {
        let run = self.run.as_ref()?;
        let failed = run.findings.iter().filter(|f| f.outcome == Outcome::Fail);
        Some(failed.map(|f| f.id.clone()).collect())
    }
}

/// The run that evidence or a JSON report tells of.
pub(crate) fn read_run(path: &Path, rubric: &Rubric) -> Result<Snapshot> {
    let shown = path.display();
    let bytes = store::read_bytes(path)?;
    let value: Value = serde_json::from_slice(&bytes)
        .map_err(|e| anyhow!("{shown}: not JSON ({e}); expected evidence or a JSON report"))?;
    run(&bytes, value, rubric).map_err(|e| anyhow!("{shown}: {e:#}"))
}

fn run(bytes: &[u8], value: Value, rubric: &Rubric) -> Result<Snapshot> {
    let schema = value.get("schema").and_then(Value::as_str).unwrap_or_default();
    if schema.starts_with("proofmark.evidence/") {
        let evidence = Evidence::from_slice(bytes)?;
        return Ok(Snapshot::of_run(&Report::of(&evidence, rubric), &evidence)?);
    }
    Ok(Snapshot::from_value(value)?)
}

fn found(schema: &str) -> String {
    match schema {
        "" => "it has no field `schema`".to_owned(),
        other => format!("its `schema` is `{other}`"),
    }
}

fn expected() -> &'static str {
    "expected a pin (`proofmark pin -o FILE`), evidence (`--evidence FILE`) or a report (`-o FILE.json`)"
}
