//! Answers that give orders to the model, and that nobody put there but the server.

use std::cell::LazyCell;
use std::collections::BTreeMap;

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::probes::{prompt_get, resource_read, valid_call};
use crate::proof::Proof;
use crate::response::quote;
use crate::wording::{Context, Order, Ours, Said, heard, order, said, sentences};

pub(super) const CHECK: Check = Check {
    id: "security/instructions-in-answers",
    title: "Answers are data, they give the model no orders",
    facet: Facet::ModelSafety,
    severity: Severity::High,
    class: Some(Class::PromptInjectionInOutput),
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &resource_read::PROBE, &prompt_get::PROBE],
    page: include_str!("instructions_in_answers.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let texts = match heard(evidence, said) {
        Ok(texts) => texts,
        Err(unseen) => return unseen,
    };
    let mut worst: BTreeMap<Subject, (&Said<'_>, Order)> = BTreeMap::new();
    let ours = LazyCell::new(|| Ours::of(evidence));
    // Several tools may say the same.
    let mut read: BTreeMap<&str, bool> = BTreeMap::new();
    for text in &texts {
        let order = || order(&text.text, Context::Answer, &[]).is_some();
        if !*read.entry(&text.text).or_insert_with(order) {
            continue;
        }
        let Some(found) = unprompted(evidence, &ours, text) else { continue };
        if worst.get(&text.subject).is_none_or(|(_, known)| known.weight < found.weight) {
            worst.insert(text.subject.clone(), (text, found));
        }
    }
    if worst.is_empty() {
        let says = "no order to the model in any answer";
        return vec![Finding::pass(Subject::Server, says)];
    }
    worst.into_values().map(|(text, found)| finding(text, &found)).collect()
}

/// The order that is left once what we said ourselves is taken away.
fn unprompted(evidence: &Evidence, ours: &Ours, text: &Said<'_>) -> Option<Order> {
    let found = order(&ours.taken_from(&text.text), Context::Answer, &[])?;
    let parts = sentences(&found.text);
    let mut long = parts.iter().filter(|s| s.words.len() > 2);
    (!long.any(|s| text.is_ours(evidence, s.raw))).then_some(found)
}

fn finding(text: &Said<'_>, found: &Order) -> Finding {
    let says =
        format!("an answer gives the model orders ({}): \"{}\"", found.rule, quote(&found.text));
    let fix = "answer with data alone; if it comes from elsewhere, mark it as quoted and strip what speaks to the model";
    let proof = Proof::Quoted { text: quote(&found.text), rule: found.rule.clone() };
    let finding = Finding::fail(text.subject.clone(), says, fix).seen_in(text.exchange.id);
    if found.is_certain() { finding.proven(proof) } else { finding.suspected() }
}
