//! Texts that become part of an LDAP filter.

use crate::attack::{
    Attack, Offer, Pair, deliver_pairs, gets_through, nothing_else, proven_unless,
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
    id: "security/ldap-injection",
    title: "No text becomes part of a directory filter",
    facet: Facet::Injection,
    severity: Severity::High,
    class: Some(Class::LdapInjection),
    requirements: &[served("SEC-07"), served("TOOL-24")],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &benign::PROBE, &PROBE],
    page: include_str!("ldap_injection.md"),
    judge,
};

const PROBE: Probe = Probe { id: "ldap-injection", hostile: true, lane: Lane::Shared, plan };

/// True and false begin alike: a tool that merely compares texts would tell them apart otherwise.
const PAIRS: &[Pair] = &[
    Pair::new("filter", Standard, "*)(objectClass=*", "*)(objectClass=«W»"),
    // Of the same characters: a name that is there, against one that begins so and one that ends so.
    Pair::narrow(
        "and any",
        Standard,
        "«V»)(|(cn=*)(cn=«A»«B»)(uid=*)(uid=«A»«B»)(objectClass=*)(objectClass=«A»«B»)",
        "«V»)(|(cn=«A»*)(cn=«B»)(uid=«A»*)(uid=«B»)(objectClass=«A»*)(objectClass=«B»)",
    ),
    Pair::new("by uid", Deep, "*)(uid=*", "*)(uid=«W»"),
    Pair::new("either", Deep, "«W»)(|(uid=*)", "«W»)(|(uid=«W»)"),
    Pair::new("either, closed", Deep, "«W»)(|(uid=*))", "«W»)(|(uid=«W»))"),
];

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    deliver_pairs(evidence, seed, PROBE.id, PAIRS)
}

const ATTACK: Attack = Attack {
    probe: PROBE.id,
    hole,
    suspicion: nothing_else,
    reached: gets_through,
    clean: "no text became part of a filter",
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    ATTACK.judge(evidence)
}

fn hole(evidence: &Evidence, x: &Exchange, proof: Proof) -> Finding {
    let says = format!("a directory judged the filter in \"{}\"", quote(&payload(x)));
    let fix = "escape `*`, `(`, `)`, `\\` and NUL as RFC 4515 says before a value enters a filter, or build filters with the library";
    let finding = Finding::fail(x.subject.clone(), says, fix);
    proven_unless(Offer::Expressions, evidence, x, finding, proof)
}
