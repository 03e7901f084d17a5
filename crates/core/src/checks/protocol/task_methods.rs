//! The methods that the extension for tasks of the stateless revision has, and those it has not.

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Exchange, Reply};
use crate::probes::task_handles::{CANCELLED, NOBODY, PROBE, REMOVED, UPDATED, held, offered};
use crate::probes::{revisions, valid_call};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/task-methods",
    title: "Stateless tasks are updated and cancelled, and what is gone is refused",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("TASK-12", removed), rule("TASK-13", acknowledged)],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &revisions::PROBE, &PROBE],
    page: include_str!("task_methods.md"),
    judge: by_rules,
};

fn removed(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    offered(talk)?;
    let gone = REMOVED.iter().map(|method| match talk.asked(PROBE.id, method) {
        Ok(x) => talk.answered(row, x),
        Err(ruling) => ruling,
    });
    let x = talk.asked(PROBE.id, NOBODY)?;
    let says = format!("{NOBODY}: {}", talk.shown(x));
    let unknown = match &*x.reply {
        Reply::Error { code: -32602, .. } => Ruling::pass(says),
        Reply::Error { .. } | Reply::Result { .. } | Reply::Malformed { .. } => {
            Ruling::fail(says, "answer with -32602")
        }
        Reply::Silence | Reply::TimedOut { .. } | Reply::Disconnected | Reply::Skipped { .. } => {
            Ruling::unseen(says)
        }
    };
    Ruling::worst(gone.chain([unknown.seen_in(x.id)])).ok_or_else(|| Ruling::unseen("not asked"))
}

fn acknowledged(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    held(talk)?;
    let cancelled = talk.result(PROBE.id, CANCELLED[0]).is_ok();
    let labels = [UPDATED, CANCELLED[0], CANCELLED[1]];
    let rulings = labels.map(|label| match talk.asked(PROBE.id, label) {
        Ok(x) => taken(talk, x, cancelled && label == CANCELLED[1]).seen_in(x.id),
        Err(ruling) => ruling,
    });
    Ruling::worst(rulings).ok_or_else(|| Ruling::unseen("not asked"))
}

/// `due`: the same was acknowledged before. Otherwise the task may be over, or ask for nothing.
fn taken(talk: &Conversation<'_>, x: &Exchange, due: bool) -> Ruling {
    let says = format!("{}: {}", x.label, talk.shown(x));
    let fix = "acknowledge `tasks/update` and `tasks/cancel` of a task you know, every time";
    match &*x.reply {
        Reply::Result { .. } => Ruling::pass("tasks/update and tasks/cancel are acknowledged"),
        Reply::Error { code, .. } if *code != -32601 && !due => Ruling::partial(says, fix),
        Reply::Error { .. } | Reply::Malformed { .. } => Ruling::fail(says, fix),
        Reply::Silence | Reply::TimedOut { .. } | Reply::Disconnected | Reply::Skipped { .. } => {
            Ruling::unseen(says)
        }
    }
}
