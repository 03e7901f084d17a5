//! A mutant at work: what it remembers, and the three moments at which it steps in.

use std::collections::BTreeSet;
use std::sync::Mutex;

use serde_json::Value;

use super::when::{Heard, Moment};
use super::{Flaw, Mutant};
use crate::front::http::lock;
use crate::mode::Act;
use crate::revision::Revision;

#[derive(Debug)]
pub(crate) struct Engine {
    pub(super) mutant: Mutant,
    memory: Mutex<Memory>,
}

#[derive(Debug, Default)]
struct Memory {
    fired: bool,
    methods: BTreeSet<String>,
    values: BTreeSet<String>,
}

/// What the mutant makes of a frame before the server reads it.
#[derive(Debug)]
pub(crate) struct Hearing {
    pub(crate) heard: Heard,
    matches: bool,
}

/// Counts matches of one layer, since a message over HTTP is met by two.
#[derive(Debug, Default)]
pub(crate) struct Counter(u64);

impl Engine {
    pub(crate) fn new(mutant: Mutant) -> Engine {
        Engine { mutant, memory: Mutex::default() }
    }

    pub(crate) fn has(&self, flaw: Flaw) -> bool {
        let has = self.mutant.flaw == Some(flaw);
        if has {
            self.fire();
        }
        has
    }

    /// Says once, for tests, that the defect has shown.
    pub(super) fn fire(&self) {
        if !std::mem::replace(&mut lock(&self.memory).fired, true) {
            crate::front::complain(&format!("mutant {} fired", self.mutant.id));
        }
    }

    fn speaks(&self, heard: &Heard) -> bool {
        self.mutant.when.any_revision
            || heard.revision.is_none_or(|r| self.mutant.revisions.contains(r))
    }

    /// Whether the conditions on what was heard hold, in a revision where the defect shows.
    pub(super) fn matches(&self, heard: &Heard, counter: &mut Counter) -> bool {
        let when = &self.mutant.when;
        if when.at != Moment::Message || !self.speaks(heard) || !when.hears(heard) {
            return false;
        }
        counter.0 += 1;
        when.nth.is_none_or(|nth| nth == counter.0)
            && when.every.is_none_or(|every| counter.0.is_multiple_of(every))
            && self.remembers(heard)
    }

    fn remembers(&self, heard: &Heard) -> bool {
        let when = &self.mutant.when;
        let mut memory = lock(&self.memory);
        let repeated = when.repeated.as_ref().is_none_or(|pointer| {
            heard.at(pointer).is_some_and(|value| !memory.values.insert(value.to_string()))
        });
        repeated
            && when.after.as_ref().is_none_or(|method| memory.methods.contains(method))
            && when.first.as_ref().is_none_or(|method| !memory.methods.contains(method))
    }

    /// Before the server reads a message: it may read another.
    pub(crate) fn hear(
        &self,
        heard: Heard,
        message: Option<&mut Value>,
        counter: &mut Counter,
    ) -> Hearing {
        let matches = self.matches(&heard, counter);
        lock(&self.memory).methods.insert(heard.method().to_owned());
        if let (true, Some(message)) = (matches, message) {
            for edit in &self.mutant.hear {
                if edit.apply(message, &heard) {
                    self.fire();
                }
            }
        }
        Hearing { heard, matches }
    }

    /// After the server has spoken: it may have said something else.
    /// What is only a part of the answer concerns it where it says what the mutant waits for.
    pub(crate) fn bend(&self, hearing: &Hearing, partly: bool, acts: Vec<Act>) -> Vec<Act> {
        if hearing.matches { self.change(&hearing.heard, partly, acts) } else { acts }
    }

    /// Messages outside any answer.
    pub(crate) fn tell(&self, agreed: Option<Revision>, acts: Vec<Act>) -> Vec<Act> {
        let heard = Heard::new(None, agreed);
        let told = self.mutant.when.at == Moment::Told && self.speaks(&heard);
        if told { self.change(&heard, true, acts) } else { acts }
    }

    fn change(&self, heard: &Heard, partly: bool, mut acts: Vec<Act>) -> Vec<Act> {
        let when = &self.mutant.when;
        let meant = acts.iter().any(|act| matches!(act, Act::Say(said) if when.selects(said)));
        if (partly || when.is_about_speech()) && !meant {
            return acts;
        }
        for act in &mut acts {
            if let Act::Say(said) = act
                && when.selects(said)
            {
                self.edit(said, heard);
            }
        }
        self.act(heard, acts)
    }

    fn edit(&self, said: &mut Value, heard: &Heard) {
        for edit in &self.mutant.edit {
            if edit.apply(said, heard) {
                self.fire();
            }
        }
    }

    fn act(&self, heard: &Heard, mut acts: Vec<Act>) -> Vec<Act> {
        for action in &self.mutant.acts {
            if let Some(changed) = action.apply(&self.mutant.when, heard, &acts) {
                self.fire();
                acts = changed;
            }
        }
        acts
    }

    /// At the start and at the end of the process.
    pub(crate) fn at_start(&self, acts: Vec<Act>) -> Vec<Act> {
        if self.has(Flaw::BabblesOnStderr) {
            crate::front::babble();
        }
        self.at(Moment::Start, acts)
    }

    pub(crate) fn at_end(&self, acts: Vec<Act>) -> Vec<Act> {
        self.at(Moment::End, acts)
    }

    fn at(&self, moment: Moment, acts: Vec<Act>) -> Vec<Act> {
        if self.mutant.when.at == moment { self.act(&Heard::new(None, None), acts) } else { acts }
    }
}
