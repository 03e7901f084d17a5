//! Debugging that was left on.

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::coded;
use crate::evidence::{Evidence, HabitKind};

pub(super) const CHECK: Check = Check {
    id: "security/debug-mode",
    title: "The source is not left in debug mode",
    facet: Facet::SourceCode,
    severity: Severity::Medium,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("debug_mode.md"),
    judge,
};

const FIX: &str = "take the switch from the environment, with off as the default";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    coded::suspicions(evidence, HabitKind::DebugMode, "no debug mode is switched on", FIX)
}
