//! Tools that take or return personal data, and whether anything is said about how it is handled.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::{Check, Confidence, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::probe::words;

pub(super) const CHECK: Check = Check {
    id: "policy/personal-data-handling",
    title: "It is said how personal data is handled",
    facet: Facet::Policy,
    severity: Severity::Info,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("personal_data_handling.md"),
    judge,
};

/// A kind of data, the rules that speak of it, and the words of parameters that mean it.
#[rustfmt::skip]
const KINDS: &[(&str, &str, &str)] = &[
    ("health data", "HIPAA, GDPR article 9", "patient,medical record,diagnosis,health record,prescription"),
    ("contact data", "GDPR, CCPA", "email,e mail,phone,phone number,home address,postal address"),
    ("dates of birth and numbers of persons", "GDPR, CCPA", "date of birth,birth date,birthdate,dob,ssn,social security,passport,national id"),
    ("payment data", "PCI DSS, GDPR", "card number,credit card,iban,bank account,cvv"),
    ("where people are", "GDPR, CCPA", "current location,user location,gps"),
    ("biometric data", "GDPR article 9", "face image,biometric,voice print"),
];

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let mut parameters = 0usize;
    let mut found: BTreeMap<&str, (&str, BTreeSet<String>)> = BTreeMap::new();
    for tool in evidence.tools() {
        let properties = tool.input_schema.get("properties").and_then(|p| p.as_object());
        for name in properties.into_iter().flatten().map(|(name, _)| name) {
            parameters += 1;
            let spelled = format!(" {} ", words(name).join(" "));
            let means = |mark: &str| spelled.contains(&format!(" {mark} "));
            let fits = KINDS.iter().find(|(.., marks)| marks.split(',').any(means));
            if let Some((kind, rules, _)) = fits {
                let place = format!("{} of {}", name, tool.name);
                found.entry(kind).or_insert((rules, BTreeSet::new())).1.insert(place);
            }
        }
    }
    if parameters == 0 {
        return Vec::new();
    }
    if found.is_empty() {
        let says = format!("none of {parameters} parameters asks for personal data");
        return vec![Finding::pass(Subject::Server, says)];
    }
    let told = says_how(evidence);
    found.into_iter().map(|(kind, (rules, places))| finding(kind, rules, &places, told)).collect()
}

/// A word on privacy in the README, or a policy in a manifest.
fn says_how(evidence: &Evidence) -> bool {
    let Some(source) = &evidence.source else { return false };
    let documents = source.readme.iter().chain(&source.manifests);
    let marks = ["privacy", "gdpr", "ccpa", "hipaa", "data protection", "data retention"];
    documents.into_iter().any(|d| {
        let text = d.text.to_lowercase();
        marks.iter().any(|mark| text.contains(mark))
    })
}

fn finding(kind: &str, rules: &str, places: &BTreeSet<String>, told: bool) -> Finding {
    let shown: Vec<&str> = places.iter().take(3).map(String::as_str).collect();
    let says = format!("asks for {kind} ({}); see {rules}", shown.join(", "));
    match told {
        true => Finding::pass(Subject::Server, format!("{says}; there is a word on privacy")),
        false => Finding::partial(
            Subject::Server,
            Grade::new(0.75),
            says,
            "say in the README which personal data is used for what, where it goes and how long it is kept",
        )
        .suspected()
        .confidence(Confidence::Low),
    }
}
