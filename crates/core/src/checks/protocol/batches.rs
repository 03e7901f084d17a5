//! Arrays of messages, by revision.

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::probes::{batches, revisions};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/batches",
    title: "Batches are answered where the revision has them, and survived elsewhere",
    facet: Facet::Protocol,
    severity: Severity::Low,
    class: None,
    requirements: &[rule("RPC-12", received), rule("RPC-13", opening), rule("RPC-14", recorded)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &batches::PROBE],
    page: include_str!("batches.md"),
    judge: by_rules,
};

fn received(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let x = talk.put(batches::PROBE.id, batches::TWO)?;
    let fix = "answer every request of a batch, or do not agree to revision 2025-03-26";
    let messages = talk.messages(x);
    let answered =
        |id| messages.iter().any(|m| m.get("id") == Some(id) && m.get("result").is_some());
    let count = batches::ids().iter().filter(|id| answered(id)).count();
    Ok(match count {
        2 => Ruling::pass("both requests of a batch were answered"),
        1 => Ruling::fail("only one of two requests in a batch was answered", fix),
        _ => match talk.survived(x) {
            unseen if unseen.unseen => unseen,
            survived => Ruling::fail(survived.says, fix),
        },
    }
    .seen_in(x.id))
}

fn opening(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    Ok(talk.answered(row, talk.put(batches::PROBE.id, batches::OPENING)?))
}

fn recorded(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let all = [batches::TWO, batches::EMPTY].map(|name| talk.put(batches::PROBE.id, name));
    let [two, empty] = all;
    let (two, empty) = (talk.survived(two?), talk.survived(empty?));
    let says = format!("{}; {}", two.says, empty.says);
    Ok(Ruling { says, ..Ruling::worst([two.clone(), empty]).unwrap_or(two) })
}
