//! Harvest: the values that a server itself gave, and those it took from us, with what they mean.
//! They feed later calls whose parameters mean the same thing.

mod beside;
mod fill;
mod fit;
mod gather;
mod sense;
mod sql;
mod told;

pub use beside::beside;
pub use fill::{Aim, filled, refers_elsewhere};
pub use gather::is_wrapper;
pub use sense::{Kind, Sense, Stage, singular};

use serde_json::Value;

use crate::arguments::violates;
use crate::evidence::{Evidence, ExchangeId, Tool};

/// Where a value was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// We sent it, and the server took it.
    Sent(ExchangeId),
    Answered(ExchangeId),
    /// It stands in a listing: a resource, an argument's allowed values.
    Listed,
    /// The server was started with it.
    Started,
}

/// One value and what it means.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// A text or a whole number.
    pub value: Value,
    /// The words of the key it stood under, singular; none for a line of a list.
    pub key: Vec<String>,
    /// What it belongs to, e.g. `user` for what `create_user` answers; the last word says most.
    pub noun: Vec<String>,
    pub source: Source,
    /// It names something that we made.
    pub ours: bool,
    /// Values that stood in the same object share this number.
    pub record: usize,
}

/// All values found so far, in the order of the transcript.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Harvest {
    pub found: Vec<Found>,
}

impl Harvest {
    /// What the successful ordinary calls, the listings and the start arguments hold.
    pub fn of(evidence: &Evidence) -> Harvest {
        gather::all(evidence)
    }

    /// The value that fits a parameter best, by the words of both and by the schema.
    pub fn best(
        &self,
        evidence: &Evidence,
        name: &str,
        tool: &Tool,
        schema: &Value,
    ) -> Option<&Found> {
        let about = schema.get("description").and_then(Value::as_str).unwrap_or_default();
        self.best_of(name, about, &Sense::of(evidence, tool), schema)
    }

    /// The same for anything that has named arguments.
    pub fn best_of(
        &self,
        name: &str,
        about: &str,
        sense: &Sense,
        schema: &Value,
    ) -> Option<&Found> {
        let want = fit::Want::new(name, about, sense);
        let fits = |f: &&Found| {
            fit::shaped(&f.value, schema).is_some_and(|v| violates(schema, &v).is_none())
        };
        let ranked = self.found.iter().filter(fits).filter_map(|f| Some((want.fit(f)?, f)));
        let ranked = ranked.filter(|(score, _)| *score >= fit::STRONG);
        // The first of the best, so that more evidence of the same kind changes nothing.
        ranked
            .fold(None, |best: Option<(u32, &Found)>, (score, f)| match best {
                Some((most, _)) if most >= score => best,
                Some(_) | None => Some((score, f)),
            })
            .map(|(_, f)| f)
    }
}

#[cfg(test)]
mod tests;
