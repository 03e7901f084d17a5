//! Help for when it does not work.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::readme::Readme;

pub(super) const CHECK: Check = Check {
    id: "documentation/troubleshooting",
    title: "The README helps when something goes wrong",
    facet: Facet::Troubleshooting,
    severity: Severity::Info,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("troubleshooting.md"),
    judge,
};

const HEADINGS: &[&str] = &[
    "troubleshoot",
    "faq",
    "frequently asked",
    "debug",
    "common issue",
    "common problem",
    "common error",
    "known issue",
    "known problem",
    "limitation",
    "problem",
    "support",
    "help",
    "error",
    "diagnos",
];
const WORDS: &[&str] = &[
    "troubleshoot",
    "mcp inspector",
    "modelcontextprotocol/inspector",
    "if you see an error",
    "report issues",
    "open an issue",
];

fn judge(evidence: &Evidence) -> Vec<Finding> {
    const FIX: &str = "add a section `## Troubleshooting` with the errors people meet, how to see the log, and where to ask";
    let readme = match Readme::of(evidence) {
        Ok(readme) => readme,
        Err(why) => return vec![Finding::unseen(Subject::Server, why)],
    };
    let prose = readme.prose.to_lowercase();
    vec![if readme.has_heading(HEADINGS) {
        Finding::pass(Subject::Server, "there is a section for trouble")
    } else if WORDS.iter().any(|w| prose.contains(w)) {
        let says = "trouble is mentioned, but has no section of its own";
        Finding::partial(Subject::Server, Grade::new(0.5), says, FIX)
    } else {
        Finding::fail(Subject::Server, "nothing says what to do when it does not work", FIX)
    }]
}
