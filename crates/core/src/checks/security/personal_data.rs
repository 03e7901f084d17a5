//! Card and account numbers from tools that are not about people or payments.

use std::collections::BTreeMap;

use crate::check::{Check, Class, Confidence, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::probes::valid_call;
use crate::promise::mentions;
use crate::proof::Proof;
use crate::wording::{Personal, Said, heard, masked, personal, said_whole};

pub(super) const CHECK: Check = Check {
    id: "security/personal-data",
    title: "Answers hold no personal data that nobody asked for",
    facet: Facet::ErrorDisclosure,
    severity: Severity::Medium,
    class: Some(Class::InfoDisclosure),
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE],
    page: include_str!("personal_data.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let texts = match heard(evidence, said_whole) {
        Ok(texts) => texts,
        Err(unseen) => return unseen,
    };
    let mut found: BTreeMap<Subject, Finding> = BTreeMap::new();
    for text in &texts {
        let Some(data) = personal(&text.text) else { continue };
        let wanted = !data.grave && is_about_people(evidence, text);
        if !wanted && !text.is_ours(evidence, data.number) {
            found.entry(text.subject.clone()).or_insert_with(|| finding(text, &data));
        }
    }
    if found.is_empty() {
        return vec![Finding::pass(Subject::Server, "no number of a card, an account or a person")];
    }
    found.into_values().collect()
}

fn finding(text: &Said<'_>, data: &Personal<'_>) -> Finding {
    let masked = masked(data.number);
    let says = format!("an answer holds {} ({masked})", data.kind);
    let fix =
        "return personal data only where the tool says so, and mask numbers to their last digits";
    let finding = Finding::fail(text.subject.clone(), says, fix).seen_in(text.exchange.id);
    if data.grave {
        finding.proven(Proof::Quoted { text: masked, rule: data.kind.to_owned() })
    } else {
        finding.confidence(Confidence::Low).suspected()
    }
}

fn is_about_people(evidence: &Evidence, text: &Said<'_>) -> bool {
    const WORDS: &str = "
        account accounts bank card cards client clients contact contacts customer customers employee
        employees iban invoice invoices member members order orders patient patients payment payments
        people person profile profiles user users transaction transactions generate fake faker mock";
    let tool = text.subject.tool().and_then(|name| evidence.tool(name));
    tool.is_some_and(|t| mentions(t, WORDS))
}
