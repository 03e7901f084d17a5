//! The lists of a server as one conversation has them: page by page, item by item.

use serde_json::Value;

use super::{Conversation, Judgement, Ruling};
use crate::evidence::Exchange;
use crate::response::quote;

/// The four lists: method, and where its result keeps the items.
pub const LISTS: [(&str, &str); 4] = [
    ("tools/list", "tools"),
    ("resources/list", "resources"),
    ("resources/templates/list", "resourceTemplates"),
    ("prompts/list", "prompts"),
];

/// A list, followed as far as anybody followed it.
#[derive(Debug)]
pub struct Listed<'a> {
    pub method: &'static str,
    pub pages: Vec<(&'a Exchange, &'a Value)>,
    pub items: Vec<&'a Value>,
    /// A cursor that led back to a page seen before.
    pub loops: Option<&'a str>,
}

impl<'a> Conversation<'a> {
    /// The first answers to a list method: one for each time it was asked without a cursor.
    pub fn first_pages(&self, method: &'static str) -> Vec<(&'a Exchange, &'a Value)> {
        self.pages(method).into_iter().filter(|(x, _)| cursor_sent(x).is_none()).collect()
    }

    /// Every page that was given, bogus cursors included.
    pub fn pages(&self, method: &str) -> Vec<(&'a Exchange, &'a Value)> {
        self.exchanges()
            .filter(|x| x.send.method() == Some(method))
            .filter_map(|x| Some((x, x.result()?)))
            .collect()
    }

    /// A list of this revision, as it was given first.
    pub fn listing(&self, method: &'static str) -> Result<Listed<'a>, Ruling> {
        let capability = method.split('/').next().unwrap_or_default();
        let Some(first) = self.first_pages(method).into_iter().next() else {
            self.needs(capability)?;
            return Err(Ruling::unseen(format!("{method}: no list was given")));
        };
        let mut listed = Listed { method, pages: vec![first], items: Vec::new(), loops: None };
        let mut seen = Vec::new();
        while let Some(cursor) = listed.pages.last().and_then(|(_, page)| next_cursor(page)) {
            if seen.contains(&cursor) {
                listed.loops = Some(cursor);
                break;
            }
            seen.push(cursor);
            let follows =
                |(x, _): &(&Exchange, &Value)| x.on == first.0.on && cursor_sent(x) == Some(cursor);
            match self.pages(method).into_iter().find(follows) {
                Some(page) => listed.pages.push(page),
                None => break,
            }
        }
        listed.items = listed.pages.iter().flat_map(|(_, page)| items(method, page)).collect();
        Ok(listed)
    }
}

impl Listed<'_> {
    /// Judges every item; the first flaw is told, the others are counted.
    pub fn every(
        &self,
        good: &str,
        fix: &str,
        flaw: impl Fn(&Value) -> Option<String>,
    ) -> Judgement {
        let Some((first, _)) = self.pages.first() else {
            return Err(Ruling::unseen(format!("{}: no list was given", self.method)));
        };
        if self.items.is_empty() {
            return Err(Ruling::not_testable(format!("{} is empty", self.method)));
        }
        let flaws: Vec<String> = self
            .items
            .iter()
            .filter_map(|item| Some(format!("{}: {}", name_of(item), flaw(item)?)))
            .collect();
        let ruling = match flaws.split_first() {
            None => Ruling::pass(format!("{} of {}: {good}", self.items.len(), self.method)),
            Some((worst, [])) => Ruling::fail(worst.clone(), fix),
            Some((worst, more)) => Ruling::fail(format!("{worst}; and {} more", more.len()), fix),
        };
        Ok(ruling.seen_in(first.id))
    }
}

/// The items of one page.
pub fn items<'a>(method: &str, page: &'a Value) -> impl Iterator<Item = &'a Value> {
    let key = LISTS.iter().find(|(m, _)| *m == method).map_or("", |(_, key)| key);
    page.get(key).and_then(Value::as_array).into_iter().flatten()
}

pub fn next_cursor(page: &Value) -> Option<&str> {
    page.get("nextCursor")?.as_str()
}

pub fn cursor_sent(x: &Exchange) -> Option<&str> {
    x.send.params()?.get("cursor")?.as_str()
}

/// What an item is called, quoted.
pub fn name_of(item: &Value) -> String {
    let name = ["name", "uri", "uriTemplate"].iter().find_map(|key| item.get(*key)?.as_str());
    name.map_or_else(|| "an item without a name".to_owned(), |n| format!("\"{}\"", quote(n)))
}
