//! Files: evidence read and written, and everything written so that no half file is ever seen.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use proofmark_core::evidence::{Evidence, EvidenceError};

/// A file that claims more would fill the memory of most machines.
const MAX_BYTES: u64 = 2 << 30;
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
const ZSTD_LEVEL: i32 = 3;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("can't read {}: {why}; give the path of an evidence file", path.display())]
    Read { path: PathBuf, why: String },
    #[error(
        "{} holds more than {limit} bytes, which is more than evidence can be; is it an evidence file?",
        path.display()
    )]
    TooLarge { path: PathBuf, limit: u64 },
    #[error(
        "{}: the compressed data ends at byte {byte}, inside a frame; it was cut short: gather it again, or take a complete copy",
        path.display()
    )]
    CutShort { path: PathBuf, byte: u64 },
    #[error(
        "{}: the compressed data is damaged after {after} good bytes ({why}); gather it again, or take a complete copy",
        path.display()
    )]
    Damaged { path: PathBuf, after: usize, why: String },
    #[error("{}: {why}", path.display())]
    Evidence { path: PathBuf, why: EvidenceError },
    #[error("can't write {}: {why}", path.display())]
    Write { path: PathBuf, why: String },
}

/// Reads an evidence file; compression is told by content, not by name.
pub fn read_evidence(path: &Path) -> Result<Evidence, StoreError> {
    evidence_of(path, &read_bytes(path)?)
}

/// Evidence out of a file's content; the path is only for messages.
pub fn evidence_of(path: &Path, bytes: &[u8]) -> Result<Evidence, StoreError> {
    Evidence::from_slice(bytes).map_err(|why| StoreError::Evidence { path: path.to_owned(), why })
}

/// What a file holds, unpacked if it is compressed.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, StoreError> {
    let stored = read_capped(path)?;
    if stored.starts_with(&ZSTD_MAGIC) { unpack(path, &stored) } else { Ok(stored) }
}

/// Writes an evidence file, compressed when the name ends in `.zst`.
pub fn write_evidence(path: &Path, evidence: &Evidence) -> Result<(), StoreError> {
    let mut bytes =
        evidence.to_vec().map_err(|why| StoreError::Evidence { path: path.to_owned(), why })?;
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("zst")) {
        bytes = zstd::encode_all(bytes.as_slice(), ZSTD_LEVEL).map_err(|e| unwritable(path, &e))?;
    }
    write_atomic(path, &bytes)
}

/// Writes the whole file or nothing: readers see the old content until the new one is complete.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let failed = |e: io::Error| unwritable(path, &e);
    // A link keeps pointing where it points; a pipe or device can't be replaced, only written to.
    let goal = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let before = fs::metadata(&goal).ok();
    if before.as_ref().is_some_and(|m| !m.is_file() && !m.is_dir()) {
        return fs::OpenOptions::new()
            .write(true)
            .open(&goal)
            .and_then(|mut f| f.write_all(bytes))
            .map_err(failed);
    }
    let mut file = draft_beside(&goal).map_err(failed)?;
    file.write_all(bytes).and_then(|()| file.as_file().sync_all()).map_err(failed)?;
    if let Some(before) = before {
        fs::set_permissions(file.path(), before.permissions()).map_err(failed)?;
    }
    file.persist(&goal).map(drop).map_err(|e| failed(e.error))
}

/// Whether [`write_atomic`] could write there, found out before the work is done.
pub fn check_writable(path: &Path) -> Result<(), StoreError> {
    if path.is_dir() {
        return Err(StoreError::Write {
            path: path.to_owned(),
            why: "it is a directory; name a file in it".to_owned(),
        });
    }
    if fs::metadata(path).is_ok_and(|m| !m.is_file()) {
        return Ok(());
    }
    let goal = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    draft_beside(&goal).map(drop).map_err(|e| unwritable(path, &e))
}

fn draft_beside(goal: &Path) -> io::Result<tempfile::NamedTempFile> {
    let dir = match goal.parent() {
        Some(dir) if dir.as_os_str().is_empty() => Path::new("."),
        Some(dir) => dir,
        None => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".proofmark-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Narrowed by the umask like any other file the user creates.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(dir)
}

fn unwritable(path: &Path, error: &io::Error) -> StoreError {
    let dir = path.parent().filter(|d| !d.as_os_str().is_empty());
    let why = match (error.kind(), dir) {
        (io::ErrorKind::NotFound, Some(dir)) => {
            format!("there is no directory {}; create it first", dir.display())
        }
        (io::ErrorKind::NotADirectory, Some(dir)) => {
            format!("{} is not a directory; choose another path", dir.display())
        }
        (io::ErrorKind::PermissionDenied, _) => {
            "permission denied; choose a directory you may write to".to_owned()
        }
        _ => format!("{}; choose another path", plain(error)),
    };
    StoreError::Write { path: path.to_owned(), why }
}

fn read_capped(path: &Path) -> Result<Vec<u8>, StoreError> {
    let failed = |e: io::Error| StoreError::Read { path: path.to_owned(), why: plain(&e) };
    let file = fs::File::open(path).map_err(failed)?;
    let size = file.metadata().map_or(0, |m| m.len().min(MAX_BYTES));
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    within_limit(path, bytes)
}

fn unpack(path: &Path, stored: &[u8]) -> Result<Vec<u8>, StoreError> {
    let mut bytes = Vec::new();
    let read = zstd::stream::read::Decoder::with_buffer(stored)
        .and_then(|d| d.take(MAX_BYTES + 1).read_to_end(&mut bytes));
    match read {
        Ok(_) => within_limit(path, bytes),
        Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => {
            Err(StoreError::CutShort { path: path.to_owned(), byte: stored.len() as u64 })
        }
        Err(e) => Err(StoreError::Damaged {
            path: path.to_owned(),
            after: bytes.len(),
            why: e.to_string(),
        }),
    }
}

fn within_limit(path: &Path, bytes: Vec<u8>) -> Result<Vec<u8>, StoreError> {
    if bytes.len() as u64 > MAX_BYTES {
        return Err(StoreError::TooLarge { path: path.to_owned(), limit: MAX_BYTES });
    }
    Ok(bytes)
}

/// The system's message without the number that std appends.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    let cut = text.find(" (os error").unwrap_or(text.len());
    text[..cut].to_lowercase()
}
