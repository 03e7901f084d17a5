//! Tools that change what there is, called in every revision with a handshake, with the lists and a
//! subscribed resource before and after.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{listings, revisions, template_read, valid_call};
use crate::arguments::violates;
use crate::evidence::{Evidence, Handshake, Subject, Tool};
use crate::probe::{Call, Connection, Lane, Probe, Risk, Send, words};
use crate::revision::Revision;
use crate::seed::Seed;
use crate::spec::listing::items;
use crate::spec::sides::{self, tagged};

pub const PROBE: Probe = Probe { id: "changes", hostile: false, lane: Lane::Turn, plan };

/// Labels, before the revision.
pub const SUBSCRIBE: &str = "subscribe";
pub const BEFORE: &str = "read before a change";
pub const AFTER: &str = "read after a change";
/// The last of a side: what is late has time to come.
const LAST: &str = "time for notices";
const LAST_MS: u32 = 300;

const MOST_TOOLS: usize = 4;
const MOST_VALUES: usize = 3;
const LISTED: [&str; 3] = ["tools", "prompts", "resources"];

/// A call that rewrites a resource, whose URI its arguments give by a template.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rewrite {
    pub(super) uri: String,
    pub(super) tool: String,
    pub(super) arguments: Value,
}

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let sides = sides::spoken(evidence).into_iter().filter(|(r, _)| !r.is_stateless());
    sides
        .map_while(|(revision, on)| Some((on, of_side(evidence, revision, on, seed)?)))
        .flat_map(|(on, calls)| calls.into_iter().map(move |call| call.on(on)))
        .collect()
}

/// `None` while the lists are still being read.
fn of_side(
    evidence: &Evidence,
    revision: Revision,
    on: Connection,
    seed: Seed,
) -> Option<Vec<Call>> {
    let handshake = handshake(evidence, on)?;
    let told = |list: &&&str| handshake.capabilities[**list]["listChanged"] == true;
    let mut pages = Vec::new();
    for list in LISTED.iter().filter(told) {
        let method = format!("{list}/list");
        let cursors = listings::cursors(evidence, revision, &method)?;
        pages.extend(cursors.into_iter().enumerate().map(|(n, c)| (method.clone(), n + 1, c)));
    }
    let list = |when: &str| {
        let page = |(method, n, cursor): &(String, usize, Option<&str>)| {
            let params = cursor.map(|c| json!({ "cursor": c }));
            let label = tagged(&format!("{method} page {n} {when}"), revision);
            Call::new(Subject::Server, label, Send::request(method, params))
        };
        pages.iter().map(page).collect::<Vec<Call>>()
    };
    let tools = tools(evidence, on);
    let subscribes = handshake.capabilities["resources"]["subscribe"] == true;
    let rewrite = rewrite(evidence, &tools, revision, seed).filter(|_| subscribes);
    let mut calls: Vec<Call> = rewrite.iter().flat_map(|r| rewriting(r, revision)).collect();
    let changing = changing(evidence, &tools, seed);
    if !changing.is_empty() && !pages.is_empty() {
        calls.extend(list("before"));
        for (n, (tool, arguments)) in changing.into_iter().enumerate() {
            let label = tagged(&format!("change {}", n + 1), revision);
            calls.push(Call::tool(tool, label, arguments));
            calls.extend(list(&format!("after change {}", n + 1)));
        }
    }
    if !calls.is_empty() {
        let listen = Send::Listen { ms: LAST_MS };
        calls.push(Call::new(Subject::Server, tagged(LAST, revision), listen));
    }
    Some(calls)
}

fn rewriting(rewrite: &Rewrite, revision: Revision) -> [Call; 4] {
    let uri = json!({ "uri": rewrite.uri });
    let of_uri = |what, method| {
        let send = Send::request(method, Some(uri.clone()));
        Call::new(Subject::Server, tagged(what, revision), send)
    };
    let label = tagged("rewrite", revision);
    [
        of_uri(SUBSCRIBE, "resources/subscribe"),
        of_uri(BEFORE, "resources/read"),
        Call::tool(&rewrite.tool, label, rewrite.arguments.clone()),
        of_uri(AFTER, "resources/read"),
    ]
}

fn handshake(evidence: &Evidence, on: Connection) -> Option<&Handshake> {
    let link = evidence.links.iter().rev().find(|l| Connection::Side(l.side) == on)?;
    link.handshake.as_ref()
}

/// The tools as this side lists them: there may be others than in the inventory.
pub(super) fn tools(evidence: &Evidence, on: Connection) -> Vec<Tool> {
    let probes = [revisions::PROBE.id, listings::PROBE.id];
    let pages = probes.iter().flat_map(|probe| evidence.of(probe)).filter(|x| x.on == on);
    let listed = pages.filter(|x| x.send.method() == Some("tools/list"));
    let mut tools: Vec<Tool> = Vec::new();
    for raw in listed.filter_map(|x| x.result()).flat_map(|page| items("tools/list", page)) {
        if let Ok(tool) = Tool::from_raw(raw)
            && !tools.iter().any(|t| t.name == tool.name)
        {
            tools.push(tool);
        }
    }
    tools
}

/// Whether it changes something that may be changed, and works as far as is known.
fn may_change(evidence: &Evidence, tool: &Tool) -> bool {
    let known = evidence.tool(&tool.name).is_some();
    let risk = if known { evidence.risk_of(&tool.name) } else { Risk::of_tool(tool) };
    risk == Risk::Writes
        && risk <= evidence.conditions.policy.allow
        && (!known || valid_call::succeeded(evidence, &tool.name))
}

fn arguments(evidence: &Evidence, tool: &Tool, seed: Seed) -> Option<Value> {
    let worked = valid_call::working(evidence, &tool.name).and_then(|x| x.arguments());
    worked.cloned().or_else(|| valid_call::arguments(evidence, tool, seed))
}

/// Calls of tools that speak of tools, prompts or resources; with each choice that there is, and
/// the first again, so that all is as before.
fn changing<'a>(evidence: &Evidence, tools: &'a [Tool], seed: Seed) -> Vec<(&'a str, Value)> {
    let speaks = |t: &&Tool| {
        let text = format!("{} {}", t.name, t.description.as_deref().unwrap_or_default());
        let about = |w: &String| LISTED.iter().any(|l| l.strip_suffix('s') == Some(w) || l == w);
        words(&text).iter().any(about)
    };
    let meant = tools.iter().filter(|t| may_change(evidence, t)).filter(speaks).take(MOST_TOOLS);
    let calls = |tool: &'a Tool| {
        let given = arguments(evidence, tool, seed);
        given.map(|a| chosen(tool, &a)).unwrap_or_default().into_iter().map(|a| (&*tool.name, a))
    };
    meant.flat_map(calls).collect()
}

fn chosen(tool: &Tool, arguments: &Value) -> Vec<Value> {
    let properties = tool.input_schema.get("properties").and_then(Value::as_object);
    let choice = properties.into_iter().flatten().find_map(|(name, schema)| {
        Some((name, schema.get("enum")?.as_array()?)).filter(|_| arguments.get(name).is_some())
    });
    let Some((name, values)) = choice else { return vec![arguments.clone()] };
    let with = |value: &Value| {
        let mut arguments = arguments.clone();
        arguments[name.as_str()] = value.clone();
        arguments
    };
    values.iter().take(MOST_VALUES).chain(values.first()).map(with).collect()
}

/// The first call that names a resource by a template and writes a text of ours into it.
pub(super) fn rewrite(
    evidence: &Evidence,
    tools: &[Tool],
    revision: Revision,
    seed: Seed,
) -> Option<Rewrite> {
    let templates = &evidence.inventory.templates;
    tools.iter().filter(|t| may_change(evidence, t)).find_map(|tool| {
        let mut arguments = arguments(evidence, tool, seed)?;
        let texts: BTreeMap<String, String> = arguments
            .as_object()?
            .iter()
            .filter_map(|(name, v)| Some((name.clone(), v.as_str()?.to_owned())))
            .collect();
        let (template, uri) = templates.iter().find_map(|t| {
            let uri = template_read::expand(&t.uri_template, &texts)?;
            Some((&t.uri_template, uri)).filter(|(t, uri)| *t != uri)
        })?;
        let named = template_read::gaps(template);
        let (name, text) = texts
            .iter()
            .find(|(name, text)| !named.contains(name) && text.split(' ').count() > 1)?;
        arguments[name.as_str()] = json!(format!("{text} {revision}"));
        let fits = violates(&tool.input_schema, &arguments).is_none();
        fits.then(|| Rewrite { uri, tool: tool.name.clone(), arguments })
    })
}
