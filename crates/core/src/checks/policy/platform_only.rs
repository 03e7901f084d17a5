//! Calls that only some systems have.

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::coded;
use crate::evidence::{Evidence, HabitKind};

pub(super) const CHECK: Check = Check {
    id: "policy/platform-only",
    title: "The source asks for the platform before it relies on one",
    facet: Facet::Portability,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("platform_only.md"),
    judge,
};

const FIX: &str = "ask for the platform first, or use what all systems have";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    coded::verdict(
        evidence,
        HabitKind::PlatformOnly,
        "nothing that only some systems have is used",
        FIX,
    )
}
