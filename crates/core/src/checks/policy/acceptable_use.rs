//! Tools that offer what model providers and directories do not accept.

use std::collections::BTreeMap;

use crate::acceptable::{Category, Gravity, offers};
use crate::check::{Check, Confidence, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::probe::words;
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "policy/acceptable-use",
    title: "Nothing is offered that providers do not accept",
    facet: Facet::Policy,
    severity: Severity::High,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("acceptable_use.md"),
    judge,
};

const FIX: &str = "remove it, or say plainly what it is for if the words mislead; the usage policies of model providers list what is not accepted";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let readme = evidence.source.as_ref().and_then(|s| s.readme.as_ref());
    let unseen = evidence.why_no_tools();
    if let (Some(why), None) = (&unseen, readme) {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let mut texts: Vec<(Subject, String)> = Vec::new();
    if unseen.is_none() {
        let definitions = evidence.definitions();
        texts.extend(definitions.iter().map(|d| (d.subject.clone(), d.text.to_owned())));
        texts.extend(
            evidence.tools().map(|t| (Subject::tool_named(&t.name), words(&t.name).join(" "))),
        );
    }
    texts.extend(
        readme.map(|r| (Subject::File { file: r.path.clone(), line: None }, r.text.clone())),
    );
    let mut found: BTreeMap<(Subject, &'static str), Finding> = BTreeMap::new();
    for (subject, text) in &texts {
        for offer in offers(text) {
            let key = (subject.clone(), offer.category.name);
            let new = || finding(subject.clone(), offer.category, offer.sentence);
            found.entry(key).or_insert_with(new);
        }
    }
    match found.is_empty() {
        true => {
            let says = format!("no offer of the 14 kinds in {} texts", texts.len());
            vec![Finding::pass(Subject::Server, says)]
        }
        false => found.into_values().collect(),
    }
}

/// Words can mislead: only the worst, offered by a definition itself, count without review.
fn finding(subject: Subject, category: &Category, sentence: &str) -> Finding {
    let document = matches!(subject, Subject::File { .. });
    let says = format!("speaks of {}: \"{}\"", category.name, quote(sentence));
    let finding = Finding::fail(subject, says, FIX);
    match category.gravity {
        Gravity::Intolerable if !document => finding.confidence(Confidence::Medium),
        Gravity::Intolerable | Gravity::Grave => finding.suspected().confidence(Confidence::Medium),
        Gravity::Delicate => finding.suspected().confidence(Confidence::Low),
    }
}
