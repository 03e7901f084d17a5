//! Putting harvested values into arguments, at any depth.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::fit::{STRONG, Want, shaped};
use super::sense::{Kind, Sense, Stage, singular};
use super::sql::{is_sql, statement};
use super::{Found, Harvest};
use crate::arguments::validator;
use crate::evidence::{Evidence, Tool};
use crate::probe::words;

/// Why values are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim<'a> {
    /// The call failed, with these words.
    Mend(&'a str),
    /// The call may work as it is; only values that certainly mean something are put in.
    Sharpen,
}

/// The arguments with what the server is known to know, or `None` when nothing would change or
/// the schema forbids it.
pub fn filled(
    evidence: &Evidence,
    harvest: &Harvest,
    tool: &Tool,
    arguments: &Value,
    aim: Aim<'_>,
) -> Option<Value> {
    let sense = Sense::of(evidence, tool);
    let mut groups: BTreeMap<String, Vec<Leaf>> = BTreeMap::new();
    leaves(arguments, &tool.input_schema, &tool.input_schema, &At::default(), &mut groups);
    let nouns: BTreeSet<&str> =
        harvest.found.iter().flat_map(|f| f.noun.iter().map(String::as_str)).collect();
    let roots = [evidence.conditions.workspace.as_str()];
    let mut out = arguments.clone();
    for leaves in groups.values() {
        let group: Vec<(&Leaf, Want<'_>)> =
            leaves.iter().map(|l| (l, Want::new(&l.name, &l.about, &sense))).collect();
        for (leaf, _) in &group {
            let query = leaf.value.as_str().is_some_and(is_sql);
            let better = query.then(|| statement(tool, aim, harvest)).flatten();
            if let (Some(text), Some(place)) = (better, out.pointer_mut(&leaf.pointer)) {
                *place = Value::String(text);
            }
        }
        let filler = Filler { harvest, sense: &sense, nouns: &nouns, roots: &roots, aim };
        for (pointer, value) in filler.values(&group) {
            if let Some(place) = out.pointer_mut(&pointer) {
                *place = value;
            }
        }
    }
    let allowed = validator(&tool.input_schema).is_none_or(|v| v.is_valid(&out));
    (out != *arguments && allowed).then_some(out)
}

/// Whether a call speaks of things that other tools are about: `comment(issue_id)` of issues.
pub fn refers_elsewhere(evidence: &Evidence, tool: &Tool, arguments: &Value) -> bool {
    let sense = Sense::of(evidence, tool);
    let others: BTreeSet<String> = evidence
        .inventory
        .tools
        .iter()
        .filter_map(|t| Sense::of(evidence, t).noun.last().cloned())
        .filter(|noun| !sense.noun.contains(noun))
        .collect();
    let mut groups = BTreeMap::new();
    leaves(arguments, &tool.input_schema, &tool.input_schema, &At::default(), &mut groups);
    groups.values().flatten().any(|leaf: &Leaf| {
        let words: Vec<String> = words(&leaf.name).iter().map(|w| singular(w)).collect();
        Kind::of(&words).is_some() && words.iter().any(|w| others.contains(w))
    })
}

/// A text or number in the arguments.
struct Leaf {
    pointer: String,
    name: String,
    about: String,
    schema: Value,
    value: Value,
}

#[derive(Default, Clone)]
struct At {
    pointer: String,
    name: String,
    /// The closest object.
    object: String,
}

/// Of an array only the first item: one thing that exists is enough.
fn leaves(
    value: &Value,
    schema: &Value,
    root: &Value,
    at: &At,
    groups: &mut BTreeMap<String, Vec<Leaf>>,
) {
    let schema = followed(schema, root);
    match value {
        Value::Object(map) => {
            for (name, inner) in map {
                let part = schema.pointer("/properties").and_then(|p| p.get(name));
                let escaped = name.replace('~', "~0").replace('/', "~1");
                let pointer = format!("{}/{escaped}", at.pointer);
                let at = At { pointer, name: name.clone(), object: at.pointer.clone() };
                leaves(inner, part.unwrap_or(&Value::Null), root, &at, groups);
            }
        }
        Value::Array(items) => {
            if let Some(first) = items.first() {
                let at = At { pointer: format!("{}/0", at.pointer), ..at.clone() };
                leaves(first, &item_schema(schema), root, &at, groups);
            }
        }
        Value::String(_) | Value::Number(_) => {
            let fixed = ["enum", "const"].iter().any(|k| schema.get(k).is_some());
            if !fixed && !at.pointer.is_empty() {
                let about = schema.get("description").and_then(Value::as_str).unwrap_or_default();
                groups.entry(at.object.clone()).or_default().push(Leaf {
                    pointer: at.pointer.clone(),
                    name: at.name.clone(),
                    about: about.to_owned(),
                    schema: schema.clone(),
                    value: value.clone(),
                });
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

/// The schema of an item; where it says nothing of itself, the list speaks for it.
fn item_schema(list: &Value) -> Value {
    let mut item = list.get("items").cloned().unwrap_or_default();
    if let (Some(map), Some(about)) = (item.as_object_mut(), list.get("description")) {
        map.entry("description").or_insert_with(|| about.clone());
    }
    item
}

/// The schema behind a local reference, and the branch that is not null.
fn followed<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        return reference.strip_prefix('#').and_then(|p| root.pointer(p)).unwrap_or(schema);
    }
    let branches = ["anyOf", "oneOf"].iter().find_map(|k| schema.get(k)?.as_array());
    let real = |b: &&Value| b.get("type").and_then(Value::as_str) != Some("null");
    match branches.and_then(|b| b.iter().find(real)) {
        Some(branch) if schema.get("description").is_none() => branch,
        Some(_) | None => schema,
    }
}

struct Filler<'a> {
    harvest: &'a Harvest,
    sense: &'a Sense,
    nouns: &'a BTreeSet<&'a str>,
    roots: &'a [&'a str],
    aim: Aim<'a>,
}

impl Filler<'_> {
    /// Values for the leaves of one object. Those that belong together are taken from one record.
    fn values(&self, group: &[(&Leaf, Want<'_>)]) -> Vec<(String, Value)> {
        let record = self.record(group);
        let mut used: Vec<&Value> = Vec::new();
        let mut out = Vec::new();
        for (leaf, want) in group {
            let of_record = |f: &&Found| Some(f.record) == record && !used.contains(&&f.value);
            let together = self.best(leaf, want, &mut self.harvest.found.iter().filter(of_record));
            let apart = |f: &&Found| !used.contains(&&f.value);
            let found = together
                .or_else(|| self.best(leaf, want, &mut self.harvest.found.iter().filter(apart)));
            if let Some((_, found, value)) = found {
                used.push(&found.value);
                out.push((leaf.pointer.clone(), value));
            }
        }
        out
    }

    /// The record that serves most of the object; none when only single values are wanted.
    fn record(&self, group: &[(&Leaf, Want<'_>)]) -> Option<usize> {
        let mut scores: BTreeMap<usize, u32> = BTreeMap::new();
        for (leaf, want) in group {
            let mut best: BTreeMap<usize, u32> = BTreeMap::new();
            for found in &self.harvest.found {
                if let Some((score, _)) = self.score(leaf, want, found) {
                    let most = best.entry(found.record).or_default();
                    *most = score.max(*most);
                }
            }
            for (record, score) in best {
                *scores.entry(record).or_default() += score;
            }
        }
        let newest = self.sense.stage == Stage::Delete;
        scores
            .into_iter()
            .fold(None, |best: Option<(usize, u32)>, (record, score)| match best {
                Some((_, most)) if most > score || (most == score && !newest) => best,
                Some(_) | None => Some((record, score)),
            })
            .map(|(record, _)| record)
    }

    fn best<'f>(
        &self,
        leaf: &Leaf,
        want: &Want<'_>,
        among: &mut dyn Iterator<Item = &'f Found>,
    ) -> Option<(u32, &'f Found, Value)> {
        let newest = self.sense.stage == Stage::Delete;
        among
            .filter_map(|f| self.score(leaf, want, f).map(|(score, value)| (score, f, value)))
            .fold(None, |best: Option<(u32, &Found, Value)>, next| match &best {
                Some((most, _, _)) if *most > next.0 || (*most == next.0 && !newest) => best,
                Some(_) | None => Some(next),
            })
    }

    fn score(&self, leaf: &Leaf, want: &Want<'_>, found: &Found) -> Option<(u32, Value)> {
        let quoted = self.is_quoted(leaf);
        if (self.is_planted(leaf) && !quoted) || leaf.value.as_str().is_some_and(is_sql) {
            return None;
        }
        // What one of a kind is tied to is of another kind.
        if self.sense.stage == Stage::Create && found.noun.last() == self.sense.noun.last() {
            return None;
        }
        let value = shaped(&found.value, &leaf.schema)?;
        let score = if want.is_search() {
            self.searched(want, found)?
        } else if want.is_reference(self.nouns) {
            want.fit(found)?
        } else {
            // Part of what is to be deleted: a relation's type beside its ends.
            let part = self.sense.stage == Stage::Delete && want.is_same(found);
            part.then_some(STRONG)?
        };
        let enough = match self.aim {
            Aim::Mend(_) => 3,
            Aim::Sharpen => STRONG,
        };
        let ours = if found.ours && self.sense.stage == Stage::Delete { 3 } else { 0 };
        (score >= enough).then_some((score + ours, value))
    }

    /// A name of something that exists finds it.
    fn searched(&self, want: &Want<'_>, found: &Found) -> Option<u32> {
        let named = found.key.last().is_some_and(|k| matches!(k.as_str(), "name" | "title"));
        let tied = want.fit(found).is_some();
        (named && found.value.is_string() && tied).then_some(STRONG)
    }

    fn is_planted(&self, leaf: &Leaf) -> bool {
        let text = leaf.value.as_str().unwrap_or_default();
        self.roots.iter().any(|root| !root.is_empty() && text.starts_with(root))
    }

    /// The error speaks of this very value.
    fn is_quoted(&self, leaf: &Leaf) -> bool {
        match (self.aim, leaf.value.as_str()) {
            (Aim::Mend(words), Some(text)) => text.len() > 3 && words.contains(text),
            (Aim::Mend(_), None) | (Aim::Sharpen, _) => false,
        }
    }
}
