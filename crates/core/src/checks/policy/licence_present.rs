//! Packages without a licence.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Source, Subject};
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "policy/licence-present",
    title: "There is a licence",
    facet: Facet::Policy,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("licence_present.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    vec![match &evidence.source {
        None => Finding::unseen(
            Subject::Server,
            "no source or installed package was found to read a licence from (give one with --source DIR)",
        ),
        Some(source) => verdict(source),
    }]
}

fn verdict(source: &Source) -> Finding {
    const FIX: &str =
        "add a LICENSE file and name the licence by its SPDX identifier in the package metadata";
    if let Some(file) = &source.licence {
        return Finding::pass(Subject::Server, format!("licence text in {}", file.path));
    }
    let named = source.package.as_ref().and_then(|p| p.licence.as_deref()).map(str::trim);
    match named.filter(|l| !l.is_empty()) {
        None => Finding::fail(Subject::Server, format!("{} names no licence", source.origin), FIX),
        Some(name) if name.eq_ignore_ascii_case("unlicensed") => {
            Finding::fail(Subject::Server, "the metadata says UNLICENSED: nobody may use it", FIX)
        }
        // npm's way to point at a file, which then has to be there.
        Some(name) if name.to_lowercase().starts_with("see licen") => Finding::partial(
            Subject::Server,
            Grade::new(0.5),
            format!("the metadata says \"{}\", but the file is not there", quote(name)),
            FIX,
        ),
        Some(name) => Finding::pass(Subject::Server, format!("licensed as {}", quote(name))),
    }
}
