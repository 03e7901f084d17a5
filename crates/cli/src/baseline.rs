//! An earlier time to compare with: a pin, the evidence of a run, or its report.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use proofmark_core::check::Outcome;
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
    /// Fingerprints of what failed; a pin has none.
    pub(crate) known: Option<BTreeSet<String>>,
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
                Ok(Baseline { pin: Some(pin), known: None })
            }
            Some("proofmark.evidence") => {
                let evidence =
                    Evidence::from_slice(&bytes).map_err(|e| anyhow!("--baseline {shown}: {e}"))?;
                let failed = Report::of(&evidence, rubric).findings.into_iter();
                let failed = failed.filter(|f| f.outcome == Outcome::Fail).map(|f| f.id);
                Ok(Baseline { pin: Some(Pin::of(&evidence)), known: Some(failed.collect()) })
            }
            Some("proofmark.report") => Ok(Baseline { pin: None, known: Some(failed(&value)) }),
            Some(_) | None => bail!("--baseline {shown}: {}; {}", found(&schema), expected()),
        }
    }
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

fn failed(report: &Value) -> BTreeSet<String> {
    let findings = report.get("findings").and_then(Value::as_array).into_iter().flatten();
    let failed = findings.filter(|f| f["outcome"] == "fail");
    failed.filter_map(|f| f["id"].as_str().map(str::to_owned)).collect()
}
