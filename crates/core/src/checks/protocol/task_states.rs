//! What a task comes to in revision 2025-11-25: its result and its end.

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Exchange, Reply};
use crate::probes::tasks::{
    CANCELLED, CANCELLING, GONE, LATE, OVER, PLAIN, PROBE, RELATED, STILL_OVER, kept, status,
    tried, waited,
};
use crate::probes::{revisions, valid_call};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/task-states",
    title: "A task gives the result of its call, and stays over once it is",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("TASK-05", outcome), rule("TASK-06", ended)],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &revisions::PROBE, &PROBE, &CANCELLING],
    page: include_str!("task_states.md"),
    judge: by_rules,
};

fn outcome(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let id = kept(talk)?;
    let x = waited(talk)?;
    let says = format!("tasks/result: {}", talk.shown(x));
    let ruling = match (&*x.reply, status(talk, OVER)) {
        (Reply::Result { value }, _) if value["_meta"][RELATED]["taskId"] != id => Ruling::fail(
            "the result does not name its task",
            format!("put `{RELATED}` with the taskId into the `_meta` of the result"),
        ),
        (Reply::Result { value }, _) => compared(talk, value),
        (Reply::Error { .. }, Some("working")) => Ruling::fail(
            format!("{says} while the task is working"),
            "hold the answer to `tasks/result` back until the task is over",
        ),
        (Reply::Error { .. }, Some("completed")) => Ruling::fail(
            format!("{says} although the task is completed"),
            "answer `tasks/result` with the result of the call",
        ),
        _ => Ruling::unseen(says),
    };
    Ok(ruling.seen_in(x.id))
}

fn compared(talk: &Conversation<'_>, result: &Value) -> Ruling {
    let bare = |value: &Value| {
        let mut value = value.clone();
        value.as_object_mut().map(|map| map.shift_remove("_meta"));
        value
    };
    let plain = PLAIN.map(|label| tried(talk, label).ok().and_then(Exchange::result).map(bare));
    match plain {
        [Some(before), Some(after)] if before == after && before != bare(result) => Ruling::fail(
            "the result is not what the call returns without a task",
            "answer `tasks/result` with exactly what the call would have returned",
        ),
        [Some(before), Some(after)] if before == after => {
            Ruling::pass("the result is what the call returns without a task, and names its task")
        }
        _ => Ruling::pass("the result names its task; there is no steady plain call to compare"),
    }
}

fn ended(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    kept(talk)?;
    let x = tried(talk, OVER)?;
    let fix = "let a task that is completed, failed or cancelled stay so";
    let over = status(talk, OVER);
    let mut rulings = vec![
        match over {
            Some("completed" | "failed" | "cancelled") => {
                Ruling::pass("a task that is over stays so")
            }
            Some(other) if waited(talk).is_ok_and(|x| x.result().is_some()) => {
                Ruling::fail(format!("{other} after its result was given"), fix)
            }
            Some(_) | None => Ruling::unseen(format!("{OVER}: {}", talk.shown(x))),
        }
        .seen_in(x.id),
    ];
    if let (Ok(late), false) = (tried(talk, LATE), rulings[0].is_fail()) {
        rulings.push(talk.answered(row, late));
    }
    if let (Some(before), Some(after)) = (over, status(talk, STILL_OVER))
        && before != after
    {
        rulings.push(Ruling::fail(format!("first {before}, then {after}"), fix));
    }
    rulings.extend(tried(talk, CANCELLED).ok().and_then(|x| cancelled(talk, x)));
    Ruling::worst(rulings).ok_or_else(|| Ruling::unseen("not seen"))
}

/// `None`: it was over before the cancellation came.
fn cancelled(talk: &Conversation<'_>, x: &Exchange) -> Option<Ruling> {
    let fix = "cancel the task before you answer `tasks/cancel`, and answer with its state";
    let now = x.result()?["status"].as_str().unwrap_or("without status");
    let later = status(talk, GONE).unwrap_or("cancelled");
    match (now, later) {
        ("cancelled", "cancelled") => None,
        ("cancelled", later) => {
            Some(Ruling::fail(format!("cancelled, and afterwards {later}"), fix))
        }
        (now, _) => Some(Ruling::fail(format!("{now} in the answer to its cancellation"), fix)),
    }
    .map(|ruling| ruling.seen_in(x.id))
}
