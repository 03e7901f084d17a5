//! What the tools of a server work on: a notebook in memory.

use std::collections::BTreeMap;

/// Notes a server keeps at most, so that a long run cannot eat the machine.
const MOST_NOTES: usize = 1000;

#[derive(Debug, Clone)]
pub(crate) struct World {
    pub notes: BTreeMap<String, Note>,
    /// Ids count up, so that they are the same in every run.
    next: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note {
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

impl World {
    pub(crate) fn new() -> World {
        let mut world = World { notes: BTreeMap::new(), next: 1 };
        for (title, body) in FIRST_NOTES {
            world.add(title, body);
        }
        world
    }

    /// The id of the new note, or `None` when the notebook is full.
    pub(crate) fn add(&mut self, title: &str, body: &str) -> Option<String> {
        if self.notes.len() >= MOST_NOTES {
            return None;
        }
        let id = format!("note-{}", self.next);
        self.next += 1;
        self.notes.insert(id.clone(), Note { title: title.to_owned(), body: body.to_owned() });
        Some(id)
    }

    pub(crate) fn search(&self, words: &str) -> Vec<(&String, &Note)> {
        let wanted = words.to_lowercase();
        self.notes
            .iter()
            .filter(|(_, n)| format!("{} {}", n.title, n.body).to_lowercase().contains(&wanted))
            .collect()
    }
}

impl Default for World {
    fn default() -> World {
        World::new()
    }
}
