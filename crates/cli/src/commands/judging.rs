//! How findings are to be judged, as the command line and `proofmark.toml` say.

use anyhow::Result;
use proofmark_core::pin::Pin;
use proofmark_core::rubric::Rubric;
use proofmark_core::sieve::Sieve;
use proofmark_live::today;

use super::rubric;
use crate::args::Judging;
use crate::baseline::Baseline;
use crate::settings::Settings;

/// All that is settled before anything is judged.
pub(super) struct Bench {
    pub(super) rubric: Rubric,
    pub(super) sieve: Sieve,
    pub(super) baseline: Option<Pin>,
    /// Licences that dependencies may have.
    pub(super) licences: Option<Vec<String>>,
}

pub(super) fn prepare(args: &Judging) -> Result<Bench> {
    let rubric = rubric::load(&args.rubric)?;
    let settings = Settings::load(args.settings.as_ref())?;
    let baseline = match &args.baseline {
        Some(path) => Baseline::read(path, &rubric)?,
        None => Baseline::default(),
    };
    let sieve = Sieve {
        suppressions: settings.suppressions,
        today: today(),
        least: args.min_confidence.map(Into::into),
        known: baseline.known,
    };
    Ok(Bench { rubric, sieve, baseline: baseline.pin, licences: settings.licences })
}
