//! Packages without a README.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::readme::Readme;

pub(super) const CHECK: Check = Check {
    id: "documentation/readme-present",
    title: "There is a README",
    facet: Facet::Readme,
    severity: Severity::Medium,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("readme_present.md"),
    judge,
};

const SHORT: usize = 200;

fn judge(evidence: &Evidence) -> Vec<Finding> {
    const FIX: &str = "add a README.md that says what the server does, how to install and configure it, and which tools it has; publish it with the package";
    let Some(source) = &evidence.source else {
        let why = Readme::of(evidence).err().unwrap_or_default();
        return vec![Finding::unseen(Subject::Server, why)];
    };
    let Some(document) = &source.readme else {
        let says = format!("{} has no README", source.origin);
        return vec![Finding::fail(Subject::Server, says, FIX)];
    };
    let subject = Subject::File { file: document.path.clone(), line: None };
    let readme = Readme::parse(&document.text);
    let length = readme.prose.trim().chars().count();
    vec![if length < SHORT && readme.code.is_empty() {
        let says = format!("the README has {length} characters of text and no code");
        Finding::partial(subject, Grade::new(0.5), says, FIX)
    } else {
        Finding::pass(subject, format!("the README has {length} characters of text"))
    }]
}
