//! Texts that become part of an SQL statement.

use crate::attack::{
    Attack, Offer, complains_of_sql, deliver, deliver_delays, deliver_kept, deliver_pairs,
    deliver_stored, gets_through, offer, proven_unless, sql,
};
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Profile};
use crate::probe::{Call, Lane, Probe};
use crate::probes::{aftermath, benign, flows, valid_call};
use crate::proof::{Proof, payload, twin};
use crate::response::quote;
use crate::seed::Seed;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "security/sql-injection",
    title: "No text becomes part of an SQL statement",
    facet: Facet::Injection,
    severity: Severity::Critical,
    class: Some(Class::SqlInjection),
    requirements: &[served("SEC-07"), served("TOOL-24")],
    revisions: Revisions::All,
    needs: &[
        &valid_call::PROBE,
        &benign::PROBE,
        &PROBE,
        &aftermath::PROBE,
        &flows::PROBE,
        &KEPT,
        &DELAYS,
    ],
    page: include_str!("sql_injection.md"),
    judge,
};

const PROBE: Probe = Probe { id: "sql-injection", hostile: true, lane: Lane::Shared, plan };
const DELAYS: Probe =
    Probe { id: "sql-injection-delays", hostile: true, lane: Lane::Last, plan: delays };

fn delays(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    deliver_delays(evidence, seed, DELAYS.id, Profile::Standard, sql::SLOW)
}

const KEPT: Probe =
    Probe { id: "sql-injection-kept", hostile: true, lane: Lane::Alone, plan: kept };

fn kept(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    deliver_kept(evidence, seed, KEPT.id, sql::UNIONS)
}

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let mut calls = deliver(evidence, seed, PROBE.id, sql::FORMS);
    calls.extend(deliver_pairs(evidence, seed, PROBE.id, sql::PAIRS));
    if evidence.conditions.profile > Profile::Quick {
        calls.extend(deliver_stored(evidence, seed, PROBE.id, sql::UNIONS));
    }
    calls
}

const ATTACK: Attack = Attack {
    probe: PROBE.id,
    hole,
    suspicion,
    reached: gets_through,
    clean: "no text became part of a statement",
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    ATTACK.judge(evidence)
}

const FIX: &str =
    "bind values as parameters of a prepared statement; never build statements from texts";

fn hole(evidence: &Evidence, x: &Exchange, proof: Proof) -> Finding {
    let judged = matches!(proof, Proof::Differential { .. });
    let did = if judged { "judged the condition in" } else { "computed" };
    let says = format!("a database {did} \"{}\"", quote(&payload(x)));
    let finding = Finding::fail(x.subject.clone(), says, FIX);
    // A tool that openly takes SQL runs it by design: for people to judge.
    proven_unless(Offer::Execution, evidence, x, finding, proof)
}

/// The engine complains about our quote, and does not about an ordinary text.
fn suspicion(evidence: &Evidence, x: &Exchange) -> Option<Finding> {
    let ordinary = || twin(evidence, x).is_some_and(|t| complains_of_sql(&t.reply));
    let open = || offer(evidence, x) == Offer::Execution;
    (complains_of_sql(&x.reply) && !ordinary() && !open()).then(|| {
        let says = format!(
            "\"{}\" broke an SQL statement: \"{}\"",
            quote(&payload(x)),
            quote(&x.reply.text())
        );
        Finding::fail(x.subject.clone(), says, FIX)
    })
}
