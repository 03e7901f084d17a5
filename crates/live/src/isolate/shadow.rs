//! Shadows: copies that stand in for the user's own files, so that a server may write and nothing
//! of the user's changes.

mod copy;
mod named;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use proofmark_core::evidence::Effect;

use self::copy::{Amount, copy};
pub(super) use self::named::{Ground, Wanted, wanted};
use super::snapshot::Snapshot;

const FILES: usize = 2_000;
const BYTES: u64 = 64 << 20;

/// Copies what is not too much to copy.
pub(super) fn copy_within_bounds(from: &Path, to: &Path) -> Option<()> {
    Amount::of(from)?;
    copy(from, to).ok()
}

/// The copies of one run. They last as long as the scratch area, over every restart.
#[derive(Debug, Default)]
pub(super) struct Shadows {
    shadows: Vec<Shadow>,
    pub(super) notes: Vec<String>,
}

#[derive(Debug)]
struct Shadow {
    original: PathBuf,
    copy: PathBuf,
    before: Snapshot,
}

impl Shadows {
    /// Copies what is wanted below `room`, where only copies lie.
    pub(super) fn cast(wanted: &[Wanted], room: &Path) -> Shadows {
        let mut shadows = Shadows::default();
        for one in wanted {
            if !shadows.covers(&one.path) {
                shadows.add(one, room);
            }
        }
        shadows
    }

    fn covers(&self, path: &Path) -> bool {
        self.shadows.iter().any(|s| path.starts_with(&s.original))
    }

    fn add(&mut self, one: &Wanted, room: &Path) {
        if let Some(why) = one.barred {
            self.notes.push(format!("{} stays read-only: {why}", one.path.display()));
            return;
        }
        // A database needs room for its journal beside it.
        let parent = one.with_parent.as_ref().filter(|p| Amount::of(p).is_some());
        let original = parent.unwrap_or(&one.path);
        if self.covers(original) || !original.exists() {
            return;
        }
        let Some(amount) = Amount::of(original) else {
            let mib = BYTES >> 20;
            let shown = original.display();
            self.notes.push(format!(
                "{shown} stays read-only: it has more than {FILES} files or {mib} MiB, too much to copy"
            ));
            return;
        };
        match self.shadow(original, one.is_ground(), room) {
            Ok(note) => self.notes.push(note + &amount.omitted()),
            Err(why) => {
                let shown = original.display();
                self.notes.push(format!("{shown} stays read-only: it can't be copied: {why}"));
            }
        }
    }

    fn shadow(&mut self, original: &Path, plant: bool, room: &Path) -> std::io::Result<String> {
        let name = original.file_name().unwrap_or_default();
        let cell = room.join(self.shadows.len().to_string());
        fs::create_dir_all(&cell)?;
        let target = cell.join(name);
        copy(original, &target)?;
        let mut note = format!("writes to {} go to a copy", original.display());
        if plant && crate::canary::add_missing(&target).is_ok_and(|added| added > 0) {
            note.push_str(", to which sample files were added");
        }
        let before = Snapshot::of(&cell, &shown_parent(original));
        self.shadows.push(Shadow { original: original.to_owned(), copy: target, before });
        Ok(note)
    }

    /// Options of bwrap.
    pub(super) fn words(&self) -> impl Iterator<Item = OsString> + '_ {
        self.shadows
            .iter()
            .flat_map(|s| ["--bind".into(), s.copy.clone().into(), s.original.clone().into()])
    }

    /// What has changed in the copies, under the names of the originals.
    pub(super) fn changes(&self) -> impl Iterator<Item = Effect> + '_ {
        self.shadows.iter().flat_map(|s| {
            let cell = s.copy.parent().unwrap_or(&s.copy);
            s.before.changes_to(&Snapshot::of(cell, &shown_parent(&s.original)))
        })
    }
}

fn shown_parent(original: &Path) -> String {
    let parent = original.parent().unwrap_or(Path::new("/")).to_string_lossy();
    if parent.ends_with('/') { parent.into_owned() } else { format!("{parent}/") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(path: &Path) -> Wanted {
        Wanted { path: path.to_owned(), with_parent: None, barred: None }
    }

    #[test]
    fn a_folder_is_copied_with_samples_and_its_changes_bear_the_name_of_the_original() {
        let (mine, room) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(mine.path().join("notes.md"), "mine").unwrap();
        let shadows = Shadows::cast(&[plain(mine.path())], room.path());
        let shown = mine.path().display();
        let said = format!("writes to {shown} go to a copy, to which sample files were added");
        assert_eq!(shadows.notes, [said]);
        let copy = &shadows.shadows[0].copy;
        assert_eq!(fs::read_to_string(copy.join("notes.md")).unwrap(), "mine");
        assert!(copy.join("data.csv").is_file());
        assert_eq!(fs::read_dir(mine.path()).unwrap().count(), 1);
        assert_eq!(shadows.changes().count(), 0);
        fs::write(copy.join("notes.md"), "theirs").unwrap();
        let changes: Vec<Effect> = shadows.changes().collect();
        assert_eq!(changes, [Effect::FileChanged { path: format!("{shown}/notes.md") }]);
    }

    #[test]
    fn a_folder_inside_a_copied_one_needs_no_copy_of_its_own() {
        let (mine, room) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let inner = mine.path().join("inner");
        fs::create_dir(&inner).unwrap();
        let shadows = Shadows::cast(&[plain(mine.path()), plain(&inner)], room.path());
        assert_eq!(shadows.shadows.len(), 1);
        assert_eq!(shadows.words().count(), 3);
    }

    #[test]
    fn a_folder_that_is_too_large_stays_read_only_and_a_file_in_it_is_copied_alone() {
        let (mine, room) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for n in 0..=FILES {
            fs::write(mine.path().join(format!("{n}.txt")), "").unwrap();
        }
        let store = mine.path().join("store.db");
        fs::write(&store, "data").unwrap();
        let parent = Some(mine.path().to_owned());
        let database = Wanted { path: store.clone(), with_parent: parent, barred: None };
        let shadows = Shadows::cast(&[plain(mine.path()), database], room.path());
        let (folder, file) = (mine.path().display(), store.display());
        let reason = "it has more than 2000 files or 64 MiB, too much to copy";
        assert_eq!(
            shadows.notes,
            [
                format!("{folder} stays read-only: {reason}"),
                format!("writes to {file} go to a copy")
            ]
        );
    }
}
