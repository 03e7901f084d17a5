//! Dependencies whose names are one slip away from a well-known package.

use crate::check::{Check, Confidence, Facet, Finding, Revisions, Severity};
use crate::evidence::{Ecosystem, Evidence, Subject};

pub(super) const CHECK: Check = Check {
    id: "supply_chain/lookalike-names",
    title: "No dependency is named like a well-known package",
    facet: Facet::SupplyChain,
    severity: Severity::High,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("lookalike_names.md"),
    judge,
};

/// Below this, names one letter apart are common and mean nothing.
const SHORTEST: usize = 5;

/// Well known, and therefore worth imitating.
const KNOWN: &[(Ecosystem, &str)] = &[
    (Ecosystem::Npm, include_str!("lookalike_names/npm.txt")),
    (Ecosystem::Pypi, include_str!("lookalike_names/pypi.txt")),
    (Ecosystem::Crate, include_str!("lookalike_names/crates.txt")),
];

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let dependencies = match evidence.dependencies() {
        Ok(dependencies) => dependencies,
        Err(why) => return vec![Finding::unseen(Subject::Server, why)],
    };
    let mut found = Vec::new();
    let mut judged = 0usize;
    for (lock, package) in dependencies.packages() {
        let Some(known) = known(package.ecosystem) else { continue };
        judged += 1;
        let name = package.ecosystem.normal(&package.name);
        if let Some(like) = imitated(&name, &known) {
            let subject = Subject::File { file: lock.path.clone(), line: None };
            found.push(suspicion(subject, &package.label(), like));
        }
    }
    if judged > 0 && found.is_empty() {
        let says = format!("none of {judged} names is a slip away from a well-known one");
        found.push(Finding::pass(Subject::Server, says));
    }
    found
}

fn suspicion(subject: Subject, label: &str, like: &str) -> Finding {
    Finding::fail(
        subject,
        format!("{label} is named almost like {like}"),
        format!("check that {label} is what was meant, and not {like}"),
    )
    .suspected()
    .confidence(Confidence::Low)
}

fn known(ecosystem: Ecosystem) -> Option<Vec<&'static str>> {
    let names = KNOWN.iter().find(|(kind, _)| *kind == ecosystem)?.1;
    Some(names.split_whitespace().filter(|n| !n.starts_with('#')).collect())
}

/// The well-known name that this one could be taken for.
fn imitated<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    // Whoever owns a scope owns all names below it.
    if name.starts_with('@') || name.len() < SHORTEST || known.contains(&name) {
        return None;
    }
    known.iter().copied().find(|like| is_slip(name, like))
}

/// One letter more, fewer, changed or swapped; or the same letters with other hyphens.
fn is_slip(name: &str, like: &str) -> bool {
    if like.len() < SHORTEST || like.starts_with('@') || name.len().abs_diff(like.len()) > 2 {
        return false;
    }
    let bare = |text: &str| text.replace(['-', '_', '.'], "");
    if bare(name) == bare(like) {
        return true;
    }
    // A digit at the end is how successors and ports are named.
    let stem = |text: &str| text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    if name[..stem(name)] == like[..stem(like)] {
        return false;
    }
    // A plural is a common honest neighbour.
    let plural = |a: &str, b: &str| a.strip_suffix('s') == Some(b);
    !plural(name, like) && !plural(like, name) && strsim::osa_distance(name, like) == 1
}
