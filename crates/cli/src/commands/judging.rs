//! How findings are to be judged, as the command line and `proofmark.toml` say.

use anyhow::Result;
use proofmark_core::evidence::Profile;
use proofmark_core::pin::Pin;
use proofmark_core::rubric::Rubric;
use proofmark_core::sieve::Sieve;
use proofmark_live::today;

use super::rubric;
use crate::args::Judging;
use crate::baseline::Baseline;
use crate::gates::Gates;
use crate::settings::{NamedTarget, Settings};

/// All that is settled before anything is judged.
pub(super) struct Bench {
    pub(super) rubric: Rubric,
    pub(super) sieve: Sieve,
    pub(super) baseline: Option<Pin>,
    pub(super) gates: Gates,
    /// What the settings say of the run itself.
    pub(super) profile: Option<Profile>,
    pub(super) targets: Vec<NamedTarget>,
    /// Licences that dependencies may have.
    pub(super) licences: Option<Vec<String>>,
}

pub(super) fn prepare(args: &Judging) -> Result<Bench> {
    let settings = Settings::load(args.settings.as_ref())?;
    let gate = settings.gate;
    let named = args.rubric.as_deref().or(gate.rubric.as_deref());
    let rubric = rubric::load(named.unwrap_or("directory"))?;
    let baseline = match args.baseline.as_ref().or(gate.baseline.as_ref()) {
        Some(path) => Baseline::read(path, &rubric)?,
        None => Baseline::default(),
    };
    let sieve = Sieve {
        suppressions: settings.suppressions,
        today: today(),
        least: args.min_confidence.map(Into::into),
        known: baseline.known(),
    };
    let gates = Gates::new(gate.gates, &args.gate, &rubric, baseline.run)?;
    Ok(Bench {
        rubric,
        sieve,
        baseline: baseline.pin,
        gates,
        profile: gate.profile,
        targets: settings.targets,
        licences: settings.licences,
    })
}
