//! The values of one attack, drawn afresh for each: nothing that another call has sent or seen.

use crate::arguments::Place;
use crate::evidence::{CanaryPlace, Evidence, Tool};
use crate::proof::Oracle;
use crate::seed::Seed;

#[derive(Debug)]
pub struct Nonce<'a> {
    pub evidence: &'a Evidence,
    pub place: &'a Place,
    seed: Seed,
    /// Two factors, and the words around their product.
    pub a: u64,
    pub b: u64,
    pub left: String,
    pub right: String,
}

impl<'a> Nonce<'a> {
    pub(super) fn new(
        evidence: &'a Evidence,
        tool: &Tool,
        place: &'a Place,
        probe: &str,
        name: &str,
        seed: Seed,
    ) -> Nonce<'a> {
        let seed = seed.part(&format!("{probe} {} {:?} {}", tool.name, place.slot, place.pointer));
        let seed = seed.part(name);
        // Below a thousand: some engines write larger products with separators.
        let (a, b) = (seed.between("a", 13, 31), seed.between("b", 13, 31));
        let (left, right) = (letters(seed, "left"), letters(seed, "right"));
        Nonce { evidence, place, seed, a, b, left, right }
    }

    /// The ordinary text of the place.
    pub fn text(&self) -> &str {
        &self.place.text
    }

    /// What only multiplying and joining yields: an echo does not multiply, a calculator does not
    /// join, and leaving characters out does neither.
    pub fn joined(&self) -> String {
        format!("{}{}{}", self.left, self.a * self.b, self.right)
    }

    pub fn computed(&self) -> Oracle {
        Oracle::Computed { expected: self.joined() }
    }

    /// A word that nobody knows.
    pub fn word(&self, label: &str) -> String {
        letters(self.seed, label)
    }

    pub fn number(&self, label: &str, low: u64, high: u64) -> u64 {
        self.seed.between(label, low, high)
    }

    /// The folder where files may appear.
    pub fn folder(&self) -> &str {
        self.evidence.conditions.workspace.trim_end_matches('/')
    }

    /// A file appears whose name had to be computed.
    pub fn appears(&self) -> Oracle {
        Oracle::Effect { path: format!("{}/{}", self.folder(), self.joined()) }
    }

    /// An address of ours, if the server can reach one, and the token by which a visit is known.
    pub fn page(&self) -> Option<(String, Oracle)> {
        let token = format!("{}{}", self.left, self.right);
        let base = self.evidence.conditions.content.as_deref()?;
        Some((format!("{base}/{token}"), Oracle::Callback { token }))
    }

    /// The name of a variable that was planted in the environment, and what its value proves.
    pub fn variable(&self) -> Option<(&'a str, Oracle)> {
        self.evidence.conditions.canaries.iter().find_map(|c| match &c.place {
            CanaryPlace::Env { name } => {
                Some((name.as_str(), Oracle::Planted { canary: c.id.clone() }))
            }
            CanaryPlace::Inside { .. } | CanaryPlace::Outside { .. } => None,
        })
    }
}

/// Letters alone: digits beside a product would blur where it begins.
fn letters(seed: Seed, label: &str) -> String {
    let word = seed.word(label, 24);
    word.chars().filter(char::is_ascii_lowercase).take(7).collect()
}
