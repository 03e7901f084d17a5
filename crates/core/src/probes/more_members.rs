//! Sets members that no caller was offered to set, looks, and puts them back.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::attack::stand::{Stand, members, objects, ordinary, with_members};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::probe::{Call, Lane, Probe, words};
use crate::promise::holds;
use crate::proof::{Oracle, pairs_in, sends_member};
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "mass-assignment", hostile: true, lane: Lane::Turn, plan };
const LOOKS: usize = 6;

/// What is looked at before the members are set, and once they are.
const BEFORE: &str = "before";
const AFTER: &str = "after";

/// What a caller gains by setting.
const PRIVILEGED: &[&str] = &[
    "role",
    "roles",
    "admin",
    "verified",
    "approved",
    "owner",
    "permission",
    "permissions",
    "scope",
    "scopes",
    "privilege",
    "privileges",
    "tier",
    "balance",
    "credit",
    "credits",
    "superuser",
    "staff",
    "trusted",
    "quota",
    "price",
    "fare",
    "fee",
    "discount",
    "cost",
    "amount",
    "total",
    "paid",
];

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let Some(on) = Stand::State.connection(evidence) else { return Vec::new() };
    let shown = shown(evidence);
    if shown.is_empty() {
        return Vec::new();
    }
    let calls = evidence.tools().flat_map(|tool| attempts(evidence, tool, &shown));
    calls.map(|call| call.on(on)).collect()
}

/// Tools whose answers have privileged members that were not asked for, with their values.
fn shown(evidence: &Evidence) -> BTreeMap<&str, BTreeMap<String, Value>> {
    let mut all: BTreeMap<&str, BTreeMap<String, Value>> = BTreeMap::new();
    for tool in evidence.tools() {
        let Some(x) = ordinary(evidence, tool) else { continue };
        let text = x.reply.text();
        let told = pairs_in(&text).map(|(name, value)| {
            let value = serde_json::from_str(value).unwrap_or_else(|_| json!(value));
            (name.to_owned(), value)
        });
        let own = members(&x.reply).into_iter().chain(told).filter(|(name, value)| {
            let privileged = words(name).iter().any(|w| PRIVILEGED.contains(&w.as_str()));
            privileged && other(value).is_some() && !sends_member(x, name)
        });
        let own: BTreeMap<String, Value> = own.collect();
        if !own.is_empty() && all.len() < LOOKS {
            all.insert(&tool.name, own);
        }
    }
    all
}

/// A value that gives more than this one.
fn other(value: &Value) -> Option<Value> {
    match value {
        Value::Bool(false) => Some(json!(true)),
        Value::String(text) if text != "admin" => Some(json!("admin")),
        Value::Number(n) => {
            let whole = n.as_i64().map(|n| json!(n.saturating_add(70_707)));
            whole.or_else(|| n.as_f64().map(|n| json!(n + 70_707.0)))
        }
        Value::Bool(_) | Value::String(_) | Value::Null | Value::Array(_) | Value::Object(_) => {
            None
        }
    }
}

/// For each object of a tool: set, look, and put it back.
fn attempts(
    evidence: &Evidence,
    tool: &Tool,
    shown: &BTreeMap<&str, BTreeMap<String, Value>>,
) -> Vec<Call> {
    let offered = |name: &str| is_offered(tool, &name.to_lowercase());
    let taken = shown.values().flatten().filter(|(name, _)| !offered(name));
    let before: Map<String, Value> = taken.map(|(n, v)| (n.clone(), v.clone())).collect();
    let after: Map<String, Value> =
        before.iter().filter_map(|(n, v)| Some((n.clone(), other(v)?))).collect();
    let arguments = ordinary(evidence, tool).and_then(Exchange::arguments);
    let Some(arguments) = arguments.filter(|_| !after.is_empty()) else { return Vec::new() };
    let mut calls = Vec::new();
    let look = |name: &str, when: &str, pointer: &str| {
        let plain = evidence.tool(name).and_then(|t| ordinary(evidence, t))?.arguments()?;
        let mut call = Call::tool(name, format!("{name} {when} {pointer}"), plain.clone());
        call.subject = Subject::param(&tool.name, pointer);
        Some(call)
    };
    for pointer in objects(arguments) {
        // What an earlier attempt left must not be put down to this one.
        calls.extend(shown.keys().filter_map(|name| look(name, BEFORE, &pointer)));
        let make = |name: &str, more: &Map<String, Value>| {
            let arguments = with_members(arguments, &pointer, more.clone())?;
            Some(Call::tool(&tool.name, format!("{name} in {pointer}"), arguments).about(&pointer))
        };
        // What the answer worked out by itself before, and now says as we do.
        let own = shown.get(tool.name.as_str()).into_iter().flat_map(BTreeMap::keys);
        let own: Vec<Oracle> = own.filter_map(|n| Some(member(n, after.get(n)?))).collect();
        let usual = format!("as usual, for {pointer}");
        let set = make("more members", &after);
        if !own.is_empty() {
            calls.push(Call::tool(&tool.name, usual.clone(), arguments.clone()));
        }
        calls.extend(set.map(|call| match own.is_empty() {
            true => call,
            false => call.with_control(usual).with_oracle(Oracle::Any { of: own }),
        }));
        for (name, members) in shown {
            let of: Vec<Oracle> =
                members.keys().filter_map(|n| Some(member(n, after.get(n)?))).collect();
            if let (Some(look), false) = (look(name, AFTER, &pointer), of.is_empty()) {
                calls.push(look.with_oracle(Oracle::Any { of }));
            }
        }
        calls.extend(make("members as before", &before));
    }
    calls
}

/// The same look as this one, before the members were set.
pub fn look_before<'a>(evidence: &'a Evidence, x: &Exchange) -> Option<&'a Exchange> {
    let label = x.label.replacen(&format!(" {AFTER} "), &format!(" {BEFORE} "), 1);
    evidence.of(PROBE.id).find(|y| y.subject == x.subject && y.label == label && y.id < x.id)
}

fn member(name: &str, value: &Value) -> Oracle {
    let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Oracle::Member { name: name.to_owned(), value }
}

/// Whether callers are told that they may set it: in the schema, or in a sentence about setting.
fn is_offered(tool: &Tool, name: &str) -> bool {
    const SETTING: &str =
        "accept accepts choose give given optional override pass set sets specify";
    let about = tool.description.as_deref().unwrap_or_default().to_lowercase();
    let told = |s: &str| s.contains(name) && holds(&words(s), SETTING);
    tool.input_schema.to_string().to_lowercase().contains(name)
        || about.split(['.', ';', '\n']).any(told)
}
