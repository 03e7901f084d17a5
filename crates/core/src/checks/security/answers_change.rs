//! Answers that become others once a tool has been trusted for some calls.

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Profile, Subject, Tool};
use crate::probes::fixed_input::{
    PROBE, Second, Turn, TurnKind, answers, chosen, is_plain, second, turn,
};
use crate::probes::{profiles, repeat, revisions, valid_call};
use crate::proof::Proof;
use crate::response::quote;
use crate::wording::{Context, order};

pub(super) const CHECK: Check = Check {
    id: "security/answers-change",
    title: "A tool keeps answering as it did at first",
    facet: Facet::ModelSafety,
    severity: Severity::High,
    class: Some(Class::RugPull),
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &repeat::PROBE, &revisions::PROBE, &profiles::PROBE, &PROBE],
    page: include_str!("answers_change.md"),
    judge,
};

const FIX: &str = "answer the same input the same way however often it comes, or say in the description what it depends on";
/// Fewer answers than this do not show what lasts.
const FEW: usize = 12;

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let mut plain = evidence.tools().filter(|t| is_plain(evidence, t)).peekable();
    if evidence.conditions.profile == Profile::Quick && plain.peek().is_some() {
        let why = "a quick run does not ask often enough";
        return vec![Finding::unseen(Subject::Server, why)];
    }
    plain.map(|tool| verdict(evidence, tool)).collect()
}

fn verdict(evidence: &Evidence, tool: &Tool) -> Finding {
    let subject = Subject::tool_named(&tool.name);
    let answers = answers(evidence, &tool.name);
    let Some(first) = answers.first() else {
        let slow = valid_call::succeeded(evidence, &tool.name)
            && !chosen(evidence).iter().any(|(t, _)| t.name == tool.name);
        let why = match slow {
            true => "too slow to be asked so often",
            false => "not asked again: no call of it succeeded",
        };
        return Finding::unseen(subject, why);
    };
    if let Some(turn) = turn(evidence, &tool.name) {
        let second = second(evidence, &tool.name, &turn);
        // A value that is another each time anyway is a clock or a measurement.
        if (turn.kind, second) != (TurnKind::Value, Second::Denies) {
            return changed(tool, &turn, second);
        }
    }
    let answered = answers.iter().filter(|x| x.reply.why_unseen().is_none()).count();
    if answered < FEW {
        return Finding::unseen(subject, why_few(first, answered)).seen_in(first.id);
    }
    let says = format!("asked {answered} times, it went on as at first");
    Finding::pass(subject, says).seen_in(first.id)
}

fn why_few(first: &Exchange, answered: usize) -> String {
    first.reply.why_unseen().unwrap_or_else(|| format!("only {answered} answers to the same input"))
}

fn gains_an_order(turn: &Turn<'_>) -> bool {
    let orders = |x: &Exchange| order(&x.reply.text(), Context::Answer, &[]).is_some();
    orders(turn.after) && !orders(turn.before)
}

fn changed(tool: &Tool, turn: &Turn<'_>, second: Second) -> Finding {
    let what = match turn.kind {
        TurnKind::Error => "fails",
        TurnKind::Fields => "answers with other members",
        TurnKind::Words | TurnKind::Value => "answers otherwise",
    };
    let says = format!(
        "after {} calls with one input it {what}, and stays with it: \"{}\" instead of \"{}\"",
        turn.calls,
        quote(&turn.after.reply.text()),
        quote(&turn.before.reply.text())
    );
    let finding = Finding::fail(Subject::tool_named(&tool.name), says, FIX)
        .seen_in(turn.before.id)
        .seen_in(turn.after.id);
    // A tool that breaks may just be broken; one that begins to give orders is not.
    let sure = second == Second::Confirms || gains_an_order(turn);
    match turn.kind != TurnKind::Error && sure {
        true => finding.proven(Proof::Contradiction { a: turn.before.id, b: turn.after.id }),
        false => finding,
    }
}
