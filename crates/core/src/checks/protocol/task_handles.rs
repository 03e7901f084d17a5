//! Tasks in the stateless revision: an extension, for those who declare it.

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Exchange, Reply};
use crate::probes::task_handles::{
    EXTENSION, LOOKED, PROBE, UNDECLARED, held, is_handle, is_over, offered,
};
use crate::probes::{revisions, valid_call};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/task-handles",
    title: "Task handles go to those who declare tasks, and can be used",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("TASK-10", advertised), rule("TASK-11", usable)],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &revisions::PROBE, &PROBE],
    page: include_str!("task_handles.md"),
    judge: by_rules,
};

fn advertised(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    if talk.declares("tasks") {
        let fix = format!("declare tasks as `extensions[\"{EXTENSION}\"]`");
        let says = "tasks are declared as a capability, not as an extension";
        return Ok(Ruling::fail(says, fix).seen_in(talk.handshake.exchange));
    }
    offered(talk)?;
    let called = |x: &&Exchange| x.probe != PROBE.id && x.send.method() == Some("tools/call");
    let mut results =
        talk.exchanges().filter(called).filter_map(|x| Some((x, x.result()?))).peekable();
    if results.peek().is_none() {
        return Err(Ruling::not_testable("no call of a client without tasks was answered"));
    }
    let handed = match results.find(|(_, result)| is_handle(result)) {
        None => Ruling::pass("an extension, and no handle for clients that do not declare it"),
        Some((x, _)) => Ruling::fail(
            "a handle for a client that did not declare tasks",
            "give the result itself, or error -32021, to clients that do not declare tasks",
        )
        .seen_in(x.id),
    };
    let asked = UNDECLARED.iter().filter_map(|(label, _)| talk.asked(PROBE.id, label).ok());
    let refused = asked.map(|x| talk.answered(row, x));
    let rulings: Vec<Ruling> = [handed].into_iter().chain(refused).collect();
    Ruling::worst(rulings).ok_or_else(|| Ruling::unseen("not asked"))
}

fn usable(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let (made, handle) = held(talk)?;
    let kept = handle.get("ttlMs").is_some_and(|ttl| ttl.is_null() || ttl.is_u64());
    let paced = handle.get("pollIntervalMs").is_none_or(Value::is_number);
    let parts = [
        (handle["taskId"].is_string(), "taskId"),
        (handle["status"].is_string(), "status"),
        (kept, "ttlMs"),
        (paced, "pollIntervalMs"),
    ];
    let wrong: Vec<&str> = parts.iter().filter(|(good, _)| !good).map(|(_, key)| *key).collect();
    if !wrong.is_empty() {
        let says = format!("missing or wrong in the handle: {}", wrong.join(", "));
        return Ok(Ruling::fail(says, "give taskId, status and ttlMs").seen_in(made.id));
    }
    let first = talk.asked(PROBE.id, LOOKED[0])?;
    if let Reply::Error { .. } = &*first.reply {
        let says = format!("tasks/get of a new task: {}", talk.shown(first));
        return Ok(Ruling::fail(says, "file a task before you hand it out").seen_in(first.id));
    }
    let looks = LOOKED.iter().filter_map(|label| talk.asked(PROBE.id, label).ok());
    let over = looks.filter_map(|x| Some((x, x.result()?))).find(|(_, task)| is_over(task));
    let (x, task) = over.ok_or_else(|| Ruling::not_testable("the task did not end in time"))?;
    let carries = match task["status"].as_str() {
        Some("completed") => task["result"].is_object(),
        Some("failed") => task["error"].is_object(),
        Some(_) | None => true,
    };
    Ok(match carries {
        true => Ruling::pass("the handle is complete, found at once, and ends with its result"),
        false => Ruling::fail(
            "a task that is over carries neither result nor error",
            "put `result` into a completed task and `error` into a failed one",
        ),
    }
    .seen_in(x.id))
}
