//! What a README should tell: how to install, configure and use the server.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::readme::{Readme, client_entries};

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

/// Beginnings of commands that install or start a package.
const INSTALLING: &[&str] = &[
    "npx ",
    "uvx ",
    "pip install",
    "pip3 install",
    "npm install",
    "npm i ",
    "pnpm ",
    "yarn add",
    "uv add",
    "uv tool",
    "uv pip",
    "pipx ",
    "cargo install",
    "go install",
    "docker ",
    "brew install",
    "mcp add",
    "git clone",
];

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let readme = match Readme::of(evidence) {
        Ok(readme) => readme,
        Err(why) => return vec![Finding::unseen(Subject::Server, why)],
    };
    let missing: Vec<&str> = SECTIONS
        .iter()
        .filter(|(name, words)| !readme.has_heading(words) && !shown(&readme, name))
        .map(|(name, _)| *name)
        .collect();
    vec![if missing.is_empty() {
        Finding::pass(Subject::Server, "installation, configuration and usage are covered")
    } else {
        let share = (SECTIONS.len() - missing.len()) as f64 / SECTIONS.len() as f64;
        let says = format!("no heading for {}", missing.join(", "));
        let fix = format!("add a section about {}", missing.join(", "));
        Finding::partial(Subject::Server, Grade::new(share), says, fix)
    }]
}

/// In any language, a command to copy tells how to install, and an entry for a client how to
/// configure.
fn shown(readme: &Readme, section: &str) -> bool {
    let entry =
        || readme.json().filter_map(|(_, v)| v).flatten().any(|v| !client_entries(&v).is_empty());
    let command = || readme.code.iter().any(|c| INSTALLING.iter().any(|w| c.text.contains(w)));
    match section {
        "installation" => command() || entry(),
        "configuration" => entry(),
        _ => false,
    }
}
