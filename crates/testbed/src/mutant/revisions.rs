//! Revisions as the requirement table writes them: `A-D`, `C,D`, `A,C-E`.

use serde::{Deserialize, Deserializer, de};

use crate::revision::Revision;

const LETTERS: &str = "ABCDE";

/// A set of revisions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revisions {
    written: String,
    all: Vec<Revision>,
}

impl Revisions {
    /// As in the table.
    pub fn as_str(&self) -> &str {
        &self.written
    }

    /// Their dates, oldest first.
    pub fn dates(&self) -> impl Iterator<Item = &'static str> {
        self.all.iter().map(|revision| revision.as_str())
    }

    pub(super) fn contains(&self, revision: Revision) -> bool {
        self.all.contains(&revision)
    }

    fn parse(text: &str) -> Option<Revisions> {
        let place = |letter: &str| LETTERS.find(letter).filter(|_| letter.len() == 1);
        let mut all = Vec::new();
        for part in text.split(',').map(str::trim) {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            all.extend(Revision::ALL.get(place(first)?..=place(last)?)?);
        }
        all.sort_unstable();
        all.dedup();
        Some(Revisions { written: text.to_owned(), all })
    }
}

impl<'de> Deserialize<'de> for Revisions {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Revisions, D::Error> {
        let text = String::deserialize(from)?;
        Revisions::parse(&text).ok_or_else(|| {
            let why = format!("revisions `{text}` are not letters from A to E such as `A-D`");
            de::Error::custom(why)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Revisions;

    #[test]
    fn ranges_and_lists_are_read_and_ordered() {
        let dates = |text: &str| Revisions::parse(text).map(|r| r.dates().collect::<Vec<_>>());
        assert_eq!(dates("B"), Some(vec!["2025-03-26"]));
        assert_eq!(dates("E,A-B"), Some(vec!["2024-11-05", "2025-03-26", "2026-07-28"]));
        for bad in ["", "F", "D-A", "AB", "2025-03-26"] {
            assert_eq!(dates(bad), None, "{bad}");
        }
    }
}
