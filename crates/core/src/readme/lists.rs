//! Lists of names: which names in them should be known and are not.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde_json::Value;

use super::{Item, Kind, Readme, begins_a_word};

/// Keys of client configurations under which tools of one server stand.
const OF_TOOLS: &[&str] = &["tools", "alwaysAllow", "autoApprove"];
/// What an entry begins with under which parameters stand.
const OF_PARAMETERS: &[&str] = &["input", "param", "arg"];

/// How many names of a list have to be known before the others count as strangers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Company {
    /// At least two, since nothing but the company says what the list is about.
    Told,
    /// One, since a heading says it.
    Announced,
    /// None, since the list belongs to one thing and says what it holds.
    Certain,
}

impl Readme {
    /// Items that stand in a list, table or row of headings whose other names are mostly known:
    /// such a group tells of the same kind of thing, so the rest of it should be known too.
    pub fn strangers(
        &self,
        within: Option<Range<usize>>,
        known: &dyn Fn(&str) -> bool,
        company: &dyn Fn(&Item) -> Company,
    ) -> Vec<&Item> {
        let mut groups: BTreeMap<usize, Vec<&Item>> = BTreeMap::new();
        let inside = |item: &Item| within.as_ref().is_none_or(|w| w.contains(&item.span.start));
        for item in self.items.iter().filter(|i| inside(i) && is_name(&i.head)) {
            groups.entry(item.group).or_default().push(item);
        }
        let mut strange = Vec::new();
        for items in groups.into_values() {
            let asked = items.first().map_or(Company::Told, |first| company(first));
            let (familiar, other): (Vec<&Item>, Vec<&Item>) =
                items.into_iter().partition(|i| known(&i.head));
            let mostly = familiar.len() >= other.len();
            let enough = match asked {
                Company::Told => familiar.len() >= 2 && mostly,
                Company::Announced => !familiar.is_empty() && mostly,
                Company::Certain => true,
            };
            if enough {
                strange.extend(other);
            }
        }
        strange
    }

    /// What a list of tools has to show: less where the nearest heading speaks of tools.
    pub fn company_of_tools(&self, item: &Item) -> Company {
        let mut headings = self.items.iter().filter(|i| matches!(i.kind, Kind::Heading { .. }));
        let above = headings.rfind(|h| *h != item && h.span.contains(&item.span.start));
        let speaks = above.is_some_and(|h| begins_a_word(&h.head.to_lowercase(), "tool"));
        if speaks { Company::Announced } else { Company::Told }
    }

    /// What a list of parameters has to show: nothing below an entry such as "Input:".
    pub fn company_of_parameters(&self, item: &Item) -> Company {
        let mut entries = self.items.iter().filter(|i| i.kind == Kind::Entry && *i != item);
        let above = entries.rfind(|e| e.span.contains(&item.span.start));
        let says = above.map(|e| self.text_of(e).trim_start().to_lowercase()).unwrap_or_default();
        let first = says.lines().next().unwrap_or_default();
        let lists = OF_PARAMETERS.iter().any(|w| first.starts_with(w));
        if lists && first.trim_end().ends_with(':') { Company::Certain } else { Company::Told }
    }

    /// Whether an item with a name is an entry as far out as another: not part of it.
    pub fn is_beside(&self, item: &Item, other: &Item) -> bool {
        let entries = |at: usize| {
            let entries = self.items.iter().filter(|i| i.kind == Kind::Entry);
            entries.filter(|e| e.span.contains(&at)).count()
        };
        let both = item.kind == Kind::Entry && other.kind == Kind::Entry && is_name(&item.head);
        both && entries(item.span.start) <= entries(other.span.start)
    }

    /// Names that configurations shown list as tools, in arrays of which some name is known.
    pub fn configured_strangers(&self, known: &dyn Fn(&str) -> bool) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for value in self.json().filter_map(|(_, values)| values).flatten() {
            lists(&value, &mut |names| {
                if names.iter().any(|n| known(n)) {
                    let other = names.iter().filter(|n| is_name(n) && !known(n));
                    found.extend(other.map(|n| (*n).to_owned()));
                }
            });
        }
        found
    }
}

fn lists<'a>(value: &'a Value, take: &mut dyn FnMut(&[&'a str])) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, inner)| {
            if let Some(items) = inner.as_array().filter(|_| OF_TOOLS.contains(&key.as_str())) {
                take(&items.iter().filter_map(Value::as_str).collect::<Vec<&str>>());
            }
            lists(inner, take);
        }),
        Value::Array(items) => items.iter().for_each(|inner| lists(inner, take)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// A word as tools and parameters are called.
fn is_name(text: &str) -> bool {
    text.len() <= 64
        && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
}
