//! Watchers of a run: a bar for people, lines of JSON for machines.

mod bar;
mod jsonl;
mod watchers;

pub(crate) use watchers::{Voice, Watch};
