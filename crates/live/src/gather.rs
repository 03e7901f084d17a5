//! Target in, evidence out: the stages of a run in order.

use proofmark_core::check::Check;
use proofmark_core::event::Watcher;
use proofmark_core::evidence::Evidence;
use proofmark_core::target::Target;
use tokio::sync::watch;

use crate::options::Options;

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
    let _ = (target, options, checks, watcher, interrupt);
    Err(GatherError::Wire(crate::wire::WireError::Closed))
}
