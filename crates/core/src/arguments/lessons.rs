//! Lessons: what the validator's complaints about one try teach the next.

use std::collections::{BTreeMap, BTreeSet};

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

use super::schema::pointer_to;

/// Beyond these turns at one place, the place is left out where it may be.
const TURNS: usize = 12;
/// Complaints listened to after one try.
const HEARD: usize = 8;

/// All by JSON pointer into the sample.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Lessons {
    /// How often another choice was asked for.
    turns: BTreeMap<String, usize>,
    /// What must be given although the schema does not say so plainly.
    forced: BTreeSet<String>,
    /// What must not be given.
    dropped: BTreeSet<String>,
}

impl Lessons {
    pub(super) fn turn(&self, pointer: &str) -> usize {
        self.turns.get(pointer).copied().unwrap_or(0)
    }

    pub(super) fn drops(&self, pointer: &str) -> bool {
        self.dropped.contains(pointer)
    }

    pub(super) fn forces(&self, pointer: &str) -> bool {
        self.forced.contains(pointer)
    }

    /// Names of the members of `parent` that must be there.
    pub(super) fn forced_in<'a>(&'a self, parent: &'a str) -> impl Iterator<Item = String> + 'a {
        self.forced.iter().filter_map(move |pointer| {
            let name = pointer.strip_prefix(parent)?.strip_prefix('/')?;
            (!name.contains('/')).then(|| name.replace("~1", "/").replace("~0", "~"))
        })
    }

    /// `whole` are places whose value was taken as one piece, so that a complaint about a part of
    /// it asks for another piece. `masked` are values that stand for others.
    pub(super) fn learn(
        &mut self,
        validator: &Validator,
        value: &Value,
        whole: &BTreeSet<String>,
        masked: &dyn Fn(&str) -> bool,
    ) {
        let complaints = validator.iter_errors(value);
        for error in complaints.filter(|e| !masked(e.instance_path().as_str())).take(HEARD) {
            let (pointer, kind) = innermost(&error);
            match whole.iter().find(|w| pointer.starts_with(&format!("{w}/"))) {
                Some(piece) => self.turn_at(piece.clone()),
                None => self.learn_one(pointer, kind),
            }
        }
    }

    fn learn_one(&mut self, pointer: String, kind: &ValidationErrorKind) {
        if let ValidationErrorKind::Required { property: Value::String(name) } = kind {
            let missing = pointer_to(&pointer, name);
            if self.dropped.contains(&missing) || !self.forced.insert(missing) {
                self.turn_at(pointer);
            }
        } else if let ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } = kind
        {
            for name in unexpected {
                self.dropped.insert(pointer_to(&pointer, name));
            }
        } else if let ValidationErrorKind::FalseSchema = kind {
            self.dropped.insert(pointer);
        } else if let ValidationErrorKind::Not { schema } = kind {
            self.learn_not(pointer, schema);
        } else {
            self.turn_at(pointer);
        }
    }

    fn learn_not(&mut self, pointer: String, forbidden: &Value) {
        let named = |key: &str| forbidden.get(key).and_then(Value::as_array);
        let last = named("required").and_then(|r| r.last()).and_then(Value::as_str);
        if let Some(Value::Object(properties)) = forbidden.get("properties") {
            for name in properties.keys() {
                self.turn_at(pointer_to(&pointer, name));
            }
        } else if let Some(name) = last {
            self.dropped.insert(pointer_to(&pointer, name));
        } else if let Some(several) = named("anyOf").filter(|a| a.iter().any(Value::is_object)) {
            for one in several {
                self.learn_not(pointer.clone(), one);
            }
        } else {
            self.turn_at(pointer);
        }
    }

    fn turn_at(&mut self, pointer: String) {
        let turns = self.turns.entry(pointer.clone()).or_default();
        *turns += 1;
        if *turns > TURNS && !pointer.is_empty() {
            self.dropped.insert(pointer);
        }
    }
}

/// Where a choice between schemas failed, the complaint of the branch that came furthest says more.
fn innermost<'a>(error: &'a ValidationError<'_>) -> (String, &'a ValidationErrorKind) {
    let here = (error.instance_path().to_string(), error.kind());
    let (ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context }) =
        error.kind()
    else {
        return here;
    };
    let branches = context.iter().filter_map(|errors| errors.first()).map(innermost);
    let furthest = branches.max_by_key(|(pointer, _)| pointer.matches('/').count());
    furthest.filter(|(pointer, _)| pointer.len() > here.0.len()).unwrap_or(here)
}
