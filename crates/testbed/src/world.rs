//! What the tools of a server work on: a notebook and a store in memory.

use std::collections::BTreeSet;
use std::mem;

use crate::change::Change;

/// Notes a server keeps at most, so that a long run cannot eat the machine.
const MOST_NOTES: usize = 1000;

#[derive(Debug, Clone)]
pub(crate) struct World {
    /// Oldest first. None is ever removed, so ids count up and are the same in every run.
    pub notes: Vec<Note>,
    /// Items may go, so ids come from a count of their own.
    pub items: Vec<Item>,
    stored: u64,
    /// Ids of notes that are listed as resources.
    pub pinned: BTreeSet<String>,
    /// In winter there is more on offer.
    pub winter: bool,
    changes: Vec<Change>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    pub id: String,
    pub name: String,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note {
    pub id: String,
    pub title: String,
    pub body: String,
}

const FIRST_NOTES: [(&str, &str); 5] = [
    ("Heron at the weir", "A grey heron stood at the weir from six to half past seven. Two trout."),
    ("Hedge count", "Twelve metres of hawthorn, four of blackthorn, one gap the size of a badger."),
    ("Rain gauge", "Eleven millimetres overnight. The funnel was half blocked by a leaf."),
    ("Moth trap", "Three setaceous hebrew characters, one angle shades, a very cross wasp."),
    ("Path to the mill", "The stile is loose again. Take the lower path after rain."),
];

const FIRST_ITEMS: [(&str, &str); 3] = [
    ("rope", "Twenty metres, one end frayed."),
    ("kettle", "Black, with a lid that does not belong to it."),
    ("map", "The lower valley, before the new bridge."),
];

impl World {
    pub(crate) fn new() -> World {
        let mut world = World {
            notes: Vec::new(),
            items: Vec::new(),
            stored: 0,
            pinned: BTreeSet::new(),
            winter: false,
            changes: Vec::new(),
        };
        for (title, body) in FIRST_NOTES {
            world.add(title, body);
        }
        for (name, text) in FIRST_ITEMS {
            world.store(name, text);
        }
        world
    }

    /// The id of the new note, or `None` when the notebook is full.
    pub(crate) fn add(&mut self, title: &str, body: &str) -> Option<String> {
        if self.notes.len() >= MOST_NOTES {
            return None;
        }
        let id = format!("note-{}", self.notes.len() + 1);
        let (title, body) = (title.to_owned(), body.to_owned());
        self.notes.push(Note { id: id.clone(), title, body });
        Some(id)
    }

    /// The id of the new item, or `None` when the store is full. Ids cannot be guessed from one
    /// another, and are the same in every run.
    pub(crate) fn store(&mut self, name: &str, text: &str) -> Option<String> {
        if self.items.len() >= MOST_NOTES {
            return None;
        }
        self.stored += 1;
        let id = format!("it-{:06x}", self.stored.wrapping_mul(0x9e_3779_b97f) % 0x100_0000);
        self.items.push(Item { id: id.clone(), name: name.to_owned(), text: text.to_owned() });
        Some(id)
    }

    /// Replaces the text of a note; false when there is no such note.
    pub(crate) fn rewrite(&mut self, id: &str, body: &str) -> bool {
        let Some(note) = self.notes.iter_mut().find(|note| note.id == id) else { return false };
        if note.body != body {
            note.body = body.to_owned();
            self.changes.push(Change::Resource(format!("notes://{id}")));
        }
        true
    }

    /// Whether the list of resources is another one now.
    pub(crate) fn pin(&mut self, id: &str, pinned: bool) -> bool {
        let changed =
            if pinned { self.pinned.insert(id.to_owned()) } else { self.pinned.remove(id) };
        if changed {
            self.changes.push(Change::Resources);
        }
        changed
    }

    pub(crate) fn set_winter(&mut self, winter: bool) {
        if mem::replace(&mut self.winter, winter) != winter {
            self.changes.extend([Change::Tools, Change::Prompts]);
        }
    }

    /// What changed since this was last asked.
    pub(crate) fn take_changes(&mut self) -> Vec<Change> {
        mem::take(&mut self.changes)
    }

    pub(crate) fn note(&self, id: &str) -> Option<&Note> {
        self.notes.iter().find(|note| note.id == id)
    }

    pub(crate) fn search(&self, words: &str) -> impl Iterator<Item = &Note> {
        let wanted = words.to_lowercase();
        self.notes
            .iter()
            .filter(move |n| format!("{} {}", n.title, n.body).to_lowercase().contains(&wanted))
    }
}

impl Default for World {
    fn default() -> World {
        World::new()
    }
}
