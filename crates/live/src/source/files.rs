//! Careful reading: regular text files only, up to a limit.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Enough for any README or manifest.
pub(super) const LIMIT: u64 = 1 << 20;
/// Directories with more entries than this are read in part.
const MAX_ENTRIES: usize = 20_000;

/// The text of a regular file, cut at `limit` bytes. Pipes and devices would block or never end,
/// and a file with NUL bytes is no text.
pub(super) fn text(path: &Path, limit: u64) -> Option<String> {
    if !std::fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(limit).read_to_end(&mut bytes).ok()?;
    if bytes.contains(&0) {
        return None;
    }
    let text = String::from_utf8_lossy(&bytes);
    Some(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
}

/// Like [`text`], but only below `root` once links are followed: a tree must not be able to put
/// somebody's private key into our report by linking its README to it.
pub(super) fn text_below(root: &Path, path: &Path, limit: u64) -> Option<String> {
    let real = path.canonicalize().ok()?;
    real.starts_with(root.canonicalize().ok()?).then(|| text(&real, limit))?
}

/// The entries of a directory, sorted by name.
pub(super) fn entries(dir: &Path) -> Vec<PathBuf> {
    let Ok(listing) = std::fs::read_dir(dir) else { return Vec::new() };
    let mut paths: Vec<PathBuf> =
        listing.take(MAX_ENTRIES).filter_map(|e| e.ok().map(|e| e.path())).collect();
    paths.sort();
    paths
}

/// The last part of a path, where it is text.
pub(super) fn name(path: &Path) -> &str {
    path.file_name().and_then(|n| n.to_str()).unwrap_or_default()
}
