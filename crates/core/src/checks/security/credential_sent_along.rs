//! The server's own key goes along to whatever address a caller names.

use std::collections::BTreeMap;

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject, Visit};
use crate::probes::valid_call;
use crate::proof::{Proof, asks};
use crate::spec::served;
use crate::wording::speaker;

pub(super) const CHECK: Check = Check {
    id: "security/credential-sent-along",
    title: "The server's own keys go to its own services alone",
    facet: Facet::Authentication,
    severity: Severity::High,
    class: Some(Class::SecretLeak),
    requirements: &[served("SEC-07")],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE],
    page: include_str!("credential_sent_along.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    // What goes nowhere takes no key along.
    if evidence.visits.is_empty() {
        return Vec::new();
    }
    // Whoever was started with our address takes it for one of its own services.
    let content = evidence.conditions.content.as_deref();
    if content.is_some_and(|content| evidence.target.line().contains(content)) {
        let why = "our address was given to it as its own service";
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let mut found: BTreeMap<Subject, Finding> = BTreeMap::new();
    for visit in &evidence.visits {
        let Some(name) = &visit.credential else { continue };
        let Some(x) = caller(evidence, visit) else { continue };
        let subject = speaker(evidence, x).unwrap_or(Subject::Server);
        found.entry(subject.clone()).or_insert_with(|| leak(subject, x, visit, name));
    }
    if found.is_empty() {
        let says = "no key of its own came to an address of ours";
        return vec![Finding::pass(Subject::Server, says)];
    }
    found.into_values().collect()
}

/// The call that named the address, the last one before the visit.
fn caller<'a>(evidence: &'a Evidence, visit: &Visit) -> Option<&'a Exchange> {
    let path = visit.path.split('?').next().filter(|path| path.len() > 1)?;
    let named = evidence.transcript.iter().filter(|x| asks(x, path) && x.started <= visit.at);
    named.max_by_key(|x| x.started)
}

fn leak(subject: Subject, x: &Exchange, visit: &Visit, name: &str) -> Finding {
    let says = format!("sent a key of its own (`{name}`) to the address it was given");
    let fix = "add the key only where scheme, host and port are those of the service it belongs to, after every redirect anew";
    let proof = Proof::Callback { token: visit.path.clone() };
    Finding::fail(subject, says, fix).proven(proof).seen_in(x.id)
}
