//! Cancelling what runs, and what may have ended already.

use serde_json::{Value, json};

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Anomaly, AnomalyKind, Evidence, Exchange, Reply, Subject};
use crate::probe::{Call, Connection, Lane, Probe, Send};
use crate::probes::{patient_tools, revisions, valid_call};
use crate::revision::Revision;
use crate::seed::Seed;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, frame, rule, sides};
use crate::target::Transport;

pub(super) const CHECK: Check = Check {
    id: "protocol/cancellation",
    title: "A cancelled request is dropped, and races do no harm",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("CANC-01", dropped), rule("CANC-03", raced), rule("CANC-04", dropped)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &valid_call::PROBE, &PROBE, &WEB],
    page: include_str!("cancellation.md"),
    judge: by_rules,
};

const PROBE: Probe = Probe { id: "cancellation", hostile: true, lane: Lane::Alone, plan };
const RACE: &str = "requests cancelled at once";
const SLOW: &str = "a slow tool cancelled at once";
const WAIT: &str = "the time it would take";
const RACES: usize = 50;

/// Over HTTP a request and its cancellation are two requests, so there is time between them.
const WEB: Probe =
    Probe { id: "cancellation-http", hostile: true, lane: Lane::Shared, plan: plan_web };
const CANCEL: &str = "its cancellation";
const BETWEEN_MS: u32 = 300;

fn plan_web(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let Some((tool, arguments, _)) = patient_tools::slow(evidence) else { return Vec::new() };
    let may = evidence.risk_of(&tool.name) <= evidence.conditions.policy.allow_hostile;
    if evidence.conditions.transport != Transport::Http || !may {
        return Vec::new();
    }
    let planned = |(revision, on): (Revision, Connection)| {
        let id = json!("proofmark slow");
        let params = json!({"name": tool.name, "arguments": arguments});
        let body = frame::request(revision, &id, "tools/call", Some(params)).to_string();
        let slow = Send::Http { verb: "POST".to_owned(), headers: Vec::new(), body: Some(body) };
        let method = "notifications/cancelled".to_owned();
        let cancel = Send::Notification { method, params: Some(json!({ "requestId": id })) };
        // Not about the tool: calls of tools that write would run alone.
        let call =
            |what, send| Call::new(Subject::Server, sides::tagged(what, revision), send).on(on);
        [call(SLOW, slow), call(WAIT, Send::Listen { ms: BETWEEN_MS }), call(CANCEL, cancel)]
    };
    let sessions = sides::spoken(evidence).into_iter().filter(|(r, _)| !r.is_stateless());
    sessions.flat_map(planned).collect()
}

/// Both lines in one frame: the order is certain and nothing can come between. HTTP has no lines.
fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    if evidence.conditions.transport != Transport::Stdio {
        return Vec::new();
    }
    let mut calls = sides::on_each(evidence, |revision| vec![(RACE, race(evidence, revision))]);
    let Some((tool, arguments, ms)) = patient_tools::slow(evidence) else { return calls };
    for (revision, on) in sides::spoken(evidence) {
        let params = json!({"name": tool.name, "arguments": arguments});
        let id = json!("proofmark slow");
        let text = cancelled(&frame::request(revision, &id, "tools/call", Some(params)));
        let send = frame::send(evidence, revision, text, vec![id]);
        let subject = Subject::tool_named(&tool.name);
        calls.push(Call::new(subject, sides::tagged(SLOW, revision), send).on(on));
        let listen = Send::Listen { ms: ms + 500 };
        calls.push(Call::new(Subject::Server, sides::tagged(WAIT, revision), listen).on(on));
    }
    calls
}

/// A request and its cancellation.
fn cancelled(request: &Value) -> String {
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": {"requestId": request.get("id")}});
    format!("{request}\n{cancel}")
}

fn race(evidence: &Evidence, revision: Revision) -> Send {
    let ids: Vec<Value> = (1..=RACES).map(|n| json!(format!("proofmark race {n}"))).collect();
    let pair = |id| cancelled(&frame::request(revision, id, frame::harmless(revision), None));
    let lines: Vec<String> = ids.iter().map(pair).collect();
    frame::send(evidence, revision, lines.join("\n"), ids)
}

fn raced(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    over_stdio(talk)?;
    let x = talk.put(PROBE.id, RACE)?;
    let twice = |a: &Anomaly| a.kind == AnomalyKind::DuplicateAnswer && a.exchange == Some(x.id);
    if talk.anomalies().any(twice) {
        let fix = "answer each request at most once, cancelled or not";
        return Ok(Ruling::fail("a cancelled request was answered twice", fix).seen_in(x.id));
    }
    Ok(talk.survived(x))
}

fn over_stdio(talk: &Conversation<'_>) -> Result<(), Ruling> {
    match talk.transport() {
        Transport::Stdio => Ok(()),
        Transport::Http | Transport::Sse | Transport::None => {
            Err(Ruling::not_testable("over HTTP a request and its cancellation may change places"))
        }
    }
}

/// Answered well after the cancellation was taken.
fn dropped_web(talk: &Conversation<'_>) -> Judgement {
    let found = talk.of(WEB.id).find(|x| talk.name(x) == SLOW);
    let x = found.ok_or_else(|| Ruling::not_testable("no tool is slow enough to be cancelled"))?;
    let cancel = talk.put(WEB.id, CANCEL)?;
    let end = |x: &Exchange| x.started.0 + x.took.0;
    let answered = matches!(x.reply, Reply::Result { .. } | Reply::Error { .. });
    let taken = cancel.http.as_ref().is_some_and(|facts| facts.status < 300);
    let late = end(x) > end(cancel) + u64::from(BETWEEN_MS) * 1_000;
    Ok(match (answered, taken && late) {
        (true, true) => Ruling::fail(format!("{SLOW}: answered all the same"), FIX),
        (true, false) => Ruling::not_testable("it had ended when the cancellation was read"),
        (false, _) if x.reply == Reply::Silence => Ruling::pass(format!("{SLOW}: silence")),
        (false, _) => Ruling::unseen(talk.shown(x)),
    }
    .seen_in(x.id))
}

const FIX: &str = "stop the work and send nothing for a request that was cancelled";

fn dropped(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    if talk.transport() == Transport::Http && !talk.revision.is_stateless() {
        return dropped_web(talk);
    }
    over_stdio(talk)?;
    let label = sides::tagged(SLOW, talk.revision);
    let Some(x) = talk.of(PROBE.id).find(|x| x.label == label) else {
        return Err(Ruling::not_testable("no tool is slow enough to be cancelled"));
    };
    let late = |a: &Anomaly| a.kind == AnomalyKind::LateAnswer && a.exchange == Some(x.id);
    let ruling = match &x.reply {
        // It came before the answer to what was asked after the cancellation.
        Reply::Result { .. } => Ruling::not_testable("it had ended when the cancellation was read"),
        Reply::Error { .. } => Ruling::fail(format!("{SLOW}: {}", talk.shown(x)), FIX),
        Reply::Silence if talk.anomalies().any(late) => {
            Ruling::fail(format!("{SLOW}: answered all the same"), FIX)
        }
        Reply::Silence => Ruling::pass(format!("{SLOW}: silence")),
        Reply::Malformed { .. }
        | Reply::TimedOut { .. }
        | Reply::Disconnected
        | Reply::Skipped { .. } => Ruling::unseen(talk.shown(x)),
    };
    Ok(ruling.seen_in(x.id))
}
