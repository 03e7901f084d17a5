//! Manifests that a store, a registry or a package manager would refuse.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::manifest::{Fault, Kind, Manifest, manifests};
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "policy/manifest-valid",
    title: "Manifests are complete and well-formed",
    facet: Facet::Manifest,
    severity: Severity::Medium,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("manifest_valid.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let Some(source) = &evidence.source else {
        let why = "no source or installed package was found to read a manifest from (give one with --source DIR)";
        return vec![Finding::unseen(Subject::Server, why)];
    };
    let file = |path: &str| Subject::File { file: path.to_owned(), line: None };
    manifests(source)
        .into_iter()
        .map(|manifest| match manifest {
            Ok(manifest) => verdict(file(manifest.path), &manifest),
            Err((path, why)) => Finding::fail(
                file(path),
                quote(&why),
                "mend the file; editors show where it breaks",
            ),
        })
        .collect()
}

fn verdict(subject: Subject, manifest: &Manifest<'_>) -> Finding {
    let faults = manifest.faults();
    let told =
        |faults: &[&Fault]| faults.iter().map(|f| quote(&f.says)).collect::<Vec<_>>().join(", ");
    let grave: Vec<&Fault> = faults.iter().filter(|f| f.grave).collect();
    let what = match manifest.kind {
        Kind::Bundle => "an MCPB bundle",
        Kind::Registry => "an entry of the MCP registry",
        Kind::Npm => "an npm package",
        Kind::Python => "a Python project",
    };
    let fix = format!("add what is missing; the format of {what} names every field");
    if !grave.is_empty() {
        return Finding::fail(subject, format!("as {what}: {}", told(&grave)), fix);
    }
    match faults.is_empty() {
        true => Finding::pass(subject, format!("complete as {what}")),
        false => {
            let rest: Vec<&Fault> = faults.iter().collect();
            Finding::partial(subject, Grade::new(0.75), format!("as {what}: {}", told(&rest)), fix)
        }
    }
}
