//! Calls that run as tasks in revision 2025-11-25: made, looked up, waited for and cancelled.

use serde_json::{Value, json};

use super::{revisions, valid_call};
use crate::arguments::{Context, Fill, sample};
use crate::evidence::{Evidence, Exchange, Reply, Subject, Tool};
use crate::probe::{Call, Connection, Lane, Probe, Risk, Send, words};
use crate::revision::Revision;
use crate::seed::Seed;
use crate::spec::{Conversation, Ruling, sides};

pub const PROBE: Probe = Probe { id: "tasks", hostile: false, lane: Lane::Alone, plan };
/// A task that is cancelled while it is young, once the first one was seen to its end.
pub const CANCELLING: Probe =
    Probe { id: "tasks-cancelled", hostile: false, lane: Lane::AtOnce, plan: cancelling };

/// What a server declares that lets tools run as tasks.
pub const CAPABILITY: &str = "tasks/requests/tools/call";
/// The key under which a message names the task it belongs to.
pub const RELATED: &str = "io.modelcontextprotocol/related-task";
/// The progress token of the first task.
pub const TOKEN: &str = "proofmark-task";

/// A tool that reads and does not say that it runs as a task: first without, then as one.
pub const UNTASKED: &str = "without task metadata";
pub const UNFIT: &str = "with task metadata";
/// A tool that runs as a task only, called without one.
pub const BARE: &str = "a required task left out";
/// The tool that then runs as a task, around its first task.
pub const PLAIN: [&str; 2] = ["plain call", "plain call again"];
pub const MADE: [&str; 3] = ["first task", "second task", "third task"];
pub const LOOKED: &str = "tasks/get of a new task";
pub const WAITED: [&str; 2] = ["tasks/result", "tasks/result again"];
/// Once its result was seen.
pub const OVER: &str = "tasks/get of a finished task";
pub const LISTED: [&str; 4] = ["tasks/list", "tasks/list 2", "tasks/list 3", "tasks/list 4"];
pub const LATE: &str = "tasks/cancel of a finished task";
pub const STILL_OVER: &str = "tasks/get after a late cancel";
pub const DOOMED: &str = "a task to cancel";
pub const CANCELLED: &str = "tasks/cancel of a new task";
pub const GONE: &str = "tasks/get of a cancelled task";
/// An id that no task has.
pub const NOBODY: [(&str, &str); 3] = [
    ("tasks/get of an unknown task", "tasks/get"),
    ("tasks/result of an unknown task", "tasks/result"),
    ("tasks/cancel of an unknown task", "tasks/cancel"),
];
pub const CURSOR: &str = "tasks/list with an unknown cursor";

const UNKNOWN: &str = "00000000-0000-4000-8000-000000000000";
const MOST_PAGES: usize = 5;
const TIMES: [&str; 5] = ["delay", "duration", "ms", "seconds", "wait"];
const LONGEST: u64 = 10_000;
const TTL_MS: u64 = 120_000;

/// A call of this probe that was answered; without it there was nothing to try it on.
pub fn tried<'a>(talk: &Conversation<'a>, label: &str) -> Result<&'a Exchange, Ruling> {
    match said(talk, label) {
        Some(x) => talk.asked(&x.probe, label),
        None => Err(Ruling::not_testable(format!("{label}: there was nothing to try it on"))),
    }
}

fn said<'a>(talk: &Conversation<'a>, label: &str) -> Option<&'a Exchange> {
    talk.of(PROBE.id).chain(talk.of(CANCELLING.id)).find(|x| x.label == label)
}

/// The id of the task that a call made.
pub fn id_of<'a>(talk: &Conversation<'a>, label: &str) -> Option<&'a str> {
    said(talk, label)?.result()?["task"]["taskId"].as_str()
}

/// The status that an answer gives.
pub fn status<'a>(talk: &Conversation<'a>, label: &str) -> Option<&'a str> {
    tried(talk, label).ok()?.result()?["status"].as_str()
}

/// The id of the first task, which the server should still know.
pub fn kept<'a>(talk: &Conversation<'a>) -> Result<&'a str, Ruling> {
    talk.needs(CAPABILITY)?;
    if talk.was_lost_after(tried(talk, MADE[0])?) {
        return Err(Ruling::unseen("the connection ended meanwhile, perhaps with its tasks"));
    }
    id_of(talk, MADE[0]).ok_or_else(|| Ruling::not_testable("no task could be made"))
}

/// The answer to the wait for the first task: the second if the first took too long.
pub fn waited<'a>(talk: &Conversation<'a>) -> Result<&'a Exchange, Ruling> {
    tried(talk, WAITED[1]).or_else(|_| tried(talk, WAITED[0]))
}

/// What tools say about tasks, in the list of this revision, as far as it was read.
pub fn listed(talk: &Conversation<'_>) -> Vec<Tool> {
    let scope = &talk.evidence.conditions.scope;
    pages(talk)
        .filter_map(|page| page["tools"].as_array())
        .flatten()
        .filter_map(|raw| Tool::from_raw(raw).ok())
        .filter(|t| scope.includes_tool(&t.name))
        .collect()
}

fn pages<'a>(talk: &Conversation<'a>) -> impl Iterator<Item = &'a Value> {
    let first = talk.of(revisions::PROBE.id);
    let more = talk.of(PROBE.id).filter(|x| x.send.method() == Some("tools/list"));
    first.chain(more).filter_map(Exchange::result)
}

/// Whether the list of tools was read to its end, as far as it will be.
pub fn is_listed(talk: &Conversation<'_>) -> bool {
    next_page(talk, Connection::Main).is_none()
}

/// The next page of the tools, if there is one.
fn next_page(talk: &Conversation<'_>, on: Connection) -> Option<Call> {
    let number = pages(talk).count();
    let cursor = pages(talk).last()?["nextCursor"].as_str().filter(|_| number < MOST_PAGES)?;
    let label = format!("tools/list, page {}", number + 1);
    let known = talk.of(PROBE.id).any(|x| x.label == label);
    let send = Send::request("tools/list", Some(json!({ "cursor": cursor })));
    (!known).then(|| Call::new(Subject::Server, label, send).on(on))
}

pub fn support(tool: &Tool) -> &str {
    tool.raw["execution"]["taskSupport"].as_str().unwrap_or("forbidden")
}

/// The talk in the revision that has tasks, and where it is led.
fn talk(evidence: &Evidence) -> Option<(Conversation<'_>, Connection)> {
    let revision = Revision::V2025_11_25;
    let (_, on) = sides::spoken(evidence).into_iter().find(|(r, _)| *r == revision)?;
    let talk = Conversation::all(evidence).into_iter().find(|t| t.revision == revision)?;
    Some((talk, on))
}

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let Some((talk, on)) = talk(evidence) else { return Vec::new() };
    if let Some(call) = next_page(&talk, on) {
        return vec![call];
    }
    let stage = Stage { talk: &talk, tools: &listed(&talk), on, seed };
    let mut calls = stage.unfit();
    if talk.declares(CAPABILITY) {
        calls.extend(stage.made());
        calls.extend(stage.unknown());
        calls.extend(stage.followed());
    }
    calls
}

fn cancelling(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let Some((talk, on)) = talk(evidence) else { return Vec::new() };
    if tried(&talk, OVER).is_err() || !talk.declares("tasks/cancel") {
        return Vec::new();
    }
    let stage = Stage { talk: &talk, tools: &listed(&talk), on, seed };
    let doomed = stage.runner().and_then(|t| stage.call(t, DOOMED, true));
    doomed.into_iter().chain(stage.cancelled()).collect()
}

struct Stage<'a> {
    talk: &'a Conversation<'a>,
    tools: &'a [Tool],
    on: Connection,
    seed: Seed,
}

impl Stage<'_> {
    fn unfit(&self) -> Vec<Call> {
        let declared = self.talk.declares(CAPABILITY);
        let fits = |t: &Tool| {
            Risk::of_tool(t) == Risk::Reads
                && valid_call::succeeded(self.talk.evidence, &t.name)
                && (!declared || support(t) == "forbidden")
        };
        let tool = self.pick(UNTASKED, fits);
        let both = |t| [self.call(t, UNTASKED, false), self.call(t, UNFIT, true)];
        tool.into_iter().flat_map(both).flatten().collect()
    }

    /// Reading tools first; what destroys is left alone, and what the run does not allow: the gate
    /// knows only the tools of the main connection.
    fn pick(&self, label: &str, fits: impl Fn(&Tool) -> bool) -> Option<&Tool> {
        let before = self.talk.of(PROBE.id).find(|x| x.label == label);
        if let Some(name) = before.and_then(|x| x.subject.tool()) {
            return self.tools.iter().find(|t| t.name == name);
        }
        let most = self.talk.evidence.conditions.policy.allow.min(Risk::Writes);
        let allowed = self.tools.iter().filter(|t| Risk::of_tool(t) <= most && fits(t));
        allowed.min_by_key(|t| Risk::of_tool(t))
    }

    /// The tool that is run as a task: one that can also be called plainly, if there is one.
    fn runner(&self) -> Option<&Tool> {
        let proven = |t: &Tool| valid_call::succeeded(self.talk.evidence, &t.name);
        self.pick(MADE[0], |t| support(t) == "optional" && proven(t)).or_else(|| self.required())
    }

    fn required(&self) -> Option<&Tool> {
        self.pick(BARE, |t| support(t) == "required")
    }

    fn call(&self, tool: &Tool, label: &str, task: bool) -> Option<Call> {
        let evidence = self.talk.evidence;
        let proven = valid_call::working(evidence, &tool.name).and_then(Exchange::arguments);
        let arguments = proven.cloned().or_else(|| {
            let context = Context::of(evidence, &tool.name);
            sample(&tool.input_schema, &context, self.seed.part(&tool.name), Fill::Typical)
        })?;
        let mut params = json!({"name": tool.name, "arguments": arguments});
        if label == DOOMED {
            linger(tool, &mut params["arguments"]);
        }
        if task {
            params["task"] = json!({ "ttl": TTL_MS });
        }
        if label == MADE[0] {
            params["_meta"] = json!({ "progressToken": TOKEN });
        }
        let send = Send::request("tools/call", Some(params));
        Some(Call::new(Subject::tool_named(&tool.name), label, send).on(self.on))
    }

    fn made(&self) -> Vec<Call> {
        let bare = self.required().map(|t| (t, BARE, false));
        let runner = self.runner();
        let plain = |label| runner.filter(|t| support(t) == "optional").map(|t| (t, label, false));
        let task = |label| runner.map(|t| (t, label, true));
        let [first, second, third] = MADE.map(task);
        [bare, plain(PLAIN[0]), first, plain(PLAIN[1]), second, third]
            .into_iter()
            .flatten()
            .filter_map(|(tool, label, as_task)| self.call(tool, label, as_task))
            .collect()
    }

    fn ask(&self, label: &str, method: &str, params: Value) -> Call {
        Call::new(Subject::Server, label, Send::request(method, Some(params))).on(self.on)
    }

    fn about(&self, label: &str, method: &str, id: &str) -> Call {
        self.ask(label, method, json!({ "taskId": id }))
    }

    fn unknown(&self) -> Vec<Call> {
        let offered = |m: &str| m != "tasks/cancel" || self.talk.declares("tasks/cancel");
        let nobody = NOBODY.into_iter().filter(|(_, method)| offered(method));
        let mut calls: Vec<Call> = nobody.map(|(l, m)| self.about(l, m, UNKNOWN)).collect();
        if self.talk.declares("tasks/list") {
            calls.push(self.ask(CURSOR, "tasks/list", json!({"cursor": "proofmark-no-cursor"})));
        }
        calls
    }

    /// The first task, until it is over and afterwards.
    fn followed(&self) -> Vec<Call> {
        let Some(id) = id_of(self.talk, MADE[0]) else { return Vec::new() };
        let mut calls =
            vec![self.about(LOOKED, "tasks/get", id), self.about(WAITED[0], "tasks/result", id)];
        let Ok(waited) = waited(self.talk) else { return calls };
        if matches!(*waited.reply, Reply::TimedOut { .. }) {
            calls.push(self.about(WAITED[1], "tasks/result", id));
            return calls;
        }
        calls.push(self.about(OVER, "tasks/get", id));
        calls.extend(self.pages());
        if self.talk.declares("tasks/cancel") {
            calls.push(self.about(LATE, "tasks/cancel", id));
            calls.push(self.about(STILL_OVER, "tasks/get", id));
        }
        calls
    }

    fn pages(&self) -> Vec<Call> {
        if !self.talk.declares("tasks/list") {
            return Vec::new();
        }
        let mut calls = vec![self.ask(LISTED[0], "tasks/list", json!({}))];
        for pair in LISTED.windows(2) {
            let last = self.talk.of(PROBE.id).find(|x| x.label == pair[0]);
            let next = last.and_then(|x| x.result()?["nextCursor"].as_str());
            calls.extend(next.map(|c| self.ask(pair[1], "tasks/list", json!({ "cursor": c }))));
        }
        calls
    }

    fn cancelled(&self) -> Vec<Call> {
        let Some(id) = id_of(self.talk, DOOMED) else { return Vec::new() };
        vec![self.about(CANCELLED, "tasks/cancel", id), self.about(GONE, "tasks/get", id)]
    }
}

/// Lets a call that is to be cancelled take as long as its tool lets one choose, within reason.
fn linger(tool: &Tool, arguments: &mut Value) {
    for (name, schema) in tool.parameters() {
        let is_time = words(name).iter().any(|w| TIMES.contains(&w.as_str()));
        let most = schema["maximum"].as_u64().filter(|most| *most <= LONGEST);
        if let (true, Some(most)) = (is_time, most) {
            arguments[name] = json!(most);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    /// A server that speaks this revision on a side, and what was said there.
    fn planned(policy: &str, said: &str) -> Vec<String> {
        let on = r#"{"kind": "side", "handshake": "2025-11-25", "client": {"sampling": false, "elicitation": false, "roots": false}}"#;
        let side = on.replace(r#""kind": "side", "#, "");
        let snippet = format!(
            r#"{{"policy": {policy}, "handshake": {{"capabilities": {{"tasks": {{"requests": {{"tools": {{"call": {{}}}}}}}}}}}}, "tools": [{{"name": "get_time"}}], "links": [{{"connection": 1, "side": {side},
              "handshake": {{"revision": "2025-11-25", "answered": "2025-11-25", "supported": [], "server": {{}}, "exchange": 0, "capabilities": {{}}}}}}], "exchanges": [
              {{"probe": "valid-call", "label": "typical", "tool": "get_time", "reply": {{"text": "12:00"}}}},
              {{"probe": "revisions", "label": "tools/list 2025-11-25", "on": {on}, "reply": {{"result": {{"tools": [
                {{"name": "get_time", "inputSchema": {{"type": "object"}}}},
                {{"name": "write_report", "inputSchema": {{"type": "object"}}, "execution": {{"taskSupport": "required"}}}}]}}}}}}{said}]}}"#
        )
        .replace("ON", on);
        let calls = plan(&pages::evidence(&snippet).unwrap(), Seed(1));
        calls.into_iter().map(|c| c.label).collect()
    }

    const ALL: &str =
        r#"{"passive": false, "allow": "destroys", "allow_hostile": "reads", "disposable": true}"#;

    #[test]
    fn a_tool_that_may_do_more_than_the_run_allows_is_left_alone() {
        let reads = ALL.replace("destroys", "reads");
        assert!(planned(ALL, "").contains(&MADE[0].to_owned()));
        assert!(!planned(&reads, "").contains(&MADE[0].to_owned()));
        assert!(planned(&reads, "").contains(&UNFIT.to_owned()));
    }

    #[test]
    fn a_task_is_followed_once_it_has_an_id_and_left_when_it_is_over() {
        let made = r#", {"probe": "tasks", "label": "first task", "tool": "write_report", "on": ON, "reply": {"result": {"task": {"taskId": "t"}}}}"#;
        let late = r#", {"probe": "tasks", "label": "tasks/result", "on": ON, "reply": "timeout"}"#;
        let done = late.replace(r#""timeout""#, r#"{"text": "12 pages"}"#);
        assert!(!planned(ALL, "").contains(&WAITED[0].to_owned()));
        assert!(planned(ALL, made).contains(&WAITED[0].to_owned()));
        assert!(planned(ALL, &format!("{made}{late}")).contains(&WAITED[1].to_owned()));
        assert!(planned(ALL, &format!("{made}{done}")).contains(&OVER.to_owned()));
    }
}
