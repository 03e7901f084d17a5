//! Dependencies under licences that the user's organisation does not allow.

use spdx::{Expression, ParseMode};

use crate::check::{Check, Confidence, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, LockFile, Locked, Subject};
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "supply_chain/licences-allowed",
    title: "Dependencies are under licences that are allowed",
    facet: Facet::SupplyChain,
    severity: Severity::Medium,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("licences_allowed.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    // What is allowed is nobody's to guess.
    let Some(allowed) = &evidence.conditions.licences else { return Vec::new() };
    let dependencies = match evidence.dependencies() {
        Ok(dependencies) => dependencies,
        Err(why) => return vec![Finding::unseen(Subject::Server, why)],
    };
    let mut findings = Vec::new();
    let (mut fine, mut unknown) = (0usize, 0usize);
    for (lock, package) in dependencies.packages() {
        match package.licence.as_deref().map(|l| is_allowed(l, allowed)) {
            None => unknown += 1,
            Some(Some(true)) => fine += 1,
            Some(verdict) => findings.push(refused(lock, package, verdict.is_none())),
        }
    }
    if fine > 0 && findings.is_empty() {
        let says = format!("{fine} packages are under licences that are allowed");
        findings.push(Finding::pass(Subject::Server, says));
    }
    if unknown > 0 {
        let says = format!(
            "the licences of {unknown} packages are not on record here; `cargo deny`, `go-licenses` or an installed copy can tell"
        );
        findings.push(Finding::unseen(Subject::Server, says));
    }
    findings
}

fn refused(lock: &LockFile, package: &Locked, unreadable: bool) -> Finding {
    let subject = Subject::File { file: lock.path.clone(), line: None };
    let licence = quote(package.licence.as_deref().unwrap_or_default());
    let label = package.label();
    let fix = format!(
        "replace {}, or add its licence to `[licences] allow` in proofmark.toml",
        package.name
    );
    match unreadable {
        false => Finding::fail(subject, format!("{label} is under {licence}"), fix),
        true => Finding::fail(
            subject,
            format!("{label} is under \"{licence}\", which is no SPDX expression"),
            fix,
        )
        .suspected()
        .confidence(Confidence::Low),
    }
}

/// `None`: it is no SPDX expression and not allowed by its wording either.
fn is_allowed(licence: &str, allowed: &[String]) -> Option<bool> {
    let named = |name: &str| allowed.iter().any(|a| a.eq_ignore_ascii_case(name.trim()));
    if named(licence) {
        return Some(true);
    }
    let expression = Expression::parse_mode(licence, ParseMode::LAX).ok()?;
    Some(expression.evaluate(|term| {
        let whole = term.to_string();
        let bare = whole.split(" WITH ").next().unwrap_or(&whole);
        named(&whole) || named(bare)
    }))
}
