//! What a README should tell: how to install, configure and use the server.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::readme::Readme;

pub(super) const CHECK: Check = Check {
    id: "documentation/readme-sections",
    title: "The README covers installation, configuration and usage",
    facet: Facet::Readme,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("readme_sections.md"),
    judge,
};

/// Each with the beginnings of the words that announce it in a heading.
const SECTIONS: &[(&str, &[&str])] = &[
    (
        "installation",
        &[
            "install",
            "setup",
            "set up",
            "setting up",
            "getting started",
            "quick start",
            "quickstart",
        ],
    ),
    (
        "configuration",
        &[
            "config",
            "setting",
            "environment",
            "env var",
            "option",
            "customiz",
            "customis",
            "credential",
            "authenticat",
        ],
    ),
    (
        "usage",
        &[
            "usage", "use", "using", "how to", "example", "tool", "feature", "command", "api",
            "prompt",
        ],
    ),
];

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let readme = match Readme::of(evidence) {
        Ok(readme) => readme,
        Err(why) => return vec![Finding::unseen(Subject::Server, why)],
    };
    let missing: Vec<&str> =
        SECTIONS.iter().filter(|(_, words)| !readme.has_heading(words)).map(|(n, _)| *n).collect();
    vec![if missing.is_empty() {
        Finding::pass(Subject::Server, "headings for installation, configuration and usage")
    } else {
        let share = (SECTIONS.len() - missing.len()) as f64 / SECTIONS.len() as f64;
        let says = format!("no heading for {}", missing.join(", "));
        let fix = format!("add a section about {}", missing.join(", "));
        Finding::partial(Subject::Server, Grade::new(share), says, fix)
    }]
}
