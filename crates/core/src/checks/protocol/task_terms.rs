//! Which calls may run as tasks, and which must, in revision 2025-11-25.

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::Reply;
use crate::probes::tasks::{BARE, CAPABILITY, PROBE, UNFIT, UNTASKED, tried};
use crate::probes::{revisions, valid_call};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/task-terms",
    title: "Calls run as tasks where that is offered, and only there",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[
        rule("TASK-01", ignored),
        rule("TASK-02", forbidden),
        rule("TASK-03", required),
    ],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &revisions::PROBE, &PROBE],
    page: include_str!("task_terms.md"),
    judge: by_rules,
};

fn ignored(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    if talk.declares(CAPABILITY) {
        return Err(Ruling::not_applicable("it declares that tools run as tasks"));
    }
    let control = tried(talk, UNTASKED)?;
    if control.result().is_none() || control.reply.is_tool_error() {
        return Err(Ruling::not_testable("the call does not work without task metadata either"));
    }
    let x = tried(talk, UNFIT)?;
    let says = format!("{UNFIT}: {}", talk.shown(x));
    let fix = "ignore `task` in calls as long as you do not declare `tasks`";
    Ok(match &*x.reply {
        Reply::Result { value } if value["task"].is_object() && value["content"].is_null() => {
            Ruling::fail(format!("{UNFIT}: a task, although `{CAPABILITY}` is not declared"), fix)
        }
        Reply::Result { .. } if !x.reply.is_tool_error() => Ruling::pass(says),
        Reply::Error { .. } | Reply::Malformed { .. } => Ruling::fail(says, fix),
        // What the tool itself complains about may have other reasons.
        Reply::Result { .. }
        | Reply::Silence
        | Reply::TimedOut { .. }
        | Reply::Disconnected
        | Reply::Skipped { .. } => Ruling::unseen(says),
    }
    .seen_in(x.id))
}

fn forbidden(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    talk.needs(CAPABILITY)?;
    Ok(talk.answered(row, tried(talk, UNFIT)?))
}

fn required(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    talk.needs(CAPABILITY)?;
    Ok(talk.answered(row, tried(talk, BARE)?))
}
