//! Errors that tell how the server is built.

use std::collections::BTreeMap;

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::probes::wrong_input::{MISSING_REQUIRED, WRONG_TYPE};
use crate::probes::{boundary, malformed_text, unknown_tool, valid_call};
use crate::proof::Proof;
use crate::response::{disclosed, quote, telling};
use crate::spec::served;
use crate::wording::speaker;

pub(super) const CHECK: Check = Check {
    id: "security/error-discloses-internals",
    title: "Errors do not disclose internals",
    facet: Facet::ErrorDisclosure,
    severity: Severity::Medium,
    class: Some(Class::InfoDisclosure),
    requirements: &[served("SEC-08"), served("TOOL-26")],
    revisions: Revisions::All,
    needs: &[
        &valid_call::PROBE,
        &WRONG_TYPE,
        &MISSING_REQUIRED,
        &unknown_tool::PROBE,
        &boundary::PROBE,
        &malformed_text::PROBE,
    ],
    page: include_str!("error_discloses_internals.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let mut verdicts: BTreeMap<Subject, Finding> = BTreeMap::new();
    for x in &evidence.transcript {
        let Some(text) = telling(evidence, x) else { continue };
        let subject = speaker(evidence, x).unwrap_or(Subject::Server);
        let known = verdicts.get(&subject).is_some_and(|f| f.proof.is_some());
        match disclosed(evidence, x, &text) {
            Some((rule, quoted)) if !known => {
                let says = format!("an answer shows {rule}: \"{}\"", quote(&quoted));
                let fix = "answer with a message for the caller and write the details to the log; turn off debug mode";
                let proof = Proof::Quoted { text: quote(&quoted), rule: rule.to_owned() };
                let finding = Finding::fail(subject.clone(), says, fix).proven(proof);
                verdicts.insert(subject, finding.seen_in(x.id));
            }
            Some(_) => {}
            None => {
                let clean = Finding::pass(subject.clone(), "its errors disclose nothing");
                verdicts.entry(subject).or_insert(clean);
            }
        }
    }
    if verdicts.is_empty() {
        return vec![Finding::unseen(Subject::Server, "no error was provoked")];
    }
    verdicts.into_values().collect()
}
