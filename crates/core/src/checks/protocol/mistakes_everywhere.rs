//! What is a mistake in the newest revision is one in the older ones.

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::Exchange;
use crate::probe::Connection;
use crate::probes::mistakes::{MISSING, PROBE, UNKNOWN, WRONG};
use crate::probes::wrong_input::{MISSING_REQUIRED, WRONG_TYPE};
use crate::probes::{features, revisions, unknown_tool, valid_call};
use crate::response::{Refusal, disclosed, quote, telling};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/mistakes-everywhere",
    title: "Wrong calls are refused in every revision",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[
        rule("TOOL-20", unknown),
        rule("TOOL-21", channel),
        rule("TOOL-22", channel),
        rule("TOOL-24", validated),
        rule("TOOL-26", discreet),
        rule("SEC-08", discreet),
    ],
    revisions: Revisions::All,
    needs: &[
        &revisions::PROBE,
        &valid_call::PROBE,
        &features::PROBE,
        &unknown_tool::PROBE,
        &WRONG_TYPE,
        &MISSING_REQUIRED,
        &PROBE,
    ],
    page: include_str!("mistakes_everywhere.md"),
    judge: by_rules,
};

const FIX: &str =
    "validate arguments against `inputSchema` before the tool runs, whatever the revision";

fn made<'a>(talk: &Conversation<'a>, what: &str) -> Option<Result<&'a Exchange, Ruling>> {
    let x = talk.of(PROBE.id).find(|x| talk.name(x) == what)?;
    Some(talk.asked(PROBE.id, &x.label))
}

/// The main connection is judged by other checks, which see more of it.
fn nothing(talk: &Conversation<'_>) -> Ruling {
    match talk.evidence.revision() == Some(talk.revision) {
        true => Ruling::not_applicable("judged on the main connection"),
        false => Ruling::not_testable("no such mistake could be made with a tool that reads"),
    }
}

fn unknown(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    let x = made(talk, UNKNOWN).ok_or_else(|| nothing(talk))??;
    Ok(talk.answered(row, x))
}

/// What came of wrong arguments; the worst counts.
fn wrong(talk: &Conversation<'_>, judge: impl Fn(&Exchange, &Refusal) -> Ruling) -> Judgement {
    let rulings = [WRONG, MISSING].iter().filter_map(|what| made(talk, what)).map(|x| match x {
        Ok(x) => judge(x, &Refusal::of(talk.evidence, x)).seen_in(x.id),
        Err(ruling) => ruling,
    });
    Ruling::worst(rulings).ok_or_else(|| nothing(talk))
}

fn channel(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    wrong(talk, |x, refusal| match refusal {
        Refusal::Clean(_) | Refusal::Stumbled(_) | Refusal::Accepted(_) => talk.answered(row, x),
        Refusal::Disguised(_) => Ruling::partial(refusal.says(talk.name(x)), FIX),
        Refusal::Crashed | Refusal::Broken(_) => Ruling::fail(refusal.says(talk.name(x)), FIX),
        Refusal::Unseen(why) => Ruling::unseen(why),
    })
}

fn validated(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    wrong(talk, |x, refusal| {
        let says = refusal.says(talk.name(x));
        match refusal.grade(0.0) {
            None => Ruling::unseen(says),
            Some(grade) if grade >= 1.0 => Ruling::pass(says),
            Some(grade) if grade > 0.0 => Ruling::partial(says, FIX),
            Some(_) => Ruling::fail(says, FIX),
        }
    })
}

/// The texts of errors, and traces in results, on the connections of this revision.
fn discreet(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let beside = talk.exchanges().filter(|x| x.on != Connection::Main || x.probe == PROBE.id);
    let rulings = beside.filter_map(|x| {
        let text = telling(talk.evidence, x)?;
        let ruling = match disclosed(talk.evidence, x, &text) {
            Some((rule, words)) => Ruling::fail(
                format!("an answer shows {rule}: \"{}\"", quote(&words)),
                "answer with a message for the caller and write the details to the log",
            ),
            None => Ruling::pass("errors disclose nothing"),
        };
        Some(ruling.seen_in(x.id))
    });
    Ruling::worst(rulings).ok_or_else(|| nothing(talk))
}
