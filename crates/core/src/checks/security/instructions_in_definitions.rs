//! Definitions that give orders to the model behind the user's back.

use std::collections::BTreeMap;

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Definition, Evidence, Subject};
use crate::proof::Proof;
use crate::response::quote;
use crate::spec::served;
use crate::wording::{Context, Order, order};

pub(super) const CHECK: Check = Check {
    id: "security/instructions-in-definitions",
    title: "Definitions describe, they give the model no orders",
    facet: Facet::ModelSafety,
    severity: Severity::Critical,
    class: Some(Class::ToolDescriptionPoisoning),
    requirements: &[served("SEC-09")],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("instructions_in_definitions.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let own: Vec<String> = evidence.tools().map(|t| t.name.to_lowercase()).collect();
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let texts = evidence.definitions();
    let mut worst: BTreeMap<Subject, (&Definition<'_>, Order)> = BTreeMap::new();
    for text in &texts {
        let Some(found) = order(text.text, context(text), &own) else { continue };
        let subject = text.subject.clone();
        if worst.get(&subject).is_none_or(|(_, known)| known.weight < found.weight) {
            worst.insert(subject, (text, found));
        }
    }
    if worst.is_empty() {
        let says = format!("no order to the model in {} texts", texts.len());
        return vec![Finding::pass(Subject::Server, says)];
    }
    worst
        .into_iter()
        .map(|(subject, (text, found))| finding(subject, &text.pointer, &found))
        .collect()
}

fn context(text: &Definition<'_>) -> Context {
    if text.pointer.contains("/properties/") { Context::Parameter } else { Context::Definition }
}

fn finding(subject: Subject, pointer: &str, found: &Order) -> Finding {
    let says =
        format!("{pointer} gives the model orders ({}): \"{}\"", found.rule, quote(&found.text));
    let fix = "say what the tool does and what its parameters mean; leave what the model does with the user to the user";
    let proof = Proof::Quoted { text: quote(&found.text), rule: found.rule.clone() };
    let finding = Finding::fail(subject, says, fix);
    if found.is_certain() { finding.proven(proof) } else { finding.suspected() }
}
