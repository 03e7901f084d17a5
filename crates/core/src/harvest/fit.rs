//! How well a value found fits a parameter.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Found;
use super::sense::{Kind, Sense, Stage, singular};
use crate::probe::words;

/// From here on the words of both leave little doubt.
pub(super) const STRONG: u32 = 6;

/// What a parameter asks for.
pub(super) struct Want<'a> {
    /// Words of its name that name a thing.
    thing: Vec<String>,
    all: Vec<String>,
    kind: Option<Kind>,
    about: BTreeSet<String>,
    sense: &'a Sense,
}

impl Want<'_> {
    pub(super) fn new<'a>(name: &str, about: &str, sense: &'a Sense) -> Want<'a> {
        let all: Vec<String> = words(name).iter().map(|w| singular(w)).collect();
        let thing = all.iter().filter(|w| Kind::of_word(w).is_none()).cloned().collect();
        let about: BTreeSet<String> = words(about).iter().map(|w| singular(w)).collect();
        let kind = Kind::of(&all);
        Want { thing, all, kind, about, sense }
    }

    /// Text to look for: whatever exists is worth finding.
    pub(super) fn is_search(&self) -> bool {
        let asks = ["query", "q", "search", "term", "keyword"];
        self.sense.stage == Stage::Read
            && self.all.iter().any(|w| asks.contains(&w.as_str()))
            && !self.about.contains("sql")
            && !self.about.contains("select")
    }

    /// Whether it asks for something that must exist already. `ours` are the nouns we know of.
    pub(super) fn is_reference(&self, nouns: &BTreeSet<&str>) -> bool {
        let attributes =
            ["type", "kind", "mode", "format", "status", "count", "limit", "size", "order"];
        let attribute = self.all.last().is_some_and(|w| attributes.contains(&w.as_str()));
        if self.is_own() || attribute {
            return false;
        }
        let known = self.thing.iter().any(|w| nouns.contains(w.as_str()));
        let of_known = self.about.iter().any(|w| nouns.contains(w.as_str()));
        let names = ["id", "identifier", "name", "key", "existing", "uri"];
        let told = of_known && names.iter().any(|w| self.about.contains(*w));
        let content = ["content", "text", "body", "message", "description", "comment", "value"];
        let is_content =
            self.kind.is_none() && self.thing.iter().any(|w| content.contains(&w.as_str()));
        !is_content && (self.kind.is_some() || known || told)
    }

    /// What a creating tool is told about the new thing itself.
    fn is_own(&self) -> bool {
        if self.sense.stage != Stage::Create {
            return false;
        }
        let own = |w: &String| self.sense.noun.contains(w);
        match self.thing.is_empty() {
            true => !self.about.iter().any(|w| matches!(w.as_str(), "existing" | "parent")),
            false => self.thing.iter().all(own),
        }
    }

    /// Exactly the same name.
    pub(super) fn is_same(&self, found: &Found) -> bool {
        self.all == found.key
    }

    /// More is better; `None` when nothing ties the two together.
    pub(super) fn fit(&self, found: &Found) -> Option<u32> {
        let kinds = self.kinds(found)?;
        let noun = |w: &str| found.noun.iter().any(|n| n == w);
        let head = |w: &str| found.noun.last().is_some_and(|n| n == w);
        let key = |w: &str| found.key.iter().any(|k| k == w);
        let by_name: u32 = self
            .thing
            .iter()
            .map(|w| if key(w) || head(w) { 4 } else { u32::from(noun(w)) * 2 })
            .sum();
        // The tool's own noun speaks for a bare `id`; beside `user_id` it would mislead.
        let by_tool = match (self.thing.is_empty(), self.sense.noun.last()) {
            (true, Some(own)) if head(own) => 3,
            (true, Some(own)) if noun(own) => 1,
            // A server about one kind of thing: its tools need not say which.
            (true, None) if found.noun.is_empty() => 3,
            (true | false, Some(_) | None) => 0,
        };
        let foreign = !self.thing.is_empty() && by_name == 0;
        let told = found.noun.last().is_some_and(|n| self.about.contains(n));
        let kind = found.key.last().is_some_and(|k| self.about.contains(k));
        let by_about = if told { 2 + u32::from(kind) * 2 } else { 0 };
        let same = if self.is_same(found) && !self.thing.is_empty() { 4 } else { 0 };
        let tie = by_name + by_tool + by_about + same;
        if tie == 0 || (foreign && by_about == 0 && same == 0) {
            return None;
        }
        Some(tie + kinds + u32::from(found.ours))
    }

    fn kinds(&self, found: &Found) -> Option<u32> {
        let kind = Kind::of(&found.key);
        match (self.kind, kind) {
            (Some(a), Some(b)) if a == b => Some(3),
            (None, Some(Kind::Name)) => Some(2),
            (None, Some(Kind::Id)) => Some(1),
            // The line of a list, or a key that is the thing itself: `branch 'main'`.
            (Some(Kind::Id | Kind::Name | Kind::Path), None) | (None, None) => {
                found.key.iter().all(|w| self.thing.contains(w)).then_some(2)
            }
            (None, Some(Kind::Path | Kind::Uri | Kind::Cursor)) => Some(0),
            (Some(Kind::Uri | Kind::Cursor), None) | (Some(_), Some(_)) => None,
        }
    }
}

/// The value in the type that the schema asks for, if it can have it.
pub(super) fn shaped(value: &Value, schema: &Value) -> Option<Value> {
    let kind = schema.get("type").and_then(Value::as_str);
    match (kind, value) {
        (Some("string"), Value::Number(n)) => Some(Value::String(n.to_string())),
        (Some("integer" | "number"), Value::String(s)) => {
            s.trim().parse::<i64>().ok().map(Value::from)
        }
        (_, Value::String(_) | Value::Number(_)) => Some(value.clone()),
        (_, Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_)) => None,
    }
}
