//! Progress: only when asked for, under the token that was given, upwards, and not after the end.

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Exchange, Incoming};
use crate::probes::{progress, revisions, valid_call};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};
use crate::target::Transport;

pub(super) const CHECK: Check = Check {
    id: "protocol/progress",
    title: "Progress is reported as it was asked for",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[
        rule("PROG-01", asked_for),
        rule("PROG-02", upwards),
        rule("PROG-03", in_time),
        rule("PROG-04", readable),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &valid_call::PROBE, &progress::PROBE],
    page: include_str!("progress.md"),
    judge: by_rules,
};

const FIX: &str = "report progress only while a request with a `progressToken` runs, under that token, with growing numbers";

fn token_of(x: &Exchange) -> Option<&Value> {
    x.send.params()?.pointer("/_meta/progressToken")
}

/// What was reported, with the call whose token it bears.
fn reported<'a>(talk: &Conversation<'a>) -> Vec<(&'a Incoming, &'a Value, Option<&'a Exchange>)> {
    let told = talk.incoming().filter(|i| i.method == "notifications/progress");
    let params = told.filter_map(|i| Some((i, i.params.as_ref()?)));
    let call = |p: &Value| talk.exchanges().find(|x| token_of(x) == p.get("progressToken"));
    params.map(|(i, p)| (i, p, p.get("progressToken").and_then(|_| call(p)))).collect()
}

fn asked_for(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let reported = reported(talk);
    if let Some((_, params, _)) = reported.iter().find(|(_, _, call)| call.is_none()) {
        let token = params.get("progressToken").unwrap_or(&Value::Null);
        return Ok(Ruling::fail(format!("progress under token {token}, which was not given"), FIX));
    }
    let tried = talk.of(progress::PROBE.id).filter(|x| x.result().is_some()).count();
    match (reported.len(), tried) {
        (0, 0) => Err(Ruling::not_testable("no tool could be called")),
        (0, _) => Ok(Ruling::pass("no progress was reported without being asked for")),
        (_, _) => Ok(Ruling::pass("progress was reported under the tokens given")),
    }
}

/// The calls for which progress was reported, or nothing to judge.
fn each(
    talk: &Conversation<'_>,
    judge: impl Fn(&Exchange, &[(&Incoming, &Value)]) -> Ruling,
) -> Judgement {
    let reported = reported(talk);
    let rulings = talk.exchanges().filter(|x| token_of(x).is_some()).filter_map(|x| {
        let own = reported.iter().filter(|(_, _, call)| call.is_some_and(|c| c.id == x.id));
        let own: Vec<(&Incoming, &Value)> = own.map(|(i, p, _)| (*i, *p)).collect();
        (!own.is_empty()).then(|| judge(x, &own).seen_in(x.id))
    });
    Ruling::worst(rulings).ok_or_else(|| Ruling::not_testable("no progress was reported"))
}

fn upwards(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    each(talk, |_, own| {
        let steps: Vec<f64> = own.iter().filter_map(|(_, p)| p.get("progress")?.as_f64()).collect();
        match steps.windows(2).find(|pair| pair[1] <= pair[0]) {
            Some(pair) => Ruling::fail(format!("{} came after {}", pair[1], pair[0]), FIX),
            None => Ruling::pass(format!("{} steps, each larger", steps.len())),
        }
    })
}

/// Frames are numbered as they come. Over HTTP the order is certain only on the stream of the call.
fn in_time(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    each(talk, |x, own| {
        let answered = x.frames.last().copied().filter(|_| x.result().is_some());
        let late = |i: &Incoming| answered.is_some() && i.frame > answered;
        let ordered = |i: &Incoming| match talk.transport() {
            Transport::Stdio => true,
            Transport::Http | Transport::Sse | Transport::None => {
                i.within.is_some() && i.within.as_ref() == x.frames.first()
            }
        };
        let says = "progress was reported after the answer";
        match own.iter().filter(|(i, _)| late(i)).max_by_key(|(i, _)| ordered(i)) {
            None => Ruling::pass("no progress after the answer"),
            Some((i, _)) if ordered(i) => Ruling::fail(says, FIX),
            Some(_) => Ruling::partial(says, FIX),
        }
    })
}

fn readable(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    each(talk, |_, own| {
        let odd =
            |p: &Value| p.get("message").is_some_and(|m| m.as_str().is_none_or(str::is_empty));
        match own.iter().any(|(_, p)| odd(p)) {
            true => Ruling::fail("a message of progress is no text", "say in words what is done"),
            false => Ruling::pass("messages of progress are text"),
        }
    })
}
