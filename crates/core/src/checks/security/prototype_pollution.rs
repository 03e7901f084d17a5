//! Members that land on the prototype of all objects, and show on one that nobody gave them to.

use serde_json::Value;

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject};
use crate::probes::polluting::{AFTER, PROBE};
use crate::probes::{benign, valid_call};
use crate::proof::{Oracle, Proof, has_text, members_of, payload, says};
use crate::response::{Answer, quote};
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "security/prototype-pollution",
    title: "No member lands on the prototype of all objects",
    facet: Facet::Injection,
    severity: Severity::High,
    class: Some(Class::PrototypePollution),
    requirements: &[served("SEC-07"), served("TOOL-24")],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &benign::PROBE, &PROBE],
    page: include_str!("prototype_pollution.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let looks: Vec<&Exchange> =
        evidence.of(PROBE.id).filter(|x| x.label.starts_with(AFTER)).collect();
    if looks.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<Finding> = Vec::new();
    for x in evidence.of(PROBE.id).filter(|x| !x.label.starts_with(AFTER)) {
        let hole = looks.iter().find_map(|look| shown(x, look)).map(|f| f.seen_in(x.id));
        found.extend(hole.filter(|f| found.iter().all(|g| g.subject != f.subject)));
    }
    let seen = |x: &&&Exchange| matches!(Answer::of(evidence, x), Answer::Accepted);
    match looks.iter().find(seen) {
        _ if !found.is_empty() => found,
        Some(look) => {
            let says = "no object had members that nobody gave it";
            vec![Finding::pass(Subject::Server, says).seen_in(look.id)]
        }
        None => {
            let why = looks[0].reply.why_unseen();
            let why = why.unwrap_or_else(|| "no reading tool worked afterwards".to_owned());
            vec![Finding::unseen(Subject::Server, why)]
        }
    }
}

/// A member that was sent to the prototype and shows elsewhere, while what was sent the same way to
/// an ordinary place does not: a store would show both.
fn shown(x: &Exchange, look: &Exchange) -> Option<Finding> {
    let Some(Oracle::Computed { expected }) = &x.oracle else { return None };
    let control = x.control.as_deref().unwrap_or_default();
    let told = ["__proto__", "prototype", control];
    let whole = says(&look.reply, expected) && told.iter().all(|t| !says(&look.reply, t));
    // What is kept may be shown beside what everything has; not the text itself that was sent, of which
    // a store may show the beginning.
    let in_part = || {
        if x.label.starts_with("document") && says(&look.reply, "__proto__") {
            return false;
        }
        let part = |v: &Value| has_text(v, expected) && told.iter().all(|t| !has_text(v, t));
        members_of(&look.reply).iter().any(part)
    };
    let polluted = control != expected && (whole || in_part());
    polluted.then(|| {
        let proof = Proof::Computed { payload: payload(x), expected: expected.clone() };
        let tool = look.subject.tool().unwrap_or_default();
        let says = format!("\"{}\" put a member on every object: `{tool}` showed it", quote(&payload(x)));
        let fix = "leave out `__proto__`, `constructor` and `prototype` when merging or walking paths; use `Object.create(null)` or a Map";
        Finding::fail(x.subject.clone(), says, fix).proven(proof)
    })
}
