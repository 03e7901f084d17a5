//! The types and methods of one revision, read once from its file and those it extends.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;

use super::notation::{Field, Type, Unreadable};
use crate::revision::Revision;

#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    pub(super) batches: bool,
    names: BTreeMap<String, usize>,
    pub(super) types: Vec<Type>,
    /// By the method that is answered.
    pub(super) results: BTreeMap<String, Rule>,
    pub(super) requests: BTreeMap<String, Rule>,
    pub(super) notifications: BTreeMap<String, Rule>,
    /// By code.
    pub(super) errors: BTreeMap<String, Rule>,
}

#[derive(Debug)]
pub(super) enum Rule {
    Type(Field),
    /// Known, but not for a server to send in this revision.
    Forbidden,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    #[error(transparent)]
    Toml(#[from] toml::de::Error),
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    #[error("`{0}` spreads something that is not a table of fields; name such a type")]
    Spread(String),
}

type Rows = BTreeMap<String, Entry>;

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Document {
    extends: Option<String>,
    batches: Option<bool>,
    types: Rows,
    results: Rows,
    requests: Rows,
    notifications: Rows,
    errors: Rows,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Entry {
    /// `false`: taken away.
    Gone(bool),
    Text(String),
    Texts(Vec<String>),
    Table(Rows),
}

const SPREAD: &str = "...";

impl Vocabulary {
    pub(super) fn of(revision: Revision) -> &'static Vocabulary {
        static READ: [OnceLock<Vocabulary>; Revision::ALL.len()] =
            [const { OnceLock::new() }; Revision::ALL.len()];
        // The files are part of the build, and a test reads each of them.
        READ[revision as usize].get_or_init(|| Vocabulary::read(revision).unwrap_or_default())
    }

    pub(super) fn read(revision: Revision) -> Result<Vocabulary, Fault> {
        let document = Document::read(revision)?;
        let names: BTreeMap<String, usize> =
            document.types.keys().cloned().enumerate().map(|(index, name)| (name, index)).collect();
        let named = |name: &str| names.get(name).copied();
        let types = document
            .types
            .iter()
            .map(|(name, entry)| document.read_type(name, entry, &named))
            .collect::<Result<_, Fault>>()?;
        let rules = |rows: &Rows| {
            rows.iter()
                .map(|(name, entry)| Ok((name.clone(), Rule::read(name, entry, &named)?)))
                .collect::<Result<BTreeMap<_, _>, Unreadable>>()
        };
        Ok(Vocabulary {
            batches: document.batches.unwrap_or_default(),
            types,
            results: rules(&document.results)?,
            requests: rules(&document.requests)?,
            notifications: rules(&document.notifications)?,
            errors: rules(&document.errors)?,
            names,
        })
    }

    pub(super) fn named(&self, name: &str) -> Option<&Type> {
        self.names.get(name).map(|&index| &self.types[index])
    }

    /// Whether this revision has the method, in either direction.
    pub(super) fn names_method(&self, method: &str) -> bool {
        [&self.results, &self.requests, &self.notifications].iter().any(|r| r.contains_key(method))
    }
}

impl Rule {
    fn read(
        name: &str,
        entry: &Entry,
        named: &dyn Fn(&str) -> Option<usize>,
    ) -> Result<Rule, Unreadable> {
        match entry {
            Entry::Text(text) => Ok(Rule::Type(Field::read(name, text, named)?)),
            Entry::Gone(false) => Ok(Rule::Forbidden),
            Entry::Gone(true) | Entry::Texts(_) | Entry::Table(_) => {
                Err(Unreadable(name.to_owned()))
            }
        }
    }
}

impl Document {
    fn read(revision: Revision) -> Result<Document, Fault> {
        let document: Document = toml::from_str(match revision {
            Revision::V2024_11_05 => include_str!("../../../spec/messages/2024-11-05.toml"),
            Revision::V2025_03_26 => include_str!("../../../spec/messages/2025-03-26.toml"),
            Revision::V2025_06_18 => include_str!("../../../spec/messages/2025-06-18.toml"),
            Revision::V2025_11_25 => include_str!("../../../spec/messages/2025-11-25.toml"),
            Revision::V2026_07_28 => include_str!("../../../spec/messages/2026-07-28.toml"),
        })?;
        let before = document.extends.as_deref().and_then(|r| r.parse::<Revision>().ok());
        let Some(before) = before else { return Ok(document) };
        let mut whole = Document::read(before)?;
        whole.batches = document.batches.or(whole.batches);
        merge(&mut whole.types, document.types);
        merge(&mut whole.results, document.results);
        merge(&mut whole.requests, document.requests);
        merge(&mut whole.notifications, document.notifications);
        merge(&mut whole.errors, document.errors);
        Ok(whole)
    }

    fn read_type(
        &self,
        name: &str,
        entry: &Entry,
        named: &dyn Fn(&str) -> Option<usize>,
    ) -> Result<Type, Fault> {
        match entry {
            Entry::Text(text) => Ok(Type::read(text, named)?),
            Entry::Table(_) => {
                let fields = self.fields(name)?;
                let read = |(name, text): (&String, &String)| Field::read(name, text, named);
                Ok(Type::Record(fields.iter().map(read).collect::<Result<_, _>>()?))
            }
            Entry::Gone(_) | Entry::Texts(_) => Err(Unreadable(name.to_owned()).into()),
        }
    }

    /// The fields of a type and of those it spreads; its own win.
    fn fields(&self, name: &str) -> Result<BTreeMap<String, String>, Fault> {
        let Some(Entry::Table(rows)) = self.types.get(name) else {
            return Err(Fault::Spread(name.to_owned()));
        };
        let mut fields = BTreeMap::new();
        match rows.get(SPREAD) {
            Some(Entry::Text(other)) => fields.extend(self.fields(other)?),
            Some(Entry::Texts(others)) => {
                for other in others {
                    fields.extend(self.fields(other)?);
                }
            }
            Some(Entry::Gone(_) | Entry::Table(_)) | None => {}
        }
        for (field, entry) in rows.iter().filter(|(field, _)| *field != SPREAD) {
            match entry {
                Entry::Text(text) => drop(fields.insert(field.clone(), text.clone())),
                Entry::Gone(false) => drop(fields.remove(field)),
                Entry::Gone(true) | Entry::Texts(_) | Entry::Table(_) => {
                    return Err(Unreadable(field.clone()).into());
                }
            }
        }
        Ok(fields)
    }
}

fn merge(into: &mut Rows, changes: Rows) {
    for (name, change) in changes {
        match (into.get_mut(&name), change) {
            (Some(Entry::Table(fields)), Entry::Table(changed)) => fields.extend(changed),
            (_, change) => drop(into.insert(name, change)),
        }
    }
}
