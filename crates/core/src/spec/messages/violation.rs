//! One place in a message that its schema does not allow.

use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    /// A JSON pointer into the message; what is missing is pointed at where it should be.
    pub pointer: String,
    /// The pointer with `*` for array indices and free keys: the same in every message.
    pub place: String,
    /// What is broken, without anything of the message: the same in every message.
    pub rule: String,
    /// What is wrong, to follow the pointer in a sentence.
    pub says: String,
}

/// A violation that was seen once or more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distinct {
    /// The first one seen.
    pub violation: Violation,
    pub times: usize,
}

/// One entry per place and rule, in order of the place.
pub fn distinct(violations: impl IntoIterator<Item = Violation>) -> Vec<Distinct> {
    let mut seen: BTreeMap<(String, String), Distinct> = BTreeMap::new();
    for violation in violations {
        let key = (violation.place.clone(), violation.rule.clone());
        seen.entry(key).or_insert(Distinct { violation, times: 0 }).times += 1;
    }
    seen.into_values().collect()
}
