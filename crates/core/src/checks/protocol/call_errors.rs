//! Calls that are malformed, and tools that fail: the right channel for each.

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Exchange, Reply};
use crate::probes::refusals::{LIST, NO_NAME, PROBE, TEXT};
use crate::probes::{features, revisions, valid_call};
use crate::response::quote;
use crate::spec::calls::tool_of;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/call-errors",
    title: "Malformed calls are protocol errors, failures of a tool are results",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("TOOL-25", malformed), rule("TOOL-23", failures)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE, &valid_call::PROBE, &features::PROBE],
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
    let probes = [valid_call::PROBE.id, features::PROBE.id];
    let rulings = probes
        .iter()
        .flat_map(|probe| talk.of(probe))
        .filter(|x| x.send.method() == Some("tools/call"))
        .filter_map(|x| {
            let ruling = match &x.reply {
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
