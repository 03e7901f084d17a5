//! A sample: walk the schema, ask the validator, learn, and try again.

use jsonschema::Validator;
use serde_json::Value;

use super::context::Context;
use super::lessons::Lessons;
use super::schema::{Matchers, validator};
use super::walk::Walk;
use crate::seed::Seed;

/// How much of what may be given is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fill {
    /// What is required.
    Minimal,
    /// Besides, what the schema itself suggests a value for.
    Typical,
    /// All that the schema names.
    Full,
}

/// Tries per fill.
const TRIES: usize = 32;

/// Arguments that the schema allows; `None` when we find none (bounds that exclude each other, a
/// pattern beyond us). Where a fuller sample breaks a rule between parameters, a smaller one is
/// given. A schema that does not compile is met as well as can be read from it.
pub fn sample(schema: &Value, context: &Context, seed: Seed, fill: Fill) -> Option<Value> {
    let (validator, matchers) = (validator(schema), Matchers::default());
    let making = Making { schema, context, validator: validator.as_deref(), matchers: &matchers };
    let sampled = making.of_fill(seed, fill);
    if fill != Fill::Full || sampled == making.of_fill(seed, Fill::Typical) {
        return sampled;
    }
    // What the typical call has made is there already, so the full one makes something else.
    making.of_fill(seed.part("full"), fill)
}

struct Making<'a> {
    schema: &'a Value,
    context: &'a Context,
    validator: Option<&'a Validator>,
    matchers: &'a Matchers,
}

impl Making<'_> {
    /// Of this fill, or of one near it.
    fn of_fill(&self, seed: Seed, fill: Fill) -> Option<Value> {
        let fills: &[Fill] = match fill {
            Fill::Full => &[Fill::Full, Fill::Typical, Fill::Minimal],
            Fill::Typical => &[Fill::Typical, Fill::Minimal, Fill::Full],
            Fill::Minimal => &[Fill::Minimal, Fill::Typical],
        };
        fills.iter().find_map(|fill| self.tried(seed, *fill))
    }

    fn tried(&self, seed: Seed, fill: Fill) -> Option<Value> {
        let masked = |pointer: &str| self.context.is_masked(pointer);
        let mut lessons = Lessons::default();
        for _ in 0..TRIES {
            let walk = Walk::new(self.schema, self.context, seed, fill, &lessons, self.matchers);
            let value = walk.whole_value()?;
            let Some(validator) = self.validator else { return Some(value) };
            if validator.is_valid(&value)
                || validator.iter_errors(&value).all(|e| masked(e.instance_path().as_str()))
            {
                return Some(value);
            }
            let taken = walk.taken_whole();
            let before = lessons.clone();
            lessons.learn(validator, &value, &taken, &masked);
            if lessons == before {
                return None;
            }
        }
        None
    }
}
