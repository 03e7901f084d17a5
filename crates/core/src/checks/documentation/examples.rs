//! Examples in the README: something to start with, and something to do then.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::readme::Readme;

pub(super) const CHECK: Check = Check {
    id: "documentation/examples",
    title: "The README has examples to copy",
    facet: Facet::Examples,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("examples.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let readme = match Readme::of(evidence) {
        Ok(readme) => readme,
        Err(why) => return vec![Finding::unseen(Subject::Server, why)],
    };
    let (mut lacks, mut fixes) = (Vec::new(), Vec::new());
    if readme.code.is_empty() {
        lacks.push("no code block");
        fixes.push("show the start command as fenced code");
    }
    if !readme.shows_use() {
        lacks.push("no example of what to ask or call");
        fixes.push("show under a heading of its own what to ask or call, and what comes back");
    }
    vec![if lacks.is_empty() {
        let says = format!("code blocks: {}, use among them", readme.code.len());
        Finding::pass(Subject::Server, says)
    } else {
        let grade = Grade::new(1.0 - lacks.len() as f64 / 2.0);
        let says = format!("has {}", lacks.join(", and "));
        Finding::partial(Subject::Server, grade, says, fixes.join("; "))
    }]
}
