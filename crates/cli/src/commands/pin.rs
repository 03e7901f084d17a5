//! `pin`: the definitions of a server, written down to be compared with later ones.

use std::process::ExitCode;

use anyhow::{Context, Result};
use proofmark_core::evidence::Startup;
use proofmark_core::pin::Pin;
use proofmark_live::store;

use super::assess;
use crate::args::Pin as Args;
use crate::run;
use crate::screen::Screen;
use crate::verdict::CouldNotAssess;
use crate::watch::Watch;

pub(super) fn run(args: &Args, screen: &Screen) -> Result<ExitCode> {
    let outputs: Vec<_> = args.output.iter().cloned().collect();
    let (target, mut options) = assess::prepare(&args.gathering, &outputs)?;
    if let Some(path) = &args.output {
        store::check_writable(path)?;
    }
    // Nothing is called: the lists are all that is wanted.
    options.passive = true;
    let watch = Watch::open(args.quiet, args.gathering.events.as_ref())?;
    let evidence = run::gather_evidence(&target, &options, &[], &watch, screen)?;
    watch.finish();
    if let Some(path) = &args.gathering.evidence {
        store::write_evidence(path, &evidence)?;
    }
    if let Startup::Down { says, way_out, .. } = &evidence.startup {
        let why =
            format!("nothing was pinned: the server did not come up: {says}\nway out: {way_out}");
        return Err(CouldNotAssess(why).into());
    }
    if let Some(why) = evidence.why_no_tools() {
        return Err(CouldNotAssess(format!("nothing was pinned: {why}; try again")).into());
    }
    let pin = Pin::of(&evidence);
    let text = pin.to_text().context("the pin could not be written as JSON")?;
    match &args.output {
        Some(path) => {
            store::write_atomic(path, text.as_bytes())
                .map_err(|e| CouldNotAssess(e.to_string()))?;
            if !args.quiet {
                let pinned = pin.definitions.len();
                screen.note(&format!("{pinned} definitions pinned in {}", path.display()));
            }
        }
        None => screen.print(&text)?,
    }
    Ok(ExitCode::SUCCESS)
}
