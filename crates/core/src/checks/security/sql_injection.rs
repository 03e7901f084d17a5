//! Texts that become part of an SQL statement.

use crate::attack::{
    Attack, Delay, Form, Offer, Pair, complains_of_sql, deliver, deliver_delays, deliver_pairs,
    gets_through, offer,
};
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::Profile::{Deep, Quick, Standard};
use crate::evidence::{Evidence, Exchange};
use crate::probe::{Call, Lane, Probe};
use crate::probes::{aftermath, benign, valid_call};
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
    needs: &[&valid_call::PROBE, &benign::PROBE, &PROBE, &aftermath::PROBE, &DELAYS],
    page: include_str!("sql_injection.md"),
    judge,
};

const PROBE: Probe = Probe { id: "sql-injection", hostile: true, lane: Lane::Shared, plan };
const DELAYS: Probe =
    Probe { id: "sql-injection-delays", hostile: true, lane: Lane::Alone, plan: delays };

const FORMS: &[Form] = &[
    // Proves nothing by itself: what it breaks tells where to look closer.
    Form::computed("quote", Quick, "«L»'\""),
    Form::computed("concatenation", Standard, "«L»'||(«M»)||'«R»"),
    // Where names of columns or tables are expected.
    Form::computed("subselect", Standard, "(SELECT '«L»'||(«M»)||'«R»' AS «W»)"),
    Form::computed("union", Deep, "«W»' UNION SELECT '«L»'||(«M»)||'«R»' -- "),
    Form::computed("union of two", Deep, "«W»' UNION SELECT '«L»'||(«M»)||'«R»',2 -- "),
    Form::computed("union of three", Deep, "«W»' UNION SELECT 1,'«L»'||(«M»)||'«R»',3 -- "),
    Form::computed("union, MySQL", Deep, "«W»' UNION SELECT CONCAT('«L»',«M»,'«R»') -- "),
    Form::computed("stacked", Deep, "«W»'; SELECT '«L»'||(«M»)||'«R»' -- "),
];

/// What no engine can compute, behind a condition.
macro_rules! case {
    ($low:literal, $high:literal) => {
        concat!(
            "(CASE WHEN '",
            $low,
            "'<'",
            $high,
            "' THEN 1 ELSE abs(-9223372036854775807-1) END)"
        )
    };
}

/// A comparison and its reverse look alike; a tautology may be known to a filter.
const PAIRS: &[Pair] = &[
    Pair::new("comparison", Quick, "«W»' OR '«A»'<'«B»", "«W»' OR '«B»'<'«A»"),
    Pair::new("tautology", Quick, "«W»' OR '1'='1", "«W»' OR '1'='2"),
    Pair::new("comment", Standard, "«W»' OR 1=1 -- ", "«W»' OR 1=2 -- "),
    Pair::narrow("and", Standard, "«V»' AND '«A»'<'«B»", "«V»' AND '«B»'<'«A»"),
    Pair::new("number", Standard, "-«n» OR «a»<«b»", "-«n» OR «b»<«a»"),
    Pair::narrow("number, and", Deep, "«n» AND «a»<«b»", "«n» AND «b»<«a»"),
    Pair::new(
        "comparison, comment",
        Standard,
        "«W»' OR '«A»'<'«B»' -- ",
        "«W»' OR '«B»'<'«A»' -- ",
    ),
    // For what answers the same whatever it finds, and for names of columns.
    Pair::failing(
        "error",
        Standard,
        concat!("«W»'||", case!("«A»", "«B»"), "||'"),
        concat!("«W»'||", case!("«B»", "«A»"), "||'"),
    ),
    Pair::narrow("error, bare", Standard, case!("«A»", "«B»"), case!("«B»", "«A»")),
    Pair::narrow(
        "order",
        Deep,
        "(CASE WHEN '«A»'<'«B»' THEN «V» ELSE -«V» END)",
        "(CASE WHEN '«B»'<'«A»' THEN «V» ELSE -«V» END)",
    ),
    Pair::new("parenthesis", Deep, "«W»') OR ('«A»'<'«B»", "«W»') OR ('«B»'<'«A»"),
    Pair::new("parenthesis, comment", Deep, "«W»') OR '«A»'<'«B»' -- ", "«W»') OR '«B»'<'«A»' -- "),
    Pair::new("double quotes", Deep, "«W»\" OR \"«A»\"<\"«B»", "«W»\" OR \"«B»\"<\"«A»"),
];

macro_rules! counting {
    ($n:literal) => {
        concat!(
            "«W»' OR (WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c LIMIT ",
            $n,
            ") SELECT count(x) FROM c)<0 OR '«A»'='«B»"
        )
    };
}

const SLOW: &[Delay] = &[
    Delay {
        name: "PostgreSQL",
        ms: 300,
        slow: "«W»'||(SELECT pg_sleep(0.3))||'",
        fast: "«W»'||(SELECT pg_sleep(0.0))||'",
    },
    Delay {
        name: "MySQL",
        ms: 300,
        slow: "«W»' OR (SELECT SLEEP(0.3))='«A»",
        fast: "«W»' OR (SELECT SLEEP(0.0))='«A»",
    },
    // Counting is all that SQLite can be kept busy with.
    Delay { name: "SQLite", ms: 100, slow: counting!("1000000"), fast: counting!("0000001") },
];

fn delays(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    deliver_delays(evidence, seed, DELAYS.id, Standard, SLOW)
}

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let mut calls = deliver(evidence, seed, PROBE.id, FORMS);
    calls.extend(deliver_pairs(evidence, seed, PROBE.id, PAIRS));
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
    if offer(evidence, x) == Offer::Execution { finding } else { finding.proven(proof) }
}

/// The engine complains about our quote, and does not about an ordinary text.
fn suspicion(evidence: &Evidence, x: &Exchange) -> Option<Finding> {
    let ordinary = twin(evidence, x).is_some_and(|t| complains_of_sql(&t.reply));
    let open = offer(evidence, x) == Offer::Execution;
    (complains_of_sql(&x.reply) && !ordinary && !open).then(|| {
        let says = format!(
            "\"{}\" broke an SQL statement: \"{}\"",
            quote(&payload(x)),
            quote(&x.reply.text())
        );
        Finding::fail(x.subject.clone(), says, FIX)
    })
}
