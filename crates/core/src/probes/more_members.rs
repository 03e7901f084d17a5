//! Sets members that no caller was offered to set, looks, and puts them back.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::attack::stand::{Stand, members, objects, ordinary, with_members};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::probe::{Call, Lane, Probe, words};
use crate::proof::{Oracle, sends_member};
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "mass-assignment", hostile: true, lane: Lane::Alone, plan };
const LOOKS: usize = 6;

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
        let own = members(&x.reply).into_iter().filter(|(name, value)| {
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
        Value::Number(n) => n.as_i64().map(|n| json!(n.saturating_add(70_707))),
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
    let told = tool.raw.to_string().to_lowercase();
    let offered = |name: &str| told.contains(&name.to_lowercase());
    let taken = shown.values().flatten().filter(|(name, _)| !offered(name));
    let before: Map<String, Value> = taken.map(|(n, v)| (n.clone(), v.clone())).collect();
    let after: Map<String, Value> =
        before.iter().filter_map(|(n, v)| Some((n.clone(), other(v)?))).collect();
    let arguments = ordinary(evidence, tool).and_then(Exchange::arguments);
    let Some(arguments) = arguments.filter(|_| !after.is_empty()) else { return Vec::new() };
    let mut calls = Vec::new();
    for pointer in objects(arguments) {
        let make = |name: &str, more: &Map<String, Value>| {
            let arguments = with_members(arguments, &pointer, more.clone())?;
            Some(Call::tool(&tool.name, format!("{name} in {pointer}"), arguments).about(&pointer))
        };
        calls.extend(make("more members", &after));
        for (name, members) in shown {
            let Some(look) = evidence.tool(name).and_then(|t| ordinary(evidence, t)) else {
                continue;
            };
            let Some(plain) = look.arguments() else { continue };
            let oracles = members.keys().filter_map(|n| Some((n, after.get(n)?))).map(|(n, v)| {
                let value = v.as_str().map_or_else(|| v.to_string(), str::to_owned);
                Oracle::Member { name: n.clone(), value }
            });
            let of: Vec<Oracle> = oracles.collect();
            let mut call = Call::tool(name, format!("{name} after {pointer}"), plain.clone());
            call.subject = Subject::param(&tool.name, &pointer);
            calls.extend((!of.is_empty()).then(|| call.with_oracle(Oracle::Any { of })));
        }
        calls.extend(make("members as before", &before));
    }
    calls
}
