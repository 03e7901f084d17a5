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
    let blocks = readme.code.len();
    const USE: &str = "show under a heading of its own what to ask or call, and what comes back";
    const START: &str = "show the start command as fenced code";
    vec![match (blocks, readme.shows_use(evidence)) {
        (1.., true) => {
            Finding::pass(Subject::Server, format!("code blocks: {blocks}, use among them"))
        }
        (0, true) => Finding::partial(Subject::Server, Grade::new(0.5), "has no code block", START),
        (0, false) => {
            let says = "has no code block, and no example of what to ask or call";
            Finding::fail(Subject::Server, says, format!("{START}; {USE}"))
        }
        // That it can be set up is credited where configurations are judged.
        (1.., false) if readme.only_sets_up() => {
            Finding::fail(Subject::Server, "has no example of what to ask or call", USE)
        }
        (1.., false) => {
            let says = "has no example of what to ask or call";
            Finding::partial(Subject::Server, Grade::new(0.5), says, USE)
        }
    }]
}
