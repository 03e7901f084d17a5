//! What a new task of revision 2025-11-25 looks like, and whether its id can be guessed.

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Exchange, Reply};
use crate::probes::tasks::{CANCELLING, CAPABILITY, DOOMED, MADE, PROBE, id_of, tried};
use crate::probes::{revisions, valid_call};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};
use crate::target::Target;

pub(super) const CHECK: Check = Check {
    id: "protocol/task-creation",
    title: "A new task is complete, and its id cannot be guessed",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("TASK-04", created), rule("TASK-09", unguessable)],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &revisions::PROBE, &PROBE, &CANCELLING],
    page: include_str!("task_creation.md"),
    judge: by_rules,
};

const STATUSES: [&str; 5] = ["working", "input_required", "completed", "failed", "cancelled"];
const CREATE: &str =
    "answer with `task`: a new taskId, status working, createdAt, lastUpdatedAt and ttl";

fn created(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    talk.needs(CAPABILITY)?;
    tried(talk, MADE[0])?;
    let made: Vec<&Exchange> = MADE.iter().filter_map(|label| tried(talk, label).ok()).collect();
    let mut ids: Vec<&str> = MADE.iter().filter_map(|label| id_of(talk, label)).collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    if ids.len() < all {
        return Ok(Ruling::fail("two tasks have the same id", CREATE));
    }
    let rulings = made.into_iter().map(|x| begun(talk, x).seen_in(x.id));
    Ruling::worst(rulings).ok_or_else(|| Ruling::unseen("no task was made"))
}

fn begun(talk: &Conversation<'_>, x: &Exchange) -> Ruling {
    let says = format!("{}: {}", x.label, talk.shown(x));
    let task = match &*x.reply {
        Reply::Result { value } if value["task"].is_object() => &value["task"],
        Reply::Result { .. } if !x.reply.is_tool_error() => {
            return Ruling::fail(format!("{says} instead of a task"), CREATE);
        }
        Reply::Error { code: -32601, .. } => return Ruling::fail(says, CREATE),
        // The arguments may be to blame.
        Reply::Result { .. }
        | Reply::Error { .. }
        | Reply::Malformed { .. }
        | Reply::Silence
        | Reply::TimedOut { .. }
        | Reply::Disconnected
        | Reply::Skipped { .. } => return Ruling::unseen(says),
    };
    let timed = |key: &str| task[key].as_str().is_some_and(|t| t.contains('T') && t.len() >= 16);
    let kept = task.get("ttl").is_some_and(|ttl| ttl.is_null() || ttl.is_number());
    let status = task["status"].as_str().unwrap_or_default();
    let parts = [
        (task["taskId"].as_str().is_some_and(|id| !id.is_empty()), "taskId"),
        (STATUSES.contains(&status), "status"),
        (timed("createdAt"), "createdAt"),
        (timed("lastUpdatedAt"), "lastUpdatedAt"),
        (kept, "ttl"),
    ];
    let wrong: Vec<&str> = parts.iter().filter(|(good, _)| !good).map(|(_, key)| *key).collect();
    match (wrong.is_empty(), status) {
        (false, _) => {
            Ruling::fail(format!("missing or wrong in the new task: {}", wrong.join(", ")), CREATE)
        }
        (true, "working") => Ruling::pass("new tasks say all that they must"),
        (true, other) => Ruling::partial(format!("a new task is {other}"), CREATE),
    }
}

/// Fewer bits that change from id to id are tried out quickly.
const FEW_BITS: u32 = 32;

fn unguessable(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    talk.needs(CAPABILITY)?;
    let labels = MADE.iter().chain([&DOOMED]);
    let ids: Vec<&str> = labels.filter_map(|label| id_of(talk, label)).collect();
    if ids.len() < 3 {
        return Err(Ruling::not_testable("too few tasks were made to compare their ids"));
    }
    let shared = match &talk.evidence.target {
        Target::Http { headers, .. } | Target::Sse { headers, .. } if headers.is_empty() => true,
        Target::Http { .. } | Target::Sse { .. } => {
            return Err(Ruling::not_testable("tasks may be bound to who we are"));
        }
        Target::Stdio { .. } | Target::Source { .. } => false,
    };
    let fix = "make task ids of at least 64 random bits, or bind tasks to who asked for them";
    Ok(match (bits(&ids) < FEW_BITS, shared) {
        (true, true) => Ruling::fail("the ids of tasks can be guessed", fix),
        (true, false) => Ruling::partial("the ids of tasks can be guessed", fix),
        (false, true) if talk.declares("tasks/list") => Ruling::partial(
            "tasks can be listed by clients that are not told apart",
            "do not declare `tasks.list` where anybody may ask",
        ),
        (false, _) => Ruling::pass("the ids of tasks have much that changes from one to the next"),
    })
}

/// An upper bound: every place that is not the same in all ids counts in full.
fn bits(ids: &[&str]) -> u32 {
    let hex = ids.iter().all(|id| id.chars().all(|c| c.is_ascii_hexdigit() || c == '-'));
    let longest = ids.iter().map(|id| id.len()).max().unwrap_or_default();
    let changes = |at: &usize| {
        let first = ids.first().map(|id| id.as_bytes().get(*at));
        ids.iter().any(|id| Some(id.as_bytes().get(*at)) != first)
    };
    let places = (0..longest).filter(changes).count();
    u32::try_from(places).unwrap_or(u32::MAX).saturating_mul(if hex { 4 } else { 5 })
}
