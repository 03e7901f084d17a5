//! Seed: the one source of randomness. Every value is a keyed hash of the seed and a label,
//! so it depends on what it is for and never on the order in which things were drawn.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Seed(pub u64);

impl Seed {
    /// A 64-bit value for this label.
    pub fn number(self, label: &str) -> u64 {
        u64::from_le_bytes(self.bytes(label))
    }

    /// A value in `low..=high`.
    pub fn between(self, label: &str, low: u64, high: u64) -> u64 {
        let span = high.saturating_sub(low).saturating_add(1);
        low + if span == 0 { self.number(label) } else { self.number(label) % span }
    }

    /// Lower-case letters and digits, starting with a letter; safe in file names, shells and URLs.
    pub fn word(self, label: &str, length: usize) -> String {
        const ALPHABET: &[u8] = b"abcdefghijkmnpqrstuvwxyz23456789";
        let hash = self.hash(label);
        (0..length)
            .map(|i| {
                let byte = hash.as_bytes()[i % 32] as usize;
                let index = if i == 0 { byte % 24 } else { byte % ALPHABET.len() };
                char::from(ALPHABET[index])
            })
            .collect()
    }

    /// A seed for a part of the work, independent of its siblings.
    pub fn part(self, label: &str) -> Seed {
        Seed(self.number(label))
    }

    fn hash(self, label: &str) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.0.to_le_bytes());
        hasher.update(label.as_bytes());
        hasher.finalize()
    }

    fn bytes(self, label: &str) -> [u8; 8] {
        let mut first = [0; 8];
        first.copy_from_slice(&self.hash(label).as_bytes()[..8]);
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_label_gives_the_same_value_and_another_label_another() {
        let seed = Seed(7);
        assert_eq!(seed.number("a"), seed.number("a"));
        assert_ne!(seed.number("a"), seed.number("b"));
        assert_ne!(seed.number("a"), Seed(8).number("a"));
    }

    #[test]
    fn words_start_with_a_letter_and_have_the_length_asked_for() {
        for n in 0..200 {
            let word = Seed(n).word("x", 12);
            assert_eq!(word.len(), 12);
            assert!(word.starts_with(|c: char| c.is_ascii_lowercase()), "{word}");
        }
    }

    #[test]
    fn between_stays_inside_its_bounds() {
        for n in 0..500 {
            let value = Seed(n).between("k", 10, 12);
            assert!((10..=12).contains(&value));
        }
        assert_eq!(Seed(1).between("k", 5, 5), 5);
    }
}
