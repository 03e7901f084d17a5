//! Rounds of asking back in the stateless revision.

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Exchange, Reply};
use crate::probes::input_rounds::{
    ANSWERED, ASK, EMPTY, EXTRA, FRESH, MALFORMED, OTHER_CALL, PROBE, TAMPERED, UNDECLARED, asks,
};
use crate::probes::{revisions, valid_call};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/input-rounds",
    title: "Input is asked for and taken as the stateless revision says",
    facet: Facet::Protocol,
    severity: Severity::High,
    class: None,
    requirements: &[
        rule("LIFE-24", undeclared),
        rule("MRTR-01", only_where_allowed),
        rule("MRTR-02", shape),
        rule("MRTR-03", undeclared),
        rule("MRTR-04", tampered),
        rule("MRTR-05", bound),
        rule("MRTR-06", answers),
        rule("MRTR-07", self_contained),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &valid_call::PROBE, &PROBE],
    page: include_str!("input_rounds.md"),
    judge: by_rules,
};

const MAY_ASK: [&str; 3] = ["tools/call", "prompts/get", "resources/read"];
const KINDS: [&str; 3] = ["elicitation/create", "sampling/createMessage", "roots/list"];

/// The call of the probe with this label. It may have gone to an untouched connection, which is
/// part of no conversation.
fn seen<'a>(talk: &Conversation<'a>, label: &str) -> Result<&'a Exchange, Ruling> {
    let found = talk.evidence.of(PROBE.id).find(|x| x.label == label);
    let x = found.ok_or_else(|| Ruling::not_testable("no tool asks for input"))?;
    match x.reply.why_unseen() {
        Some(why) => Err(Ruling::unseen(format!("{label}: {why}"))),
        None => Ok(x),
    }
}

fn only_where_allowed(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let foreign = talk.exchanges().filter(|x| asks(x).is_some()).find_map(|x| {
        let method = x.send.asks_for()?;
        (!MAY_ASK.contains(&method.as_str())).then_some((x, method))
    });
    Ok(match foreign {
        None => Ruling::pass("only calls, prompts and reads ask for input, if anything"),
        Some((x, method)) => Ruling::fail(
            format!("{method} answers with `input_required`"),
            "ask for input only in answers to tools/call, prompts/get and resources/read",
        )
        .seen_in(x.id),
    })
}

fn shape(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "give `inputRequests` (elicitation, sampling or roots requests) or `requestState`";
    let rulings = talk.exchanges().filter_map(|x| Some((x, asks(x)?))).map(|(x, result)| {
        let requests = result["inputRequests"].as_object();
        let odd = requests.into_iter().flatten().find_map(|(_, r)| {
            let method = r["method"].as_str().unwrap_or("nothing");
            (!KINDS.contains(&method)).then(|| method.to_owned())
        });
        let state = result.get("requestState").is_some_and(Value::is_string);
        match (requests, odd) {
            (None, _) if !state => Ruling::fail("neither inputRequests nor requestState", fix),
            (_, Some(method)) => Ruling::fail(format!("asks for {method}"), fix),
            (_, None) => Ruling::pass("what is needed is said"),
        }
        .seen_in(x.id)
    });
    Ruling::worst(rulings).ok_or_else(|| Ruling::not_testable("no tool asks for input"))
}

fn undeclared(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    let tried = talk.of(PROBE.id).filter(|x| x.label == UNDECLARED);
    let rulings = tried.map(|x| refused_undeclared(talk, row, x).seen_in(x.id));
    Ruling::worst(rulings).ok_or_else(|| Ruling::not_testable("no tool asks for input"))
}

fn refused_undeclared(talk: &Conversation<'_>, row: &Requirement, x: &Exchange) -> Ruling {
    let fix = "refuse with -32021 and `data.requiredCapabilities`, or do without the input";
    let says = format!("{UNDECLARED}: {}", talk.shown(x));
    // The table gives a code for the refusal; the other row only forbids the question.
    let strict = row.due(talk.revision).is_some();
    match &*x.reply {
        Reply::Result { .. } if asks(x).is_some() => {
            Ruling::fail("asks a client for input that it did not declare", fix)
        }
        Reply::Error { data, .. } if strict => {
            let named = data.as_ref().is_some_and(|d| d.get("requiredCapabilities").is_some());
            match talk.answered(row, x) {
                ruling if ruling.is_fail() || named => ruling,
                _ => Ruling::fail(format!("{says}, without `data.requiredCapabilities`"), fix),
            }
        }
        // To do without is as good.
        Reply::Result { .. } | Reply::Error { .. } => Ruling::pass(says),
        Reply::Malformed { .. }
        | Reply::Silence
        | Reply::TimedOut { .. }
        | Reply::Disconnected
        | Reply::Skipped { .. } => Ruling::unseen(says),
    }
}

/// Whether the call went through.
fn completed(x: &Exchange) -> bool {
    x.result().is_some_and(|r| r["resultType"] == "complete") && !x.reply.is_tool_error()
}

fn tampered(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    refused(talk, TAMPERED, "protect `requestState` against changes, and refuse what was changed")
}

fn bound(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    refused(talk, OTHER_CALL, "bind `requestState` to the call it belongs to")
}

fn refused(talk: &Conversation<'_>, label: &str, fix: &str) -> Judgement {
    let good = seen(talk, ANSWERED)?;
    if !completed(good) {
        return Err(Ruling::not_testable("our answer did not complete the call"));
    }
    let x = seen(talk, label).map_err(|early| match early.unseen {
        true => early,
        false => Ruling::not_applicable("it keeps no `requestState`"),
    })?;
    let says = format!("{label}: {}", talk.shown(x));
    Ok(match completed(x) {
        true => Ruling::fail(says, fix),
        false => Ruling::pass(says),
    }
    .seen_in(x.id))
}

fn answers(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    seen(talk, ASK)?;
    type Case = (&'static str, fn(&Exchange) -> bool, &'static str);
    let cases: [Case; 3] = [
        (EMPTY, |x| asks(x).is_some(), "ask again when an answer is missing"),
        (EXTRA, completed, "ignore answers that were not asked for"),
        (MALFORMED, is_error, "refuse `inputResponses` that are no object with a protocol error"),
    ];
    let rulings = cases.into_iter().map(|(label, good, fix)| match seen(talk, label) {
        Err(ruling) => ruling,
        Ok(x) if good(x) => Ruling::pass(format!("{label}: {}", talk.shown(x))).seen_in(x.id),
        Ok(x) => Ruling::fail(format!("{label}: {}", talk.shown(x)), fix).seen_in(x.id),
    });
    Ruling::worst(rulings).ok_or_else(|| Ruling::unseen("not tried"))
}

fn is_error(x: &Exchange) -> bool {
    matches!(*x.reply, Reply::Error { .. })
}

fn self_contained(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let good = seen(talk, ANSWERED)?;
    if !completed(good) {
        return Err(Ruling::not_testable("our answer did not complete the call"));
    }
    let x = seen(talk, FRESH)?;
    let says = format!("{FRESH}: {}", talk.shown(x));
    Ok(match completed(x) {
        true => Ruling::pass(says),
        false => Ruling::fail(says, "put all that a retry needs into `requestState`"),
    }
    .seen_in(x.id))
}
