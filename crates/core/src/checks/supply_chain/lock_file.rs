//! Source trees whose dependencies are chosen anew at each build.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, LockFile, LockFormat, Source, Subject};
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "supply_chain/lock-file",
    title: "The versions of dependencies are written down",
    facet: Facet::SupplyChain,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("lock_file.md"),
    judge,
};

const FIX: &str = "commit the lock file that the package manager writes (package-lock.json, uv.lock, Cargo.lock …), or name exact versions in requirements.txt";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let Some(source) = &evidence.source else {
        let why = "no source or installed package was found (give one with --source DIR)";
        return vec![Finding::unseen(Subject::Server, why)];
    };
    let locks = source.dependencies.as_ref().map_or(&[][..], |d| &d.locks);
    // What is published is installed as the user's package manager sees fit.
    if locks.iter().any(|lock| lock.format == LockFormat::Installed) {
        return Vec::new();
    }
    match locks {
        [] => declares(source).map(missing).into_iter().collect(),
        locks => locks.iter().map(verdict).collect(),
    }
}

/// A manifest that names dependencies.
fn declares(source: &Source) -> Option<&str> {
    let needs = |text: &str, name: &str| match name {
        "package.json" => {
            let manifest: Option<serde_json::Value> = serde_json::from_str(text).ok();
            let table = manifest.as_ref().and_then(|m| m.get("dependencies")?.as_object());
            table.is_some_and(|t| !t.is_empty())
        }
        "pyproject.toml" => {
            let manifest: Option<toml::Value> = toml::from_str(text).ok();
            let list =
                manifest.as_ref().and_then(|m| m.get("project")?.get("dependencies")?.as_array());
            list.is_some_and(|l| !l.is_empty())
        }
        _ => false,
    };
    source.manifests.iter().find(|m| needs(&m.text, &m.path)).map(|m| m.path.as_str())
}

fn missing(manifest: &str) -> Finding {
    let says = format!("{manifest} names dependencies, and no lock file says which versions");
    Finding::fail(Subject::File { file: manifest.to_owned(), line: None }, says, FIX)
}

fn verdict(lock: &LockFile) -> Finding {
    let subject = Subject::File { file: lock.path.clone(), line: None };
    let (all, open) =
        (lock.packages.len(), lock.packages.iter().filter(|p| p.version.is_none()).count());
    match &lock.problem {
        Some(why) => Finding::unseen(subject, quote(why)),
        None if open == 0 => Finding::pass(subject, format!("{all} packages with exact versions")),
        None => {
            let share = (all - open) as f64 / all as f64;
            let says = format!("{open} of {all} packages have no exact version");
            Finding::partial(subject, Grade::new(share.min(0.9)), says, FIX)
        }
    }
}
