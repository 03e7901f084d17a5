//! What each process stands on. The first has the scratch area itself; every further one gets a copy
//! as it is then: servers make their store anew when they start, lock it, or clear it, and one that
//! did so beside another would take the ground from under its feet.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use proofmark_core::abreast::abreast;
use proofmark_core::evidence::Effect;

use crate::isolate::{Scratch, Snapshot};

/// The scratch area of a run and its copies.
#[derive(Debug)]
pub struct Grounds {
    main: Arc<Scratch>,
    before: Snapshot,
    copies: Mutex<Vec<(Arc<Scratch>, Snapshot)>>,
    /// What we put there ourselves after the beginning, as it appears in evidence.
    ours: Mutex<Vec<String>>,
}

impl Grounds {
    pub fn new(main: Scratch) -> Grounds {
        let before = main.snapshot();
        Grounds { main: Arc::new(main), before, copies: Mutex::default(), ours: Mutex::default() }
    }

    /// From now on this folder is no effect of the server's.
    pub fn ours(&self, folder: &str) {
        self.ours.lock().unwrap_or_else(PoisonError::into_inner).push(format!("{folder}/"));
    }

    /// What changed on the main one.
    pub fn of_main(&self) -> Vec<Effect> {
        let ours = self.ours.lock().unwrap_or_else(PoisonError::into_inner);
        let mut changed = self.main.changes_since(&self.before);
        changed.retain(|effect| !ours.iter().any(|folder| effect.path().starts_with(folder)));
        changed
    }

    pub fn main(&self) -> &Arc<Scratch> {
        &self.main
    }

    /// So many copies of the main one as it is now, made beside each other; the main one itself where
    /// that can't be had, which is how two terminals of one user would share it.
    pub fn further(&self, number: usize) -> Vec<Arc<Scratch>> {
        let mut copies = self.copies.lock().unwrap_or_else(PoisonError::into_inner);
        let numbers: Vec<usize> = (copies.len()..copies.len() + number).collect();
        let made = abreast(&numbers, |number| {
            let copy = Arc::new(self.main.copied(*number)?);
            let before = copy.snapshot();
            Some((copy, before))
        });
        let grounds = made.iter().map(|made| made.as_ref().map_or(&self.main, |(copy, _)| copy));
        let grounds = grounds.map(Arc::clone).collect();
        copies.extend(made.into_iter().flatten());
        grounds
    }

    /// What changed on any of them.
    pub fn effects(&self) -> BTreeSet<Effect> {
        let copies = self.copies.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = copies.iter().flat_map(|(copy, before)| copy.changes_since(before));
        self.of_main().into_iter().chain(changed).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_one_process_does_another_does_not_see_and_the_run_lists_both() {
        let parent = tempfile::tempdir().unwrap();
        let main = Scratch::new_in(parent.path()).unwrap();
        fs::write(main.workspace().join("store.db"), "first").unwrap();
        let grounds = Grounds::new(main);
        let further = grounds.further(2);
        let [one, two] = further.as_slice() else { panic!("{further:?}") };
        assert_eq!(fs::read_to_string(one.workspace().join("store.db")).unwrap(), "first");
        fs::remove_file(one.workspace().join("store.db")).unwrap();
        fs::write(two.tmp().join("mark"), "").unwrap();
        assert!(grounds.main().workspace().join("store.db").exists());
        assert!(two.workspace().join("store.db").exists());
        let shown: Vec<String> =
            grounds.effects().iter().map(|effect| effect.path().to_owned()).collect();
        assert_eq!(shown, ["/proofmark/tmp/mark", "/proofmark/workspace/store.db"]);
        drop((further, grounds));
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
    }

    #[test]
    fn all_of_them_have_one_name_in_evidence() {
        let parent = tempfile::tempdir().unwrap();
        let grounds = Grounds::new(Scratch::new_in(parent.path()).unwrap());
        let mut scrub = proofmark_core::scrub::Scrub::default();
        for (text, name) in grounds.main().placeholders() {
            scrub.add(text, name);
        }
        let further = grounds.further(1);
        for scratch in [grounds.main(), &further[0]] {
            let path = scratch.workspace().join("notes.md").display().to_string();
            assert_eq!(scrub.text(&path), "/proofmark/workspace/notes.md");
        }
        assert_ne!(further[0].root(), grounds.main().root());
    }
}
