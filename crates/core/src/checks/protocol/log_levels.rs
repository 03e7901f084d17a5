//! Setting the level of log messages: what is taken, what is refused, what is then left out.

use serde_json::json;

use super::log_messages::{level, messages};
use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Evidence, Exchange, Micros, Subject};
use crate::probe::{Call, Lane, Probe, Send};
use crate::probes::{patient_tools, refusals, revisions, valid_call};
use crate::seed::Seed;
use crate::spec::sides::{self, tagged};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/log-levels",
    title: "Log levels are taken, kept, and refused when unknown",
    facet: Facet::Protocol,
    severity: Severity::Low,
    class: None,
    requirements: &[rule("LOG-03", refused), rule("LOG-04", kept), rule("LOG-06", refused_in_meta)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &valid_call::PROBE, &PROBE, &refusals::PROBE],
    page: include_str!("log_levels.md"),
    judge: by_rules,
};

const PROBE: Probe = Probe { id: "log-levels", hostile: false, lane: Lane::Alone, plan };
const QUIET: &str = "level emergency";
const UNKNOWN: &str = "level loud";
const USUAL: &str = "level info";
const MOST_TOOLS: usize = 3;

/// Quiet, then calls that might log, then the usual level again. Without a handshake each request
/// says what it wants to hear.
fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let declared = evidence.handshake.as_ref().map(|h| &h.capabilities);
    if declared.is_none_or(|c| c.get("logging").is_none()) {
        return Vec::new();
    }
    // What takes its time has most to tell.
    let working: Vec<&Exchange> =
        patient_tools::ranked(evidence).into_iter().map(|(_, x)| x).take(MOST_TOOLS).collect();
    let mut calls = Vec::new();
    for (revision, on) in sides::spoken(evidence) {
        let again = |what: &str, x: &Exchange| {
            Call::new(x.subject.clone(), tagged(what, revision), x.send.clone()).on(on)
        };
        if revision.is_stateless() {
            calls.extend(working.iter().map(|x| aloud(again("aloud", x))));
            continue;
        }
        let set = |what: &str| {
            let params = json!({"level": what.trim_start_matches("level ")});
            let send = Send::request("logging/setLevel", Some(params));
            Call::new(Subject::Server, tagged(what, revision), send).on(on)
        };
        calls.push(set(QUIET));
        calls.extend(working.iter().map(|x| again("quietly", x)));
        calls.extend([set(UNKNOWN), set(USUAL)]);
    }
    calls
}

/// A request of the stateless revision that wants to hear everything.
fn aloud(mut call: Call) -> Call {
    if let Send::Request { params: Some(params), .. } = &mut call.send {
        params["_meta"] = json!({"io.modelcontextprotocol/logLevel": "debug"});
    }
    call
}

fn refused(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    talk.needs("logging")?;
    Ok(talk.answered(row, talk.put(PROBE.id, UNKNOWN)?))
}

fn refused_in_meta(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    talk.needs("logging")?;
    Ok(talk.answered(row, talk.put(refusals::PROBE.id, refusals::LEVEL)?))
}

fn kept(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    talk.needs("logging")?;
    let (quiet, usual) = (talk.put(PROBE.id, QUIET)?, talk.put(PROBE.id, USUAL)?);
    let Some(result) = quiet.result() else {
        let says = format!("logging/setLevel emergency: {}", talk.shown(quiet));
        let fix = "answer logging/setLevel with an empty result";
        return Ok(Ruling::fail(says, fix).seen_in(quiet.id));
    };
    // The message names the connection, the exchange only the side.
    let own = |c: u32| {
        talk.evidence
            .links
            .iter()
            .any(|l| l.connection == c && quiet.on == crate::probe::Connection::Side(l.side))
    };
    let time = Micros(quiet.started.0 + quiet.took.0)..usual.started;
    let below = messages(talk)
        .into_iter()
        .find(|m| own(m.connection) && time.contains(&m.at) && level(m) != Some("emergency"));
    let empty =
        result.as_object().is_some_and(|map| map.keys().all(|k| k == "_meta" || k == "resultType"));
    Ok(match (below, empty) {
        (Some(m), _) => Ruling::fail(
            format!("a message of level {} after the level was set to emergency", json!(level(m))),
            "send only messages of the level that was set, or above",
        ),
        (None, false) => Ruling::fail(
            "the result of logging/setLevel is not empty",
            "answer logging/setLevel with an empty result",
        ),
        (None, true) => Ruling::pass("the level is taken, and nothing below it came"),
    }
    .seen_in(quiet.id))
}
