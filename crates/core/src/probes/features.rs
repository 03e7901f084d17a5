//! What works on the main connection, in every revision: tools, resources, prompts, completion,
//! subscription.

use serde_json::{Value, json};

use super::{prompt_get, resource_read, valid_call};
use crate::evidence::{Evidence, Exchange, Prompt, Subject, Tool};
use crate::probe::{Call, Connection, Lane, Probe, Risk, Send, words};
use crate::revision::Revision;
use crate::seed::Seed;
use crate::spec::sides::{self, tagged};

pub const PROBE: Probe = Probe { id: "features", hostile: false, lane: Lane::Alone, plan };

/// Labels, before the revision.
pub const CALL: &str = "call";
pub const READ: &str = "read";
pub const GET: &str = "get";
pub const COMPLETE: &str = "complete";
pub const CONTEXT: &str = "complete with context";
pub const SUBSCRIBE: &str = "subscribe";
pub const UNSUBSCRIBE: &str = "unsubscribe";

const MOST_TOOLS: usize = 3;
const MOST_ASKING: usize = 6;

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let again = repeated(evidence);
    let of_side = |(revision, on): (Revision, Connection)| {
        let mut calls: Vec<Call> = again
            .iter()
            .map(|(what, x)| Call::new(x.subject.clone(), tagged(what, revision), x.send.clone()))
            .collect();
        calls.extend(asked(evidence, revision));
        calls.into_iter().map(move |call| call.on(on))
    };
    sides::spoken(evidence).into_iter().flat_map(of_side).collect()
}

/// Calls of the main connection that are made again.
fn repeated(evidence: &Evidence) -> Vec<(&'static str, &Exchange)> {
    let mut again: Vec<(&str, &Exchange)> =
        tools(evidence).into_iter().map(|x| (CALL, x)).collect();
    let read = |kind: &'static str| {
        let has = move |x: &&Exchange| {
            x.result().is_some_and(|r| r.pointer(&format!("/contents/0/{kind}")).is_some())
        };
        evidence.of(resource_read::PROBE.id).find(has)
    };
    again.extend([read("text"), read("blob")].into_iter().flatten().map(|x| (READ, x)));
    let got = |plain: bool| {
        let fits = move |x: &&Exchange| {
            x.send.method() == Some("prompts/get")
                && x.result().is_some_and(|r| is_plain(r, "messages") == plain)
        };
        evidence.of(prompt_get::PROBE.id).find(fits)
    };
    again.extend([got(true), got(false)].into_iter().flatten().map(|x| (GET, x)));
    again
}

/// Reading tools that work, one for each kind of content; one that reports a failure; and those
/// that ask the client for something.
fn tools(evidence: &Evidence) -> Vec<&Exchange> {
    let reads = |t: &&Tool| evidence.risk_of(&t.name) == Risk::Reads;
    let all = evidence.tools().filter(reads);
    let mut working = varied(all.filter_map(|t| valid_call::working(evidence, &t.name)));
    let failing = evidence
        .tools()
        .filter(reads)
        .filter_map(|t| valid_call::typical(evidence, &t.name))
        .find(|x| x.reply.is_tool_error());
    working.extend(failing);
    for x in asking(evidence) {
        if !working.iter().any(|w| w.subject == x.subject) {
            working.push(x);
        }
    }
    working
}

/// One for each kind of content that comes, then others.
fn varied<'a>(working: impl Iterator<Item = &'a Exchange>) -> Vec<&'a Exchange> {
    let mut rest: Vec<&Exchange> = working.collect();
    let mut chosen = Vec::new();
    for kind in ["image", "audio", "resource", "resource_link"] {
        let has = |x: &&Exchange| x.result().is_some_and(|r| kinds(r, "content").contains(&kind));
        if !chosen.iter().any(has)
            && let Some(at) = rest.iter().position(has)
        {
            chosen.push(rest.remove(at));
        }
    }
    let plain = |x: &&Exchange| x.result().is_some_and(|r| is_plain(r, "content"));
    rest.sort_by_key(plain);
    let others = MOST_TOOLS.saturating_sub(chosen.len()).max(1);
    chosen.extend(rest.into_iter().take(others));
    chosen
}

/// What tools say that ask their client for something.
const ASKING: [&str; 7] = ["ask", "sampling", "elicitation", "elicit", "elicits", "roots", "asks"];

/// Valid calls of tools that say they ask their client for something. Which request came during
/// which call is a question of timing, and plans must not be.
pub fn asking(evidence: &Evidence) -> Vec<&Exchange> {
    let says = |t: &&Tool| {
        let text = words(&format!("{} {}", t.name, t.description.as_deref().unwrap_or_default()));
        let reads = evidence.risk_of(&t.name) == Risk::Reads;
        text.iter().any(|w| ASKING.contains(&w.as_str()) || reads && w == "client")
    };
    let mut calls: Vec<&Exchange> = evidence
        .tools()
        .filter(|t| evidence.risk_of(&t.name) != Risk::Destroys)
        .filter(says)
        .filter_map(|t| valid_call::typical(evidence, &t.name))
        .filter(|x| x.result().is_some())
        .collect();
    calls.truncate(MOST_ASKING);
    calls
}

/// Nothing but text, and nothing structured.
fn is_plain(result: &Value, key: &str) -> bool {
    result.get("structuredContent").is_none() && kinds(result, key).iter().all(|k| *k == "text")
}

fn kinds<'a>(result: &'a Value, key: &str) -> Vec<&'a str> {
    let blocks = result.get(key).and_then(Value::as_array).into_iter().flatten();
    let kind = |b: &'a Value| b.get("content").unwrap_or(b).get("type").and_then(Value::as_str);
    blocks.map(|b| kind(b).unwrap_or_default()).collect()
}

/// Completion and subscription, whether declared or not.
fn asked(evidence: &Evidence, revision: Revision) -> Vec<Call> {
    let call = |what: &str, method: &str, params: Value| {
        Call::new(Subject::Server, tagged(what, revision), Send::request(method, Some(params)))
    };
    let (reference, name) = completable(evidence);
    let mut params = json!({"ref": reference, "argument": {"name": name, "value": ""}});
    let mut calls = vec![call(COMPLETE, "completion/complete", params.clone())];
    if revision >= Revision::V2025_06_18 {
        params["context"] = json!({"arguments": {}});
        calls.push(call(CONTEXT, "completion/complete", params));
    }
    if !revision.is_stateless() {
        let uri = evidence.inventory.resources.first().map_or("nope://missing", |r| &r.uri);
        calls.push(call(SUBSCRIBE, "resources/subscribe", json!({ "uri": uri })));
        calls.push(call(UNSUBSCRIBE, "resources/unsubscribe", json!({ "uri": uri })));
    }
    calls
}

/// What completion is asked about: a prompt or template that has something to fill in, best one
/// that the server completed before.
fn completable(evidence: &Evidence) -> (Value, String) {
    let done = evidence
        .transcript
        .iter()
        .find(|x| x.label.starts_with("complete ") && x.probe != PROBE.id && x.result().is_some());
    let told = |x: &Exchange| {
        let params = x.send.params()?;
        let name = params.pointer("/argument/name")?.as_str()?;
        Some((params.get("ref")?.clone(), name.to_owned()))
    };
    let argument = |p: &Prompt| {
        let name = p.arguments.first()?.name.clone();
        Some((json!({"type": "ref/prompt", "name": p.name}), name))
    };
    let variable = |t: &crate::evidence::Template| {
        let (_, rest) = t.uri_template.split_once('{')?;
        let name =
            rest.split(['}', ',', ':', '*']).next()?.trim_start_matches(['+', '#', '/', '?']);
        Some((json!({"type": "ref/resource", "uri": t.uri_template}), name.to_owned()))
    };
    done.and_then(told)
        .or_else(|| evidence.inventory.prompts.iter().find_map(argument))
        .or_else(|| evidence.inventory.templates.iter().find_map(variable))
        .unwrap_or_else(|| {
            (json!({"type": "ref/prompt", "name": "no_such_prompt"}), "name".to_owned())
        })
}

/// Whether anything there is can be completed.
pub fn has_completable(evidence: &Evidence) -> bool {
    let inventory = &evidence.inventory;
    !inventory.templates.is_empty() || inventory.prompts.iter().any(|p| !p.arguments.is_empty())
}
