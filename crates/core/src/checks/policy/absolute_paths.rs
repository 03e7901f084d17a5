//! Paths of one machine.

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::coded;
use crate::evidence::{Evidence, HabitKind};

pub(super) const CHECK: Check = Check {
    id: "policy/absolute-paths",
    title: "No path in the source belongs to one machine",
    facet: Facet::Portability,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("absolute_paths.md"),
    judge,
};

const FIX: &str =
    "ask the platform: `tempfile`, `os.tmpdir()`, `Path.home()`, or take the path as an argument";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    coded::verdict(evidence, HabitKind::AbsolutePath, "no path of one machine is written down", FIX)
}
