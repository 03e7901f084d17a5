//! Prompts that are not there, arguments that are missing, and arguments that are not just data.

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::probes::refusals::{EVALUATED, EXPRESSIONS, PROBE, PROMPT, UNARGUED};
use crate::probes::revisions;
use crate::response::disclosed;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/prompt-refusals",
    title: "Unknown prompts and missing arguments are refused, and arguments stay data",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[
        rule("PROMPT-04", unknown),
        rule("PROMPT-05", incomplete),
        rule("PROMPT-08", expressions),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE],
    page: include_str!("prompt_refusals.md"),
    judge: by_rules,
};

fn unknown(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    talk.needs("prompts")?;
    Ok(talk.answered(row, talk.put(PROBE.id, PROMPT)?))
}

fn incomplete(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    talk.needs("prompts")?;
    let required = |p: &crate::evidence::Prompt| p.arguments.iter().any(|a| a.required);
    if !talk.evidence.inventory.prompts.iter().any(required) {
        return Err(Ruling::not_testable("no prompt has a required argument"));
    }
    Ok(talk.answered(row, talk.put(PROBE.id, UNARGUED)?))
}

fn expressions(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    talk.needs("prompts")?;
    if talk.evidence.inventory.prompts.iter().all(|p| p.arguments.is_empty()) {
        return Err(Ruling::not_testable("no prompt has arguments"));
    }
    let x = talk.put(PROBE.id, EXPRESSIONS)?;
    if let Some(why) = x.reply.why_unseen() {
        return Err(Ruling::unseen(why).seen_in(x.id));
    }
    let said = x.result().map_or_else(|| x.reply.text(), ToString::to_string);
    let fix = "insert arguments as they are; never hand them to a template engine as a template";
    let told = disclosed(talk.evidence, x, &said).filter(|_| x.result().is_none());
    Ok(match (EVALUATED.iter().any(|value| said.contains(value)), told) {
        (true, _) => Ruling::fail("an expression in an argument was evaluated", fix),
        (false, Some((what, _))) => {
            Ruling::fail(format!("an expression in an argument gets {what} out of the server"), fix)
        }
        (false, None) => Ruling::pass("expressions in arguments stay as they are, or are refused"),
    }
    .seen_in(x.id))
}
