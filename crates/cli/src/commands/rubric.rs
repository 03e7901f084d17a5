//! The rubric the user asked for: one that is built in, or a file.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use proofmark_core::rubric::Rubric;

use crate::nearest::did_you_mean;

pub(super) fn load(name: &str) -> Result<Rubric> {
    if Rubric::BUILTIN.contains(&name) || Rubric::VARIANTS.contains(&name) {
        return Ok(Rubric::builtin(name)?);
    }
    let path = Path::new(name);
    let looks_like_a_file = name.contains(['/', '.']) || path.exists();
    if !looks_like_a_file {
        bail!(
            "--rubric {name}: no such rubric{}; built in are {}, or give the path of a file",
            did_you_mean(name, Rubric::BUILTIN),
            Rubric::BUILTIN.join(", ")
        );
    }
    let text = fs::read_to_string(path).with_context(|| format!("can't read the rubric {name}"))?;
    Ok(Rubric::parse(name, &text)?)
}
