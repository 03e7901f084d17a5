//! Calls of a stateless client that declares the extension for tasks, and what becomes of the handle.

use serde_json::{Value, json};

use super::stateless::{self, CLIENT};
use super::{tasks, valid_call};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::probe::{Call, Connection, Lane, Probe, Risk, Send};
use crate::revision::Revision;
use crate::seed::Seed;
use crate::spec::{Conversation, Ruling};

pub const PROBE: Probe = Probe { id: "task-handles", hostile: false, lane: Lane::Alone, plan };

pub const EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// Calls by a client that knows tasks.
pub const DECLARED: &str = "with tasks declared";
pub const DOOMED: &str = "a task to cancel";
/// The task is looked up until it is over, at most this often.
pub const LOOKED: [&str; 4] = ["tasks/get", "tasks/get 2", "tasks/get 3", "tasks/get 4"];
pub const UPDATED: &str = "tasks/update";
pub const CANCELLED: [&str; 2] = ["tasks/cancel", "tasks/cancel again"];
pub const NOBODY: &str = "tasks/get of an unknown task";
/// Methods that the extension does not have.
pub const REMOVED: [&str; 2] = ["tasks/result", "tasks/list"];

/// The methods of the extension, asked by a client that does not declare it.
pub const UNDECLARED: [(&str, &str); 3] = [
    ("tasks/get undeclared", "tasks/get"),
    ("tasks/update undeclared", "tasks/update"),
    ("tasks/cancel undeclared", "tasks/cancel"),
];

const UNKNOWN: &str = "00000000-0000-4000-8000-000000000000";
/// The server decides what becomes a task; so many tools are tried where the older revision tells
/// which could, and where nothing does.
const FEW: usize = 5;
const MOST: usize = 40;
const PAUSES_MS: [u32; 3] = [300, 1000, 3000];

pub fn is_handle(result: &Value) -> bool {
    result["resultType"] == "task"
}

pub fn is_over(result: &Value) -> bool {
    matches!(result["status"].as_str(), Some("completed" | "failed" | "cancelled"))
}

/// The first call that was answered with a handle.
pub fn handle<'a>(evidence: &'a Evidence, label: &str) -> Option<(&'a Exchange, &'a Value)> {
    let calls = evidence.of(PROBE.id).filter(|x| x.label == label);
    calls.filter_map(|x| Some((x, x.result()?))).find(|(_, result)| is_handle(result))
}

/// Without the extension nothing about it applies.
pub fn offered(talk: &Conversation<'_>) -> Result<(), Ruling> {
    match talk.handshake.capabilities["extensions"].get(EXTENSION) {
        Some(_) => Ok(()),
        None => Err(Ruling::not_applicable(format!("`{EXTENSION}` is not declared"))),
    }
}

/// The handle that the other rules are about.
pub fn held<'a>(talk: &Conversation<'a>) -> Result<(&'a Exchange, &'a Value), Ruling> {
    offered(talk)?;
    let none = || Ruling::not_testable("no call was answered with a task");
    let (x, made) = handle(talk.evidence, DECLARED).ok_or_else(none)?;
    match talk.was_lost_after(x) {
        true => Err(Ruling::unseen("the connection ended meanwhile, perhaps with its tasks")),
        false => Ok((x, made)),
    }
}

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let Some(on) = stateless::side(evidence) else { return Vec::new() };
    let talks = Conversation::all(evidence);
    let Some(talk) = talks.iter().find(|t| t.revision.is_stateless()) else { return Vec::new() };
    if offered(talk).is_err() {
        return Vec::new();
    }
    let stage = Stage { evidence, on };
    let mut calls: Vec<Call> = candidates(evidence, &talks)
        .into_iter()
        .filter_map(|tool| stage.call(&tool.name, DECLARED))
        .collect();
    calls.extend(stage.followed());
    calls.extend(stage.cancelled());
    // After the first look at a real task, so that nothing else comes between its making and that.
    if evidence.of(PROBE.id).next().is_some() {
        calls.push(stage.about(NOBODY, "tasks/get", UNKNOWN));
        let id = handle(evidence, DECLARED).and_then(|(_, h)| h["taskId"].as_str());
        calls.extend(REMOVED.map(|method| stage.about(method, method, id.unwrap_or(UNKNOWN))));
    }
    calls
}

/// Tools that work: first those that run as tasks where that can be listed.
fn candidates<'a>(evidence: &'a Evidence, talks: &[Conversation<'_>]) -> Vec<&'a Tool> {
    let tried = |t: &&Tool| evidence.of_tool(PROBE.id, &t.name).any(|x| x.label == DECLARED);
    let before: Vec<&Tool> = evidence.tools().filter(tried).collect();
    if !before.is_empty() {
        return before;
    }
    let older = talks.iter().find(|t| t.revision == Revision::V2025_11_25);
    if older.is_some_and(|talk| !tasks::is_listed(talk)) {
        return Vec::new();
    }
    let named = older.map(tasks::listed).unwrap_or_default();
    let runs =
        |t: &Tool| named.iter().any(|n| n.name == t.name && tasks::support(n) != "forbidden");
    let fits = |t: &&Tool| {
        let risk = evidence.risk_of(&t.name);
        // A tool that was called is within what the run allows; it is not called again for this
        // if it changes anything.
        let harmless = runs(t) || t.hint("readOnlyHint") == Some(true);
        valid_call::succeeded(evidence, &t.name)
            && (risk == Risk::Reads || risk == Risk::Writes && harmless)
    };
    let mut tools: Vec<&Tool> = evidence.tools().filter(fits).collect();
    tools.sort_by_key(|t| !runs(t));
    tools.truncate(if named.iter().any(|n| tasks::support(n) != "forbidden") { FEW } else { MOST });
    tools
}

struct Stage<'a> {
    evidence: &'a Evidence,
    on: Connection,
}

impl Stage<'_> {
    fn request(&self, subject: Subject, label: &str, method: &str, mut params: Value) -> Call {
        let mut meta = stateless::meta();
        if !UNDECLARED.iter().any(|(undeclared, _)| *undeclared == label) {
            meta.insert(CLIENT.to_owned(), json!({"extensions": {EXTENSION: {}}}));
        }
        params["_meta"] = Value::Object(meta);
        let id = format!("{label}, {subject}");
        let send = stateless::request(self.evidence, &id, method, &params);
        Call::new(subject, label, send).on(self.on)
    }

    fn call(&self, tool: &str, label: &str) -> Option<Call> {
        let arguments = valid_call::working(self.evidence, tool)?.arguments()?;
        let params = json!({"name": tool, "arguments": arguments});
        Some(self.request(Subject::tool_named(tool), label, "tools/call", params))
    }

    fn about(&self, label: &str, method: &str, id: &str) -> Call {
        let mut params = json!({ "taskId": id });
        if method == "tasks/update" {
            params["inputResponses"] = json!({});
        }
        self.request(Subject::Server, label, method, params)
    }

    fn followed(&self) -> Vec<Call> {
        let Some((x, made)) = handle(self.evidence, DECLARED) else { return Vec::new() };
        let Some(id) = made["taskId"].as_str() else { return Vec::new() };
        let mut calls =
            vec![self.about(LOOKED[0], "tasks/get", id), self.about(UPDATED, "tasks/update", id)];
        for (pair, pause) in LOOKED.windows(2).zip(PAUSES_MS) {
            let last = self.evidence.of(PROBE.id).find(|x| x.label == pair[0]);
            if last.and_then(Exchange::result).is_some_and(|task| !is_over(task)) {
                let listen = Send::Listen { ms: pause };
                let label = format!("wait before {}", pair[1]);
                calls.push(Call::new(Subject::Server, label, listen).on(self.on));
                calls.push(self.about(pair[1], "tasks/get", id));
            }
        }
        calls.extend(x.subject.tool().and_then(|tool| self.call(tool, DOOMED)));
        calls
    }

    fn cancelled(&self) -> Vec<Call> {
        let made = handle(self.evidence, DOOMED).and_then(|(_, h)| h["taskId"].as_str());
        let cancel = |id| CANCELLED.map(|label| self.about(label, "tasks/cancel", id));
        let asked = |id| UNDECLARED.map(|(label, method)| self.about(label, method, id));
        let mut calls: Vec<Call> = made.into_iter().flat_map(cancel).collect();
        // About a task that is over in any case.
        calls.extend(made.into_iter().flat_map(asked));
        calls
    }
}
