//! The page that lists every requirement, and the laws of the table.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use proofmark_core::check::Check;
use proofmark_core::checks;
use proofmark_core::conformance::title;
use proofmark_core::revision::Revision;
use proofmark_core::spec::{Requirement, Testable, requirements};

use crate::documents::is_current;

/// The checks that serve each requirement.
fn serving() -> BTreeMap<&'static str, Vec<&'static Check>> {
    let mut serving: BTreeMap<&str, Vec<&Check>> = BTreeMap::new();
    for check in checks::all() {
        for rule in check.requirements {
            serving.entry(rule.requirement).or_default().push(check);
        }
    }
    serving
}

fn covered_by(row: &Requirement, serving: &BTreeMap<&str, Vec<&Check>>) -> String {
    match (serving.get(row.id.as_str()), &row.uncovered) {
        (Some(checks), _) => {
            let ids: Vec<String> = checks.iter().map(|c| format!("`{}`", c.id)).collect();
            ids.join(", ")
        }
        (None, Some(why)) => format!("none: {why}"),
        (None, None) => "none yet".to_owned(),
    }
}

fn page() -> String {
    let serving = serving();
    let covered = requirements().iter().filter(|r| serving.contains_key(r.id.as_str())).count();
    let mut out = format!(
        "# Requirements\n\nWhat the specification asks of a server, as far as a client can see it from outside: {} rows, {covered} of them judged. \
         `proofmark conformance` shows the verdicts for one server. Generated from `crates/core/spec/requirements.toml`; \
         a test fails when it is stale (`UPDATE_DOCS=1 cargo test -p proofmark-core`).\n\n\
         Revisions: A 2024-11-05, B 2025-03-26, C 2025-06-18, D 2025-11-25, E 2026-07-28. \
         Levels other than *information* can fail; *json-rpc* is inherited from JSON-RPC 2.0, *schema* is the shape of a message.\n",
        requirements().len()
    );
    for section in requirements().chunk_by(|a, b| a.section() == b.section()) {
        let name = section.first().map_or("", |r| r.section());
        let _ = write!(
            out,
            "\n## {}\n\n| | level | revisions | requirement | judged by |\n|---|---|---|---|---|\n",
            title(name)
        );
        for row in section {
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} | {} |",
                row.id,
                levels(row),
                letters(row),
                row.says.replace('|', "\\|"),
                covered_by(row, &serving)
            );
        }
    }
    out
}

fn letters(row: &Requirement) -> String {
    "ABCDE"
        .chars()
        .zip(Revision::ALL)
        .filter(|(_, r)| row.revisions.has(*r))
        .map(|(c, _)| c)
        .collect()
}

fn levels(row: &Requirement) -> String {
    let mut levels: Vec<&str> =
        row.revisions.iter().filter_map(|r| row.level(r)).map(|l| l.as_str()).collect();
    levels.dedup();
    levels.join(", then ")
}

#[test]
fn the_published_list_of_requirements_is_current() {
    is_current("requirements.md", &page());
}

#[test]
fn every_rule_names_a_requirement_of_the_table() {
    for (id, checks) in serving() {
        let known = requirements().iter().any(|r| r.id == id);
        assert!(known, "{} serves {id}, which is not in spec/requirements.toml", checks[0].id);
    }
}

#[test]
fn what_no_check_serves_says_why_and_what_can_always_be_seen_is_served() {
    let serving = serving();
    for row in requirements() {
        let served = serving.contains_key(row.id.as_str());
        assert!(
            served != row.uncovered.is_some(),
            "{}: served {served}, uncovered {:?}",
            row.id,
            row.uncovered
        );
        assert!(served || row.testable != Testable::Always, "{} can always be seen", row.id);
    }
}
