//! What lies in the scratch area at one moment, and what changed between two.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::io::Read;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use nix::fcntl::OFlag;
use proofmark_core::evidence::Effect;

use super::scratch::PLACEHOLDER;

/// A directory with more entries is not entered; only their number is compared.
const ENTRIES: usize = 2_000;
const DEPTH: usize = 24;
/// In all; what lies beyond is treated like a directory with too many entries.
const TOTAL: usize = 40_000;
/// Larger files are compared by size and time.
const READ: u64 = 1 << 20;

/// Paths as they appear in evidence; a directory ends in `/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    entries: BTreeMap<String, Stamp>,
    /// When files were last written.
    written: BTreeMap<String, (i64, i64)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Stamp {
    Content {
        hash: u64,
        size: u64,
    },
    Big {
        size: u64,
        modified: (i64, i64),
    },
    Link(String),
    Dir,
    /// Too large to enter.
    Closed {
        entries: usize,
    },
    /// Socket, pipe, device.
    Special,
}

impl Stamp {
    fn size(&self) -> Option<u64> {
        match self {
            Stamp::Content { size, .. } | Stamp::Big { size, .. } => Some(*size),
            Stamp::Link(_) | Stamp::Dir | Stamp::Closed { .. } | Stamp::Special => None,
        }
    }
}

impl Snapshot {
    pub(super) fn take(root: &Path, parts: &[&str]) -> Snapshot {
        let mut snapshot = Snapshot { entries: BTreeMap::new(), written: BTreeMap::new() };
        for part in parts {
            snapshot.walk(&root.join(part), &format!("{PLACEHOLDER}/{part}/"), 0);
        }
        snapshot
    }

    /// One directory; `shown` is its name, with a `/` at its end.
    pub(super) fn of(dir: &Path, shown: &str) -> Snapshot {
        let mut snapshot = Snapshot { entries: BTreeMap::new(), written: BTreeMap::new() };
        snapshot.walk(dir, shown, 0);
        snapshot
    }

    pub(super) fn changes_to(&self, after: &Snapshot) -> Vec<Effect> {
        let closed = |path: &str| {
            path.match_indices('/').any(|(i, _)| {
                let dir = &path[..=i];
                dir != path
                    && [self, after]
                        .iter()
                        .any(|s| matches!(s.entries.get(dir), Some(Stamp::Closed { .. })))
            })
        };
        let mut effects = Vec::new();
        for (path, stamp) in &after.entries {
            let path = path.clone();
            match self.entries.get(&path) {
                _ if closed(&path) => {}
                None => effects.push(Effect::FileCreated { path }),
                Some(before) if before != stamp => effects.push(Effect::FileChanged { path }),
                Some(_) => {}
            }
        }
        for path in self.entries.keys().filter(|p| !after.entries.contains_key(*p) && !closed(p)) {
            effects.push(Effect::FileDeleted { path: path.clone() });
        }
        effects.sort();
        effects
    }

    /// Files that were there before and are longer now.
    pub(super) fn grown_to(&self, after: &Snapshot) -> Vec<String> {
        let longer = |(path, stamp): (&String, &Stamp)| {
            let before = self.entries.get(path)?.size()?;
            (stamp.size()? > before).then(|| path.clone())
        };
        after.entries.iter().filter_map(longer).collect()
    }

    /// Files that were there before and have been written since, if only with what they held.
    pub(super) fn rewritten_to(&self, after: &Snapshot) -> Vec<String> {
        let later = |(path, at): (&String, &(i64, i64))| {
            self.written.get(path).is_some_and(|before| before != at).then(|| path.clone())
        };
        after.written.iter().filter_map(later).collect()
    }

    fn walk(&mut self, dir: &Path, shown: &str, depth: usize) {
        let Ok(read) = fs::read_dir(dir) else { return };
        let mut found: Vec<_> = read.flatten().take(ENTRIES + 1).collect();
        found.sort_by_key(fs::DirEntry::file_name);
        if found.len() > ENTRIES || depth > DEPTH || self.entries.len() > TOTAL {
            let entries = fs::read_dir(dir).map_or(0, Iterator::count);
            self.entries.insert(shown.to_owned(), Stamp::Closed { entries });
            return;
        }
        for entry in found {
            let path = entry.path();
            let Ok(meta) = fs::symlink_metadata(&path) else { continue };
            let name = format!("{shown}{}", entry.file_name().to_string_lossy());
            if meta.is_dir() {
                let name = name + "/";
                self.entries.insert(name.clone(), Stamp::Dir);
                self.walk(&path, &name, depth + 1);
            } else {
                if meta.is_file() {
                    self.written.insert(name.clone(), (meta.mtime(), meta.mtime_nsec()));
                }
                self.entries.insert(name, stamp(&path, &meta));
            }
        }
    }
}

fn stamp(path: &Path, meta: &fs::Metadata) -> Stamp {
    if meta.is_symlink() {
        let to = fs::read_link(path).unwrap_or_default();
        return Stamp::Link(to.to_string_lossy().into_owned());
    }
    if !meta.is_file() {
        return Stamp::Special;
    }
    let big = Stamp::Big { size: meta.len(), modified: (meta.mtime(), meta.mtime_nsec()) };
    if meta.len() > READ { big } else { content(path).unwrap_or(big) }
}

fn content(path: &Path) -> Option<Stamp> {
    // The server may put a pipe or a link in its place while we look.
    let flags = (OFlag::O_NONBLOCK | OFlag::O_NOFOLLOW).bits();
    let file = fs::OpenOptions::new().read(true).custom_flags(flags).open(path).ok()?;
    let mut bytes = Vec::new();
    file.take(READ).read_to_end(&mut bytes).ok()?;
    let mut hasher = DefaultHasher::new();
    hasher.write(&bytes);
    Some(Stamp::Content { hash: hasher.finish(), size: bytes.len() as u64 })
}

#[cfg(test)]
mod tests {
    use super::super::Scratch;
    use super::*;

    fn created(path: &str) -> Effect {
        Effect::FileCreated { path: path.to_owned() }
    }

    #[test]
    fn created_changed_and_deleted_files_are_told_apart() {
        let scratch = Scratch::new().unwrap();
        let dir = scratch.workspace();
        for name in ["stays", "same", "goes", "grows"] {
            fs::write(dir.join(name), name).unwrap();
        }
        let before = scratch.snapshot();
        assert_eq!(scratch.changes_since(&before), []);
        fs::write(dir.join("same"), "same").unwrap();
        fs::remove_file(dir.join("goes")).unwrap();
        fs::write(dir.join("grows"), "grown").unwrap();
        fs::create_dir(dir.join("new")).unwrap();
        fs::write(scratch.outside().join("mark"), "").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", dir.join("link")).unwrap();
        assert_eq!(
            scratch.changes_since(&before),
            [
                created("/proofmark/outside/mark"),
                created("/proofmark/workspace/link"),
                created("/proofmark/workspace/new/"),
                Effect::FileChanged { path: "/proofmark/workspace/grows".into() },
                Effect::FileDeleted { path: "/proofmark/workspace/goes".into() },
            ]
        );
    }

    #[test]
    fn a_link_to_the_root_is_not_followed_and_a_pipe_does_not_block() {
        let scratch = Scratch::new().unwrap();
        let before = scratch.snapshot();
        std::os::unix::fs::symlink("/", scratch.workspace().join("all")).unwrap();
        let pipe = scratch.tmp().join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        assert_eq!(
            scratch.changes_since(&before),
            [created("/proofmark/tmp/pipe"), created("/proofmark/workspace/all")]
        );
    }

    #[test]
    fn a_huge_directory_is_one_change() {
        let scratch = Scratch::new().unwrap();
        let dir = scratch.tmp().join("many");
        fs::create_dir(&dir).unwrap();
        let before = scratch.snapshot();
        for n in 0..=ENTRIES {
            fs::write(dir.join(n.to_string()), "").unwrap();
        }
        assert_eq!(
            scratch.changes_since(&before),
            [Effect::FileChanged { path: "/proofmark/tmp/many/".into() }]
        );
    }
}
