//! Texts that become part of an XPath expression.

use crate::attack::{
    Attack, Offer, Pair, deliver_pairs, gets_through, is_proven_by, nothing_else, proven_unless,
};
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::Profile::{Deep, Standard};
use crate::evidence::{Evidence, Exchange};
use crate::probe::{Call, Lane, Probe};
use crate::probes::{benign, valid_call};
use crate::proof::{Proof, payload};
use crate::response::quote;
use crate::seed::Seed;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "security/xpath-injection",
    title: "No text becomes part of an XPath expression",
    facet: Facet::Injection,
    severity: Severity::High,
    class: Some(Class::XpathInjection),
    requirements: &[served("SEC-07"), served("TOOL-24")],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &benign::PROBE, &PROBE],
    page: include_str!("xpath_injection.md"),
    judge,
};

const PROBE: Probe = Probe { id: "xpath-injection", hostile: true, lane: Lane::Shared, plan };

const PLAIN: &str = "comparison";

/// `number()` is a function of XPath alone: SQL would not know it.
const PAIRS: &[Pair] = &[
    Pair::new(
        "condition",
        Standard,
        "«W»' or number('«a»')<number('«b»') or '«A»'='«B»",
        "«W»' or number('«b»')<number('«a»') or '«A»'='«B»",
    ),
    // For what knows no functions. SQL knows this as well, and has its own before.
    Pair::new(
        PLAIN,
        Standard,
        "«W»' or '«A»«B»'='«A»«B»' or '«A»'='«B»",
        "«W»' or '«A»«B»'='«B»«A»' or '«A»'='«B»",
    ),
    Pair::new(
        "double quotes",
        Deep,
        "«W»\" or number('«a»')<number('«b»') or \"«A»\"=\"«B»",
        "«W»\" or number('«b»')<number('«a»') or \"«A»\"=\"«B»",
    ),
    Pair::new("truth", Deep, "«W»' or true()  or '«A»'='«B»", "«W»' or false() or '«A»'='«B»"),
];

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    deliver_pairs(evidence, seed, PROBE.id, PAIRS)
}

const ATTACK: Attack = Attack {
    probe: PROBE.id,
    hole,
    suspicion: nothing_else,
    reached: gets_through,
    clean: "no text became part of an expression",
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    ATTACK.judge(evidence)
}

fn hole(evidence: &Evidence, x: &Exchange, proof: Proof) -> Finding {
    // A data base reads the plain comparison, too.
    if x.label.starts_with(PLAIN) && is_proven_by(evidence, x, "sql-injection") {
        return Finding::pass(x.subject.clone(), ATTACK.clean);
    }
    let says = format!("an XPath engine judged the condition in \"{}\"", quote(&payload(x)));
    let fix = "pass values as XPath variables, or refuse texts with quotes; never build expressions from texts";
    let finding = Finding::fail(x.subject.clone(), says, fix);
    proven_unless(Offer::Expressions, evidence, x, finding, proof)
}
