//! Help for when it does not work.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::probe::words;
use crate::readme::{Item, Kind, Readme};

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
    "pitfall",
    "gotcha",
    "caveat",
];
/// First words of headings that may as well praise or lead elsewhere: "Error Handling".
const WEAK: &[&str] = &["support", "help", "error", "errors", "diagnostic", "diagnostics"];
/// Words that may stand before them.
const BEFORE: &[&str] = &["getting", "get", "need", "handling", "the", "and"];
/// Words by which a text advises.
const ADVICE: &[&str] = &[
    "if", "when", "ensure", "sure", "check", "verify", "try", "set", "use", "ask", "open",
    "contact", "report", "email", "join", "means", "because",
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
    let mut weak = readme.items.iter().filter(|item| is_weak(item));
    let prose = readme.prose.to_lowercase();
    vec![if readme.has_heading(HEADINGS) {
        Finding::pass(Subject::Server, "there is a section for trouble")
    } else if weak.clone().any(|h| advises(&readme, h)) {
        Finding::pass(Subject::Server, "there is advice for trouble")
    } else if WORDS.iter().any(|w| prose.contains(w)) || weak.next().is_some() {
        let says = "trouble is mentioned, but has no section of its own";
        Finding::partial(Subject::Server, Grade::new(0.5), says, FIX)
    } else {
        Finding::fail(Subject::Server, "nothing says what to do when it does not work", FIX)
    }]
}

fn is_weak(item: &Item) -> bool {
    let words = words(&item.head);
    let first = words.iter().find(|w| !BEFORE.contains(&w.as_str()));
    let heading = matches!(item.kind, Kind::Heading { .. });
    heading && first.is_some_and(|word| WEAK.contains(&word.as_str()))
}

/// Besides what the heading itself says.
fn advises(readme: &Readme, heading: &Item) -> bool {
    let text = readme.text_of(heading);
    words(text.strip_prefix(heading.head.as_str()).unwrap_or(text))
        .iter()
        .any(|word| ADVICE.contains(&word.as_str()))
}
