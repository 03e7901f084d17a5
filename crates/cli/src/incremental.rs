//! `--incremental`: one file that holds the last run, read before and written after each.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use proofmark_core::evidence::Evidence;
use proofmark_live::{Incremental, store};

/// The earlier run. A file that can't be used costs time, not the run: a cache may be damaged.
pub(crate) fn open(path: &Path, note: &dyn Fn(&str)) -> Result<Incremental> {
    let shown = path.display();
    let name = path.to_string_lossy().to_lowercase();
    if !(name.ends_with(".json") || name.ends_with(".zst")) {
        bail!("--incremental {shown}: use a name that ends in .json or .json.zst");
    }
    if let Some(dir) = path.parent().filter(|dir| !dir.as_os_str().is_empty()) {
        fs::create_dir_all(dir).with_context(|| format!("can't make the folder of {shown}"))?;
    }
    store::check_writable(path)?;
    if !path.exists() {
        note(&format!("{shown} is not there yet: everything is asked, and kept there"));
        return Ok(Incremental::default());
    }
    let earlier = store::read_evidence(path);
    if let Err(why) = &earlier {
        note(&format!("nothing can be reused: {why}"));
    }
    Ok(Incremental { earlier: earlier.ok().map(Arc::new) })
}

/// Keeps the run for the next one; one in which the server did not come up would be of no use.
pub(crate) fn keep(path: &Path, evidence: &Evidence) -> Result<(), store::StoreError> {
    if evidence.is_up() { store::write_evidence(path, evidence) } else { Ok(()) }
}
