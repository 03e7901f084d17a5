//! The scratch area: home, temporary directory and workspace of a server, removed when done.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::registry;
use super::shadow::{Shadows, Wanted, copy_within_bounds};
use super::snapshot::Snapshot;

/// How the scratch root appears in evidence.
use proofmark_core::evidence::{Effect, ExchangeId, Trace};
pub use proofmark_core::scrub::SCRATCH as PLACEHOLDER;

/// The name of the scratch folder, without the way there.
const ALONE: &str = "proofmark-scratch";

const PARTS: &[&str] = &["home", "tmp", "workspace", "outside", "run"];

/// Where copies of the user's files lie. All copies of a scratch area have them in common.
const SHADOW: &str = "shadow";

/// So many copies have a name that evidence does not show.
const COPIES: usize = 32;

/// One directory that only we may enter. Dropping it removes all that is in it.
#[derive(Debug)]
pub struct Scratch {
    root: PathBuf,
    shadows: Arc<OnceLock<Shadows>>,
}

impl Scratch {
    pub fn new() -> io::Result<Scratch> {
        Scratch::new_in(&std::env::temp_dir())
    }

    pub fn new_in(parent: &Path) -> io::Result<Scratch> {
        let root = claim(parent)?;
        // The server sees resolved paths, and so must the evidence.
        let root = root.canonicalize().unwrap_or(root);
        registry::add_scratch(&root);
        let scratch = Scratch { root, shadows: Arc::default() };
        for part in PARTS {
            let dir = scratch.root.join(part);
            fs::create_dir(&dir)?;
            fs::set_permissions(&dir, Permissions::from_mode(0o700))?;
        }
        Ok(scratch)
    }

    /// Another one with the same in it. None if there are too many, or too much to copy.
    pub fn copied(&self, number: usize) -> Option<Scratch> {
        let root = self.copies().nth(number)?;
        // Ours alone, as the name of the original is; left by a run that was ended by force. A link is
        // somebody else's, and may lead anywhere.
        if root.symlink_metadata().is_ok_and(|meta| meta.is_dir()) {
            remove(&root);
        }
        fs::DirBuilder::new().mode(0o700).create(&root).ok()?;
        registry::add_scratch(&root);
        let copy = Scratch { root, shadows: Arc::clone(&self.shadows) };
        for entry in fs::read_dir(&self.root).ok()?.flatten() {
            if entry.file_name() != SHADOW {
                copy_within_bounds(&entry.path(), &copy.root.join(entry.file_name()))?;
            }
        }
        Some(copy)
    }

    fn copies(&self) -> impl Iterator<Item = PathBuf> {
        let name = self.root.file_name().unwrap_or_default().to_string_lossy();
        (1..=COPIES).map(move |n| self.root.with_file_name(format!("{name}-{n:02}")))
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    pub fn tmp(&self) -> PathBuf {
        self.root.join("tmp")
    }

    /// Where the server starts and may work.
    pub fn workspace(&self) -> PathBuf {
        self.root.join("workspace")
    }

    /// Where it has no business.
    pub fn outside(&self) -> PathBuf {
        self.root.join("outside")
    }

    /// Sockets and the like of the session (`XDG_RUNTIME_DIR`).
    pub fn run(&self) -> PathBuf {
        self.root.join("run")
    }

    /// Texts to replace in evidence, and by what, so that two runs read the same.
    pub fn placeholders(&self) -> Vec<(String, String)> {
        let mut pairs = Vec::new();
        let temp = std::env::temp_dir();
        // The same directory under a second name, e.g. /var and /private/var on macOS.
        let second = self.root.parent() != Some(&temp)
            && temp.canonicalize().is_ok_and(|t| self.root.parent() == Some(&t));
        for root in std::iter::once(self.root.clone()).chain(self.copies()) {
            let Some(name) = root.file_name() else { continue };
            if second {
                let other = temp.join(name).to_string_lossy().into_owned();
                pairs.push((other, PLACEHOLDER.to_owned()));
            }
            // Alone, it turns up where a server makes folders of a path that was meant as a text.
            pairs.push((name.to_string_lossy().into_owned(), ALONE.to_owned()));
            pairs.push((root.to_string_lossy().into_owned(), PLACEHOLDER.to_owned()));
        }
        pairs
    }

    /// A path as it appears in evidence.
    pub fn shown(&self, path: &Path) -> String {
        match path.strip_prefix(&self.root) {
            Ok(rest) if rest.as_os_str().is_empty() => PLACEHOLDER.to_owned(),
            Ok(rest) => format!("{PLACEHOLDER}/{}", rest.to_string_lossy()),
            Err(_) => path.to_string_lossy().into_owned(),
        }
    }

    /// The reverse, for text on its way to the server: every placeholder path becomes real.
    pub fn actual(&self, text: &str) -> String {
        let root = self.root.to_string_lossy();
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(PLACEHOLDER) {
            let (before, found) = rest.split_at(at);
            let after = &found[PLACEHOLDER.len()..];
            // A step upwards is no part of a name.
            let dotted = before.ends_with('.') && !before.ends_with("..");
            let joined = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_'));
            let whole = !after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_'))
                && (!joined || ends_encoded(before))
                && !dotted;
            out.push_str(before);
            out.push_str(if whole { &root } else { PLACEHOLDER });
            rest = after;
        }
        out + rest
    }

    /// What is in home, tmp, workspace and outside now.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::take(&self.root, &["home", "outside", "tmp", "workspace"])
    }

    /// What one call left behind within the scratch area.
    pub fn trace(&self, exchange: ExchangeId, before: &Snapshot) -> Trace {
        let after = self.snapshot();
        Trace {
            exchange,
            effects: before.changes_to(&after),
            grown: before.grown_to(&after),
            rewritten: before.rewritten_to(&after),
        }
    }

    /// What has changed since, sorted; in the copies of the user's files, since they were made.
    pub fn changes_since(&self, before: &Snapshot) -> Vec<Effect> {
        let mut effects = before.changes_to(&self.snapshot());
        effects.extend(self.shadows.get().into_iter().flat_map(Shadows::changes));
        effects.sort();
        effects
    }

    /// The copies of what the user's command line names. Made once: a server that is started again
    /// finds what it left.
    pub(super) fn shadows(&self, wanted: &[Wanted]) -> &Shadows {
        self.shadows.get_or_init(|| Shadows::cast(wanted, &self.root.join(SHADOW)))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        registry::remove_scratch(&self.root);
    }
}

/// Removes a scratch area, also one in which the server took away our permissions.
pub(super) fn remove(root: &Path) {
    if fs::remove_dir_all(root).is_err() && root.exists() {
        open_up(root, 0);
        let _ = fs::remove_dir_all(root);
    }
}

fn open_up(dir: &Path, depth: u32) {
    let _ = fs::set_permissions(dir, Permissions::from_mode(0o700));
    let Ok(entries) = fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        if depth < 64 && entry.file_type().is_ok_and(|t| t.is_dir()) {
            open_up(&entry.path(), depth + 1);
        }
    }
}

/// The first free name. A random one would make two runs differ: servers look into the paths they
/// are given, git for one finds dates in them.
fn claim(parent: &Path) -> io::Result<PathBuf> {
    let mut directory = fs::DirBuilder::new();
    directory.mode(0o700);
    for letter in 'a'..='z' {
        let root = parent.join(format!("proofmark-run-{letter}"));
        match directory.create(&root) {
            Ok(()) => return Ok(root),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
    let mut random = tempfile::Builder::new();
    random.prefix("proofmark-run-").permissions(Permissions::from_mode(0o700));
    Ok(random.tempdir_in(parent)?.keep())
}

/// Whether the last character is one that a percent sign stands before: `%2e`.
fn ends_encoded(text: &str) -> bool {
    let code = text.len().checked_sub(3).and_then(|at| text.get(at..));
    let code = code.and_then(|code| code.strip_prefix('%'));
    code.is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use proofmark_core::scrub::Scrub;

    use super::*;

    #[test]
    fn only_we_may_enter_and_nothing_is_left_behind() {
        // In a folder of its own: the next scratch area takes the first free name.
        let parent = tempfile::tempdir().unwrap();
        let scratch = Scratch::new_in(parent.path()).unwrap();
        let root = scratch.root().to_owned();
        assert_eq!(fs::metadata(&root).unwrap().permissions().mode() & 0o777, 0o700);
        for dir in [scratch.home(), scratch.tmp(), scratch.workspace(), scratch.outside()] {
            assert!(dir.is_dir());
        }
        let locked = scratch.workspace().join("a/b");
        fs::create_dir_all(&locked).unwrap();
        fs::write(locked.join("file"), "x").unwrap();
        fs::set_permissions(&locked, Permissions::from_mode(0o000)).unwrap();
        drop(scratch);
        assert!(!root.exists());
    }

    #[test]
    fn a_panic_removes_the_area_too() {
        let parent = tempfile::tempdir().unwrap();
        let within = parent.path().to_owned();
        let thread = std::thread::spawn(move || {
            let _scratch = Scratch::new_in(&within).unwrap();
            panic!("on purpose");
        });
        assert!(thread.join().is_err());
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
    }

    #[test]
    fn runs_one_after_another_have_one_path_and_runs_beside_each_other_two() {
        let parent = tempfile::tempdir().unwrap();
        let root = |s: &Scratch| s.root().to_owned();
        let first = Scratch::new_in(parent.path()).unwrap();
        let beside = Scratch::new_in(parent.path()).unwrap();
        assert_ne!(root(&first), root(&beside));
        let before = root(&first);
        drop(first);
        assert_eq!(root(&Scratch::new_in(parent.path()).unwrap()), before);
    }

    #[test]
    fn paths_go_into_evidence_and_back() {
        let scratch = Scratch::new().unwrap();
        let path = scratch.workspace().join("notes.md");
        let mut scrub = Scrub::default();
        for (text, name) in scratch.placeholders() {
            scrub.add(text, name);
        }
        let sent = format!("read {}", path.display());
        assert_eq!(scrub.text(&sent), "read /proofmark/workspace/notes.md");
        assert_eq!(scratch.shown(&path), "/proofmark/workspace/notes.md");
        assert_eq!(scratch.actual("read /proofmark/workspace/notes.md"), sent);
        assert_eq!(scratch.actual("/proofmarks and a/proofmark"), "/proofmarks and a/proofmark");
        let root = scratch.root().display().to_string();
        assert_eq!(scratch.actual("%2e%2e/proofmark/a"), format!("%2e%2e{root}/a"));
        assert_eq!(
            scratch.actual("file:///proofmark"),
            format!("file://{}", scratch.root().display())
        );
    }
}
