//! What a project tells those who depend on it.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Around, Evidence, Subject};
use crate::readme::Readme;

pub(super) const CHECK: Check = Check {
    id: "documentation/project-files",
    title: "The project keeps a changelog and says how to report holes",
    facet: Facet::Practice,
    severity: Severity::Info,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("project_files.md"),
    judge,
};

/// Each with the beginnings of names that serve, and of headings in the README.
const WANTED: &[(&str, &[&str], &[&str])] = &[
    (
        "a changelog",
        &["changelog", "changes", "history", "news", "releases"],
        &["changelog", "change log", "release notes", "what's new", "version history"],
    ),
    ("a security policy", &["security"], &["security", "vulnerabilit", "reporting"]),
];

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let Some(around) = evidence.source.as_ref().and_then(|s| s.around.as_ref()) else {
        let why = "no source tree was given; an installed package need not ship these files (give one with --source DIR)";
        return vec![Finding::unseen(Subject::Server, why)];
    };
    let readme = Readme::of(evidence).unwrap_or_default();
    let there =
        |files: &[&str], headings: &[&str]| has(around, files) || readme.has_heading(headings);
    let missing: Vec<&str> =
        WANTED.iter().filter(|(_, f, h)| !there(f, h)).map(|(name, _, _)| *name).collect();
    vec![if missing.is_empty() {
        Finding::pass(Subject::Server, "a changelog and a security policy")
    } else {
        let says = format!("there is not {}", missing.join(", nor "));
        let fix = "add CHANGELOG.md with what changed in each version, and SECURITY.md with a private way to report holes";
        let share = (WANTED.len() - missing.len()) as f64 / WANTED.len() as f64;
        Finding::partial(Subject::Server, Grade::new(share), says, fix)
    }]
}

fn has(around: &Around, beginnings: &[&str]) -> bool {
    around.files.iter().any(|path| {
        let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
        beginnings.iter().any(|beginning| name.starts_with(beginning))
    })
}
