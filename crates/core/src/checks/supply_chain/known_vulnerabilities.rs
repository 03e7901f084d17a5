//! Dependencies that an advisory names, in a version that it is about.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{
    Advisories, Advisory, Affected, Dependencies, Evidence, LockFile, Locked, Rating, Subject,
};
use crate::response::quote;
use crate::versions;

pub(super) const CHECK: Check = Check {
    id: "supply_chain/known-vulnerabilities",
    title: "No dependency has a known vulnerability",
    facet: Facet::SupplyChain,
    severity: Severity::High,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("known_vulnerabilities.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let unseen = |why: String| vec![Finding::unseen(Subject::Server, why)];
    let dependencies = match evidence.dependencies() {
        Ok(dependencies) => dependencies,
        Err(why) => return unseen(why),
    };
    let count = dependencies.packages().count();
    if count == 0 && dependencies.locks.iter().all(|lock| lock.problem.is_none()) {
        return Vec::new();
    }
    let Some(advisories) = &dependencies.advisories else {
        return unseen(format!(
            "{count} packages were not held against any advisories; give a database with --osv PATH, or let the OSV service be asked with --online"
        ));
    };
    let mut findings = hits(dependencies, advisories);
    let doubt = doubts(dependencies, advisories);
    if findings.is_empty() && doubt.is_empty() {
        let origin = quote(&advisories.origin);
        let says = format!("none of {count} packages is named by an advisory of {origin}");
        findings.push(Finding::pass(Subject::Server, says));
    }
    findings.extend(doubt.into_iter().map(|why| Finding::unseen(Subject::Server, why)));
    findings
}

/// What keeps "none found" from meaning "none there".
fn doubts(dependencies: &Dependencies, advisories: &Advisories) -> Vec<String> {
    let mut doubts: Vec<String> = Vec::new();
    if let Some(why) = &advisories.problem {
        doubts.push(format!("advisories of {}: {}", quote(&advisories.origin), quote(why)));
    }
    for lock in &dependencies.locks {
        doubts.extend(lock.problem.as_ref().map(|why| format!("{}: {}", lock.path, quote(why))));
    }
    let open = dependencies.packages().filter(|(_, p)| p.version.is_none()).count();
    if open > 0 {
        doubts.push(format!("{open} packages have no exact version to look up"));
    }
    doubts
}

/// One finding for each package and version, with all that is known about it.
fn hits(dependencies: &Dependencies, advisories: &Advisories) -> Vec<Finding> {
    let known = |package| versions::known(advisories, package);
    dependencies.packages().filter_map(|(lock, p)| finding(lock, p, &known(p))).collect()
}

fn finding(lock: &LockFile, package: &Locked, known: &[(&Advisory, &Affected)]) -> Option<Finding> {
    let (worst, _) = known.first()?;
    let one = |(advisory, _): &(&Advisory, &Affected)| {
        let about = if advisory.summary.is_empty() { "" } else { ": " };
        format!("{} ({}{about}{})", advisory.id, advisory.rating.as_str(), quote(&advisory.summary))
    };
    let told: Vec<String> = known.iter().take(3).map(one).collect();
    let more =
        if known.len() > 3 { format!(" and {} more", known.len() - 3) } else { String::new() };
    let version = package.version.as_deref()?;
    let fixes = known.iter().filter_map(|(_, affected)| versions::fixed_in(version, affected));
    let name = &package.name;
    let fix = match (worst.rating, versions::highest(package.ecosystem, fixes)) {
        (Rating::Malicious, _) => {
            format!("remove {name} at once, and change every secret it could read")
        }
        (_, Some(fixed)) => format!("upgrade {name} to {fixed} or later"),
        (Rating::Notice, None) => format!("look for a maintained package instead of {name}"),
        (_, None) => format!(
            "no release mends it yet: replace {name}, or make sure that the flaw can't be reached"
        ),
    };
    let note = if package.dev { ", needed for development only" } else { "" };
    let says = format!("{}{note}: {}{more}", package.label(), told.join(", "));
    let subject = Subject::File { file: lock.path.clone(), line: None };
    Some(Finding::partial(subject, grade(worst.rating, package.dev), says, fix))
}

fn grade(rating: Rating, dev: bool) -> Grade {
    match rating {
        Rating::Malicious => Grade::FAIL,
        Rating::Critical | Rating::High | Rating::Unrated if !dev => Grade::FAIL,
        Rating::Moderate if !dev => Grade::new(0.5),
        Rating::Critical | Rating::High | Rating::Unrated => Grade::new(0.5),
        Rating::Moderate | Rating::Low | Rating::Notice => Grade::new(0.75),
    }
}
