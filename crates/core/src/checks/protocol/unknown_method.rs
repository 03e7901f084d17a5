//! Requests for methods that do not exist.

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::Evidence;
use crate::probe::{Call, Lane, Probe, Send};
use crate::probes::revisions;
use crate::seed::Seed;
use crate::spec::{Conversation, Judgement, Requirement, rule, sides};

pub(super) const CHECK: Check = Check {
    id: "protocol/unknown-method",
    title: "An unknown method is refused as not found",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("RPC-08", unknown), rule("HTTP-28", unknown), rule("PING-02", gone)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE],
    page: include_str!("unknown_method.md"),
    judge: by_rules,
};

const PROBE: Probe = Probe { id: "unknown-method", hostile: false, lane: Lane::Shared, plan };
const UNKNOWN: &str = "no such method";
const PING: &str = "ping";

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let method = format!("proofmark/{}", seed.word("unknown-method", 8));
    sides::on_each(evidence, |revision| {
        let mut asked = vec![(UNKNOWN, Send::request(&method, None))];
        if revision.is_stateless() {
            asked.push((PING, Send::request("ping", None)));
        }
        asked
    })
}

fn unknown(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    Ok(talk.answered(row, talk.put(PROBE.id, UNKNOWN)?))
}

/// The stateless revision has taken `ping` away.
fn gone(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    Ok(talk.answered(row, talk.put(PROBE.id, PING)?))
}
