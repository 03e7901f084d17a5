//! Keys and tokens in what the server tells everybody.

use std::collections::BTreeMap;

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::proof::Proof;
use crate::spec::served;
use crate::wording::{Secret, Strength, mask, secrets};

pub(super) const CHECK: Check = Check {
    id: "security/secrets-in-definitions",
    title: "Definitions hold no secrets",
    facet: Facet::ErrorDisclosure,
    severity: Severity::High,
    class: Some(Class::SecretLeak),
    requirements: &[served("SEC-08")],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("secrets_in_definitions.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let texts = evidence.definitions();
    let mut leaks: BTreeMap<Subject, Finding> = BTreeMap::new();
    for text in &texts {
        if let Some((issuer, masked)) = secret(text.text) {
            let says = format!("{} holds a secret ({issuer}): {masked}", text.pointer);
            let fix = "revoke the secret now, then read it from the environment; write a placeholder such as `YOUR_API_KEY`";
            let proof = Proof::Quoted { text: masked, rule: format!("shape: {issuer}") };
            leaks
                .entry(text.subject.clone())
                .or_insert_with(|| Finding::fail(text.subject.clone(), says, fix).proven(proof));
        }
    }
    if leaks.is_empty() {
        return vec![Finding::pass(Subject::Server, format!("no secret in {} texts", texts.len()))];
    }
    leaks.into_values().collect()
}

/// A value that is merely called a secret may be the example of a format.
fn secret(text: &str) -> Option<(&'static str, String)> {
    let sure = |s: &Secret| s.strength > Strength::Weak;
    secrets(text).into_iter().find(sure).map(|s| (s.kind, mask(&s.text)))
}
