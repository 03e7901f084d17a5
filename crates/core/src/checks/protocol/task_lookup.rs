//! Tasks of revision 2025-11-25 by id and in lists, and the progress they report.

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::probes::tasks::{
    CAPABILITY, CURSOR, LISTED, NOBODY, OVER, PROBE, STILL_OVER, TOKEN, kept, status, tried, waited,
};
use crate::probes::{revisions, valid_call};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/task-lookup",
    title: "Tasks are found by their ids, in lists and by their progress",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("TASK-07", unknown), rule("TASK-08", listed), rule("PROG-05", progress)],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &revisions::PROBE, &PROBE],
    page: include_str!("task_lookup.md"),
    judge: by_rules,
};

fn unknown(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    talk.needs(CAPABILITY)?;
    let labels = NOBODY.iter().map(|(label, _)| *label).chain([CURSOR]);
    let asked = labels.filter(|label| talk.of(PROBE.id).any(|x| x.label == *label));
    let rulings = asked.map(|label| match talk.asked(PROBE.id, label) {
        Ok(x) => talk.answered(row, x),
        Err(ruling) => ruling,
    });
    Ruling::worst(rulings).ok_or_else(|| Ruling::unseen("no unknown task was asked for"))
}

fn listed(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    talk.needs("tasks/list")?;
    let id = kept(talk)?;
    let first = tried(talk, LISTED[0])?;
    let fix = "show in `tasks/list` every task that `tasks/get` finds, in the same state";
    let pages: Vec<&Value> =
        LISTED.iter().filter_map(|label| tried(talk, label).ok()?.result()).collect();
    let Some(last) = pages.last() else {
        let says = format!("tasks/list: {}", talk.shown(first));
        return Ok(match first.reply.why_unseen() {
            Some(_) => Ruling::unseen(says),
            None => Ruling::fail(says, fix),
        }
        .seen_in(first.id));
    };
    let states = [OVER, STILL_OVER].map(|label| status(talk, label));
    let known = states.iter().flatten().next().copied();
    let mut entries = pages.iter().filter_map(|page| page["tasks"].as_array()).flatten();
    let entry = entries.find(|task| task["taskId"] == id);
    let ruling = match (entry, known) {
        (_, None) => Ruling::unseen("tasks/get gave no state to compare"),
        (Some(_), _) if states.iter().flatten().any(|s| Some(*s) != known) => {
            Ruling::unseen("the state changed meanwhile")
        }
        (Some(task), Some(status)) if task["status"] == status => {
            Ruling::pass("tasks/list shows the state that tasks/get does")
        }
        (Some(task), Some(status)) => {
            let shown = task["status"].as_str().unwrap_or("without status");
            Ruling::fail(format!("{shown} in tasks/list, {status} in tasks/get"), fix)
        }
        (None, Some(_)) if last["nextCursor"].is_string() => {
            Ruling::not_testable("the task is not on the first pages of tasks/list")
        }
        (None, Some(_)) => Ruling::fail("tasks/list lacks a task that tasks/get finds", fix),
    };
    Ok(ruling.seen_in(first.id))
}

/// What was on its way when the result came.
const GRACE_MICROS: u64 = 1_000_000;

fn progress(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    kept(talk)?;
    let told = talk.incoming().filter(|i| {
        let token = i.params.as_ref().map(|p| &p["progressToken"]);
        i.method == "notifications/progress" && token.is_some_and(|t| t == TOKEN)
    });
    let times: Vec<u64> = told.map(|i| i.at.0).collect();
    if times.is_empty() {
        return Err(Ruling::not_testable("the task reported no progress"));
    }
    let x = waited(talk)?;
    let over = x.started.0 + x.took.0 + GRACE_MICROS;
    Ok(match times.iter().any(|at| x.result().is_some() && *at > over) {
        false => Ruling::pass("progress came under the token of the call, until the task was over"),
        true => Ruling::fail(
            "progress went on after the task was over",
            "stop reporting progress once a task is completed, failed or cancelled",
        ),
    }
    .seen_in(x.id))
}
