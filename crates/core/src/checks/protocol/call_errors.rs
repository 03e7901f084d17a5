//! Calls that are malformed, and tools that fail: the right channel for each.

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Exchange, Reply};
use crate::probes::refusals::{LIST, NO_NAME, PROBE, TEXT};
use crate::probes::{absent, features, revisions, valid_call};
use crate::response::quote;
use crate::spec::calls::tool_of;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/call-errors",
    title: "Malformed calls are protocol errors, failures of a tool are results",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[
        rule("TOOL-25", malformed),
        rule("TOOL-23", failures),
        rule("S2C-10", required),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE, &valid_call::PROBE, &features::PROBE, &absent::PROBE],
    page: include_str!("call_errors.md"),
    judge: by_rules,
};

fn malformed(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    talk.needs("tools")?;
    let asked: Vec<&Exchange> =
        [NO_NAME, TEXT, LIST].iter().filter_map(|what| talk.put(PROBE.id, what).ok()).collect();
    let rulings = asked.into_iter().map(|x| talk.answered(row, x));
    Ruling::worst(rulings).ok_or_else(|| Ruling::unseen("no malformed call was made"))
}

/// Valid calls that went wrong. Codes of the protocol itself say that it was the request.
fn failures(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "catch what goes wrong in a tool and return it as a result with `isError: true`";
    let probes = [valid_call::PROBE.id, features::PROBE.id, absent::PROBE.id];
    let rulings = probes
        .iter()
        .flat_map(|probe| talk.of(probe))
        .filter(|x| x.send.method() == Some("tools/call"))
        .filter_map(|x| {
            let ruling = match &*x.reply {
                Reply::Result { .. } if x.reply.is_tool_error() => match x.reply.text().trim() {
                    "" => Ruling::partial("a failure comes without any text", fix),
                    _ => Ruling::pass("failures of tools are results with isError"),
                },
                Reply::Error { code: -32603 | -32000 | 0, message, .. } => Ruling::fail(
                    format!("{}: a protocol error, \"{}\"", quote(tool_of(x)), quote(message)),
                    fix,
                ),
                Reply::Error { .. }
                | Reply::Result { .. }
                | Reply::Malformed { .. }
                | Reply::Silence
                | Reply::TimedOut { .. }
                | Reply::Disconnected
                | Reply::Skipped { .. } => return None,
            };
            Some(ruling.seen_in(x.id))
        });
    Ruling::worst(rulings).ok_or_else(|| Ruling::not_testable("no valid call failed"))
}

fn required(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let rulings = talk.exchanges().filter_map(|x| {
        let Reply::Error { code: -32042, data, .. } = &*x.reply else { return None };
        let list = data.as_ref().and_then(|d| d.get("elicitations")?.as_array());
        let whole = |e: &Value| {
            ["url", "elicitationId"].iter().all(|k| e.get(*k).is_some_and(Value::is_string))
        };
        let ruling = match list.is_some_and(|l| !l.is_empty() && l.iter().all(whole)) {
            true => Ruling::pass("-32042 names what to visit"),
            false => Ruling::fail(
                "-32042 does not list URL elicitations with ids",
                "list every URL elicitation with `url` and `elicitationId` in the error's data",
            ),
        };
        Some(ruling.seen_in(x.id))
    });
    Ruling::worst(rulings).ok_or_else(|| Ruling::not_testable("no call was answered with -32042"))
}
