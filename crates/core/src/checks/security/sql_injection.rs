//! Texts that become part of an SQL statement.

use std::sync::LazyLock;

use regex::Regex;

use crate::attack::{Attack, Form, Offer, Pair, deliver, deliver_pairs, gets_through, offer};
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::Profile::{Deep, Quick, Standard};
use crate::evidence::{Evidence, Exchange};
use crate::pattern;
use crate::probe::{Call, Lane, Probe};
use crate::probes::{benign, valid_call};
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
    needs: &[&valid_call::PROBE, &benign::PROBE, &PROBE],
    page: include_str!("sql_injection.md"),
    judge,
};

const PROBE: Probe = Probe { id: "sql-injection", hostile: true, lane: Lane::Shared, plan };

const FORMS: &[Form] = &[
    // Proves nothing by itself: what it breaks tells where to look closer.
    Form::computed("quote", Quick, "«L»'\""),
    Form::computed("concatenation", Standard, "«L»'||(«M»)||'«R»"),
    Form::computed("union", Deep, "«W»' UNION SELECT '«L»'||(«M»)||'«R»' -- "),
    Form::computed("union of two", Deep, "«W»' UNION SELECT '«L»'||(«M»)||'«R»',2 -- "),
    Form::computed("union of three", Deep, "«W»' UNION SELECT 1,'«L»'||(«M»)||'«R»',3 -- "),
    Form::computed("union, MySQL", Deep, "«W»' UNION SELECT CONCAT('«L»',«M»,'«R»') -- "),
    Form::computed("stacked", Deep, "«W»'; SELECT '«L»'||(«M»)||'«R»' -- "),
];

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
    Pair::new("parenthesis", Deep, "«W»') OR ('«A»'<'«B»", "«W»') OR ('«B»'<'«A»"),
    Pair::new("parenthesis, comment", Deep, "«W»') OR '«A»'<'«B»' -- ", "«W»') OR '«B»'<'«A»' -- "),
    Pair::new("double quotes", Deep, "«W»\" OR \"«A»\"<\"«B»", "«W»\" OR \"«B»\"<\"«A»"),
];

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
    match offer(evidence, x) {
        // A tool that openly takes SQL runs it by design: for people to judge.
        Offer::Execution => finding,
        Offer::Nothing | Offer::Expressions => finding.proven(proof),
    }
}

/// What database engines say of a broken statement.
static BROKEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern::ascii(
        r#"near "|unrecognized token|sqlite3?(_|\.|::)?(operational)?error|sqlstate|syntax error at or near|error in your sql syntax|unterminated quoted string|unclosed quotation mark|ora-\d{5}|psycopg|sequelizedatabaseerror"#,
    )
    .ok()
});

/// The engine complains about our quote, and does not about an ordinary text.
fn suspicion(evidence: &Evidence, x: &Exchange) -> Option<Finding> {
    let complains = |x: &Exchange| {
        let text = x.reply.text().to_lowercase();
        BROKEN.as_ref().is_some_and(|b| b.is_match(&text))
    };
    let ordinary = twin(evidence, x).is_some_and(complains);
    let open = offer(evidence, x) == Offer::Execution;
    (complains(x) && !ordinary && !open).then(|| {
        let says = format!(
            "\"{}\" broke an SQL statement: \"{}\"",
            quote(&payload(x)),
            quote(&x.reply.text())
        );
        Finding::fail(x.subject.clone(), says, FIX)
    })
}
