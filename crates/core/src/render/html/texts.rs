//! The texts of the page: each kept once, and long ones shortened so that the file stays small.
//! How far depends on nothing but the texts, so the same evidence gives the same file.

use std::collections::BTreeMap;

use serde::Serialize;

use super::island::cost;
use crate::render::text::clean;

/// What all texts together may take, in bytes of the page.
const BUDGET: usize = 5_500_000;
/// What one text may take in characters; the first that fits the budget is taken.
const LIMITS: [usize; 9] = [8192, 4096, 2048, 1024, 512, 256, 128, 64, 32];
/// A text that a failure rests on may be longer than others.
const CITED: usize = 8;

#[derive(Debug, Default)]
pub(super) struct Pool {
    texts: Vec<(String, bool)>,
    places: BTreeMap<String, usize>,
}

/// The texts in order, and how long the uncited ones may be.
#[derive(Debug, Serialize)]
pub(super) struct Texts {
    limit: usize,
    shortened: usize,
    list: Vec<Kept>,
}

/// A text, or its beginning, its end, and how many characters are left out between them.
#[derive(Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum Kept {
    Whole(String),
    Cut(String, String, usize),
}

impl Pool {
    /// One line of unknown origin.
    pub(super) fn add(&mut self, text: &str) -> usize {
        self.keep(clean(text), false)
    }

    /// Several lines; those that a failure rests on are cut last.
    pub(super) fn add_lines(&mut self, text: &str, cited: bool) -> usize {
        let lines: Vec<String> = text.split('\n').map(clean).collect();
        self.keep(lines.join("\n"), cited)
    }

    fn keep(&mut self, text: String, cited: bool) -> usize {
        if let Some(place) = self.places.get(&text) {
            if let Some((_, before)) = self.texts.get_mut(*place) {
                *before |= cited;
            }
            return *place;
        }
        let place = self.texts.len();
        self.places.insert(text.clone(), place);
        self.texts.push((text, cited));
        place
    }

    pub(super) fn finish(self) -> Texts {
        let fits = |limit: &usize| self.size(*limit) <= BUDGET;
        let limit = LIMITS.into_iter().find(fits).unwrap_or(LIMITS[LIMITS.len() - 1]);
        let list: Vec<Kept> =
            self.texts.into_iter().map(|(text, cited)| cut(text, allowed(limit, cited))).collect();
        let shortened = list.iter().filter(|kept| matches!(kept, Kept::Cut(..))).count();
        Texts { limit, shortened, list }
    }

    fn size(&self, limit: usize) -> usize {
        let one = |(text, cited): &(String, bool)| cost(head(text, allowed(limit, *cited)));
        self.texts.iter().map(one).sum()
    }
}

fn allowed(limit: usize, cited: bool) -> usize {
    if cited { limit * CITED } else { limit }
}

fn cut(text: String, limit: usize) -> Kept {
    let length = text.chars().count();
    if length <= limit {
        return Kept::Whole(text);
    }
    let tail = limit / 4;
    let end = text.char_indices().nth(length - tail).map_or("", |(at, _)| &text[at..]);
    Kept::Cut(head(&text, limit - tail).to_owned(), end.to_owned(), length - limit)
}

fn head(text: &str, limit: usize) -> &str {
    text.char_indices().nth(limit).map_or(text, |(at, _)| &text[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_kept_once_and_whole_while_there_is_room() {
        let mut pool = Pool::default();
        assert_eq!((pool.add("a"), pool.add("b"), pool.add("a")), (0, 1, 0));
        let texts = pool.finish();
        assert_eq!((texts.limit, texts.shortened), (8192, 0));
        assert_eq!(texts.list, [Kept::Whole("a".to_owned()), Kept::Whole("b".to_owned())]);
    }

    #[test]
    fn long_texts_keep_both_ends_and_cited_ones_more_of_them() {
        let mut pool = Pool::default();
        let long = format!("{}ä{}", "x".repeat(9000), "y".repeat(9000));
        pool.add(&long);
        pool.add_lines(&format!("{long}z"), true);
        let texts = pool.finish();
        let [Kept::Cut(head, tail, left_out), Kept::Whole(cited)] = &texts.list[..] else {
            panic!("{texts:?}");
        };
        assert_eq!((head.len(), tail.len(), *left_out), (6144, 2048, 18_001 - 8192));
        assert_eq!(cited.chars().count(), 18_002);
    }

    #[test]
    fn the_more_there_is_the_shorter_each_text_becomes() {
        let mut pool = Pool::default();
        for n in 0..4000 {
            pool.add(&format!("{n}{}", "<".repeat(5000)));
        }
        let texts = pool.finish();
        assert!(texts.limit <= 256, "{}", texts.limit);
        let size: usize = serde_json::to_string(&texts).unwrap().len();
        assert!(size < BUDGET, "{size}");
    }
}
