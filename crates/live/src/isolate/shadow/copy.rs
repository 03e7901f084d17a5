//! Copies a tree as it is: links stay links, times and permissions are kept, nothing is followed.

use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use nix::fcntl::AT_FDCWD;
use nix::sys::stat::{UtimensatFlags, utimensat};
use nix::sys::time::TimeSpec;
use nix::unistd::{AccessFlags, access};

use super::{BYTES, FILES};

const DEPTH: usize = 48;

/// How much a copy would be, within the limits.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Amount {
    entries: usize,
    bytes: u64,
    unreadable: usize,
}

impl Amount {
    /// None if it is more than we copy.
    pub(super) fn of(path: &Path) -> Option<Amount> {
        let mut amount = Amount::default();
        amount.add(path, 0)?;
        Some(amount)
    }

    fn add(&mut self, path: &Path, depth: usize) -> Option<()> {
        self.entries += 1;
        let Ok(meta) = path.symlink_metadata() else { return Some(()) };
        if meta.is_file() {
            self.bytes += meta.len();
            self.unreadable += usize::from(access(path, AccessFlags::R_OK).is_err());
        }
        if self.entries > FILES + 1 || self.bytes > BYTES || depth > DEPTH {
            return None;
        }
        if meta.is_dir() {
            match fs::read_dir(path) {
                Ok(entries) => {
                    for entry in entries.flatten() {
                        self.add(&entry.path(), depth + 1)?;
                    }
                }
                Err(_) => self.unreadable += 1,
            }
        }
        Some(())
    }

    /// What the copy lacks, for people.
    pub(super) fn omitted(self) -> String {
        match self.unreadable {
            0 => String::new(),
            1 => "; one entry that can't be read is missing in it".to_owned(),
            n => format!("; {n} entries that can't be read are missing in it"),
        }
    }
}

/// Sockets, pipes and what can't be read are left out; only the topmost entry must succeed.
pub(super) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let meta = from.symlink_metadata()?;
    if meta.is_symlink() {
        return std::os::unix::fs::symlink(fs::read_link(from)?, to);
    }
    if meta.is_dir() {
        let entries = fs::read_dir(from)?;
        fs::create_dir(to)?;
        for entry in entries.flatten() {
            let _ = copy(&entry.path(), &to.join(entry.file_name()));
        }
        keep_time(to, &meta);
        return fs::set_permissions(to, meta.permissions());
    }
    if meta.is_file() {
        fs::copy(from, to)?;
        keep_time(to, &meta);
    }
    Ok(())
}

/// By name: to open what was just written only for this takes as long as to write it.
fn keep_time(to: &Path, meta: &Metadata) {
    let modified = TimeSpec::new(meta.mtime(), meta.mtime_nsec());
    let _ =
        utimensat(AT_FDCWD, to, &TimeSpec::UTIME_OMIT, &modified, UtimensatFlags::NoFollowSymlink);
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn links_times_and_permissions_are_kept_and_nothing_is_followed() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let elsewhere = tempfile::tempdir().unwrap();
        fs::write(elsewhere.path().join("secret"), "x").unwrap();
        symlink(elsewhere.path(), from.path().join("out")).unwrap();
        symlink("loop", from.path().join("loop")).unwrap();
        let script = from.path().join("run.sh");
        fs::write(&script, "echo").unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o500)).unwrap();
        let when = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
        File::open(&script).unwrap().set_modified(when).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(from.path().join("socket")).unwrap();

        let copied = to.path().join("copy");
        copy(from.path(), &copied).unwrap();
        assert_eq!(fs::read_link(copied.join("out")).unwrap(), elsewhere.path());
        assert_eq!(fs::read_link(copied.join("loop")).unwrap(), Path::new("loop"));
        let meta = copied.join("run.sh").metadata().unwrap();
        assert_eq!(meta.permissions().mode() & 0o777, 0o500);
        assert_eq!(meta.modified().unwrap(), when);
        assert!(copied.join("socket").symlink_metadata().is_err());
    }

    #[test]
    fn an_amount_beyond_the_limits_is_none() {
        let dir = tempfile::tempdir().unwrap();
        let big = File::create(dir.path().join("big")).unwrap();
        big.set_len(BYTES).unwrap();
        assert_eq!(Amount::of(dir.path()).unwrap().bytes, BYTES);
        fs::write(dir.path().join("more"), "x").unwrap();
        assert_eq!(Amount::of(dir.path()), None);
    }
}
