//! What a README should tell: how to install, configure and use the server, what there is in it,
//! and what to ask for.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::readme::Readme;

pub(super) const CHECK: Check = Check {
    id: "documentation/readme-sections",
    title: "The README covers installation, configuration, usage, tools and examples",
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
const SECTIONS: &[(Section, &[&str])] = &[
    (
        Section::Installation,
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
        Section::Configuration,
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
        Section::Usage,
        &[
            "usage",
            "use ",
            "how to",
            "example",
            "command",
            "quick start",
            "quickstart",
            "tutorial",
            "walkthrough",
        ],
    ),
    (
        Section::Tools,
        &["tool", "api", "feature", "function", "command", "reference", "capabilit", "method"],
    ),
    (Section::Examples, &[]),
];

#[derive(Debug, Clone, Copy)]
enum Section {
    Installation,
    Configuration,
    Usage,
    Tools,
    Examples,
}

impl Section {
    fn name(self) -> &'static str {
        match self {
            Section::Installation => "installation",
            Section::Configuration => "configuration",
            Section::Usage => "usage",
            Section::Tools => "the tools",
            Section::Examples => "examples",
        }
    }

    /// In any language, a command to copy tells how to install, an entry for a client how to
    /// configure, and a list of its names what there is.
    fn is_shown(self, evidence: &Evidence, readme: &Readme) -> bool {
        match self {
            Section::Installation => readme.shows_start() || readme.shows_entry(),
            Section::Configuration => readme.shows_entry(),
            Section::Usage | Section::Examples => readme.shows_use(evidence),
            Section::Tools => evidence.tools().any(|t| readme.about(&t.name).next().is_some()),
        }
    }
}

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let readme = match Readme::of(evidence) {
        Ok(readme) => readme,
        Err(why) => return vec![Finding::unseen(Subject::Server, why)],
    };
    let missing: Vec<&str> = SECTIONS
        .iter()
        .filter(|(section, words)| {
            !readme.has_heading(words) && !section.is_shown(evidence, &readme)
        })
        .map(|(section, _)| section.name())
        .collect();
    vec![if missing.is_empty() {
        let says = "installation, configuration, usage, tools and examples are covered";
        Finding::pass(Subject::Server, says)
    } else {
        let share = (SECTIONS.len() - missing.len()) as f64 / SECTIONS.len() as f64;
        let says = format!("nothing about {}", missing.join(", "));
        let fix = format!("add a section about {}", missing.join(", "));
        Finding::partial(Subject::Server, Grade::new(share), says, fix)
    }]
}
