//! Characters that a model reads and a person does not see.

use std::collections::BTreeMap;

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::proof::Proof;
use crate::response::quote;
use crate::spec::served;
use crate::wording::{Context, hidden, lookalike};

pub(super) const CHECK: Check = Check {
    id: "security/hidden-unicode",
    title: "Definitions hide no characters",
    facet: Facet::ModelSafety,
    severity: Severity::High,
    class: Some(Class::HiddenUnicode),
    requirements: &[served("SEC-09")],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("hidden_unicode.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let mut found: BTreeMap<Subject, Finding> = BTreeMap::new();
    for text in evidence.definitions() {
        if let Some((rule, shown)) = unseen_in(text.text) {
            let says = format!("{} hides {rule}: \"{}\"", text.pointer, quote(&shown));
            let fix = "remove the invisible characters; type the text anew rather than paste it";
            let proof = Proof::Quoted { text: quote(&shown), rule: rule.to_owned() };
            found
                .entry(text.subject.clone())
                .or_insert_with(|| Finding::fail(text.subject, says, fix).proven(proof));
        }
    }
    if found.is_empty() {
        return vec![Finding::pass(
            Subject::Server,
            "every character of the definitions is visible",
        )];
    }
    found.into_values().collect()
}

fn unseen_in(text: &str) -> Option<(&'static str, String)> {
    let borrowed = || {
        let (word, plain) = lookalike(text)?;
        Some(("letters of another script", format!("{word} reads like {plain}")))
    };
    hidden(text, Context::Definition).or_else(borrowed)
}
